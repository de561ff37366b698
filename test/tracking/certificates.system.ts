// SPDX-License-Identifier: Apache-2.0
// The tracking thread presents client certificates to the hosts of beacons, also the thread that replaces it.
import type { Worker } from 'node:worker_threads';
import { Registry } from 'prom-client';
import { afterAll, expect, test } from 'vitest';
import { sqlSessions } from '../../src/adapters/sql/sessions/sqlSessions.ts';
import { createSystemClock } from '../../src/adapters/systemClock.ts';
import { composeTracking } from '../../src/composition/composeTracking.ts';
import { openServices } from '../../src/composition/openServices.ts';
import { readConfig } from '../../src/config.ts';
import { millis } from '../../src/time/units.ts';
import { createAuthority, presentedName, startTlsServer } from '../ads/mutualTls.ts';
import { opened, scratchFolder } from '../opened.ts';

const authority = createAuthority(scratchFolder());
const received: string[] = [];
const server = await opened(
  startTlsServer(authority, ({ url, socket }, response) => {
    received.push(`${presentedName(socket)} ${url}`);
    response.writeHead(204).end();
  }),
);
const threads: Worker[] = [];
const onThread = (thread: Worker) => {
  threads.push(thread);
  // Only threads trust the authority of the test.
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
};
const trustInThread = () => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
};

const reading = readConfig({ DATA_DIR: scratchFolder(), EGRESS_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'silent' });
if (!reading.ok) throw new Error(reading.problems.join('\n'));
const services = await opened(openServices(reading.config, { clock: createSystemClock() }));
process.on('worker', onThread);
trustInThread();
const sessions = sqlSessions(services.sql);
const tracking = composeTracking({
  ...services,
  sessions,
  metrics: new Registry(),
  inThread: true,
  onBeacon: () => {},
});
afterAll(() => void process.off('worker', onThread));

const beacon = (event: string) => ({
  tenant: 't',
  channelId: 'c',
  sessionId: 's',
  ownerId: '1-1-0',
  event,
  nth: 0,
  url: `https://127.0.0.1:${server.port}/${event}`,
  viewer: { address: '192.0.2.1', userAgent: 'TV/1' },
  recordedAt: millis(Date.now()),
  dueAt: millis(Date.now()),
});

test('beacons present the certificate that their tenant has for the host', async () => {
  const tasks = tracking.start(true);
  tracking.present([{ tenant: 't', clientCertificate: { ...authority.issue('ours'), hosts: ['127.0.0.1'] } }]);
  await tracking.beacons.record([beacon('start')]);
  await expect.poll(() => received).toEqual(['ours /start']);
  trustInThread();
  await threads.at(-1)!.terminate();
  await expect.poll(() => threads.length).toBe(2);
  await tracking.beacons.record([beacon('complete')]);
  await expect.poll(() => received).toEqual(['ours /start', 'ours /complete']);
  for (const task of tasks) task.stop();
  await tracking.stop();
});
