// SPDX-License-Identifier: Apache-2.0
// Players that insert ads themselves play the breaks of a VoD channel before, between and after its content, which stays whole.
import { expect, test } from 'vitest';
import { untilPlaying } from '../../../demo/untilPlaying.ts';
import { openView } from '../../live/openSession.ts';
import { adSource, openRealStage } from '../../live/stage.ts';
import { opened } from '../../opened.ts';
import type { VodView } from '../../vod/watchVod.ts';
import { expectNoErrors, expectNoFaults } from '../expectSmoothPlayback.ts';
import type { Fault } from '../judgeFaults.ts';
import { openPlayers, type PlayReport, type SeenPicture } from '../players.ts';
import { startShortVideos } from '../shortVideos.ts';
import { colouredAds } from './colouredAds.ts';
import { NEAR, stillsOf } from './insertedBreaks.ts';

const pod = { amber: 4, rose: 2 };
const POD = 6;
/** Seconds of content, and where it is interrupted. */
const [CONTENT, MIDDLE] = [16, 8];
const FRAME = 0.04;

const stage = await opened(openRealStage());
const players = await opened(openPlayers());
const origin = await opened(startShortVideos(CONTENT));
const ads = await colouredAds(stage, pod);
stage.adHost.offer('/ads', () => ads);
stage.adHost.offer('/none', () => []);
// DASH sessions of titles that end in a break are stitched.
for (const [id, path, cues] of [
  ['film', '/ads', [0, MIDDLE, -1]],
  ['early', '/ads', [0, MIDDLE]],
  ['bare', '/none', [0, MIDDLE]],
] as const) {
  const cuePoints = cues.map((spliceTime) => ({ spliceTime, maxDuration: POD, maxAds: 2 }));
  const contents = [{ sourceType: 'url', url: `${origin.url}/tide/master.m3u8`, cuePoints } as const];
  const channel = { type: 'vod', insertion: 'guided', adSource: adSource(stage.adHost, path), vodBudgetMs: 20_000 };
  await stage.air(id, contents, channel, { type: 'vod' });
  expect(await untilPlaying(`${stage.midroll.liveUrl}/hls/${id}/master.m3u8?api-key=key`, 600)).toBe(true);
}
// Until the ads are conditioned, presentations are shorter.
await stage.until('the ads are ready', async () => {
  const response = await fetch(`${stage.midroll.liveUrl}/hls/view/film?api-key=key&insertion=stitched`);
  return response.ok && ((await response.json()) as VodView).durationSeconds === CONTENT + 3 * POD;
});

const named = (pictures: readonly SeenPicture[]): string[] => pictures.map(({ what }) => what);

/** Seconds by which a player notices a break late. hls.js looks four times a second, where ads have buffers of their own. */
const LATE = { 'hls.js': 0.3, shaka: 0.1 };

/** Media times of the content, which its own video element has. It may have shown a frame before the ads before it. */
function contentFaults(pictures: readonly SeenPicture[], borders: readonly number[], late: number): Fault[] {
  return pictures
    .filter(({ what, last }) => what === 'content' && last.media > FRAME)
    .flatMap(({ first, last }, index) => {
      const [from, to] = [first.media - borders[index]!, last.media + FRAME - borders[index + 1]!];
      const isWhole = Math.abs(from) <= NEAR / 1000 && to >= -NEAR / 1000 && to <= late;
      const what = `content was shown from ${first.media.toFixed(2)} s to ${last.media.toFixed(2)} s`;
      return isWhole ? [] : [{ what, wall: last.wall }];
    });
}

/**
 * The page starts playback, which ads before the content interrupt. Shaka Player reports a List MPD without ads as an error, and goes on
 * with the content.
 */
const withoutInterruption = (report: PlayReport): PlayReport => ({
  ...report,
  errors: report.errors.filter(({ what, why }) => what !== 'play()' && !why.includes('"code":4004')),
});

const formats = [
  ['hls.js', 'hls'],
  ['shaka', 'hls'],
  ['shaka', 'dash'],
] as const;

test.each(formats)('%s plays the breaks of %s around the content', async (player, format) => {
  const mediaURL = await openView(stage.midroll.liveUrl, format, format === 'dash' ? 'early' : 'film');
  const count = format === 'dash' ? 2 : 3;
  const isOver = ({ pictures, ended }: PlayReport) =>
    pictures.filter(({ what, last }) => what === 'rose' && last.second > 1.4).length === count &&
    (count === 3 || ended);
  const report = await players.playUntil(player, mediaURL, isOver, { looks: true, timeoutMs: 120_000 });
  const shown = named(report.pictures.filter(({ what, last }) => what !== 'content' || last.media > FRAME));
  const inserted = ['amber', 'rose'];
  expect(shown).toEqual([...inserted, 'content', ...inserted, 'content', ...(count === 3 ? inserted : [])]);
  expectNoErrors(withoutInterruption(report));
  const faults = contentFaults(report.pictures, [0, MIDDLE, CONTENT], LATE[player]);
  expectNoFaults([...faults, ...stillsOf(report)], report.busy);
});

test.each(formats)('%s plays the content of %s alone if its breaks have no ads', async (player, format) => {
  const mediaURL = await openView(stage.midroll.liveUrl, format, 'bare');
  const report = await players.playUntil(player, mediaURL, 'seen.ended', { looks: true, timeoutMs: 120_000 });
  expect(named(report.pictures)).toEqual(['content']);
  expect(report.ended).toBe(true);
  expectNoErrors(withoutInterruption(report));
  expectNoFaults([...contentFaults(report.pictures, [0, CONTENT], LATE[player]), ...stillsOf(report)], report.busy);
});
