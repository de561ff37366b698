// SPDX-License-Identifier: Apache-2.0
// Subtitles in real players: cues are shown over the right pictures before a break, after it and in the next loop, and no cue
// is shown over a break or a video without subtitles.

import { beforeAll, expect, test } from 'vitest';
import { startMidrollProcess } from '../../demo/midrollProcess.ts';
import { mediaFolder } from '../../demo/origin.ts';
import { readTarget, replyText, sendFile } from '../../demo/serveFolder.ts';
import { untilPlaying } from '../../demo/untilPlaying.ts';
import { openView } from '../live/openSession.ts';
import { opened, scratchFolder } from '../opened.ts';
import { serveInTests } from '../serve.ts';
import { expectNoFaults, silencesOf } from './expectSmoothPlayback.ts';
import type { Fault } from './judgeFaults.ts';
import { openPlayers, type PlayReport } from './players.ts';

/** Of the video with subtitles, each with a cue. */
const SECONDS = 10;
/** Cues to wait for: those of one loop and four of the next. */
const CUES = SECONDS + 4;
const apiKey = 'test-key';
const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };

/** A playlist of two-second segments of a demo video; its media time starts at `first` · 2 s. */
const segments = (video: string, rung: string, first: number, count: number): string =>
  [
    ...['#EXTM3U', '#EXT-X-TARGETDURATION:2', `#EXT-X-MAP:URI="/${video}/${rung}/init.mp4"`],
    ...Array.from({ length: count }, (_, index) => `#EXTINF:2,\n/${video}/${rung}/${first + index + 1}.m4s`),
    ...['#EXT-X-ENDLIST', ''],
  ].join('\n');

const time = (seconds: number): string => `00:00:${seconds.toFixed(3).padStart(6, '0')}`;
/** One cue per second, with the number of the second. */
const cuesBetween = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => from + index)
    .map((second) => `${time(second + 0.1)} --> ${time(second + 0.9)}\nsecond ${second}\n`)
    .join('\n');

const variant = '#EXT-X-STREAM-INF:BANDWIDTH=200000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=640x360,AUDIO="a"';
const master = (video: string, more = '', subtitles = ''): string =>
  `#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",DEFAULT=YES,URI="${video}-a0.m3u8"\n${more}${variant}${subtitles}\n${video}-v0.m3u8\n`;
const subtitles =
  '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",CHARACTERISTICS="public.easy-to-read",URI="text.m3u8"\n';

/** Ten seconds with subtitles, whose segments and time base differ from the video, and six seconds without. */
const files: Readonly<Record<string, string>> = {
  '/read.m3u8': master('tide', subtitles, ',SUBTITLES="s"'),
  '/tide-v0.m3u8': segments('tide', 'v0', 3, 5),
  '/tide-a0.m3u8': segments('tide', 'a0', 3, 5),
  '/text.m3u8': '#EXTM3U\n#EXT-X-TARGETDURATION:7\n#EXTINF:7,\ntext-0.vtt\n#EXTINF:3,\ntext-1.vtt\n#EXT-X-ENDLIST\n',
  // The first picture is second 0 of the text, and second 6 of the media.
  '/text-0.vtt': `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:${6 * 90_000},LOCAL:${time(0)}\n\n${cuesBetween(0, 7)}`,
  '/text-1.vtt': `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:${13 * 90_000},LOCAL:${time(7)}\n\n${cuesBetween(7, 10)}`,
  '/silent.m3u8': master('orbits'),
  '/orbits-v0.m3u8': segments('orbits', 'v0', 0, 3),
  '/orbits-a0.m3u8': segments('orbits', 'a0', 0, 3),
};

async function create(collection: string, record: object): Promise<void> {
  const body = JSON.stringify(record);
  const response = await fetch(`${midroll.adminUrl}/api/v2/${collection}`, { method: 'POST', headers, body });
  if (response.status !== 201) throw new Error(`${collection}: ${response.status} ${await response.text()}`);
}

const dataDir = scratchFolder();
const origin = await serveInTests((request, response) => {
  const { path } = readTarget(request);
  const text = files[path];
  return text === undefined ? sendFile(request, response, mediaFolder, path) : replyText(response, 200, text);
});
const midroll = await opened(startMidrollProcess({ dataDir, apiKey }));
const players = await opened(openPlayers());
beforeAll(async () => {
  const contents = [
    { sourceType: 'url', url: `${origin}/read.m3u8`, cuePoints: [{ spliceTime: 4, maxDuration: 4 }] },
    { sourceType: 'url', url: `${origin}/silent.m3u8` },
  ];
  await create('playlists', { id: 'texts', status: 'enabled', contents });
  await create('channels', { id: 'texts', apiKey: 'k', state: 'enabled', playlistId: 'texts' });
  expect(await untilPlaying(`${midroll.liveUrl}/hls/texts/master.m3u8?api-key=k`, 600)).toBe(true);
});

const numberOf = (text: string): number => Number(text.split(' ')[1]);

type Entry = { readonly kind: string; readonly url?: string; readonly startsAt: string; readonly duration: number };

/** Maps a date to the second of the video with subtitles, or undefined when it is not on air. */
async function readProgramme(from: number, to: number): Promise<(date: number) => number | undefined> {
  const range = `from=${new Date(from - 60_000).toISOString()}&to=${new Date(to + 60_000).toISOString()}`;
  const response = await fetch(`${midroll.adminUrl}/api/v2/channels/texts/timeline?${range}`, { headers });
  const { entries } = (await response.json()) as { entries: Entry[] };
  return (date) => {
    const index = entries.findIndex(({ startsAt, duration }) => {
      const start = Date.parse(startsAt);
      return date >= start && date < start + duration * 1000;
    });
    const entry = entries[index];
    if (entry?.url?.endsWith('/read.m3u8') !== true) return undefined;
    const before = entries[index - 1]?.kind === 'break' ? 4 : 0;
    return before + (date - Date.parse(entry.startsAt)) / 1000;
  };
}

/** From its first cue on, a player shows one for each second of the loop. A text segment that is late on a busy machine has none. */
const skippedCues = ({ cues, latency }: PlayReport): Fault[] =>
  cues.slice(1).flatMap(({ text, from }, index) => {
    const before = cues[index]!;
    if (numberOf(text) === (numberOf(before.text) + 1) % SECONDS) return [];
    const what = `"${text}" followed "${before.text}"`;
    return [{ what, wall: from + 1000 * Math.max(...latency), length: from - before.from }];
  });

test.concurrent.each([
  ['hls.js', 'hls'],
  ['shaka', 'hls'],
  ['shaka', 'dash'],
  ['dash.js', 'dash'],
] as const)('%s shows the subtitles of %s over the right pictures', async (player, format) => {
  const mediaURL = await openView(midroll.liveUrl, format, 'texts', 'k');
  const began = Date.now();
  const isRead = `seen.cues.length >= ${CUES} || seen.silences.length > 0`;
  const report = await players.playUntil(player, mediaURL, isRead, { showsText: true });
  const { cues, errors } = report;
  const secondAt = await readProgramme(began, Date.now());
  // hls.js reports the request that it cancels when a track is selected. Other tests check for stalls.
  expect(errors.filter(({ fatal }) => fatal)).toEqual([]);
  expectNoFaults([...silencesOf(report), ...skippedCues(report)], report.busy);
  const seen = cues.map(({ text, from, to }) => {
    const shown = secondAt((from + to) / 2);
    const length = (to - from) / 1000;
    return { text, shown, length, from: new Date(from).toISOString() };
  });
  const texts = new Set(seen.map(({ text }) => text));
  expect([...texts].sort(), JSON.stringify(seen)).toEqual(
    Array.from({ length: SECONDS }, (_, second) => `second ${second}`),
  );
  for (const { text, shown, length } of seen) {
    const second = numberOf(text);
    expect(shown, `${text} in ${JSON.stringify(seen)}`).toBeDefined();
    expect(Math.abs(shown! - second - 0.5), `${text} in ${JSON.stringify(seen)}`).toBeLessThan(0.3);
    expect(length).toBeLessThan(0.85);
  }
  expect(seen.length).toBeGreaterThanOrEqual(CUES);
});
