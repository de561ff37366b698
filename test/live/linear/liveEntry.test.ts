// SPDX-License-Identifier: Apache-2.0
// Live programmes in the schedule of a linear channel, on a virtual clock: an origin is on air from the start of its entry on.
import { expect, test } from 'vitest';
import { isOurs } from '../../laws/readBack.ts';
import { fileStage } from '../fileStage.ts';
import { startOrigin } from '../liveStage.ts';
import { adSource, item } from '../stage.ts';
import type { Viewer } from '../viewer.ts';

const stage = await fileStage();
const FRAME_MS = 40;
const iso = (at: number) => new Date(at).toISOString();

async function scheduled(id: string, body: object, channel: object = {}): Promise<number> {
  const { status, json } = await stage.midroll.api('PUT', `/channels/${id}/schedule`, body);
  expect([status, json.message]).toEqual([200, undefined]);
  await stage.midroll.api('PATCH', `/channels/${id}`, { state: 'enabled', ...channel });
  return json;
}

type Run = { readonly of: string; readonly from: number; to: number };

/** What a viewer was shown: `slate`, `live`, or the folder of an asset; consecutive segments as one. */
function runsOf({ listed }: Viewer): Run[] {
  const runs: Run[] = [];
  for (const { uri, date, duration } of [...listed.get('v0')!.values()].sort(
    (one, other) => one.number - other.number,
  )) {
    const of = isOurs(uri) ? 'slate' : (/\/(m\d+)\//.exec(uri)?.[1] ?? 'live');
    const last = runs.at(-1);
    const to = date + duration / 1000;
    if (last?.of === of && Math.abs(last.to - date) < FRAME_MS) last.to = to;
    else runs.push({ of, from: date, to });
  }
  return runs;
}
const soon = () => Math.ceil(stage.clock.now() / 1000) * 1000 + 40_000;

test('an origin is on air from the start of its entry to its planned end, in HLS and DASH', async () => {
  const [film, filler, origin] = await Promise.all([
    stage.video({ seconds: 40 }),
    stage.video({ seconds: 8 }),
    startOrigin(stage),
  ]);
  await stage.air('live1', [item(filler)], { state: 'disabled', adSource: adSource(stage.adHost, '/none') });
  const start = soon();
  const live = { sourceManifestUrl: origin.hlsUrl, plannedDuration: 40 };
  await scheduled('live1', {
    entries: [
      { id: 'before', start: iso(start - 30_000), source: { url: film } },
      { id: 'match', title: 'Match', start: iso(start), source: { live } },
      { id: 'after', start: iso(start + 40_000), source: { url: film } },
    ],
  });
  const viewers = await Promise.all([stage.watch('live1'), stage.watch('live1', { opens: 'dash' })]);
  await viewers[0].until('the film after it', () => stage.clock.now() > start + 70_000);
  await Promise.all(viewers.map((viewer) => viewer.leave()));
  expect(viewers.flatMap(({ faults }) => faults)).toEqual([]);
  for (const viewer of viewers) {
    const runs = runsOf(viewer);
    const shown = runs.filter(({ of }) => of === 'live');
    expect(shown, JSON.stringify(runs)).toHaveLength(1);
    expect(Math.abs(shown[0]!.from - start)).toBeLessThanOrEqual(FRAME_MS);
    expect(shown[0]!.to).toBeGreaterThan(start + 36_000);
    expect(runs.some(({ from }) => Math.abs(from - start - 40_000) <= FRAME_MS)).toBe(true);
  }
});
