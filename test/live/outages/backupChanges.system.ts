// SPDX-License-Identifier: Apache-2.0
// Backup origins that fail again and again, that are removed or replaced while they are on air, and that have the wrong format.
import { expect, test } from 'vitest';
import { naming } from '../../naming.ts';
import { fileStage } from '../fileStage.ts';
import { airLive, startOrigin } from '../liveStage.ts';
import type { LiveOrigin } from '../origin/liveOrigin.ts';
import {
  channelWhen,
  dies,
  expectNothingTwice,
  type Format,
  healthOf,
  originEvents,
  shownOrigins,
  urlOf,
  watchIn,
} from './shownOrigins.ts';

const stage = await fileStage();

const FORMATS = ['hls', 'dash'] as const;

const start = () => startOrigin(stage, { window: 8 });
const startThree = () => Promise.all([start(), start(), start()]);

/** Responds half of the time. */
const flaps = (origin: LiveOrigin, ms: number) =>
  origin.fail(({ at }) => (at % (2 * ms) < ms ? { does: 'respond', status: 502 } : undefined));

const kindsOf = async (id: string): Promise<string[]> => {
  const kinds = (await originEvents(stage, id)).map(({ onAir }) => onAir);
  return kinds.filter((kind, index) => kind !== kinds[index - 1]);
};

test.concurrent.each(FORMATS)(
  'a backup that flaps is left for the next one, and not used again (%s)',
  async (format) => {
    const { clock } = stage;
    const [main, first, second] = await startThree();
    const id = `flaps-${format}`;
    const backupManifestUrls = [first, second].map((origin) => urlOf(origin, format));
    await airLive(stage, id, { sourceManifestUrl: urlOf(main, format) }, { backupManifestUrls });
    const viewer = await watchIn(stage, id, format);
    await clock.sleep(10_000);
    dies(main);
    await clock.sleep(12_000);
    flaps(first, 6000);
    await clock.sleep(60_000);
    await viewer.leave();
    expect(shownOrigins(viewer, { main, first, second })).toEqual(['main', 'first', 'second']);
    expect((await healthOf(stage, id, format)).onAir).toMatchObject({ kind: 'backup', url: urlOf(second, format) });
    expectNothingTwice(viewer);
    expect(viewer.faults).toEqual([]);
  },
);

test.concurrent('where the only backup flaps, slate fills the time, until the origin is back for good', async () => {
  const { clock } = stage;
  const [main, backup] = await startThree();
  await airLive(stage, 'alone', { sourceManifestUrl: main.hlsUrl }, { backupManifestUrls: [backup.hlsUrl] });
  const viewer = await watchIn(stage, 'alone', 'hls');
  await clock.sleep(10_000);
  flaps(backup, 12_000);
  const restore = dies(main);
  await clock.sleep(60_000);
  restore();
  await clock.sleep(60_000);
  await viewer.leave();
  const [first, ...shown] = shownOrigins(viewer, { main, backup });
  expect([first, shown.at(-1)]).toEqual(['main', 'main']);
  expect(shown.slice(0, 4).sort()).toEqual(['backup', 'backup', 'slate', 'slate']);
  expect((await kindsOf('alone')).slice(0, 2)).toEqual(['source', shown[0]]);
  expectNothingTwice(viewer);
  expect(viewer.faults).toEqual([]);
});

type Change = {
  readonly what: string;
  readonly format: Format;
  readonly method: 'PATCH' | 'PUT';
  readonly shows: 'slate' | 'second';
};
const changes: readonly Change[] = [
  { what: 'removed', format: 'hls', method: 'PATCH', shows: 'slate' },
  { what: 'removed', format: 'dash', method: 'PUT', shows: 'slate' },
  { what: 'replaced', format: 'hls', method: 'PATCH', shows: 'second' },
];

test.concurrent.each(changes)('a backup that is $what by $method while it is on air ($format)', async (change) => {
  const { what, format, method, shows } = change;
  const { clock, midroll } = stage;
  const [main, first, second] = await startThree();
  const id = `${what}-${method}`;
  const sources = { sourceManifestUrl: urlOf(main, format) };
  await airLive(stage, id, sources, { backupManifestUrls: [urlOf(first, format)] });
  const viewer = await watchIn(stage, id, format);
  await clock.sleep(10_000);
  const restore = dies(main);
  await clock.sleep(15_000);
  const url = urlOf(second, format);
  const backups =
    shows === 'second' ? { backupManifestUrls: [url] } : method === 'PATCH' ? { backupManifestUrls: null } : {};
  const rest = method === 'PATCH' ? {} : { type: 'live', state: 'enabled', apiKey: 'key', ...sources };
  expect(await midroll.api(method, `/channels/${id}`, { ...rest, ...backups })).toMatchObject({ status: 200 });
  await clock.sleep(15_000);
  const { onAir, backups: listed } = await healthOf(stage, id, format);
  expect(onAir).toMatchObject(shows === 'slate' ? { kind: 'slate' } : { kind: 'backup', url });
  expect(listed).toEqual(shows === 'slate' ? undefined : [expect.objectContaining({ url, state: 'ok' })]);
  restore();
  await clock.sleep(shows === 'slate' ? 15_000 : 45_000);
  await viewer.leave();
  expect(shownOrigins(viewer, { main, first, second })).toEqual(['main', 'first', shows, 'main']);
  expect(await kindsOf(id)).toEqual(['source', 'backup', ...(shows === 'slate' ? ['slate'] : []), 'source']);
  // An origin that has just come back has not stalled.
  expect((await originEvents(stage, id)).map(({ state }) => state)).not.toContain('stalled');
  expectNothingTwice(viewer);
  expect(viewer.faults).toEqual([]);
});

test.concurrent.each(FORMATS)(
  'a backup in the other format is not used, and named in a warning (%s)',
  async (format) => {
    const { clock } = stage;
    const other: Format = format === 'hls' ? 'dash' : 'hls';
    const [main, first] = await startThree();
    const id = `format-${format}`;
    // Without the end of a file name, only its content states the format.
    first.fail(({ path }) => (path === '/stream' ? { does: 'redirect', to: urlOf(first, other) } : undefined));
    const backupManifestUrls = [urlOf(first, other), `${first.url}/stream`];
    await airLive(stage, id, { sourceManifestUrl: urlOf(main, format) }, { backupManifestUrls });
    const viewer = await watchIn(stage, id, format);
    await clock.sleep(10_000);
    const { warnings } = (await channelWhen(stage, id, ({ live }) => live?.[format].warnings)).live[format];
    expect(warnings).toEqual([0, 1].map((n) => naming(`backupManifestUrls[${n}]`, `${other.toUpperCase()}, not`)));
    const restore = dies(main);
    await clock.sleep(20_000);
    expect((await healthOf(stage, id, format)).onAir.kind).toBe('slate');
    restore();
    await clock.sleep(20_000);
    await viewer.leave();
    expect(shownOrigins(viewer, { main, first })).toEqual(['main', 'slate', 'main']);
    expect(viewer.faults).toEqual([]);
  },
);
