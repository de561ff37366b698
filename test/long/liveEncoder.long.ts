// SPDX-License-Identifier: Apache-2.0
// Half an hour of a live channel with a real encoder in four players at once. The encoder is killed twice (SIGKILL) and started
// again after 15 and 40 s. A break is marked every minute. ENCODER_MINUTES is the length; at least 3.
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { callAdmin } from '../../demo/callAdmin.ts';
import { startEncoderOrigin } from '../../demo/encoder/encoderOrigin.ts';
import { prepareAds } from '../../demo/prepare.ts';
import { trackedEvents } from '../../demo/vastResponse.ts';
import { openPlayers, type PlayerName, type PlayReport } from '../browser/players.ts';
import { opened } from '../opened.ts';
import { startDemoServers } from '../servers/demoServers.ts';
import { startCountingAdServer } from './countingAdServer.ts';

const MINUTES = Number(process.env.ENCODER_MINUTES ?? 30);
/** Seconds without an encoder. */
const AWAY = [15, 40] as const;
/** The configuration is that of docs/players.md, "Shaka Player and live HLS". */
const PLAYERS: readonly (readonly [PlayerName, 'hls' | 'dash', object?])[] = [
  ['hls.js', 'hls'],
  ['shaka', 'hls', { manifest: { availabilityWindowOverride: 60 } }],
  ['shaka', 'dash'],
  ['dash.js', 'dash'],
];

type Channel = { readonly stateReason?: string; readonly live?: { readonly hls?: { readonly health?: object } } };
const channel = () => callAdmin<Channel>(servers.api, 'GET', '/channels/encoder');

const servers = await opened(startDemoServers({ hasPrebuiltAds: true }));
const ads = await opened(startCountingAdServer(servers.origin));
const origin = await opened(startEncoderOrigin(0, { isAutomatic: false }));
const players = await opened(openPlayers());
beforeAll(async () => {
  origin.startEncoder();
  while (origin.listed() < 5) await sleep(500);
  await callAdmin(servers.api, 'POST', '/channels', {
    ...{ id: 'encoder', type: 'live', state: 'enabled', apiKey: 'k', sourceManifestUrl: `${origin.url}/master.m3u8` },
    adSource: { url: `${ads.url}/vast?viewer=[SESSION_ID]&break=[BREAK_ID]&duration=[BREAK_DURATION]` },
  });
  while ((await channel()).live?.hls === undefined) await sleep(1000);
  await prepareAds(servers.api, servers.origin, 300, 'encoder');
}, 900_000);

async function open(format: 'hls' | 'dash'): Promise<{ mediaURL: string; sessionId: string }> {
  const response = await fetch(`${servers.midroll.liveUrl}/${format}/view/encoder?api-key=k`);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as { mediaURL: string; sessionId: string };
}

/** Kills the encoder twice, and marks a break every minute. @returns when it was started again */
async function runEncoder(endsAt: number): Promise<number[]> {
  const from = Date.now();
  const kills = AWAY.map((seconds, index) => ({ at: from + ((index + 1) * (endsAt - from)) / 3, seconds }));
  const restarts: number[] = [];
  let breakAt = from + 20_000;
  while (Date.now() < endsAt) {
    await sleep(500);
    const [next] = kills;
    if (next !== undefined && Date.now() >= next.at) {
      kills.shift();
      origin.stopEncoder();
      await sleep(1000 * next.seconds);
      origin.startEncoder();
      restarts.push(Date.now());
    }
    if (Date.now() < breakAt) continue;
    origin.sendBreak();
    breakAt += 60_000;
  }
  return restarts;
}

type TracedBreak = {
  readonly slate: number;
  readonly status: string;
  readonly ads: readonly { readonly outcome: string }[];
};
type Seen = { readonly at: number; readonly frames: number };
const total = (list: readonly { readonly length: number }[]): number =>
  Math.round(10 * list.reduce((sum, { length }) => sum + length, 0)) / 10;

function figuresOf(report: PlayReport, traced: readonly TracedBreak[], session: string, slateRequests: number) {
  const counts = [...ads.counts(session).values()];
  return {
    played: Math.round(report.to - (report.from ?? report.to)),
    watched: Math.round(report.watched),
    stalls: report.stalls.length,
    stalled: total(report.stalls),
    gaps: report.gaps.length,
    longestGap: Math.max(0, ...report.gaps.map(({ length }) => length)),
    seeks: report.seeks.length,
    fatalErrors: report.errors.filter(({ fatal }) => fatal).length,
    errors: report.errors.length,
    firstErrors: [...new Set(report.errors.map(({ what, why }) => `${what} ${why}`.slice(0, 160)))].slice(0, 5),
    frames: report.frames,
    dropped: report.dropped,
    latency: Math.round(Math.max(0, ...report.latency)),
    breaks: traced.length,
    adsDecided: traced.flatMap((one) => one.ads.filter(({ outcome }) => outcome === 'stitched')).length,
    adsBegun: counts.length,
    adsComplete: counts.filter(({ complete }) => complete === 1).length,
    beacons: counts.reduce((sum, each) => sum + Object.values(each).reduce((all, count) => all + count, 0), 0),
    slateInBreaks: Math.round(traced.reduce((sum, { slate }) => sum + slate, 0)),
    slateRequests,
    busy: Math.round(report.busy.reduce((sum, { from, to }) => sum + to - from, 0) / 1000),
  };
}

test(`players watch a real encoder for ${MINUTES} minutes, which is killed and started again twice`, async () => {
  const endsAt = Date.now() + MINUTES * 60_000;
  const encoder = runEncoder(endsAt);
  const watching = PLAYERS.map(async ([player, format, config = {}]) => {
    const { mediaURL, sessionId } = await open(format);
    const seen: Seen[] = [];
    let slateRequests = 0;
    const isOver = ({ frames }: PlayReport) => {
      if (Date.now() - (seen.at(-1)?.at ?? 0) > 1000) seen.push({ at: Date.now(), frames });
      return Date.now() >= endsAt;
    };
    const report = await players.playUntil(player, mediaURL, isOver, {
      config,
      timeoutMs: 2 * MINUTES * 60_000,
      // Slate and bumpers are below /m/, without a session.
      onNetwork: (url, isResponse) => {
        if (isResponse && /\/m\/[^/]+\/\d+\/v/.test(url)) slateRequests += 1;
      },
    });
    return { name: `${player} ${format}`, sessionId, report, seen, slateRequests };
  });
  const watched = await Promise.all(watching);
  const restarts = await encoder;
  const health = (await channel()).live?.hls?.health;
  // Beacons of the last ads.
  await sleep(20_000);
  const results = await Promise.all(
    watched.map(async (one) => {
      const { breaks } = await callAdmin<{ breaks: TracedBreak[] }>(servers.api, 'GET', `/sessions/${one.sessionId}`);
      return { ...one, figures: figuresOf(one.report, breaks, one.sessionId, one.slateRequests) };
    }),
  );
  for (const { name, figures } of results) console.log(name, JSON.stringify(figures));
  console.log(JSON.stringify({ minutes: MINUTES, restarts: restarts.length, adRequests: ads.requests(), health }));
  expect(restarts).toHaveLength(AWAY.length);
  for (const { name, report, seen, sessionId } of results) {
    expect(
      report.errors.filter(({ fatal }) => fatal),
      name,
    ).toEqual([]);
    for (const at of restarts) {
      const before = seen.findLast((one) => one.at <= at)?.frames ?? 0;
      expect(report.frames, `${name} plays on after a restart`).toBeGreaterThan(before);
    }
    expect(ads.counts(sessionId).size, `${name}: ads`).toBeGreaterThan(0);
    for (const [ad, counts] of ads.counts(sessionId))
      for (const event of trackedEvents) expect(counts[event], `${name}: ${ad} ${event}`).toBeLessThanOrEqual(1);
  }
});
