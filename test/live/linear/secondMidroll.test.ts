// SPDX-License-Identifier: Apache-2.0
// A distributor that runs Midroll, too: its live channels take the marked view of a scheduled channel, in both dialects of HLS and
// in DASH, and its own viewers get ads in every break, exactly where it is.
import { expect, test } from 'vitest';
import { readPayload } from '../../../src/scte35/readSection.ts';
import { fileStage } from '../fileStage.ts';
import { adSource, item, titlesOf } from '../stage.ts';

const stage = await fileStage();
const MINUTES = 12;
/** For `closeTo`: less than 1.5 ms, because manifests state milliseconds. */
const ROUNDED = -Math.log10(2 * 1.5);

test('a live channel finds every break of a marked view, with its start and its length', async () => {
  const [film, filler, spot] = await Promise.all([
    stage.video({ seconds: 40 }),
    stage.video({ seconds: 8 }),
    stage.spot(10),
  ]);
  stage.adHost.offer('/second', () => [{ id: 'ten', seconds: 10, url: spot }]);
  await stage.air('first', [item(filler)], { state: 'disabled', markersOut: 'both' });
  const start = Math.ceil(stage.clock.now() / 1000) * 1000;
  const breaks = [
    { spliceTime: 14, maxDuration: 10 },
    { spliceTime: -1, maxDuration: 20 },
  ];
  const entries = Array.from({ length: MINUTES }, (_, index) => ({
    id: `film${index}`,
    source: { url: film },
    breaks,
    upid: { type: 'uri', value: `urn:film:${index}` },
    ...(index % 4 === 0 ? { start: new Date(start + index * 75_000).toISOString() } : {}),
  }));
  await stage.api('PUT', '/channels/first/schedule', { entries });
  await stage.api('PATCH', '/channels/first', { state: 'enabled' });
  const { liveUrl } = stage.midroll;
  const query = 'api-key=key';
  const sources = {
    daterange: `${liveUrl}/hls/first/channel.m3u8?markers=daterange&${query}`,
    cue: `${liveUrl}/hls/first/channel.m3u8?markers=cue&${query}`,
    mpd: `${liveUrl}/dash/first/channel.mpd?markers=both&${query}`,
  };
  await stage.until('the first channel is on air', async () => (await fetch(sources.cue)).status === 200);
  const viewers = await Promise.all(
    Object.entries(sources).map(async ([id, sourceManifestUrl]) => {
      const body = { id, type: 'live', state: 'enabled', apiKey: 'key', sourceManifestUrl };
      await stage.midroll.create('channels', { ...body, adSource: adSource(stage.adHost, '/second') });
      // At a break that its origin does not announce ahead, the edge of a live channel waits for the decision.
      const how = { isTimed: false, ...(id === 'mpd' ? { opens: 'dash' as const, hls: false } : {}) };
      return [id, await stage.watch(id, how)] as const;
    }),
  );
  const from = stage.clock.now() + 60_000;
  await stage.until('the schedule has been played', () => stage.clock.now() > start + MINUTES * 70_000, 60);
  const { items } = await stage.api('GET', `/channels/first/as-run?from=${new Date(from).toISOString()}&limit=100`);
  const aired: { at: number; seconds: number }[] = items
    .filter(({ kind, isOnAir }: { kind: string; isOnAir?: true }) => kind === 'break' && !isOnAir)
    .map(({ from: at, to }: { from: string; to: string }) => ({
      at: Date.parse(at),
      seconds: (Date.parse(to) - Date.parse(at)) / 1000,
    }));
  expect(aired.length).toBeGreaterThan(10);
  expect(items.find(({ kind }: { kind: string }) => kind === 'programme').upid).toMatchObject({ type: 'uri' });
  const text = await (await fetch(`${liveUrl}/hls/first/channel/v0.m3u8?markers=daterange&${query}`)).text();
  const [, started = ''] = /ID="programme-\d+-start",.*SCTE35-CMD=(\S+)/.exec(text) ?? [];
  const programme = { typeId: 0x10, upids: [expect.stringMatching(/^urn:film:\d+$/)] };
  expect(readPayload(started)).toMatchObject({ segmentations: [programme] });
  for (const [id, viewer] of viewers) {
    const { warnings } = await stage.api('GET', `/channels/${id}/breaks`);
    expect(warnings ?? [], id).toEqual([]);
    const found = (await stage.breaks(viewer)).filter(({ at }) => at >= from);
    const seen = found.slice(1, -2).map(({ at, duration }) => ({ at, seconds: Math.round(duration * 1000) / 1000 }));
    expect(found.length, id).toBeGreaterThanOrEqual(aired.length - 3);
    // The same breaks, and none between them.
    const first = aired.findIndex(({ at }) => Math.abs(at - seen[0]!.at) <= 1);
    const expected = aired.slice(first, first + seen.length);
    expect(seen, id).toEqual(expected.map(({ at, seconds }) => ({ at: expect.closeTo(at, ROUNDED), seconds })));
    expect(
      found.slice(2, -2).every((one) => titlesOf(one).includes('Ad ten')),
      id,
    ).toBe(true);
    await viewer.leave();
    expect(viewer.faults, id).toEqual([]);
  }
});
