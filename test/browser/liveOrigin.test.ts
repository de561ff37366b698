// SPDX-License-Identifier: Apache-2.0
// Real players watch channels of a live origin over two breaks with ads, at the same time. Nothing freezes, every ad that was
// shown sends each beacon once, and content continues after each break: encrypted content, too, and its subtitles.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAdmin } from '../../demo/callAdmin.ts';
import { untilPlaying } from '../../demo/untilPlaying.ts';
import { realClock } from '../clock/testClock.ts';
import { type LiveOrigin, startLiveOrigin } from '../live/origin/liveOrigin.ts';
import { type DemoServers, startDemoServers } from '../servers/demoServers.ts';
import { expectSmoothPlayback } from './expectSmoothPlayback.ts';
import { isExcused } from './machineLoad.ts';
import { openPlayers, type PlayerName, type Players, type PlayReport } from './players.ts';

const BREAKS = 2;
const TRACE_EVERY_MS = 4000;
const EVENTS = ['complete', 'firstQuartile', 'impression', 'midpoint', 'start', 'thirdQuartile'];
const stops: (() => unknown)[] = [];
let servers: DemoServers;
let players: Players;

const SECONDS = 20;
const breaks = { every: 40, seconds: SECONDS, first: 30 };
const start = async (setup: Partial<Parameters<typeof startLiveOrigin>[0]>): Promise<LiveOrigin> => {
  const origin = await startLiveOrigin({ clock: realClock(), breaks, window: 15, ...setup });
  stops.push(origin.close);
  return origin;
};

/** Origins with subtitles, by the id of their channel. */
const subtitled = new Map<string, LiveOrigin>();

/** By id. `daterange` is announced 20 s ahead. `ts` and `sealed` are encrypted (AES-128). */
async function createChannels(): Promise<void> {
  const { api, adServer } = servers;
  const [cmaf, transport, sealed] = await Promise.all([
    start({ hlsMarkers: 'daterange', dashMarkers: 'xml', breaks: { ...breaks, lead: 20 } }),
    start({ packaging: 'ts', hlsMarkers: 'elemental', encryption: { rotation: 5 }, subtitles: 'vtt' }),
    start({ hlsMarkers: 'cue', encryption: {} }),
  ]);
  subtitled.set('ts', transport);
  const url = `${adServer}/vast?viewer=[SESSION_ID]&break=[BREAK_ID]&duration=[BREAK_DURATION]&max=2`;
  const common = { type: 'live', state: 'enabled', apiKey: 'k', adSource: { url } };
  const sources = { sourceManifestUrl: cmaf.hlsUrl, sourceDashUrl: cmaf.dashUrl };
  await callAdmin(api, 'POST', '/channels', { id: 'cmaf', ...common, ...sources });
  for (const [id, { hlsUrl }] of Object.entries({ ts: transport, sealed }))
    await callAdmin(api, 'POST', '/channels', { id, ...common, sourceManifestUrl: hlsUrl });
}

type TracedBreak = {
  readonly startsAt: string;
  readonly duration: number;
  readonly status: string;
  readonly ads: readonly { readonly outcome: string; readonly startsAt?: string; readonly duration: number }[];
};
const traceOf = async (session: string): Promise<TracedBreak[]> =>
  (await callAdmin<{ breaks: TracedBreak[] }>(servers.api, 'GET', `/sessions/${session}`)).breaks;
const endOf = ({ startsAt, duration }: TracedBreak): number => Date.parse(startsAt) + 1000 * duration;
const sessionIn = (mediaURL: string): string =>
  /[0-9a-f-]{36}/.exec(new URL(mediaURL).pathname)?.[0] ?? new URL(mediaURL).searchParams.get('sid')!;
const hasAds = ({ ads }: TracedBreak): boolean => ads.some(({ outcome }) => outcome === 'stitched');
const open = async (channel: string, format: 'hls' | 'dash'): Promise<string> => {
  const response = await fetch(`${servers.midroll.liveUrl}/${format}/view/${channel}?api-key=k`);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return (JSON.parse(text) as { mediaURL: string }).mediaURL;
};

beforeAll(async () => {
  servers = await startDemoServers();
  stops.push(servers.close);
  await createChannels();
  const warm = await Promise.all(
    ['cmaf', 'ts', 'sealed'].map(async (id) => {
      expect(await untilPlaying(`${servers.midroll.liveUrl}/hls/${id}/master.m3u8?api-key=k`, 600)).toBe(true);
      return open(id, 'hls');
    }),
  );
  // The creatives are conditioned for the ladder of each origin while someone watches.
  const warmUp = async (mediaURL: string): Promise<void> => {
    const isWarm = async () => {
      await untilPlaying(mediaURL, 5);
      return (await traceOf(sessionIn(mediaURL))).filter(hasAds).length > 0;
    };
    while (!(await isWarm())) await sleep(1000);
  };
  await Promise.all(warm.map(warmUp));
  players = await openPlayers();
  stops.push(players.close);
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** Milliseconds behind the edge for a player that does not state the date of its picture. */
const MOST_BEHIND_MS = 20_000;
/** Milliseconds after a break in which a cue appears. Each segment has one. */
const CUE_AFTER_MS = 10_000;
/** Milliseconds. A player that has stopped its subtitles on a busy machine shows them again after so long. */
const CUE_BACK_MS = 35_000;

/** Each cue names its segment. It is shown over that segment, never over an ad, and also after the breaks. */
function expectCues(report: PlayReport, { broadcast }: LiveOrigin, played: readonly TracedBreak[]): void {
  const { cues, busy, latency } = report;
  const [run] = broadcast.runs;
  const isReplaced = (at: number) =>
    played.some(({ startsAt, duration }) => at >= Date.parse(startsAt) && at < Date.parse(startsAt) + 1000 * duration);
  for (const { text, from } of cues) {
    const startsAt = broadcast.startOf(run!, Number(text.split(' ')[1]) - run!.firstNumber);
    expect(Math.abs(from - startsAt - 200), `${text} at ${from}`).toBeLessThan(300);
    expect([text, isReplaced(startsAt)]).toEqual([text, false]);
  }
  const missing = played.map(endOf).filter((at) => !cues.some(({ from }) => from > at && from < at + CUE_AFTER_MS));
  const behind = 1000 * Math.max(...latency);
  expect(missing.filter((at) => !isExcused(busy, at + CUE_AFTER_MS + behind, CUE_BACK_MS))).toEqual([]);
}

test.concurrent.for<readonly [PlayerName, 'hls' | 'dash', string]>([
  ['hls.js', 'hls', 'cmaf'],
  ['shaka', 'hls', 'cmaf'],
  ['video.js', 'hls', 'cmaf'],
  ['hls.js', 'hls', 'ts'],
  ['hls.js', 'hls', 'sealed'],
  ['shaka', 'dash', 'cmaf'],
  ['dash.js', 'dash', 'cmaf'],
  ['rx-player', 'dash', 'cmaf'],
])('%s plays %s of %s over two breaks', async ([player, format, channel], context) => {
  const mediaURL = await open(channel, format);
  const session = sessionIn(mediaURL);
  const opened = Date.now();
  /** The date of the picture on screen. */
  let seenUntil = 0;
  const isPast = (one: TracedBreak) => endOf(one) + CUE_AFTER_MS < seenUntil;
  let trace = { at: 0, breaks: [] as TracedBreak[] };
  // The administrative API limits requests.
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
  if (origin !== undefined) expectCues(report, origin, await shown());
  expectSmoothPlayback(report);
  const gaps = report.gaps.filter(({ wall, length }) => !isExcused(report.busy, wall, 1000 * length));
  expect(gaps).toEqual([]);
  const played = await shown();
  expect(played.length).toBeGreaterThanOrEqual(BREAKS);
  type Beacon = { readonly event: string; readonly ad: string; readonly outcome: string };
  let beacons: Beacon[] = [];
  let complete: string[] = [];
  await context.expect
    .poll(async () => {
      beacons = await callAdmin<Beacon[]>(servers.api, 'GET', `/beacons?session=${session}&limit=1000`);
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
});
