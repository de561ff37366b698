// SPDX-License-Identifier: Apache-2.0
// Live entries of schedules are on air while Midroll is killed, or while PostgreSQL is away. Viewers see slate at most, and then
// the origin again.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isOurs } from '../../laws/readBack.ts';
import { type FreezingProxy, startFreezingProxyOf } from '../../servers/freezingProxy.ts';
import { createDatabase } from '../../servers/postgresDatabase.ts';
import { segmentsOf, startOrigin } from '../liveStage.ts';
import { item, onStage, openRealStage, type Stage } from '../stage.ts';
import type { Viewer } from '../viewer.ts';

vi.setConfig({ maxConcurrency: 50 });

/** Milliseconds of slate after a trouble, until the origin has shown enough (docs/live.md). */
const MAX_SLATE = 25_000;
const OUTAGE = 40_000;

const passes = (viewers: readonly Viewer[], time: number) =>
  Promise.all(
    viewers.map((viewer) =>
      viewer.until('later live content', () => {
        const last = segmentsOf(viewer, 'v0').at(-1);
        return last !== undefined && last.date > time && !isOurs(last.uri);
      }),
    ),
  );

type Trouble = {
  /** Returns when it is over. */
  readonly happens: () => Promise<void>;
  /** Whether connections to Midroll may fail. */
  readonly endsProcess: boolean;
};

/** Viewers of both formats watch live entries with an origin of each format. */
async function watchThrough(stage: Stage, { happens, endsProcess }: Trouble): Promise<void> {
  const { midroll, clock } = stage;
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
  await passes(viewers, start + 15_000);

  const before = viewers.map((viewer) => segmentsOf(viewer, 'v0'));
  const begun = clock.now();
  isDown = endsProcess;
  await happens();
  isDown = false;
  const ended = clock.now();
  await passes(viewers, ended + MAX_SLATE);
  await Promise.all(viewers.map((viewer) => viewer.leave()));

  for (const [index, viewer] of viewers.entries()) {
    expect(viewer.faults).toEqual([]);
    const shown = segmentsOf(viewer, 'v0');
    // Numbers and what was shown stay, and nothing is left out.
    expect(shown.slice(0, before[index]!.length)).toEqual(before[index]);
    expect(shown.map(({ number }) => number)).toEqual(shown.map((_, at) => shown[0]!.number + at));
    const slate = shown.filter(({ uri, date }) => date > start && isOurs(uri));
    expect(slate.every(({ date }) => date > begun && date < ended + MAX_SLATE)).toBe(true);
    expect(slate.reduce((sum, { duration }) => sum + duration, 0) / 1000).toBeLessThan(ended - begun + MAX_SLATE);
  }
}

test.concurrent('live entries go on after SIGKILL, with the viewers that they had', () =>
  onStage(openRealStage(), async (stage) => {
    const { midroll, clock } = stage;
    const happens = async () => {
      await midroll.kill();
      await midroll.restart();
      // A request that is in flight to the old process may still fail.
      await clock.sleep(300);
    };
    await watchThrough(stage, { happens, endsProcess: true });
    expect(midroll.bugs()).toEqual([]);
  }));

const outages: readonly [string, (proxy: FreezingProxy) => Promise<void> | void, (proxy: FreezingProxy) => unknown][] =
  [
    ['does not respond', (proxy) => proxy.freeze(), (proxy) => proxy.thaw()],
    ['refuses connections', (proxy) => proxy.refuse(), (proxy) => proxy.accept()],
  ];

test.concurrent.each(outages)('live entries go on after PostgreSQL %s', async (_, begin, end) => {
  const database = await createDatabase();
  const proxy = await startFreezingProxyOf(database.url);
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'midroll-away-'));
  const settings = { DATABASE_URL: proxy.url, DATA_DIR, DATABASE_STATEMENT_TIMEOUT_MS: '3000' };
  try {
    await onStage(openRealStage(settings), async (stage) => {
      const happens = async () => {
        await begin(proxy);
        await stage.clock.sleep(OUTAGE);
        await end(proxy);
      };
      await watchThrough(stage, { happens, endsProcess: false });
      // Failures during the outage are warnings.
      expect(stage.midroll.bugs().filter((line) => !line.includes('"level":40'))).toEqual([]);
    });
  } finally {
    proxy.thaw();
    await proxy.close();
    await database.drop();
    rmSync(DATA_DIR, { recursive: true, force: true, maxRetries: 5 });
  }
});
