// SPDX-License-Identifier: Apache-2.0
// A distributor that runs Midroll, too: its live channels take the marked view of a scheduled channel, in both dialects of HLS and
// in DASH, and its own viewers get ads in every break, exactly where it is.
import { expect } from 'vitest';
import { readPayload } from '../../../src/scte35/readSection.ts';
import { adSource, type Cue, item, type Stage, type TracedBreak, titlesOf } from '../stage.ts';
import type { VideoShape } from '../testVideos.ts';
import type { Watching } from '../viewer.ts';

type SecondMidroll = {
  readonly minutes: number;
  readonly film: VideoShape;
  readonly breaks: readonly Cue[];
  /** How viewers watch. */
  readonly how: Partial<Watching>;
};

/** For `closeTo`: less than 1.5 ms, because manifests state milliseconds. */
const ROUNDED = -Math.log10(2 * 1.5);
/** A trace keeps the breaks of more than an hour. */
const READ_EVERY_MINUTES = 20;
const MINUTE_MS = 60_000;

type Aired = { readonly at: number; readonly seconds: number };
type Row = { readonly from: string; readonly to: string; readonly kind: string; readonly isOnAir?: true };

async function breaksAired(stage: Stage, from: number): Promise<Aired[]> {
  const rows: Row[] = [];
  for (let total = 1; rows.length < total; ) {
    const range = `from=${new Date(from).toISOString()}&limit=100&offset=${rows.length}`;
    const page = await stage.api('GET', `/channels/first/as-run?${range}`);
    rows.push(...page.items);
    total = page.total;
  }
  return rows
    .filter(({ kind, isOnAir }) => kind === 'break' && !isOnAir)
    .map(({ from: at, to }) => ({ at: Date.parse(at), seconds: (Date.parse(to) - Date.parse(at)) / 1000 }));
}

/** @returns how many breaks were compared */
export async function playSecondMidroll(stage: Stage, { minutes, film, breaks, how }: SecondMidroll): Promise<number> {
  const { clock, midroll } = stage;
  const [url, filler, spot] = await Promise.all([stage.video(film), stage.video({ seconds: 8 }), stage.spot(10)]);
  stage.adHost.offer('/second', () => [{ id: 'ten', seconds: 10, url: spot }]);
  await stage.air('first', [item(filler)], { state: 'disabled', markersOut: 'both' });
  const start = Math.ceil(clock.now() / 1000) * 1000;
  const length = film.seconds + breaks.reduce((sum, { maxDuration }) => sum + maxDuration, 0);
  // The filler is played before each fourth one.
  const step = length + 5;
  const entries = Array.from({ length: Math.ceil((minutes * 60) / length) }, (_, index) => ({
    id: `film${index}`,
    source: { url },
    breaks,
    upid: { type: 'uri', value: `urn:film:${index}` },
    ...(index % 4 === 0 ? { start: new Date(start + index * step * 1000).toISOString() } : {}),
  }));
  await stage.api('PUT', '/channels/first/schedule', { entries });
  await stage.api('PATCH', '/channels/first', { state: 'enabled' });
  const { liveUrl } = midroll;
  const query = 'api-key=key';
  const sources = {
    daterange: `${liveUrl}/hls/first/channel.m3u8?markers=daterange&${query}`,
    cue: `${liveUrl}/hls/first/channel.m3u8?markers=cue&${query}`,
    mpd: `${liveUrl}/dash/first/channel.mpd?markers=both&${query}`,
  };
  await stage.until('the first channel is on air', async () => (await fetch(sources.cue)).status === 200);
  const viewers = await Promise.all(
    Object.entries(sources).map(async ([id, sourceManifestUrl]) => {
      const body = { id, type: 'live', state: 'enabled', apiKey: 'key', sourceManifestUrl, playlistSize: 120 };
      await midroll.create('channels', { ...body, adSource: adSource(stage.adHost, '/second') });
      // At a break that its origin does not announce ahead, the edge of a live channel waits for the decision.
      const own = {
        ...how,
        isTimed: false,
        ...(id === 'mpd' ? { opens: 'dash' as const, hls: false, dash: true } : {}),
      };
      return { id, viewer: await stage.watch(id, own), traced: new Map<string, TracedBreak>() };
    }),
  );
  let started = '';
  await stage.until('a programme starts', async () => {
    const text = await (await fetch(`${liveUrl}/hls/first/channel/v0.m3u8?markers=daterange&${query}`)).text();
    started = /ID="programme-\d+-start",.*SCTE35-CMD=(\S+)/.exec(text)?.[1] ?? '';
    return started !== '';
  });
  const programme = { typeId: 0x10, upids: [expect.stringMatching(/^urn:film:\d+$/)] };
  expect(readPayload(started)).toMatchObject({ segmentations: [programme] });
  const from = clock.now() + MINUTE_MS;
  const until = start + minutes * (step / length) * MINUTE_MS - MINUTE_MS;
  while (clock.now() < until) {
    await clock.sleep(Math.min(READ_EVERY_MINUTES * MINUTE_MS, until - clock.now()));
    for (const { viewer, traced } of viewers) for (const one of await stage.breaks(viewer)) traced.set(one.id, one);
    expect(viewers.flatMap(({ viewer }) => viewer.faults)).toEqual([]);
  }
  const aired = await breaksAired(stage, from);
  for (const { id, viewer, traced } of viewers) {
    const { warnings } = await stage.api('GET', `/channels/${id}/breaks`);
    expect(warnings ?? [], id).toEqual([]);
    const found = [...traced.values()].filter(({ at }) => at >= from).sort((one, other) => one.at - other.at);
    const seen = found.slice(1, -2).map(({ at, duration }) => ({ at, seconds: Math.round(duration * 1000) / 1000 }));
    expect(found.length, id).toBeGreaterThanOrEqual(aired.length - 3);
    // The same breaks, and none between them.
    const first = aired.findIndex(({ at }) => Math.abs(at - seen[0]!.at) <= 1);
    const expected = aired.slice(first, first + seen.length);
    expect(seen, id).toEqual(expected.map(({ at, seconds }) => ({ at: expect.closeTo(at, ROUNDED), seconds })));
    const withoutAds = found.slice(2, -2).filter((one) => !titlesOf(one).includes('Ad ten'));
    expect(withoutAds, id).toEqual([]);
    await viewer.leave();
    expect(viewer.faults, id).toEqual([]);
  }
  return aired.length;
}
