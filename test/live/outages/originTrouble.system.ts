// SPDX-License-Identifier: Apache-2.0
// Live origins that fail while viewers watch: what they saw, and how long the picture needed to be back. Each viewer checks the laws
// at every poll. The table of docs/live.md is printed.
import { afterAll, expect, test, vi } from 'vitest';
import { isOurs } from '../../laws/readBack.ts';
import { fileStage } from '../fileStage.ts';
import { airLive, segmentsOf, startOrigin } from '../liveStage.ts';
import type { LiveOrigin } from '../origin/liveOrigin.ts';
import type { OriginFault, OriginRequest } from '../origin/originFault.ts';

const stage = await fileStage();
vi.setConfig({ testTimeout: 900_000 });

const table: string[] = [];
afterAll(() => {
  console.info(
    ['| case | format | viewers saw | picture back after | health |', '|---|---|---|---|---|', ...table.sort()].join(
      '\n',
    ),
  );
});

/** Begins the trouble. @returns what ends it */
type Trouble = (origin: LiveOrigin) => () => void;

const isManifest = ({ kind }: OriginRequest): boolean => kind === 'multivariant' || kind === 'media' || kind === 'mpd';
const failing =
  (fault: OriginFault): Trouble =>
  (origin) =>
    origin.fail((request) => (isManifest(request) ? fault : undefined));
const rewriting =
  (rewrite: (text: string, path: string) => string): Trouble =>
  (origin) =>
    origin.fail(({ kind, path }) =>
      kind === 'media' || kind === 'mpd' ? { does: 'rewrite', rewrite: (text) => rewrite(text, path) } : undefined,
    );
const frozen = (end: string): Trouble => {
  const kept = new Map<string, string>();
  return rewriting((text, path) => {
    if (!kept.has(path)) kept.set(path, text + (text.startsWith('#') ? end : ''));
    return kept.get(path)!;
  });
};
const withoutSegments = (text: string): string =>
  text.startsWith('#') ? text.replace(/#EXTINF[\s\S]*/, '') : text.replace(/<S [^>]*>/g, '');
const restarting =
  (after: number): Trouble =>
  (origin) => {
    origin.broadcast.restart(stage.clock.now(), after, 1);
    return () => undefined;
  };
const lateAudio: Trouble = ({ lags }) => {
  lags.set('a0', 1);
  return () => void lags.delete('a0');
};
const gaps = (text: string): string => text.replace(/(#EXTINF[^\n]*\n[^\n]*[05]\.(m4s|ts))/g, '#EXT-X-GAP\n$1');

const cases: readonly { name: string; trouble: Trouble; setup?: object; only?: 'hls' | 'dash'; isShort?: true }[] = [
  { name: '404', trouble: failing({ does: 'respond', status: 404 }) },
  { name: '503', trouble: failing({ does: 'respond', status: 503 }) },
  { name: 'no response', trouble: failing({ does: 'hang' }) },
  { name: 'connections reset', trouble: failing({ does: 'reset' }) },
  { name: 'stale manifests', trouble: frozen('') },
  { name: 'stream ended', trouble: frozen('#EXT-X-ENDLIST\n'), only: 'hls' },
  { name: 'no segments', trouble: rewriting(withoutSegments) },
  {
    name: 'HTML page with status 200',
    trouble: failing({ does: 'respond', status: 200, body: '<!doctype html><p>Login' }),
  },
  { name: 'wrong content type', trouble: failing({ does: 'type', type: 'text/html' }) },
  {
    name: 'playlists of 2 MB',
    trouble: rewriting((text) => `${text}${'# padding padding padding\n'.repeat(80_000)}`),
    only: 'hls',
  },
  { name: 'slow (3 s for a playlist)', trouble: failing({ does: 'drip', ms: 300 }) },
  { name: 'half of each body', trouble: failing({ does: 'cut' }) },
  { name: 'audio one segment late', trouble: lateAudio },
  { name: 'EXT-X-GAP', trouble: rewriting(gaps), only: 'hls' },
  {
    name: 'no discontinuity numbers',
    trouble: rewriting((text) => text.replace(/#EXT-X-DISCONTINUITY-SEQUENCE.*\n/g, '')),
    setup: { loops: 'discontinuity' },
    only: 'hls',
  },
  { name: 'encoder restart, 30 s', trouble: restarting(30_000) },
  { name: 'encoder restart, 30 s, no dates', trouble: restarting(30_000), setup: { dates: 'none' }, only: 'hls' },
  { name: 'encoder restart, 4 s', trouble: restarting(4000) },
  { name: 'encoder restart, 2 s', trouble: restarting(2000), isShort: true },
  { name: '503, no dates', trouble: failing({ does: 'respond', status: 503 }), setup: { dates: 'none' }, only: 'hls' },
];
const runs = cases.flatMap((one) =>
  (['hls', 'dash'] as const).filter((format) => (one.only ?? format) === format).map((format) => ({ ...one, format })),
);

const TROUBLE_MS = 31_700;

test.concurrent.each(runs)('$format: $name', async ({ name, trouble, setup = {}, format, isShort }) => {
  const { clock } = stage;
  const id = `${format}-${name}`.replace(/\W+/g, '-').toLowerCase();
  const origin = await startOrigin(stage, { window: 8, ...setup });
  await airLive(stage, id, { sourceManifestUrl: format === 'hls' ? origin.hlsUrl : origin.dashUrl });
  const only = format === 'hls' ? { dash: false } : { opens: 'dash' as const, hls: false };
  const viewer = await stage.watch(id, { ...only, fetches: 'ours', isTimed: false });
  await clock.sleep(20_000);
  const [rung] = viewer.rungs;
  const seen = () => segmentsOf(viewer, rung!);
  const edge = () => seen().at(-1)!.date + seen().at(-1)!.duration / 1000;
  let longest = 0;
  let [last, movedAt] = [edge(), clock.now()];
  const watchFor = async (ms: number, until?: () => boolean) => {
    for (let passed = 0; passed < ms && !until?.(); passed += 500) {
      await clock.sleep(500);
      if (edge() > last) [last, movedAt] = [edge(), clock.now()];
      longest = Math.max(longest, clock.now() - movedAt);
    }
  };
  const restore = trouble(origin);
  await watchFor(TROUBLE_MS);
  const health = (await stage.midroll.api('GET', `/channels/${id}`)).json.live[format].health;
  restore();
  const restoredAt = clock.now();
  const before = seen().filter(({ uri }) => !isOurs(uri)).length;
  await watchFor(60_000, () => seen().filter(({ uri }) => !isOurs(uri)).length > before);
  const back = (clock.now() - restoredAt) / 1000;
  await watchFor(20_000);
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
  const slate = seen()
    .filter(({ uri }) => isOurs(uri))
    .reduce((sum, { duration }) => sum + duration / 1_000_000, 0);
  const uris = seen().flatMap(({ uri }) => (isOurs(uri) ? [] : [uri]));
  expect(new Set(uris).size).toBe(uris.length);
  const content = slate === 0 ? 'no slate' : `slate for ${slate.toFixed(1)} s`;
  table.push(
    `| ${name} | ${format} | ${content}; edge old for ${(longest / 1000).toFixed(1)} s at most | ${back.toFixed(1)} s | ${health.state} |`,
  );
  expect(health.onAir.kind).toBe(slate > 0 && health.state !== 'ok' ? 'slate' : 'source');
  if (isShort) {
    // The time without segments only; nothing states that slate is on air.
    expect(slate).toBeGreaterThan(1.5);
    expect(slate).toBeLessThan(6);
    const { json } = await stage.midroll.api('GET', `/channels/${id}/origin-events`);
    expect(json.items.map(({ onAir }: { onAir: string }) => onAir)).not.toContain('slate');
    expect(json.items[0]).toMatchObject({ state: 'ok', onAir: 'source' });
  }
  expect(longest, 'the edge stands still').toBeLessThan(20_000);
});

test('Midroll logs no error', () => {
  expect(stage.midroll.bugs()).toEqual([]);
});
