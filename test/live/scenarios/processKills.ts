// SPDX-License-Identifier: Apache-2.0
// SIGKILL during a break, and again during an ad request. Viewers continue and no decision is lost.
import { expect } from 'vitest';
import { writeVast } from '../adHost.ts';
import {
  adSource,
  decisionOf,
  item,
  onStage,
  openRealStage,
  type Stage,
  type TracedBreak,
  titlesOf,
} from '../stage.ts';
import type { Viewer } from '../viewer.ts';

const isFilled = (one: TracedBreak): boolean => titlesOf(one).length > 0;

/** A channel whose ads change with each ad request, so that a lost decision would be noticed. */
async function airChangingAds(stage: Stage): Promise<() => number> {
  const [video, spot3, spot4] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(3), stage.spot(4)]);
  const three = { id: 'three', seconds: 3, url: spot3 };
  const four = { id: 'four', seconds: 4, url: spot4 };
  let requestCount = 0;
  stage.adHost.on('/changing', (response) => {
    requestCount += 1;
    const ads = requestCount % 2 === 0 ? [three, four] : [four, three];
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/xml' }).end(writeVast(ads)), 700);
  });
  const channel = { adSource: adSource(stage.adHost, '/changing') };
  await stage.air('c', [item(video, { spliceTime: 4, maxDuration: 8 })], channel);
  return () => requestCount;
}

async function watchThroughKills(stage: Stage): Promise<void> {
  const { midroll } = stage;
  // The administrative process reports the live URL of the other processes to the console.
  expect((await midroll.api('GET', '/installation')).json.liveUrl).toBe(midroll.liveUrl);
  const requestCount = await airChangingAds(stage);
  let isDown = false;
  const viewers = await Promise.all(
    ['1', '2', '3'].map((name) => stage.watch('c', { query: `viewer=${name}`, mayBeUnavailable: () => isDown })),
  );
  const [first] = viewers as [Viewer, ...Viewer[]];
  const isInBreak = async (): Promise<boolean> => {
    const now = stage.clock.now();
    return (await stage.breaks(first)).some(
      (one) => isFilled(one) && one.at + 2500 < now && now < one.at + one.duration * 1000 - 3000,
    );
  };

  async function killAndRestart(): Promise<void> {
    const before = await Promise.all(viewers.map(stage.breaks));
    isDown = true;
    await midroll.kill();
    await midroll.restart();
    // A request that is in flight to the old process may still fail.
    await stage.clock.sleep(300);
    isDown = false;
    const after = await Promise.all(viewers.map(stage.breaks));
    after.forEach((breaks, index) => {
      for (const one of before[index]!) expect(breaks.map(decisionOf)).toContainEqual(decisionOf(one));
    });
  }

  await first.until('a break with ads is on air', isInBreak);
  await killAndRestart();

  const before = requestCount();
  await first.until('an ad request is in flight', () => requestCount() > before);
  await killAndRestart();

  const seen = (await stage.breaks(first)).length;
  await first.until('two more breaks are decided', async () => (await stage.breaks(first)).length >= seen + 2);
  await first.until('the next break with ads is on air', isInBreak);
  const filled = async (viewer: Viewer) => (await stage.breaks(viewer)).filter(isFilled).length;
  for (const viewer of viewers) await viewer.until('three breaks have ads', async () => (await filled(viewer)) > 2);
  await Promise.all(viewers.map((viewer) => viewer.leave()));
  for (const viewer of viewers) expect(viewer.faults).toEqual([]);
  expect(midroll.bugs()).toEqual([]);
}

export const survivesTwoKills = (): Promise<void> => onStage(openRealStage({ WORKERS: '2' }), watchThroughKills);
