// SPDX-License-Identifier: Apache-2.0
// A node of Midroll, composed as in production for deliveries, the ledger and reports. kills.system.ts kills it. Its clock and
// periodic tasks run twenty times faster than the test. Arguments: the settings of the node; the instant at which its clock
// starts; the instant of the test at which it started, or 0 for a clock that does not move.
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { sqlSessions } from '../../src/adapters/sql/sessions/sqlSessions.ts';
import { systemTimers } from '../../src/adapters/systemClock.ts';
import { composeTracking } from '../../src/composition/composeTracking.ts';
import { finalStages, finishAll } from '../../src/composition/ending.ts';
import { openServices } from '../../src/composition/openServices.ts';
import { startTasks } from '../../src/composition/part.ts';
import { readConfig } from '../../src/config.ts';
import { createLiveServer } from '../../src/http/live/server.ts';
import { createProxies } from '../../src/http/proxies.ts';
import { composeReports } from '../../src/platform/reports/composeReports.ts';
import { sqlSystems } from '../../src/platform/systems/store/sqlSystems.ts';
import { createStoreHealth } from '../../src/playback/viewers/storeHealth.ts';
import { createViewers } from '../../src/playback/viewers/viewers.ts';
import { createViewings } from '../../src/playback/viewings.ts';
import type { Timers } from '../../src/time/clock.ts';
import { millis } from '../../src/time/units.ts';
import { airingsOf } from '../airingsOf.ts';
import { noVod } from '../servers/noVod.ts';
import { soakAiring } from './soakChannel.ts';

const SPEED = 20;
const [settings, from, startedAt] = process.argv.slice(2) as [string, string, string];
const now = () => millis(Number(from) + (startedAt === '0' ? 0 : SPEED * (Date.now() - Number(startedAt))));
const timers: Timers = {
  ...systemTimers,
  after: (ms, work) => systemTimers.after(ms / SPEED, work),
  every: (ms, work) => systemTimers.every(ms / SPEED, work),
};
const reading = readConfig({ LOG_LEVEL: 'warn', ...JSON.parse(settings) });
if (!reading.ok) throw new Error(reading.problems.join('\n'));
const services = await openServices(reading.config, { clock: { now, timers } });
const sessions = sqlSessions(services.sql);
const tracking = composeTracking({
  ...{ ...services, sessions, metrics: new Registry() },
  // The timeout for storing a delivery is in real time, like the requests of viewers.
  timers: systemTimers,
  inThread: false,
  onBeacon: () => {},
});
const airing = soakAiring();
const fail = (...what: unknown[]) => console.error(...what);
const viewers = createViewers(
  sessions,
  createStoreHealth(systemTimers, () => {}),
  10_000,
);
const playback = {
  ...{ airings: airingsOf(() => [airing]), viewers, sessions, vod: noVod },
  decider: { begin: () => {}, settle: async () => {} },
  decideBy: async () => {},
  presence: { note: () => {} },
};
const live = createLiveServer({
  ...{ ...playback, viewings: createViewings(playback), now, timers: systemTimers },
  ...{ liveUrl: () => 'http://127.0.0.1', proxies: createProxies([]) },
  recordDelivery: tracking.recordDelivery,
  mediaUrl: () => undefined,
  late: { keep: fail },
  openSegment: async () => undefined,
  feeds: { tracking: async () => {}, confirm: async () => {}, vast: async () => {} },
  notReady: async () => undefined,
  onError: fail,
} as Parameters<typeof createLiveServer>[0]);

const reports = composeReports(services, sqlSystems(services.sql, services.secretBox), true).part({
  unmadeByOwner: async () => [],
});
const duties = { admin: true, live: true };
const tasks = [...startTasks(reports.tasks ?? [], duties, services), ...tracking.start(false)];
process.once('message', async () => {
  for (const task of tasks) task.stop();
  live.close();
  live.closeAllConnections();
  await tracking.stop();
  await finishAll(
    finalStages(async () => {}, [reports]),
    services.warn,
  );
  await services.close();
  process.disconnect();
});
live.listen(0, '127.0.0.1', () => process.send?.({ port: (live.address() as AddressInfo).port }));
