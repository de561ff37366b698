// SPDX-License-Identifier: Apache-2.0
// The viewers of a live channel are on one node, and another one evaluates the rules: the alert fires and resolves nevertheless.
import { expect, test } from 'vitest';
import { createVirtualClock } from '../clock/virtualClock.ts';
import { startMidrollInProcess } from '../live/midrollInProcess.ts';
import { startLiveOrigin } from '../live/origin/liveOrigin.ts';
import { watch } from '../live/viewer.ts';
import { opened, scratchFolder } from '../opened.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';

const clock = await opened(createVirtualClock());
const folder = scratchFolder();

const database = await opened(createDatabase());
const settings = { DATABASE_URL: database.url, DATA_DIR: folder };
const origin = await opened(startLiveOrigin({ clock, window: 8 }));
const evaluating = await opened(startMidrollInProcess(clock, settings));
// It evaluates rules from now on.
await clock.sleep(15_000);
const serving = await opened(startMidrollInProcess(clock, settings));

const states = async () => (await evaluating.api('GET', '/events')).json.map((one: { state: string }) => one.state);

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const end = clock.now() + 20 * 60_000;
  while (!(await isTrue()) && clock.now() < end) await clock.sleep(1000);
}

test('an origin that another node reads', async () => {
  const channel = { id: 'live', type: 'live', state: 'enabled', apiKey: 'key', sourceManifestUrl: origin.hlsUrl };
  await evaluating.create('channels', channel);
  const rule = { id: 'origin', kind: 'origin', forMinutes: 1 };
  expect((await evaluating.api('POST', '/alert-rules', rule)).status).toBe(201);
  const how = { dash: false, fetches: 'ours', isTimed: false } as const;
  const viewer = await watch({ clock, liveUrl: serving.liveUrl, channel: 'live', apiKey: 'key', ...how });
  await clock.sleep(120_000);
  expect(await states()).toEqual([]);
  const restore = origin.fail(() => ({ does: 'respond', status: 503 }));
  await until(async () => (await states()).length > 0);
  expect(await states()).toEqual(['firing']);
  restore();
  await until(async () => (await states()).length > 1);
  expect(await states()).toEqual(['resolved', 'firing']);
  await viewer.leave();
});
