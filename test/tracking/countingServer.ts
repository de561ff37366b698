// SPDX-License-Identifier: Apache-2.0
// A node of Midroll, composed as in production for deliveries, the ledger and reports. kills.system.ts kills it. Its clock and
// periodic tasks run twenty times faster than the test. Arguments: the settings of the node; the instant at which its clock
// starts; the instant of the test at which it started, or 0 for a clock that does not move.
import { Registry } from 'prom-client';
import { sqlSessions } from '../../src/adapters/sql/sessions/sqlSessions.ts';
import { systemTimers } from '../../src/adapters/systemClock.ts';
import { composeTracking } from '../../src/composition/composeTracking.ts';
import { finalStages, finishAll } from '../../src/composition/ending.ts';
import { openServices } from '../../src/composition/openServices.ts';
import { startTasks } from '../../src/composition/part.ts';
import { readConfig } from '../../src/config.ts';
import { composeReports } from '../../src/platform/reports/composeReports.ts';
import { sqlSystems } from '../../src/platform/systems/store/sqlSystems.ts';
import type { Timers } from '../../src/time/clock.ts';
import { millis } from '../../src/time/units.ts';
import { airingsOf } from '../airingsOf.ts';
import { serveLive } from '../servers/liveServer.ts';
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
const live = await serveLive({
  ...{ airings: airingsOf(() => [airing]), sessions, now },
  recordDelivery: tracking.recordDelivery,
  ...{ late: { keep: fail }, onError: fail },
});

const reports = composeReports(services, sqlSystems(services.sql, services.secretBox), true).part({
  unmadeByOwner: async () => [],
});
const duties = { admin: true, live: true };
const tasks = [...startTasks(reports.tasks ?? [], duties, services), ...tracking.start(false)];
process.once('message', async () => {
  for (const task of tasks) task.stop();
  await live.close();
  await tracking.stop();
  await finishAll(
    finalStages(async () => {}, [reports]),
    services.warn,
  );
  await services.close();
  process.disconnect();
});
process.send?.({ port: live.port });
