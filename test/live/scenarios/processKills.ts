// kill -9 in the middle of a break, and again while a break is being decided: viewers go on as if nothing had been.
import { expect } from 'vitest';
import { writeVast } from '../adHost.ts';
import { adSource, item, openRealStage, type Stage, type TracedBreak, titlesOf } from '../stage.ts';
import type { Viewer } from '../viewer.ts';

const isFilled = (one: TracedBreak): boolean => titlesOf(one).length > 0;

/** A channel whose viewers get something else whenever they ask: a decision that was lost would show. */
async function airFickleAds(stage: Stage): Promise<() => number> {
  const [video, spot3, spot4] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(3), stage.spot(4)]);
  const three = { id: 'three', seconds: 3, url: spot3 };
  const four = { id: 'four', seconds: 4, url: spot4 };
  let asked = 0;
  stage.adHost.on('/fickle', (response) => {
    asked += 1;
    const ads = asked % 2 === 0 ? [three, four] : [four, three];
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/xml' }).end(writeVast(ads)), 700);
  });
  const channel = { adSource: adSource(stage.adHost, '/fickle') };
  await stage.air('c', [item(video, { spliceTime: 4, maxDuration: 8 })], channel);
  return () => asked;
}

/** What was decided. What is delivered grows while nobody looks. */
const plan = (one: TracedBreak) => ({ ...one, ads: one.ads.map((ad) => ({ ...ad, delivered: undefined })) });

async function watchThroughKills(stage: Stage): Promise<void> {
  const { midroll } = stage;
  // The process with the administrative port sends the console to where the others listen.
  expect((await midroll.api('GET', '/installation')).json.liveUrl).toBe(midroll.liveUrl);
  const asked = await airFickleAds(stage);
  let isAway = false;
  const viewers = await Promise.all(
    ['1', '2', '3'].map((name) => stage.watch('c', { query: `viewer=${name}`, mayBeUnavailable: () => isAway })),
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
    isAway = true;
    await midroll.kill();
    await midroll.restart();
    // A request that was on its way to the old one may still fail.
    await stage.clock.sleep(300);
    isAway = false;
    const after = await Promise.all(viewers.map(stage.breaks));
    after.forEach((breaks, index) => {
      for (const one of before[index]!) expect(breaks.map(plan)).toContainEqual(plan(one));
    });
  }

  await first.until('a break with ads is on', isInBreak);
  await killAndRestart();

  const before = asked();
  await first.until('the ad server is being asked', () => asked() > before);
  await killAndRestart();

  const seen = (await stage.breaks(first)).length;
  await first.until('two more breaks', async () => (await stage.breaks(first)).length >= seen + 2);
  await first.until('the next break with ads is on', isInBreak);
  const filled = async (viewer: Viewer) => (await stage.breaks(viewer)).filter(isFilled).length;
  for (const viewer of viewers) await viewer.until('three breaks with ads', async () => (await filled(viewer)) > 2);
  await Promise.all(viewers.map((viewer) => viewer.leave()));
  for (const viewer of viewers) expect(viewer.faults).toEqual([]);
  expect(midroll.bugs()).toEqual([]);
}

export async function survivesTwoKills(): Promise<void> {
  const stage = await openRealStage({ WORKERS: '2' });
  try {
    await watchThroughKills(stage);
  } finally {
    await stage.close();
  }
}
