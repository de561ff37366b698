// SPDX-License-Identifier: Apache-2.0
// `npm run bench:first-play`: a new ad, 30 s of 1920×1080, is returned by the ad server one break's length
// before the break of a channel with three qualities, up to 1080p. Measures the time until its first viewer has it.
import { makeAgencySpot, makeLadderVideo, playFirst } from '../test/ads/firstPlay.ts';
import { openRealStage } from '../test/live/stage.ts';

const VIDEO_SECONDS = 50;
const RUNGS = [
  { height: 1080, kbps: 5000 },
  { height: 720, kbps: 2800 },
  { height: 360, kbps: 800 },
];
const seconds = (value: number): string => `${value.toFixed(1).padStart(6)} s`;

const stage = await openRealStage();
try {
  const spot = stage.origin.url + (await makeAgencySpot(stage.origin.folder, 'spot'));
  const video = stage.origin.url + (await makeLadderVideo(stage.origin.folder, 'video', VIDEO_SECONDS, RUNGS));
  const { announced, secondsToFirstSegment: seen, shown } = await playFirst(stage, video, VIDEO_SECONDS, spot, 50);
  const made = stage.midroll.logged('media conditioned').find(({ kind }) => kind === 'creative');
  console.log('A new 30 s 1080p MP4, a channel of 1080p, 720p and 360p, a break of 30 s:');
  console.log(`${seconds(announced)}  before the break the ad server returned it`);
  console.log(
    made === undefined
      ? '     –    it was not conditioned'
      : `${seconds(made.seconds)}  later it was conditioned for all qualities`,
  );
  if (seen !== undefined)
    console.log(`${seconds(seen)}  after the ad response, its first viewer had it in every quality`);
  const [ad] = shown.ads;
  console.log(`In the trace: ${ad?.outcome} ${ad?.reason?.text ?? ''}`);
} finally {
  await stage.close();
}
