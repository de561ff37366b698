// SPDX-License-Identifier: Apache-2.0
// Backup origins of live channels: they take over while the origin fails, and the origin comes back without a hole.
import { expect, test } from 'vitest';
import { isOurs } from '../../laws/readBack.ts';
import { fileStage } from '../fileStage.ts';
import { airLive, segmentsOf, startOrigin } from '../liveStage.ts';
import { dies, healthOf, originEvents, shownOrigins, urlOf, watchIn } from './shownOrigins.ts';

const stage = await fileStage();

test.concurrent.each(['hls', 'dash'] as const)('a backup takes over and back, then slate (%s)', async (format) => {
  const { clock } = stage;
  const [main, backup] = await Promise.all([startOrigin(stage, { window: 8 }), startOrigin(stage, { window: 8 })]);
  const [url, other] = [main, backup].map((origin) => urlOf(origin, format));
  const id = `backup-${format}`;
  await airLive(stage, id, { sourceManifestUrl: url! }, { backupManifestUrls: [other] });
  const viewer = await watchIn(stage, id, format);
  const hosts = () => shownOrigins(viewer, { main, backup });
  await clock.sleep(20_000);
  expect(await healthOf(stage, id, format)).toMatchObject({
    state: 'ok',
    onAir: { kind: 'source', url },
    backups: [{ url: other, state: 'unknown' }],
  });
  const revive = dies(main);
  await clock.sleep(20_000);
  expect(hosts()).toEqual(['main', 'backup']);
  expect(await healthOf(stage, id, format)).toMatchObject({
    state: 'failing',
    onAir: { kind: 'backup', url: other },
    backups: [{ url: other, state: 'ok' }],
  });
  revive();
  await clock.sleep(70_000);
  expect(hosts()).toEqual(['main', 'backup', 'main']);
  expect(await healthOf(stage, id, format)).toMatchObject({ state: 'ok', onAir: { kind: 'source' } });
  const all = [dies(main), dies(backup)];
  await clock.sleep(30_000);
  expect(hosts()).toEqual(['main', 'backup', 'main', 'slate']);
  expect((await healthOf(stage, id, format)).onAir.kind).toBe('slate');
  for (const restore of all) restore();
  await clock.sleep(20_000);
  await viewer.leave();
  // Whichever is read first: the retries of both are at different times.
  expect(hosts().slice(0, 4)).toEqual(['main', 'backup', 'main', 'slate']);
  expect(['main', 'backup']).toContain(hosts()[4]);
  expect(viewer.faults).toEqual([]);
  const events = await originEvents(stage, id);
  const changes = events.map(({ state, onAir }) => `${state} ${onAir}`);
  expect(changes.filter((one, index) => one !== changes[index - 1])).toEqual(changes);
  const kinds = events.map(({ onAir }) => onAir);
  expect(kinds.filter((kind, index) => kind !== kinds[index - 1]).slice(0, 4)).toEqual([
    ...['source', 'backup', 'source', 'slate'],
  ]);
  expect(changes).toContain('failing slate');
  expect(events[0]).toMatchObject({ origin: format, state: 'ok', onAir: 'source', url });
});

test.concurrent('viewers of a channel that wakes while its origin is down see slate, then content', async () => {
  const { clock } = stage;
  const origin = await startOrigin(stage, { window: 8 });
  await airLive(stage, 'wakes', { sourceManifestUrl: origin.hlsUrl });
  const first = await stage.watch('wakes', { dash: false, fetches: 'ours' });
  await clock.sleep(10_000);
  await first.leave();
  await clock.sleep(600_000);
  const revive = dies(origin);
  const path = `${stage.midroll.liveUrl}/hls/wakes/master.m3u8?api-key=key`;
  for (let second = 0; second < 12; second += 1) {
    await fetch(path);
    await clock.sleep(1000);
  }
  const viewer = await stage.watch('wakes', { dash: false, fetches: 'ours', isTimed: false });
  await clock.sleep(10_000);
  expect(segmentsOf(viewer, 'v0').every(({ uri }) => isOurs(uri))).toBe(true);
  revive();
  await clock.sleep(20_000);
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
  expect(segmentsOf(viewer, 'v0').at(-1)!.uri).toContain(origin.url);
});
