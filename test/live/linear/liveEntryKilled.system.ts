// SPDX-License-Identifier: Apache-2.0
// SIGKILL while live entries of schedules are on air: after the restart, on the same SQLite file, their viewers go on with them.
import { expect, test } from 'vitest';
import { isOurs } from '../../laws/readBack.ts';
import { fileStage } from '../fileStage.ts';
import { segmentsOf, startOrigin } from '../liveStage.ts';
import { item, openRealStage } from '../stage.ts';

const stage = await fileStage(openRealStage);
const { midroll, clock } = stage;
/** Milliseconds of slate after a restart, until the origin has shown enough (docs/live.md). */
const MAX_SLATE = 25_000;

test('live entries go on after SIGKILL, with the viewers that they had', async () => {
  const [filler, ...origins] = await Promise.all([stage.video({ seconds: 8 }), startOrigin(stage), startOrigin(stage)]);
  const start = Math.ceil(clock.now() / 1000) * 1000 + 30_000;
  let isDown = false;
  const air = async (id: string, sourceManifestUrl: string) => {
    await stage.air(id, [item(filler)], { state: 'disabled' });
    const live = { sourceManifestUrl, plannedDuration: 600 };
    const entries = [{ id: 'match', start: new Date(start).toISOString(), source: { live } }];
    expect((await midroll.api('PUT', `/channels/${id}/schedule`, { entries })).status).toBe(200);
    await midroll.api('PATCH', `/channels/${id}`, { state: 'enabled' });
    const watching = (['hls', 'dash'] as const).map((opens) =>
      stage.watch(id, { opens, mayBeUnavailable: () => isDown }),
    );
    return Promise.all(watching);
  };
  const viewers = (await Promise.all([air('hls', origins[0]!.hlsUrl), air('dash', origins[1]!.dashUrl)])).flat();
  const passes = (time: number) =>
    Promise.all(
      viewers.map((viewer) =>
        viewer.until('later live content', () => {
          const last = segmentsOf(viewer, 'v0').at(-1);
          return last !== undefined && last.date > time && !isOurs(last.uri);
        }),
      ),
    );
  await passes(start + 15_000);

  const before = viewers.map((viewer) => segmentsOf(viewer, 'v0'));
  const killed = clock.now();
  isDown = true;
  await midroll.kill();
  await midroll.restart();
  // A request that is in flight to the old process may still fail.
  await clock.sleep(300);
  isDown = false;
  const restarted = clock.now();
  await passes(restarted + MAX_SLATE);
  await Promise.all(viewers.map((viewer) => viewer.leave()));

  for (const [index, viewer] of viewers.entries()) {
    expect(viewer.faults).toEqual([]);
    const shown = segmentsOf(viewer, 'v0');
    // Numbers and what was shown stay, and nothing is left out.
    expect(shown.slice(0, before[index]!.length)).toEqual(before[index]);
    expect(shown.map(({ number }) => number)).toEqual(shown.map((_, at) => shown[0]!.number + at));
    const slate = shown.filter(({ uri, date }) => date > start && isOurs(uri));
    expect(slate.every(({ date }) => date > killed && date < restarted + MAX_SLATE)).toBe(true);
    expect(slate.reduce((sum, { duration }) => sum + duration, 0) / 1000).toBeLessThan(restarted - killed + MAX_SLATE);
  }
});
