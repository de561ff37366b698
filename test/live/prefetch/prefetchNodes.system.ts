// SPDX-License-Identifier: Apache-2.0
// Two nodes on one PostgreSQL and one virtual clock: each request of a player goes to a random node, and the ads of each break are
// requested once, ahead, and used once.
import { expect, test } from 'vitest';
import { opened, scratchFolder } from '../../opened.ts';
import { seededRandom } from '../../seededRandom.ts';
import { createDatabase } from '../../servers/postgresDatabase.ts';
import { startMidrollInProcess } from '../midrollInProcess.ts';
import { openVirtualStage } from '../stage.ts';
import {
  adRequests,
  airUnannounced,
  breaksOf,
  conditioned,
  offerSlowly,
  spotsOf,
  startsWithAd,
} from './prefetchStage.ts';

const dataDir = scratchFolder();
const database = await opened(createDatabase());
const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir };
const stage = await opened(openVirtualStage(settings));
const other = await startMidrollInProcess(stage.clock, { ...settings, ROLE: 'serve' });
stage.onClose(other.close);

test('the ads of each break are requested once and used once, whichever node responds', async () => {
  const ads = await spotsOf(stage);
  offerSlowly(stage, 'two', { delay: 2500, ads });
  const origin = await airUnannounced(stage, 'two', { prefetch: 'decision' });
  await conditioned(stage, 'two', ads);
  // Until the other node has read the channel.
  await stage.clock.sleep(5000);
  const urls = [stage.midroll.liveUrl, other.liveUrl];
  const random = seededRandom(7);
  const send = (url: string, init?: RequestInit): Promise<Response> => {
    const path = urls.reduce((text, base) => text.replace(base, ''), url);
    return fetch(path === url ? url : urls[Math.floor(2 * random())]! + path, init);
  };
  const viewers = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      stage.watch('two', { dash: false, fetches: false, isTimed: false, query: `viewer=${name}`, send }),
    ),
  );
  const requestsOf = (name: string) => adRequests(stage, 'two').filter(({ viewer }) => viewer === name);
  for (let number = 1; number <= 3; number += 1) {
    for (const [index, viewer] of viewers.entries())
      await viewer.until('the next ads are requested', () => requestsOf('abc'[index]!).length >= number);
    await stage.clock.sleep(5000);
    origin.broadcast.addBreak(stage.clock.now(), { seconds: 12 });
    for (const viewer of viewers)
      await viewer.until('the break is over', async () => {
        const last = (await breaksOf(stage, viewer))[number - 1];
        return last !== undefined && stage.clock.now() > last.at + 25_000;
      });
  }
  await stage.clock.sleep(40_000);
  for (const [index, viewer] of viewers.entries()) {
    expect(viewer.faults).toEqual([]);
    const breaks = await breaksOf(stage, viewer);
    expect(breaks.map((one) => [one.prefetched, startsWithAd(one)])).toEqual(new Array(3).fill([true, true]));
    // One for each break, and one that is ready.
    expect(requestsOf('abc'[index]!).map(({ breakId }) => breakId.slice(0, 9))).toEqual(new Array(4).fill('prefetch-'));
  }
  expect([...stage.midroll.bugs(), ...other.bugs()]).toEqual([]);
});
