// SPDX-License-Identifier: Apache-2.0
// Breaks by hand in DASH sessions, and on a channel that is idle, on a virtual clock.
import { expect, test } from 'vitest';
import { fileStage } from '../fileStage.ts';
import { airLive, offerSpots, segmentsOf, startOrigin } from '../liveStage.ts';
import { titlesOf } from '../stage.ts';
import { edge, ours, passes, rungOf, SEGMENT } from './seenByHand.ts';

const stage = await fileStage();

const order = (id: string, body: object) => stage.midroll.api('POST', `/channels/${id}/breaks`, body);
const watchDash = (id: string) => stage.watch(id, { hls: false, opens: 'dash' });

/** @param sources which origins the channel has */
async function air(id: string, sources: 'dash' | 'hls'): Promise<void> {
  const origin = await startOrigin(stage, { breaks: { every: 0, seconds: 12 } });
  await airLive(stage, id, { sourceManifestUrl: sources === 'dash' ? origin.dashUrl : origin.hlsUrl });
  await offerSpots(stage, id);
}

test.concurrent.each(['dash', 'hls'] as const)(
  'DASH viewers see a break, its early end, one ahead and a blackout (%s origin)',
  async (source) => {
    const id = `dash-of-${source}`;
    await air(id, source);
    const viewer = await watchDash(id);
    await passes(viewer, edge(viewer) + 6000);
    let before = edge(viewer);
    expect((await order(id, { id: 'now', duration: 12 })).status).toBe(201);
    await passes(viewer, before + 24_000);
    expect(ours(viewer)).toHaveLength(1);
    const [now] = ours(viewer);
    expect(now!.startsAt - before).toBeLessThanOrEqual(2 * SEGMENT);
    expect(now!.endsAt - now!.startsAt).toBe(12_000);

    await order(id, { id: 'long', duration: 60 });
    await viewer.until('the second break', () => ours(viewer).length > 1);
    await passes(viewer, edge(viewer) + 5000);
    expect((await order(id, { action: 'end' })).json).toMatchObject({ id: 'long', state: 'ended' });
    before = edge(viewer);
    const startsAt = new Date(stage.clock.now() + 20_000).toISOString();
    expect((await order(id, { id: 'ahead', duration: 10, startsAt })).status).toBe(201);
    expect(
      (await order(id, { id: 'gone', duration: 10, startsAt: new Date(stage.clock.now() + 60_000).toISOString() }))
        .status,
    ).toBe(201);
    await viewer.until('the third break', () => ours(viewer).length > 2);
    expect(ours(viewer)[1]!.endsAt - before).toBeLessThanOrEqual(3 * SEGMENT);
    expect((await order(id, { action: 'cancel', id: 'gone' })).json.state).toBe('cancelled');
    await passes(viewer, ours(viewer)[2]!.startsAt + 14_000);
    expect(ours(viewer)[2]!.endsAt - ours(viewer)[2]!.startsAt).toBe(10_000);

    const dark = edge(viewer);
    await order(id, { id: 'dark', kind: 'blackout' });
    await passes(viewer, dark + 16_000);
    await order(id, { action: 'end', id: 'dark' });
    before = edge(viewer);
    await passes(viewer, before + 60_000);
    const shown = ours(viewer);
    expect(shown).toHaveLength(4);
    expect(shown[3]!.startsAt - dark).toBeLessThanOrEqual(2 * SEGMENT);
    expect(shown[3]!.endsAt - before).toBeLessThanOrEqual(3 * SEGMENT);
    await viewer.leave();
    const traced = await stage.breaks(viewer);
    expect(traced.map(titlesOf).filter((titles) => titles.length === 2).length).toBeGreaterThanOrEqual(2);
    expect(viewer.faults).toEqual([]);
  },
);

test.concurrent.each(['hls', 'dash'] as const)(
  'viewers of a channel that was idle see what is left of a break (%s)',
  async (format) => {
    const id = `idle-${format}`;
    await air(id, format);
    const opens = () => (format === 'hls' ? stage.watch(id, { dash: false }) : watchDash(id));
    const first = await opens();
    await passes(first, edge(first) + 4000);
    await first.leave();
    await stage.clock.sleep(120_000);
    expect((await stage.midroll.api('GET', `/channels/${id}`)).json.live[format].health.state).toBe('idle');
    const orderedAt = stage.clock.now();
    expect((await order(id, { id: 'half', duration: 40 })).json.state).toBe('running');
    expect((await order(id, { id: 'over', duration: 2 })).status).toBe(201);
    await stage.clock.sleep(20_000);
    const viewer = await opens();
    await passes(viewer, orderedAt + 55_000);
    await viewer.leave();
    // From the start of its first playlist to the end of the break, by the dates of the origin.
    const [shown, ...more] = ours(viewer);
    expect(more).toEqual([]);
    expect(shown!.startsAt).toBe(segmentsOf(viewer, rungOf(viewer))[0]!.date);
    expect(shown!.endsAt - orderedAt).toBeGreaterThanOrEqual(40_000 - 3 * SEGMENT);
    expect(shown!.endsAt - orderedAt).toBeLessThanOrEqual(40_000 + 2 * SEGMENT);
    const { items } = (await stage.midroll.api('GET', `/channels/${id}/breaks`)).json;
    expect(items.map((one: { sourceId: string; origin?: string }) => [one.sourceId, one.origin])).toEqual([
      ['half', format],
      ['over', undefined],
    ]);
    expect((await stage.breaks(viewer)).map(titlesOf)).toEqual([['Ad four', 'Ad six']]);
    expect(viewer.faults).toEqual([]);
  },
);
