// SPDX-License-Identifier: Apache-2.0
// What the session store in Redis has set aside for the history, part by part.

import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import type { AsideStore, Batch, Ended, SetAside } from '../../sessions/history/ports.ts';
import { startOfRecord } from '../../sessions/retention.ts';
import type { Session } from '../../sessions/session.ts';
import { millis } from '../../time/units.ts';
import { unpack } from '../packJson.ts';
import type { Part } from './parts.ts';
import type { Argument, RedisStore, Reply } from './redisStore.ts';
import { forgetAside, takeAside } from './scripts/asideScripts.ts';

/** Sessions taken from a part at once, each with 60 records at most. */
const SESSIONS_PER_PART = 10;
/** Parts that are read together. */
const PARTS_AT_ONCE = 8;

type Taken = { readonly ended?: Ended; readonly breaks: readonly SetAside[]; readonly forget: readonly Argument[] };

async function readTaken(reply: readonly Reply[]): Promise<Taken> {
  const [id, body, seenAt, keptFrom] = reply.slice(0, 4).map(String) as [string, string, string, string];
  const records = reply.slice(4);
  const breakIds = records.flatMap((breakId, index) => (index % 2 === 0 ? [String(breakId)] : []));
  const forget = [id, breakIds.length, ...breakIds];
  if (body === '') return { breaks: [], forget };
  const session = JSON.parse(body) as Session;
  const unpacked = await Promise.all(breakIds.map((_, at) => unpack<BreakRecord>(records[2 * at + 1] as Buffer)));
  const breaks = unpacked.map((record) => ({
    ...{ sessionId: id, tenant: session.tenant, channelId: session.channelId, record },
    keptFrom: millis(keptFrom === '' ? startOfRecord(record) : Number(keptFrom)),
  }));
  if (keptFrom === '') return { breaks, forget };
  const ended = { session, seenAt: millis(Number(seenAt)), keptFrom: millis(Number(keptFrom)) };
  return { ended, breaks, forget };
}

export function redisAside(store: RedisStore): AsideStore {
  const { all } = store.parts;
  let next = 0;

  async function takeFrom(part: Part): Promise<{ part: Part; taken: readonly Taken[] }> {
    const replies = (await store.run(part, takeAside, [SESSIONS_PER_PART])) as readonly (readonly Reply[])[];
    return { part, taken: await Promise.all(replies.map(readTaken)) };
  }

  return {
    async take(): Promise<Batch | undefined> {
      for (let read = 0; read < all.length; read += PARTS_AT_ONCE) {
        const parts = Array.from({ length: PARTS_AT_ONCE }, (_, index) => all[(next + index) % all.length]!);
        const found = (await Promise.all(parts.map(takeFrom))).filter(({ taken }) => taken.length > 0);
        if (found.length === 0) {
          next = (next + PARTS_AT_ONCE) % all.length;
          continue;
        }
        const taken = found.flatMap((one) => one.taken);
        return {
          sessions: taken.flatMap(({ ended }) => ended ?? []),
          breaks: taken.flatMap(({ breaks }) => breaks),
          done: async () => {
            await Promise.all(
              found.map((one) =>
                store.run(
                  one.part,
                  forgetAside,
                  one.taken.flatMap(({ forget }) => forget),
                ),
              ),
            );
          },
        };
      }
      return undefined;
    },
  };
}
