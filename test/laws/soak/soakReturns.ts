// SPDX-License-Identifier: Apache-2.0
// Looks at the logs of the soak: an origin that has been fine for a while is on air, not slate.
import { sqlLiveLog } from '../../../src/adapters/sql/live/sqlLiveLog.ts';
import type { Sql } from '../../../src/adapters/sql/sql.ts';
import type { SoakFeed } from './soakChannels.ts';
import type { SoakOrigin } from './soakOrigin.ts';

/**
 * Milliseconds. Of them: reading again after failures, two readings that show that the origin grows, and two and a half target
 * durations (of 3 s) and a second until it has reached the end of the timeline.
 */
const BACK_AFTER = 30_000;

export type SoakReturns = {
  /** @returns what is wrong at the end of each log. @param fineSince when the last trouble of an origin, and of the nodes, ended */
  check(fineSince: (origin: SoakOrigin) => number): Promise<string[]>;
};

export function createSoakReturns(sql: Sql, feeds: readonly SoakFeed[]): SoakReturns {
  const log = sqlLiveLog(sql);
  const nextOf = new Map<string, number>();
  return {
    async check(fineSince) {
      const wrong: string[] = [];
      for (const {
        feed: { life },
        origin,
      } of feeds) {
        const entries = await log.read(life, nextOf.get(life) ?? 0);
        const newest = entries.findLast(({ slots }) => slots.length > 0);
        nextOf.set(life, (entries.at(-1)?.number ?? (nextOf.get(life) ?? 0) - 1) + 1);
        if (newest?.slots.at(-1)?.isAway !== true) continue;
        const fine = newest.readAt - fineSince(origin);
        if (fine >= BACK_AFTER)
          wrong.push(`${life}: slate is on air, although the origin has been fine for ${fine} ms`);
      }
      return wrong;
    },
  };
}
