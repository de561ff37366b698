// SPDX-License-Identifier: Apache-2.0
import { expect, onTestFinished, test } from 'vitest';
import { serveInTest } from '../../../test/serve.ts';
import { createEgressGuard } from '../../adapters/http/egressGuard.ts';
import { createHostBreaker, createHttpBeacon } from '../../adapters/http/httpBeacon.ts';
import { sqlBeacons } from '../../adapters/sql/tracking/sqlBeacons.ts';
import { openSqlite } from '../../database.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { BeaconStore } from '../beacons/ports.ts';
import type { BeaconFact, NewBeacon } from './beacon.ts';
import { backoffAfter, createBeaconSender, settlementOf } from './sendBeacons.ts';

async function listen(respond: () => number | 'reset' | 'never'): Promise<{ url: string; received: string[] }> {
  const received: string[] = [];
  const url = await serveInTest((request, response) => {
    received.push(request.url!);
    const status = respond();
    if (status === 'reset') request.socket.destroy();
    else if (status !== 'never') response.writeHead(status, { location: '/elsewhere' }).end('thanks');
  });
  return { url, received };
}

const fail = (message: string, { error }: Record<string, unknown>): void => {
  throw new Error(message, { cause: error });
};

async function setUp({ allow = ['127.0.0.1'], timeoutMs = 5000, log = fail } = {}) {
  const sql = await openSqlite(':memory:');
  onTestFinished(() => sql.close());
  const ledger = sqlBeacons(sql);
  const faults: { isUnavailable: boolean; slow?: string } = { isUnavailable: false };
  const store: BeaconStore = {
    ...ledger,
    claim: (host, ...more) => (host === faults.slow ? new Promise(() => {}) : ledger.claim(host, ...more)),
    settle: (settlement) =>
      faults.isUnavailable ? Promise.reject(new Error('unavailable')) : ledger.settle(settlement),
  };
  let clock = 1_000_000;
  const facts: BeaconFact[] = [];
  const make = () =>
    createBeaconSender({
      store,
      send: createHttpBeacon(createEgressGuard({ allow }), { timeoutMs }),
      breaker: createHostBreaker({ failures: 5, restMs: 60_000 }),
      now: () => millis(clock),
      random: () => 0.5,
      onBeacon: (fact) => void facts.push(fact),
      log,
    });
  let nth = 0;
  const of = { tenant: 't', channelId: 'c', sessionId: 's', ownerId: 'a', event: 'start' };
  const viewer = { address: '192.0.2.1', userAgent: 'TV' };
  const beacon = (url: string): NewBeacon => {
    nth += 1;
    return { ...of, nth, url, viewer, recordedAt: millis(clock), dueAt: millis(clock) };
  };
  const write = (urls: readonly string[]) => store.record(urls.map(beacon));
  const rows = () => store.list({ tenant: 't', from: millis(0), to: millis(1e12) }, undefined, 1000);
  /** Sends all due beacons and waits until they are settled. */
  const sendAll = async () => {
    const sender = make();
    await sender.sendDue();
    await sender.stop();
  };
  const advance = (ms: number) => {
    clock += ms;
  };
  return { sendAll, write, rows, advance, facts, make, faults };
}

test.each([
  [204, 'sent', 0],
  [302, 'failed', 0],
  [304, 'sent', 0],
  [404, 'failed', 0],
  [408, 'pending', 0],
  [425, 'pending', 0],
  [429, 'pending', 0],
  [500, 'pending', 0],
  [503, 'pending', 0],
  ['reset', 'pending', 1],
  ['never', 'pending', 1],
] as const)('a beacon is %2$s after %1$s', async (status, outcome, unsure) => {
  const receiver = await listen(() => status);
  const { write, sendAll, rows } = await setUp(status === 'never' ? { timeoutMs: 300 } : {});
  await write([`${receiver.url}/x`]);
  await sendAll();
  expect(await rows()).toMatchObject([{ outcome, unsure, attempts: 1 }]);
  // One attempt is one request. (Redirects lead to the same server.)
  if (status !== 302) expect(receiver.received).toEqual(['/x']);
});

test('a failed beacon is retried after the backoff, and not again once it succeeded', async () => {
  let isAvailable = false;
  const receiver = await listen(() => (isAvailable ? 200 : 500));
  const { write, sendAll, rows, advance, facts } = await setUp();
  await write([`${receiver.url}/x`]);
  await sendAll();
  advance(1999);
  await sendAll();
  expect(receiver.received).toHaveLength(1);
  isAvailable = true;
  advance(1);
  await sendAll();
  advance(24 * 3_600_000);
  await sendAll();
  expect(receiver.received).toHaveLength(2);
  expect(await rows()).toMatchObject([{ outcome: 'sent', attempts: 2, unsure: 0, status: 200 }]);
  expect(facts.map(({ step }) => step)).toEqual(['sent', 'retried', 'recovered']);
});

test('requests to a failing host pause, and other hosts are not delayed', async () => {
  const [failing, working] = await Promise.all([listen(() => 500), listen(() => 204)]);
  const { write, rows, make } = await setUp();
  const many = (url: string) => Array.from({ length: 300 }, (_, index) => `${url}/${index}`);
  await write([...many(failing.url), ...many(working.url)]);
  const sender = make();
  for (let call = 0; working.received.length < 300; call += 1) {
    if (call > 1000) throw new Error(`${working.received.length} of 300 were sent`);
    await sender.sendDue();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await sender.stop();
  expect(failing.received.length).toBeLessThan(130);
  expect((await rows()).filter(({ outcome }) => outcome === 'sent')).toHaveLength(300);
});

test('beacons to forbidden addresses fail without a retry', async () => {
  const { write, sendAll, rows } = await setUp({ allow: [] });
  await write(['http://127.0.0.1:9/x', 'not a url', 'ftp://a.test/x']);
  await sendAll();
  const failed = { outcome: 'failed', unsure: 0 };
  expect(await rows()).toMatchObject([failed, failed, failed]);
});

test('backoff doubles up to ten minutes, with jitter', () => {
  expect([1, 2, 3, 20, 500].map((attempts) => backoffAfter(attempts, 0.5))).toEqual([
    2000, 4000, 8000, 600_000, 600_000,
  ]);
  expect([backoffAfter(1, 0), backoffAfter(1, 0.999)]).toEqual([1000, 2998]);
});

test('a beacon is abandoned after 24 hours', () => {
  const result = { ok: false, reason: 'returned status 503', status: 503, retry: 'later', isUnsure: false } as const;
  const beacon = { seq: 1, attempts: 99, recordedAt: millis(0) };
  const after = (hours: number) => settlementOf(beacon, result, (hours * 3_600_000) as Millis, 0.5).outcome;
  expect([after(23), after(24)]).toEqual(['later', 'failed']);
});

test('a beacon that was sent while the store was unavailable is not sent again', async () => {
  const { url, received } = await listen(() => 204);
  const logged: unknown[] = [];
  const { make, write, rows, advance, faults } = await setUp({ log: (_, facts) => void logged.push(facts) });
  await write([`${url}/1`, `${url}/2`]);
  const sender = make();
  faults.isUnavailable = true;
  await sender.sendDue();
  await expect.poll(() => logged).toEqual([{ host: new URL(url).host, error: new Error('unavailable') }]);
  await expect.poll(() => received.length).toBe(2);
  // Long after the claim has expired.
  advance(600_000);
  await sender.sendDue();
  faults.isUnavailable = false;
  await write([`${url}/3`]);
  await sender.sendDue();
  await sender.stop();
  expect(received.toSorted()).toEqual(['/1', '/2', '/3']);
  const sent = { outcome: 'sent', attempts: 1, unsure: 0 };
  expect(await rows()).toMatchObject([sent, sent, sent]);
});

test('slow claims for one host do not delay other hosts', async () => {
  const hosts = (await Promise.all([listen(() => 204), listen(() => 204)])).sort((a, b) => (a.url < b.url ? -1 : 1));
  const { make, write, faults } = await setUp();
  faults.slow = new URL(hosts[0]!.url).host;
  await write(hosts.map(({ url }) => `${url}/x`));
  void make().sendDue();
  await expect.poll(() => hosts[1]!.received).toEqual(['/x']);
  expect(hosts[0]!.received).toEqual([]);
});
