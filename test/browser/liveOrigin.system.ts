// SPDX-License-Identifier: Apache-2.0
// Real players watch channels of a live origin over two breaks with ads, at the same time. Nothing freezes, every ad that was
// shown sends each beacon once, and content continues after each break: encrypted content, too, and its subtitles.
import { beforeAll, expect, test } from 'vitest';
import { untilPlaying } from '../../demo/untilPlaying.ts';
import { airLive, offerSpots, startOrigin } from '../live/liveStage.ts';
import type { LiveOrigin } from '../live/origin/liveOrigin.ts';
import { openRealStage } from '../live/stage.ts';
import { opened } from '../opened.ts';
import { expectSmoothPlayback, gapsOf } from './expectSmoothPlayback.ts';
import type { Fault } from './judgeFaults.ts';
import { openPlayers, type PlayerName, type PlayReport } from './players.ts';

const BREAKS = 2;
const TRACE_EVERY_MS = 2000;
const EVENTS = ['complete', 'firstQuartile', 'impression', 'midpoint', 'start', 'thirdQuartile'];

/** Filled by ads of 4 s and 6 s. */
const breaks = { every: 16, seconds: 10, first: 12 };

/** Origins with subtitles, by the id of their channel. */
const subtitled = new Map<string, LiveOrigin>();

/** By id. Breaks of `cmaf` and `mpd` are announced 8 s ahead. `ts` and `sealed` are encrypted (AES-128). */
async function createChannels(): Promise<void> {
  const common = { breaks, window: 15 };
  const [cmaf, transport, sealed] = await Promise.all([
    startOrigin(stage, { ...common, hlsMarkers: 'daterange', dashMarkers: 'xml', breaks: { ...breaks, lead: 8 } }),
    startOrigin(stage, {
      ...{ ...common, packaging: 'ts', hlsMarkers: 'elemental', encryption: { rotation: 5 }, subtitles: 'vtt' },
    }),
    startOrigin(stage, { ...common, hlsMarkers: 'cue', encryption: {} }),
  ]);
  subtitled.set('ts', transport);
  const urls = { cmaf: cmaf.hlsUrl, mpd: cmaf.dashUrl, ts: transport.hlsUrl, sealed: sealed.hlsUrl };
  for (const [id, sourceManifestUrl] of Object.entries(urls)) await airLive(stage, id, { sourceManifestUrl });
}

type TracedBreak = {
  readonly startsAt: string;
  readonly duration: number;
  readonly status: string;
  readonly ads: readonly { readonly outcome: string; readonly startsAt?: string; readonly duration: number }[];
};
const traceOf = async (session: string): Promise<TracedBreak[]> =>
  (await stage.midroll.api('GET', `/sessions/${session}`)).json.breaks;
const endOf = ({ startsAt, duration }: TracedBreak): number => Date.parse(startsAt) + 1000 * duration;
const sessionIn = (mediaURL: string): string =>
  /[0-9a-f-]{36}/.exec(new URL(mediaURL).pathname)?.[0] ?? new URL(mediaURL).searchParams.get('sid')!;
const hasAds = ({ ads }: TracedBreak): boolean => ads.some(({ outcome }) => outcome === 'stitched');
const open = async (channel: string, format: 'hls' | 'dash'): Promise<string> => {
  const response = await fetch(`${stage.midroll.liveUrl}/${format}/view/${channel}?api-key=key`);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return (JSON.parse(text) as { mediaURL: string }).mediaURL;
};

const stage = await opened(openRealStage());
const players = await opened(openPlayers());
beforeAll(async () => {
  await createChannels();
  const ids = ['cmaf', 'mpd', 'ts', 'sealed'];
  // Ads are conditioned before the players need the processor.
  await Promise.all(ids.map((id) => offerSpots(stage, id)));
  for (const id of ids.filter((one) => one !== 'mpd'))
    expect(await untilPlaying(`${stage.midroll.liveUrl}/hls/${id}/master.m3u8?api-key=key`, 600)).toBe(true);
});

/** Milliseconds behind the edge for a player that does not state the date of its picture. */
const MOST_BEHIND_MS = 20_000;
/** Milliseconds after a break in which a cue appears. Each segment has one. */
const CUE_AFTER_MS = 10_000;

/** Milliseconds of content after a break. */
const CONTENT_AFTER_MS = 4000;

/** Each cue names its segment. It is shown over that segment, never over an ad, and also after the breaks. */
function expectCues({ cues }: PlayReport, { broadcast }: LiveOrigin, played: readonly TracedBreak[]): void {
  const [run] = broadcast.runs;
  const isReplaced = (at: number) => played.some((one) => at >= Date.parse(one.startsAt) && at < endOf(one));
  for (const { text, from } of cues) {
    const startsAt = broadcast.startOf(run!, Number(text.split(' ')[1]) - run!.firstNumber);
    expect(Math.abs(from - startsAt - 200), `${text} at ${from}`).toBeLessThan(300);
    expect([text, isReplaced(startsAt)]).toEqual([text, false]);
  }
}

/** Breaks after which no cue was shown. The player may have stopped its subtitles after the last cue before. */
function missingCues({ cues, latency }: PlayReport, played: readonly TracedBreak[]): Fault[] {
  const without = played.map(endOf).filter((at) => !cues.some(({ from }) => from > at && from < at + CUE_AFTER_MS));
  return without.map((at) => {
    const until = at + CUE_AFTER_MS;
    const before = Math.max(at - CUE_AFTER_MS, ...cues.map(({ from }) => from).filter((from) => from < at));
    const what = 'no subtitle followed a break';
    return { what, wall: until + 1000 * Math.max(...latency), length: until - before };
  });
}

test.concurrent.for<readonly [PlayerName, 'hls' | 'dash', string]>([
  ['hls.js', 'hls', 'cmaf'],
  ['shaka', 'hls', 'cmaf'],
  ['video.js', 'hls', 'cmaf'],
  ['hls.js', 'hls', 'ts'],
  ['hls.js', 'hls', 'sealed'],
  ['shaka', 'dash', 'mpd'],
  ['dash.js', 'dash', 'mpd'],
  ['rx-player', 'dash', 'mpd'],
])('%s plays %s of %s over two breaks', async ([player, format, channel], context) => {
  const mediaURL = await open(channel, format);
  const session = sessionIn(mediaURL);
  const opened = Date.now();
  /** The date of the picture on screen. */
  let seenUntil = 0;
  const after = subtitled.has(channel) ? CUE_AFTER_MS : CONTENT_AFTER_MS;
  const isPast = (one: TracedBreak) => endOf(one) + after < seenUntil;
  let trace = { at: 0, breaks: [] as TracedBreak[] };
  const shown = async () => {
    if (Date.now() - trace.at > TRACE_EVERY_MS) trace = { at: Date.now(), breaks: await traceOf(session) };
    return trace.breaks.filter((one) => Date.parse(one.startsAt) > opened && isPast(one) && hasAds(one));
  };
  const origin = subtitled.get(channel);
  const over = async ({ date }: PlayReport) => {
    seenUntil = date ?? Date.now() - MOST_BEHIND_MS;
    return (await shown()).length >= BREAKS;
  };
  const report = await players.playUntil(player, mediaURL, over, { showsText: origin !== undefined });
  const played = await shown();
  expect(played.length).toBeGreaterThanOrEqual(BREAKS);
  if (origin !== undefined) expectCues(report, origin, played);
  type Beacon = { readonly event: string; readonly ad: string; readonly outcome: string };
  let beacons: Beacon[] = [];
  let complete: string[] = [];
  await context.expect
    .poll(async () => {
      beacons = (await stage.midroll.api('GET', `/beacons?session=${session}&limit=1000`)).json;
      complete = beacons.filter(({ event }) => event === 'complete').map(({ ad }) => ad);
      return complete.length;
    })
    .toBeGreaterThanOrEqual(BREAKS);
  expect(new Set(complete).size).toBe(complete.length);
  for (const ad of complete) {
    expect(
      beacons
        .filter((one) => one.ad === ad)
        .map(({ event }) => event)
        .sort(),
    ).toEqual(EVENTS);
  }
  const missing = origin === undefined ? [] : missingCues(report, played);
  expectSmoothPlayback(report, [...gapsOf(report), ...missing]);
});
