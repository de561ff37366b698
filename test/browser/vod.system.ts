// SPDX-License-Identifier: Apache-2.0
// Real players play a VoD presentation of three items with breaks before, between and after them: they seek in all directions
// over its breaks, then play it from start to end. Every beacon is sent once, however often an ad is seen.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { callAdmin } from '../../demo/callAdmin.ts';
import { opened } from '../opened.ts';
import type { VodView } from '../vod/watchVod.ts';
import { expectNoErrors, expectSmoothPlayback } from './expectSmoothPlayback.ts';
import { openPlayers, type PlayReport } from './players.ts';
import { BREAKS, CONTENT, SPANS, startVodServers, TOTAL } from './vodServers.ts';

/** How fast the presentation is played. */
const RATE = 4;
const FRAME = 0.04;

const sessions: VodView[] = [];
async function open(channel: string, format: 'hls' | 'dash', query?: string): Promise<VodView> {
  const view = await servers.open(channel, format, query);
  sessions.push(view);
  return view;
}
const [servers, players] = await Promise.all([opened(startVodServers()), opened(openPlayers())]);

/** Near the end of the last ad. */
const END = TOTAL - 1;
/**
 * Over two breaks into the third item, back over a break, over it again, back into its ad, back to the first item, back into
 * the first ad, to the end, and to the start.
 */
const SEEKS = [38, 20, 33, 24, 12, 2, END, 0];

const EVENTS = ['complete', 'firstQuartile', 'impression', 'midpoint', 'start', 'thirdQuartile'];
type Beacon = { readonly event: string; readonly ad: string; readonly outcome: string };

const beaconsOf = ({ sessionId }: VodView): Promise<Beacon[]> =>
  callAdmin(servers.api, 'GET', `/beacons?session=${sessionId}&limit=1000`);

/** As the players of these tests name it: hls.js by number, dash.js by Period, Shaka by the folder of its segments. */
const namesOf = (time: number): readonly string[] => {
  const index = SPANS.findLastIndex(({ start }) => start <= time);
  return [`${index}`, SPANS[index]!.period, SPANS[index]!.folder];
};

/**
 * dash.js 5.2 signals the end of its media once, and not at all if a buffer is changing at that moment. Then playback freezes
 * just before the end, with everything buffered, and not always continues after the seeks of dash.js itself.
 */
const missesEnd = `seen.to > ${END} && seen.frozen > 10`;
const withoutEnd = (report: PlayReport): PlayReport => ({
  ...report,
  ended: report.ended || report.to > END,
  stalls: report.stalls.filter(({ at }) => at < END),
  seeks: report.seeks.filter(({ from }) => from < END),
});

// One after the other: at this rate, several players at once would compete for the processor.
test.for([
  ['hls.js', 'hls'],
  ['shaka', 'hls'],
  ['video.js', 'hls'],
  ['shaka', 'dash'],
  ['dash.js', 'dash'],
] as const)('%s seeks in %s and plays to the end', async ([player, format], context) => {
  const view = await open('films', format);
  expect(view).toMatchObject({ durationSeconds: TOTAL, contentDurationSeconds: CONTENT });
  expect(view.breaks.map(({ streamTime, duration }) => [streamTime, streamTime + duration])).toEqual(BREAKS);
  const watched = await players.watch(player, view.mediaURL, { rate: RATE });
  const hasEnded = player === 'dash.js' ? `seen.ended || ${missesEnd}` : 'seen.ended';
  const begun = await watched.until('seen.to > 0.5');
  expectSmoothPlayback(begun);
  expect(Math.abs(begun.duration! - TOTAL)).toBeLessThan(FRAME);
  for (const [index, to] of SEEKS.entries()) {
    const { resumed, errors } = await watched.seek(to);
    expect(errors.filter(({ fatal }) => fatal)).toEqual([]);
    expect(resumed).toHaveLength(index + 1);
    const { target, at, span } = resumed.at(-1)!;
    expect(target).toBe(to);
    // Shaka does not always state what it plays.
    const isThere = span === undefined || namesOf(to).some((name) => String(span).split('/').includes(name));
    // video.js begins at a later segment if it has buffered that one first, and does not name what it plays.
    if (player === 'video.js') expect(Math.abs(at - to), `at ${to}`).toBeLessThan(2.1);
    // Playback may have continued by the time the page was notified.
    else expect([to, span, isThere, at - to > -FRAME && at - to < 1]).toEqual([to, span, true, true]);
    if (to === END) await watched.until(hasEnded);
  }
  await watched.until(hasEnded);
  const report = await watched.finish();
  const played = player === 'dash.js' ? withoutEnd(report) : report;
  // A seek with which video.js skips a hole, such as the one before that later segment, may follow after other seeks.
  const seeks = player === 'video.js' ? [] : played.seeks;
  expectSmoothPlayback({ ...played, seeks });
  expect(played.ended).toBe(true);
  // Some players remove what was played.
  expect(played.buffered).toHaveLength(1);
  expect(Math.abs(played.buffered[0]![1] - TOTAL)).toBeLessThan(FRAME);

  const all = view.breaks.flatMap(({ ads }) => ads.flatMap(({ id }) => EVENTS.map((event) => `${id} ${event} sent`)));
  await context.expect
    .poll(async () => (await beaconsOf(view)).map(({ event, ad, outcome }) => `${ad} ${event} ${outcome}`).sort())
    .toEqual(all.sort());
});

// Content time 17 is in the third item. "play" moves the last break before it to the cut point at 16, so that it begins with ads.
test.concurrent.for([
  ['hls.js', 'hls', 'films', 26],
  ['hls.js', 'hls', 'skipping', 17],
  ['shaka', 'hls', 'films', 26],
  ['dash.js', 'dash', 'films', 26],
  ['dash.js', 'dash', 'skipping', 17],
] as const)('%s resumes in %s of channel %s at %s s', async ([player, format, channel, start]) => {
  const view = await open(channel, format, '&start=17');
  expect(view.startSeconds).toBe(start);
  // Slowly, because a busy machine may notice the first frame late.
  const report = await players.playUntil(player, view.mediaURL, 'seen.to > (seen.from ?? 1000) + 0.2', { rate: 0.2 });
  const { from } = report;
  expect(from! - start).toBeGreaterThan(-FRAME);
  expect(from! - start).toBeLessThan(1);
  expectNoErrors(report);
});

/**
 * ffmpeg's demuxer passes all samples on. Its decoder leaves out a segment wherever media time goes back, as between two items, so
 * another ffmpeg decodes.
 */
test.concurrent('ffmpeg reads every frame of picture and sound', async () => {
  const { mediaURL } = await open('films', 'hls');
  const reader = ['-nostdin', '-v', 'error', '-http_persistent', '0', '-i', mediaURL];
  const both = ['-map', '0:v:0', '-map', '0:a:0'];
  const demuxer = spawn('ffmpeg', [...reader, ...both, '-c', 'copy', '-f', 'mpegts', '-']);
  const decoder = spawn('ffmpeg', ['-v', 'error', '-i', '-', ...both, '-f', 'framecrc', '-']);
  demuxer.stdout.pipe(decoder.stdin);
  const [frames, ...errors] = await Promise.all([text(decoder.stdout), text(demuxer.stderr), text(decoder.stderr)]);
  expect(errors).toEqual(['', '']);
  const rows = frames.split('\n').flatMap((line) => (/^\d/.test(line) ? [line.split(',').map(Number)] : []));
  const timesOf = (stream: number) => rows.flatMap((row) => (row[0] === stream ? [row[2]!] : []));
  const [pictures, sounds] = [timesOf(0), timesOf(1)];
  expect(pictures).toEqual(Array.from({ length: TOTAL / FRAME }, (_, index) => pictures[0]! + index));
  expect(sounds).toEqual(sounds.map((_, index) => sounds[0]! + 1024 * index));
  // The audio of an ad may overlap with that of the content after it by less than a frame.
  const more = sounds.length - (TOTAL * 48_000) / 1024;
  expect(more).toBeGreaterThanOrEqual(0);
  expect(more).toBeLessThanOrEqual(BREAKS.length);
});

test('each beacon arrived once at the ad server', async () => {
  type Counts = Record<string, Record<string, number>>;
  const arrived = async () => {
    const { counts } = (await (await fetch(`${servers.adServer}/log.json`)).json()) as { counts: Counts };
    return Object.values(counts).flatMap((events) => Object.entries(events));
  };
  const sent = async () =>
    (await Promise.all(sessions.map(beaconsOf))).flat().filter(({ outcome }) => outcome === 'sent');
  const count = (names: readonly string[], event: string) => names.filter((name) => name === event).length;
  const differences = async () => {
    const [one, other] = await Promise.all([sent(), arrived()]);
    const names = other.flatMap(([name, times]) => new Array<string>(times).fill(name));
    const events = one.map(({ event }) => event);
    return EVENTS.filter((event) => count(events, event) !== count(names, event));
  };
  // Beacons are still being sent, and the outcome of each is stored after it has arrived.
  await expect.poll(differences).toEqual([]);
  expect((await arrived()).filter(([name, times]) => name === 'error' && times > 0)).toEqual([]);
});
