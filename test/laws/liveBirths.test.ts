// SPDX-License-Identifier: Apache-2.0
// Live channels that begin while their origins are in any state: content is on air soon after the origins are fine, if the
// viewer or the origin comes first, with nodes that are started again meanwhile.
import { expect, test } from 'vitest';
import { sqlLiveLog } from '../../src/adapters/sql/live/sqlLiveLog.ts';
import { isThorough, lawSeeds } from '../lawRuns.ts';
import { beginBirth, births } from './soak/soakBirths.ts';
import { watchedKinds } from './soak/soakChannels.ts';
import { openSoakStage, type SoakStage } from './soak/soakStage.ts';
import { watchSoak } from './soak/soakViewer.ts';

/** Milliseconds: ten target durations, and the time in which an origin that counts from 1 again lists a few segments. */
const BACK_AFTER = 30_000;

function watch({ clock, random, nodes, watched, violated }: SoakStage, until: number): void {
  for (const { id, format } of watchedKinds)
    void watchSoak({
      ...{
        clock,
        random,
        channel: id,
        format,
        node: nodes.anyRunning,
        watched,
        storeAwayAt: nodes.storeAwayAt,
        violated,
        statesLonger: () => false,
      },
      isOver: () => clock.now() >= until,
    });
}

/** What the newest slots of the logs are, and how long ago they were read. */
async function ends({ sql, clock, onAir }: SoakStage): Promise<string[]> {
  const log = sqlLiveLog(sql);
  const all = onAir.feeds.map(async ({ feed: { life } }) => {
    const newest = (await log.tail(life, 0)).findLast(({ slots }) => slots.length > 0);
    if (newest === undefined) return `${life}: nothing`;
    const isOld = clock.now() - newest.readAt > 10_000;
    return `${life}: ${isOld ? 'old ' : ''}${newest.slots.at(-1)!.isAway ? 'slate' : 'content'}`;
  });
  return Promise.all(all);
}

/** All of them in `npm run test:long`. */
const kinds = Object.keys(births);
const tested = isThorough ? kinds : lawSeeds(3).map((seed) => kinds[seed % kinds.length]!);

test.each(tested)('a channel begins while its origin %s', async (kind) => {
  for (const seed of lawSeeds(1)) {
    const stage = await openSoakStage(seed);
    const { clock, random, origins, nodes, violations, warnings } = stage;
    const { now } = clock;
    try {
      const until = now() + 4000 + 40_000 * random();
      const started = nodes.restartAll();
      await clock.advance(1);
      await started;
      beginBirth(kind, origins, now, until);
      const isViewerFirst = random() < 0.7;
      if (!isViewerFirst) await clock.advance(until - now());
      watch(stage, until + BACK_AFTER + 30_000);
      if (random() < 0.5) {
        await clock.advance(Math.max(0, until - now()) * random());
        const again = nodes.restartAll();
        await clock.advance(1);
        await again;
      }
      await clock.advance(until + BACK_AFTER - now());
      const name = `seed ${seed}, ${isViewerFirst ? 'the viewer' : 'the origin'} first`;
      expect(await ends(stage), name).toEqual(stage.onAir.feeds.map(({ feed }) => `${feed.life}: content`));
      expect(violations, name).toEqual([]);
      expect(
        Object.keys(warnings).filter((text) => text.includes('failed to process')),
        name,
      ).toEqual([]);
    } finally {
      await stage.close();
    }
  }
});
