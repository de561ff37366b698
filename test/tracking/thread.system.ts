// SPDX-License-Identifier: Apache-2.0
// The tracking thread ends while viewers watch ads: another one continues with the journal, so that each event is in the ledger
// once, and its beacon is sent once.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { Registry } from 'prom-client';
import { afterAll, expect, test } from 'vitest';
import { sqlSessions } from '../../src/adapters/sql/sessions/sqlSessions.ts';
import { createSystemClock } from '../../src/adapters/systemClock.ts';
import { composeTracking, type Tracking } from '../../src/composition/composeTracking.ts';
import { openServices } from '../../src/composition/openServices.ts';
import { readConfig } from '../../src/config.ts';
import { millis } from '../../src/time/units.ts';
import { airingsOf } from '../airingsOf.ts';
import { opened, scratchFolder } from '../opened.ts';
import { serveInTests } from '../serve.ts';
import { serveLive } from '../servers/liveServer.ts';
import { breaksOf, createSessions, soakAiring, viewerId } from './soakChannel.ts';

const VIEWERS = 60;
const folder = scratchFolder();
const airing = soakAiring();
const breaks = breaksOf(airing, 1);
const [span] = breaks;
const adId = `${span!.break!.id}-0`;
const received: string[] = [];
const receiver = await serveInTests((request, response) => {
  received.push(request.url!);
  response.writeHead(204).end();
});
const counted = new Map<string, number>();
const metrics = new Registry();
const threads: Worker[] = [];
const onThread = (thread: Worker) => void threads.push(thread);

const reading = readConfig({ DATA_DIR: folder, EGRESS_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'silent' });
if (!reading.ok) throw new Error(reading.problems.join('\n'));
const services = await opened(openServices(reading.config, { clock: createSystemClock() }));
const sessions = sqlSessions(services.sql);
await createSessions(VIEWERS, sessions, { airing, breaks, receiver });
process.on('worker', onThread);
const tracking: Tracking = composeTracking({
  ...{ ...services, sessions, metrics, inThread: true },
  onBeacon: ({ step }, times) => void counted.set(step, (counted.get(step) ?? 0) + times),
});
const live = await opened(
  serveLive({
    ...{ airings: airingsOf(() => [airing]), sessions, now: () => millis(span!.placed.startsAt + 31_000) },
    recordDelivery: tracking.recordDelivery,
  }),
);
afterAll(() => void process.off('worker', onThread));

/** Every fifth viewer sees an ad of ten seconds: five segments. */
const viewers = Array.from({ length: VIEWERS / 5 }, (_, index) => 5 * index);
const request = async (viewer: number, segment: number) => {
  const path = `/hls/c/${viewerId(viewer)}/${adId}/p0a0x250/250/0/${segment}.m4s`;
  expect((await fetch(live.url + path, { redirect: 'manual' })).status).toBe(302);
};

async function recorded() {
  const filter = { tenant: 't', from: millis(0), to: millis(Date.now() + 60_000) };
  return tracking.beacons.list(filter, undefined, 10_000);
}

test('nothing that was acknowledged is lost when the tracking thread ends, and nothing is sent twice', async () => {
  const tasks = tracking.start(false);
  for (let segment = 0; segment < 5; segment += 1) {
    await Promise.all(viewers.map((viewer) => request(viewer, segment)));
    if (segment % 2 === 0) await threads.at(-1)!.terminate();
    // The next one begins a second later.
    await expect.poll(() => threads.length).toBe(Math.floor(segment / 2) + 2);
  }
  await expect.poll(async () => (await recorded()).length).toBe(9 * viewers.length);
  await expect.poll(() => readdirSync(join(folder, 'deliveries'))).toEqual([]);
  for (const viewer of viewers) {
    const [delivered] = await tracking.deliveries.ofSession(viewerId(viewer));
    expect(delivered?.requested.pictures).toEqual([0b11111]);
  }
  tasks.push(...tracking.start(true));
  await expect.poll(async () => new Set((await recorded()).map(({ outcome }) => outcome))).toEqual(new Set(['sent']));
  for (const task of tasks) task.stop();
  await tracking.stop();
  const urls = (await recorded()).map(({ url }) => new URL(url)).map(({ pathname, search }) => pathname + search);
  expect([...received].sort()).toEqual(urls.sort());
  expect(counted).toEqual(new Map([['sent', urls.length]]));
  expect(await metrics.metrics()).toContain(`midroll_beacons_total{step="sent"} ${urls.length}`);
});
