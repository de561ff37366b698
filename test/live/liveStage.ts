// SPDX-License-Identifier: Apache-2.0
// What tests of live channels share: origins on the stage's clock, channels that take them, and what viewers were shown.
import { expect } from 'vitest';
import { isOurs, type SeenSegment } from '../laws/readBack.ts';
import type { Ad } from './adHost.ts';
import { type LiveOrigin, type LiveOriginSetup, startLiveOrigin } from './origin/liveOrigin.ts';
import { adSource, type Stage } from './stage.ts';
import type { Viewer } from './viewer.ts';

/** Starts an origin that is closed with the stage. */
export async function startOrigin(stage: Stage, setup: Omit<LiveOriginSetup, 'clock'> = {}): Promise<LiveOrigin> {
  const origin = await startLiveOrigin({ clock: stage.clock, ...setup });
  stage.onClose(origin.close);
  return origin;
}

type Sources = { readonly sourceManifestUrl: string; readonly sourceDashUrl?: string };

/** Creates an enabled live channel whose ads come from the path `/ID` of the ad host. Its key is `key`. */
export async function airLive(stage: Stage, id: string, sources: Sources, channel: object = {}): Promise<void> {
  const ads = { adSource: adSource(stage.adHost, `/${id}`) };
  await stage.midroll.create('channels', {
    id,
    type: 'live',
    state: 'enabled',
    apiKey: 'key',
    ...ads,
    ...sources,
    ...channel,
  });
}

/** Offers ads of 4 s and 6 s to all viewers of a channel, and waits until their creatives are ready. */
export async function offerSpots(stage: Stage, id: string): Promise<void> {
  const [four, six] = await Promise.all([stage.spot(4), stage.spot(6)]);
  const tracking = `${stage.adHost.url}/beacon?event=[EVENT]`;
  stage.adHost.on('/beacon', (response) => void response.writeHead(204).end());
  await offerAds(stage, id, [
    { id: 'four', seconds: 4, url: four, sequence: 1, tracking },
    { id: 'six', seconds: 6, url: six, sequence: 2, tracking },
  ]);
}

/** The same with other ads. */
export async function offerAds(stage: Stage, id: string, ads: readonly Ad[]): Promise<void> {
  stage.adHost.offer(`/${id}`, () => ads);
  await untilConditioned(stage, id, { vastUrl: `${stage.adHost.url}/${id}` });
}

/** Waits until the creatives of a VAST response are ready for a channel. */
export async function untilConditioned({ midroll, clock }: Stage, id: string, source: object): Promise<void> {
  const prepare = () => midroll.api('POST', '/assets', { ...source, channels: [id] });
  // Until the channel is on air, it has no ladder.
  let made = await prepare();
  for (; made.status === 409; made = await prepare()) await clock.sleep(250);
  expect(made.status, JSON.stringify(made.json)).toBeLessThan(300);
  const states = async (): Promise<string[]> => {
    const { json } = await midroll.api('GET', `/assets?channel=${id}`);
    return json.map(({ state }: { state: string }) => state);
  };
  while ((await states()).some((state) => state === 'waiting' || state === 'preparing')) await clock.sleep(250);
  expect(new Set(await states())).toEqual(new Set(['ready']));
}

/** A break in `GET /channels/:id/breaks`. */
export type ListedBreak = { readonly startsAt: string; readonly endsAt?: string; readonly raw: string };

export async function listedBreaks(stage: Stage, id: string): Promise<ListedBreak[]> {
  const { status, json } = await stage.midroll.api('GET', `/channels/${id}/breaks`);
  expect(status).toBe(200);
  return json.items;
}

/** The segments that a rung listed, in order. */
export const segmentsOf = ({ listed }: Viewer, rung: string): SeenSegment[] =>
  [...listed.get(rung)!.values()].sort((a, b) => a.number - b.number);

export type Interval = { readonly startsAt: number; readonly endsAt: number };

/** The intervals in which a rung showed media of ours: ads, slate and bumpers. Milliseconds. */
export function replacedIntervals(viewer: Viewer, rung: string): Interval[] {
  const intervals: Interval[] = [];
  for (const { uri, date, duration } of segmentsOf(viewer, rung)) {
    if (!isOurs(uri)) continue;
    const [last, endsAt] = [intervals.at(-1), date + duration / 1000];
    // Audio is dated at its first frame, which is beside the border.
    if (last !== undefined && Math.abs(last.endsAt - date) <= 45) intervals[intervals.length - 1] = { ...last, endsAt };
    else intervals.push({ startsAt: date, endsAt });
  }
  return intervals;
}

export type SentBeacon = { readonly event: string; readonly ad: string; readonly outcome: string };

export async function beaconsOf(stage: Stage, { session }: Viewer): Promise<SentBeacon[]> {
  const { status, json } = await stage.midroll.api('GET', `/beacons?session=${session}&limit=1000`);
  expect(status).toBe(200);
  return json;
}

export const EVENTS = ['impression', 'start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];

/** Each of these ads has sent each of its beacons once, and no other ad has sent any. */
export async function expectAllBeaconsOnce(stage: Stage, viewer: Viewer, ads: readonly string[]): Promise<void> {
  const meant = ads.flatMap((ad) => EVENTS.map((event) => `${ad} ${event} sent`)).sort();
  const seen = async () =>
    (await beaconsOf(stage, viewer)).map(({ ad, event, outcome }) => `${ad} ${event} ${outcome}`);
  const deadline = stage.clock.now() + 300_000;
  while ((await seen()).length < meant.length && stage.clock.now() < deadline) await stage.clock.sleep(500);
  expect((await seen()).sort()).toEqual(meant);
}
