// SPDX-License-Identifier: Apache-2.0
// What benchmarks of whole processes share: settings of Midroll under load, a channel `bench` of one video, and its breaks.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaOrigin } from '../test/live/mediaOrigin.ts';
import type { Midroll, MidrollProcess } from '../test/live/midroll.ts';
import type { Cue } from '../test/live/stage.ts';
import { makeSpot } from '../test/live/testVideos.ts';

/** All viewers come from one address. */
export const UNLIMITED = { SESSIONS_PER_ADDRESS: '0', SESSIONS_PER_CHANNEL: '0', CONNECTIONS_PER_ADDRESS: '0' };
/** The young generation of `npm start` and of the container. */
export const YOUNG_GENERATION = '--max-semi-space-size=64';

export const sleepUntil = (time: number): Promise<void> => sleep(Math.max(0, time - Date.now()));

export type ChannelSetup = {
  /** URL of its manifest. */
  readonly video: string;
  readonly cuePoints?: readonly Cue[];
  /** URL of the ad server, with the number of the installation. */
  readonly adUrl?: string;
  /** An ad server, a bidder and a house list in steps, in place of the ad server alone. */
  readonly steps?: { readonly house: readonly { readonly url: string; readonly title: string }[] };
  /** Seconds. */
  readonly playlistSize?: number;
};

export async function createChannel(midroll: Midroll, setup: ChannelSetup): Promise<void> {
  const { video, cuePoints = [], adUrl, steps, playlistSize = 20 } = setup;
  const url = `${adUrl}/vast?session=[SESSION_ID]&break=[BREAK_ID]&len=[BREAK_DURATION]`;
  if (steps !== undefined) {
    await midroll.create('ad-sources', { id: 'direct', type: 'vast', url });
    await midroll.create('ad-sources', { id: 'bidder', type: 'openrtb', url: `${adUrl}/openrtb`, floor: 1 });
    await midroll.create('ad-sources', { id: 'house', type: 'house', creatives: steps.house });
  }
  const contents = [{ sourceType: 'url', url: video, cuePoints }];
  await midroll.create('playlists', { id: 'bench', status: 'enabled', contents });
  await midroll.create('channels', {
    ...{ id: 'bench', state: 'enabled', apiKey: 'key', playlistId: 'bench', playlistSize },
    ...(adUrl && steps === undefined && { adSource: { url } }),
    ...(steps && {
      adSteps: [{ sources: ['direct'] }, { sources: ['bidder'] }, { sources: ['house'] }],
      adRules: { separateAdvertisers: 'break' },
    }),
  });
}

/** Waits until a node serves the channel. */
export async function untilServed({ liveUrl }: Midroll): Promise<void> {
  while (!(await fetch(`${liveUrl}/hls/bench/master.m3u8?api-key=key`)).ok) await sleep(250);
}

export type Break = { readonly breakId: string; readonly startsAt: number };

/** @returns the breaks that start within an hour */
export async function nextBreaks({ api }: Midroll): Promise<Break[]> {
  const now = Date.now();
  const window = `from=${new Date(now).toISOString()}&to=${new Date(now + 3_600_000).toISOString()}`;
  const { json } = await api('GET', `/channels/bench/timeline?${window}`);
  const entries = json.entries as { kind: string; startsAt: string; breakId: string }[];
  return entries
    .filter(({ kind, startsAt }) => kind === 'break' && Date.parse(startsAt) > now)
    .map(({ breakId, startsAt }) => ({ breakId, startsAt: Date.parse(startsAt) }));
}

/** Creatives with bytes of their own. @returns their URLs */
export async function makeSpots({ folder, url }: MediaOrigin, count: number, seconds: number): Promise<string[]> {
  const spots = Array.from({ length: count }, (_, index) => makeSpot(folder, `spot${index}`, seconds, 300 + index));
  return (await Promise.all(spots)).map((path) => url + path);
}

/** What a program that is loaded into a process writes to the file BENCH_REPORT, on SIGUSR2. */
export async function readReport<Report>(midroll: MidrollProcess, file: string): Promise<Report> {
  rmSync(file, { force: true });
  midroll.signal('SIGUSR2');
  while (!existsSync(file)) await sleep(5);
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}
