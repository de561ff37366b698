// SPDX-License-Identifier: Apache-2.0
// Live channels whose breaks end at half of the announced length, or last twice as long: trace, beacons and feed.
import { expect, test } from 'vitest';
import { fileStage } from './fileStage.ts';
import { airLive, beaconsOf, startOrigin } from './liveStage.ts';
import type { TracedBreak } from './stage.ts';
import type { Viewer } from './viewer.ts';

const stage = await fileStage();

/** Breaks are announced for 24 s, and filled by ads of 6, 10 and 8 s. */
async function offerAds(channel: string): Promise<void> {
  const { adHost } = stage;
  const lengths = { six: 6, ten: 10, eight: 8 };
  const urls = await Promise.all(Object.values(lengths).map((seconds) => stage.spot(seconds)));
  const tracking = `${adHost.url}/beacon?event=[EVENT]`;
  adHost.on('/beacon', (response) => void response.writeHead(204).end());
  const ads = Object.entries(lengths).map(([id, seconds], index) => ({
    ...{ id, seconds, url: urls[index]!, sequence: index + 1, tracking },
  }));
  adHost.offer(`/${channel}`, () => ads);
}

async function watchBreaks(id: string, behaviour: 'early' | 'extended', channel: object = {}): Promise<Viewer> {
  const breaks = { every: 80, seconds: 24, first: 32, behaviour };
  const origin = await startOrigin(stage, { dashMarkers: 'xml', breaks, window: 8 });
  await offerAds(id);
  await airLive(stage, id, { sourceManifestUrl: origin.dashUrl }, channel);
  return stage.watch(id, { hls: false, opens: 'dash' });
}

const isOver = ({ at, duration }: TracedBreak): boolean => at + 1000 * duration + 40_000 < stage.clock.now();
const isFilled = ({ ads }: TracedBreak): boolean =>
  ads.length === 3 && ads.every(({ reason }) => reason?.code !== 'CREATIVE_PREPARING');

/** The first break that is over and whose ads were all ready when it was decided. */
async function firstFilled(viewer: Viewer): Promise<TracedBreak> {
  const find = async () => (await stage.breaks(viewer)).find((one) => isOver(one) && isFilled(one));
  await viewer.until('a break with all ads is over', async () => (await find()) !== undefined);
  return (await find())!;
}

type FeedAvail = {
  readonly breakId: string;
  readonly durationInSeconds: number;
  readonly ads: readonly {
    readonly adTitle: string;
    readonly durationInSeconds: number;
    readonly trackingEvents: readonly { readonly eventType: string }[];
  }[];
};

test.concurrent('beacons, trace and feed stop where a break ends early', async () => {
  const viewer = await watchBreaks('early', 'early');
  const cut = await firstFilled(viewer);
  expect(viewer.faults).toEqual([]);
  expect(cut).toMatchObject({ duration: 12, reason: { code: 'EARLY_RETURN' } });
  expect(cut.ads.map(({ title, outcome, shown, reason }) => [title, outcome, shown, reason?.code])).toEqual([
    ['Ad six', 'stitched', undefined, undefined],
    ['Ad ten', 'stitched', 6, 'EARLY_RETURN'],
    ['Ad eight', 'skipped', undefined, 'EARLY_RETURN'],
  ]);
  const sent = (await beaconsOf(stage, viewer)).filter(({ ad }) => ad.startsWith(`${cut.id}-`));
  const eventsOf = (index: number) => sent.filter(({ ad }) => ad === `${cut.id}-${index}`).map(({ event }) => event);
  expect(eventsOf(0).sort()).toEqual(
    ['impression', 'start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'].sort(),
  );
  expect(eventsOf(1).sort()).toEqual(['impression', 'start', 'firstQuartile', 'midpoint'].sort());
  expect(sent).toHaveLength(10);
});

test.concurrent('the feed of a channel with client-side tracking lists nothing after the cut', async () => {
  const viewer = await watchBreaks('client', 'early', { tracking: 'client' });
  const cut = await firstFilled(viewer);
  const response = await fetch(`${stage.midroll.liveUrl}/tracking/${viewer.session}?format=dash`);
  const { avails } = (await response.json()) as { avails: FeedAvail[] };
  const avail = avails.find(({ breakId }) => breakId === cut.id)!;
  expect(avail.durationInSeconds).toBe(12);
  expect(avail.ads.map(({ adTitle, durationInSeconds }) => [adTitle, durationInSeconds])).toEqual([
    ['Ad six', 6],
    ['Ad ten', 6],
  ]);
  const events = avail.ads.map(({ trackingEvents }) => trackingEvents.map(({ eventType }) => eventType));
  expect(events[0]).toContain('complete');
  expect(events[1]).toContain('midpoint');
  expect(events[1]).not.toContain('thirdQuartile');
  expect(events[1]).not.toContain('complete');
  expect(await beaconsOf(stage, viewer)).toEqual([]);
});

test.concurrent('each part of a break that is extended has ads, a record and an avail of its own', async () => {
  const viewer = await watchBreaks('extended', 'extended');
  const first = await firstFilled(viewer);
  expect(viewer.faults).toEqual([]);
  const breaks = await stage.breaks(viewer);
  const part = (number: number) => breaks.find(({ id }) => id === first.id.replace(/-\d+$/, `-${number}`));
  const parts = [part(0)!, part(1)!];
  expect(parts.map(({ duration, reason }) => [duration, reason])).toEqual([
    [24, undefined],
    [24, undefined],
  ]);
  expect(parts[1]!.at).toBe(parts[0]!.at + 24_000);
  expect(parts.flatMap(({ ads }) => ads.map(({ outcome }) => outcome))).toEqual(new Array(6).fill('stitched'));
  const { avails } = (await (await fetch(`${stage.midroll.liveUrl}/tracking/${viewer.session}`)).json()) as {
    avails: FeedAvail[];
  };
  expect(avails.map(({ breakId }) => breakId)).toEqual(expect.arrayContaining(parts.map(({ id }) => id)));
});
