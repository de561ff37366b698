// SPDX-License-Identifier: Apache-2.0
// The first viewer of an ad: one that is conditioned before its break starts, and one that is used as is.
import { expect, test } from 'vitest';
import { decodeSpans } from '../live/decode.ts';
import { fileStage } from '../live/fileStage.ts';
import { item, type TracedBreak } from '../live/stage.ts';
import type { Viewer } from '../live/viewer.ts';
import { makeAgencySpot, makeLadderVideo, playFirst } from './firstPlay.ts';
import { hostMatchingCreative } from './matchingCreative.ts';

const CONTENT_SECONDS = 50;

const stage = await fileStage();

async function expectClean(viewer: Viewer): Promise<void> {
  expect(viewer.faults).toEqual([]);
  for (const rung of viewer.rungs) {
    for (const { decoderErrors, frames, seconds, uris } of await decodeSpans(viewer, rung)) {
      expect([uris[0], decoderErrors]).toEqual([uris[0], '']);
      if (frames.video !== undefined) expect([uris[0], frames.video]).toEqual([uris[0], Math.round(seconds * 25)]);
    }
  }
}

test.concurrent('the first viewer sees a new 30 s 1080p ad, one break length after the ad server returned it', async () => {
  const { folder, url } = stage.origin;
  const spot = await makeAgencySpot(folder, 'spot');
  const content = await makeLadderVideo(folder, 'first', CONTENT_SECONDS, [
    { height: 360, kbps: 800 },
    { height: 180, kbps: 300 },
  ]);
  const { announced, secondsToFirstSegment, shown, viewer } = await playFirst(
    stage,
    url + content,
    CONTENT_SECONDS,
    url + spot,
    45,
  );
  expect(announced).toBeGreaterThan(27);
  expect(announced).toBeLessThanOrEqual(30);
  expect(shown).toMatchObject({ status: 'filled', slate: 0 });
  expect(secondsToFirstSegment).toBeDefined();
  await viewer.leave();
  await expectClean(viewer);
});

test.concurrent('an HLS ad that matches the ladder is used as is, exactly and without decoding errors', async () => {
  const { folder, url } = stage.origin;
  const content = url + (await makeLadderVideo(folder, 'asis', 12, [{ height: 180, kbps: 300 }]));
  const host = await hostMatchingCreative(stage, content, 6);

  const spot = await stage.spot(4);
  stage.adHost.offer('/as-is', () => [
    { id: 'listed', seconds: 6, url: `${host.url}/spot/master.m3u8` },
    { id: 'made', seconds: 4, url: spot },
  ]);
  await stage.air('as-is', [item(content, { spliceTime: 6, maxDuration: 10 })], {
    ...{ adSource: { url: `${stage.adHost.url}/as-is` }, playlistSize: 20 },
  });
  const viewer = await stage.watch('as-is');
  let over: TracedBreak | undefined;
  await viewer.until('a break was filled', async () => {
    const breaks = await stage.breaks(viewer);
    over = breaks.find(({ status, at }) => status === 'filled' && at + 16_000 < stage.clock.now());
    return over !== undefined;
  });
  expect(over).toMatchObject({
    ads: [
      { title: 'Ad listed', creative: { use: 'asIs' } },
      { title: 'Ad made', creative: { use: 'conditioned' } },
    ],
  });
  // Requested once to measure it and once by the viewer.
  const requests = host.requested.filter((path) => path === '/spot/v0/1.m4s');
  expect(requests.length).toBeGreaterThanOrEqual(2);
  await viewer.leave();
  await expectClean(viewer);
});
