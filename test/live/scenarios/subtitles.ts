// SPDX-License-Identifier: Apache-2.0
// Channels with subtitles in some of their videos: every span has text segments, which may be empty, as long as the video
// segments.

import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { readFragmentTimes } from '../../../src/mp4/readFragmentTimes.ts';
import { readInit } from '../../../src/mp4/readInit.ts';
import { readWebvtt } from '../../../src/subtitles/webvtt.ts';
import { naming } from '../../naming.ts';
import { adSource, type Item, item, type Stage, titlesOf } from '../stage.ts';
import type { VideoShape } from '../testVideos.ts';
import type { Viewer } from '../viewer.ts';

const SECONDS = 8;
/** How much later than declared ffmpeg starts the video, in milliseconds: a frame and the audio priming. */
const TOLERANCE = 70;

/** A video with one cue per second, in one file. @param start where its media time starts, in seconds */
async function subtitledVideo(
  stage: Stage,
  shape: Omit<VideoShape, 'seconds'>,
  start: number,
  language = 'en',
): Promise<string> {
  const video = new URL(await stage.video({ ...shape, seconds: SECONDS }));
  const folder = join(stage.origin.folder, dirname(video.pathname));
  const cue = (second: number) => `00:0${second}.000 --> 00:0${second + 1}.000\nsecond ${second}\n`;
  const cues = Array.from({ length: SECONDS }, (_, second) => cue(second));
  const head = `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:${Math.round(start * 90_000)},LOCAL:00:00:00.000\n`;
  await writeFile(join(folder, 'all.vtt'), [head, ...cues].join('\n'));
  const list = ['#EXTM3U', `#EXT-X-TARGETDURATION:${SECONDS}`, `#EXTINF:${SECONDS},`, 'all.vtt', '#EXT-X-ENDLIST', ''];
  await writeFile(join(folder, 'text.m3u8'), list.join('\n'));
  const master = await (await fetch(video)).text();
  const subtitles = '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Text",URI="text.m3u8"';
  const withSubtitles = master
    .replace(/(#EXT-X-STREAM-INF:[^\n]*)/g, '$1,SUBTITLES="s"')
    .replace('#EXTM3U', `#EXTM3U\n${subtitles},LANGUAGE="${language}"`);
  const name = `${language}-${basename(video.pathname)}`;
  await writeFile(join(folder, name), withSubtitles);
  return new URL(name, video).href;
}

const textOf = ({ listed }: Viewer) => new Set([...listed.get('t0')!.values()].map(({ uri }) => uri));
/** Whether the viewer has downloaded all listed text segments. */
const hasAllText = (viewer: Viewer): boolean => [...textOf(viewer)].every((uri) => viewer.media.has(uri));

/** Compares every listed text segment with the video segment of the same number. */
function expectTextMatchesVideo(viewer: Viewer): void {
  const [pictures, text] = [viewer.listed.get('v0')!, viewer.listed.get('t0')!];
  const texts = new Set<string>();
  for (const [number, segment] of text) {
    const picture = pictures.get(number);
    if (picture !== undefined) {
      const { duration, date, discontinuity } = picture;
      expect(segment).toMatchObject({ duration, date, discontinuity });
    }
    const bytes = viewer.media.get(segment.uri);
    if (bytes === undefined) continue;
    const { cues } = readWebvtt(new TextDecoder().decode(bytes))!;
    const [, place, rendition, index] = /\/m\/[^/]+\/(\d+)\/(\w+)\/(\d+)\.vtt$/.exec(segment.uri)!;
    // Slate, ads and videos without text are empty.
    if (rendition === 'e' || rendition === 't0') expect(cues, segment.uri).toEqual([]);
    else {
      const from = Number(index) * 2000;
      expect(place).toBe('0');
      const near = (time: number): number => Math.round((time - from) / 200) * 200;
      const shown = cues.filter(({ start, end }) => end - start > TOLERANCE);
      expect(
        shown.map(({ start, end, text }) => [near(start), near(end), text]),
        segment.uri,
      ).toEqual([
        [0, 1000, `second ${from / 1000}`],
        [1000, 2000, `second ${from / 1000 + 1}`],
      ]);
      for (const cue of cues) texts.add(cue.text);
    }
  }
  expect(texts.size).toBe(SECONDS);
}

/** DASH lists the same segments as fragmented MP4, including slate and ads. */
async function expectSameInDash(stage: Stage, channel: string, { session, listed }: Viewer): Promise<void> {
  const base = `${stage.midroll.liveUrl}/dash/${channel}/${session}/`;
  const read = async (path: string) => {
    const response = await fetch(new URL(path, base));
    expect(response.status, path).toBe(200);
    return new Uint8Array(await response.arrayBuffer());
  };
  const durations = new Map([...listed.get('t0')!.values()].map(({ uri, duration }) => [uri, duration]));
  for (const [uri, duration] of durations) {
    const [init, segment] = await Promise.all([
      read(uri.replace(/[^/]*$/, 'init.mp4')),
      read(uri.replace(/vtt$/, 'm4s')),
    ]);
    const { timescale } = readInit(init)![0]!;
    const [fragment] = readFragmentTimes(segment).fragments;
    expect(Math.abs(fragment!.duration / timescale - duration / 1e6), uri).toBeLessThan(0.001);
  }
}

/** An item in a language that the channel does not declare plays without its text, and the status reports it. */
async function expectLateLanguageReported(stage: Stage, viewer: Viewer, contents: readonly Item[]): Promise<void> {
  const late = item(await subtitledVideo(stage, { rate: '50' }, 0, 'sv'));
  const put = await stage.midroll.api('PUT', '/playlists/text', { status: 'enabled', contents: [...contents, late] });
  expect(put.status).toBe(200);
  const lateItem = async () => (await stage.midroll.api('GET', '/channels/text')).json.items[2];
  await viewer.until('the added item is ready', async () => (await lateItem())?.state === 'ready');
  expect((await lateItem()).warnings).toEqual([naming('"sv"')]);
}

export async function subtitlesAreShown(stage: Stage): Promise<void> {
  const [video, silent, spot] = await Promise.all([
    subtitledVideo(stage, {}, 0),
    stage.video({ seconds: 6, rate: '30000/1001' }),
    stage.spot(4),
  ]);
  stage.adHost.offer('/text', () => [{ id: 'four', seconds: 4, url: spot }]);
  const contents = [item(video, { spliceTime: 4, maxDuration: 6 }), item(silent)];
  await stage.air('text', contents, { adSource: adSource(stage.adHost, '/text') });
  const viewer = await stage.watch('text');
  expect(viewer.rungs).toEqual(['v0', 'a0', 't0']);
  const past = async () => (await stage.breaks(viewer)).filter(({ at }) => at + 10_000 < stage.clock.now());
  await viewer.until('two breaks have ads and all text is downloaded', async () => {
    return hasAllText(viewer) && (await past()).filter((one) => titlesOf(one).length > 0).length >= 2;
  });
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
  expectTextMatchesVideo(viewer);
  await expectSameInDash(stage, 'text', viewer);
  await expectLateLanguageReported(stage, viewer, contents);
}

export async function subtitlesOfTransportStreams(stage: Stage): Promise<void> {
  // ffmpeg's transport streams begin 1.4 s after zero.
  const video = await subtitledVideo(stage, { container: 'ts' }, 1.4);
  await stage.air('text-ts', [item(video, { spliceTime: 4, maxDuration: 4 })]);
  const viewer = await stage.watch('text-ts', { dash: false });
  expect(viewer.rungs).toEqual(['v0', 't0']);
  await viewer.until(
    'all of the video and its slate is listed',
    () => textOf(viewer).size >= 4 + 4 && hasAllText(viewer),
  );
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
  expectTextMatchesVideo(viewer);
}
