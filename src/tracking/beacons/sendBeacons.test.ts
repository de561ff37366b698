import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createEgressGuard } from '../../adapters/http/egressGuard.ts';
import { createHostBreaker, createHttpBeacon } from '../../adapters/http/httpBeacon.ts';
import { openSqlite } from '../../adapters/sql/sql.ts';
import { sqlBeacons } from '../../adapters/sql/tracking/sqlBeacons.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { BeaconStore } from '../beacons/ports.ts';
import type { BeaconFact, NewBeacon } from './beacon.ts';
import { createBeaconSender, pauseAfter, settlementOf } from './sendBeacons.ts';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function listen(answer: (url: string) => number | 'reset' | 'never'): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    const status = answer(request.url!);
    if (status === 'reset') request.socket.destroy();
    else if (status !== 'never') response.writeHead(status, { location: '/elsewhere' }).end('thanks');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const fail = (message: string, { error }: Record<string, unknown>): void => {
  throw new Error(message, { cause: error });
};

async function setUp({ allow = ['127.0.0.1'], timeoutMs = 5000, log = fail } = {}) {
  const sql = await openSqlite(':memory:');
  closings.push(() => sql.close());
  const known = sqlBeacons(sql);
  const away: { isAway: boolean; slow?: string } = { isAway: false };
  const store: BeaconStore = {
    ...known,
    claim: (host, ...more) => (host === away.slow ? new Promise(() => {}) : known.claim(host, ...more)),
    settle: (settlement) => (away.isAway ? Promise.reject(new Error('away')) : known.settle(settlement)),
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
  let made = 0;
  const write = (urls: readonly string[]) =>
    store.record(
      urls.map((url): NewBeacon => {
        made += 1;
        const who = { tenant: 't', channelId: 'c', sessionId: 's', ownerId: 'a', event: 'start', nth: made };
        const viewer = { address: '192.0.2.1', userAgent: 'TV' };
        return { ...who, url, viewer, recordedAt: millis(clock), dueAt: millis(clock) };
      }),
    );
  const rows = () => store.list({ tenant: 't', from: millis(0), to: millis(1e12) }, undefined, 1000);
  /** Sends everything that is due now and waits for it. */
  const sendAll = async () => {
    const sender = make();
    await sender.sendDue();
    await sender.stop();
  };
  const later = (ms: number) => {
    clock += ms;
  };
  return { sendAll, write, rows, later, facts, make, away };
}

test.each([
  [204, 'sent', 0],
  [302, 'failed', 0],
  [304, 'sent', 0],
  [404, 'failed', 0],
  [429, 'failed', 0],
  [500, 'pending', 0],
  [503, 'pending', 0],
  ['reset', 'pending', 1],
  ['never', 'pending', 1],
] as const)('after %s a beacon is %s', async (status, outcome, unsure) => {
  const receiver = await listen(() => status);
  const { write, sendAll, rows } = await setUp(status === 'never' ? { timeoutMs: 300 } : {});
  await write([`${receiver.url}/x`]);
  await sendAll();
  expect(await rows()).toMatchObject([{ outcome, unsure, attempts: 1 }]);
  // It counts how often it is asked: nothing is asked again behind our back. (Redirects to itself are.)
  if (status !== 302) expect(receiver.asked).toEqual(['/x']);
});

test('what failed is sent again once its pause is over, and never again once it arrived', async () => {
  let isWell = false;
  const receiver = await listen(() => (isWell ? 200 : 500));
  const { write, sendAll, rows, later, facts } = await setUp();
  await write([`${receiver.url}/x`]);
  await sendAll();
  later(1999);
  await sendAll();
  expect(receiver.asked).toHaveLength(1);
  isWell = true;
  later(1);
  await sendAll();
  later(24 * 3_600_000);
  await sendAll();
  expect(receiver.asked).toHaveLength(2);
  expect(await rows()).toMatchObject([{ outcome: 'sent', attempts: 2, unsure: 0, status: 200 }]);
  expect(facts.map(({ step }) => step)).toEqual(['sent', 'retried', 'recovered']);
});

test('a host that fails is left alone, and the others do not wait for it', async () => {
  const [bad, good] = await Promise.all([listen(() => 500), listen(() => 204)]);
  const { write, rows, make } = await setUp();
  const many = (url: string) => Array.from({ length: 300 }, (_, index) => `${url}/${index}`);
  await write([...many(bad.url), ...many(good.url)]);
  const sender = make();
  for (let look = 0; good.asked.length < 300; look += 1) {
    if (look > 1000) throw new Error(`${good.asked.length} of 300 were sent`);
    await sender.sendDue();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await sender.stop();
  expect(bad.asked.length).toBeLessThan(130);
  expect((await rows()).filter(({ outcome }) => outcome === 'sent')).toHaveLength(300);
});

test('addresses that may not be reached are given up at once', async () => {
  const { write, sendAll, rows } = await setUp({ allow: [] });
  await write(['http://127.0.0.1:9/x', 'not a url', 'ftp://a.test/x']);
  await sendAll();
  expect((await rows()).map(({ outcome, unsure }) => [outcome, unsure])).toEqual([
    ['failed', 0],
    ['failed', 0],
    ['failed', 0],
  ]);
});

test('pauses double up to ten minutes, and are never the same for all', () => {
  expect([1, 2, 3, 20, 500].map((attempts) => pauseAfter(attempts, 0.5))).toEqual([2000, 4000, 8000, 600_000, 600_000]);
  expect([pauseAfter(1, 0), pauseAfter(1, 0.999)]).toEqual([1000, 2998]);
});

test('after a day nobody tries again', () => {
  const answer = { ok: false, reason: 'answered 503', status: 503, retry: 'later', isUnsure: false } as const;
  const beacon = { seq: 1, attempts: 99, recordedAt: millis(0) };
  const after = (hours: number) => settlementOf(beacon, answer, (hours * 3_600_000) as Millis, 0.5).outcome;
  expect([after(23), after(24)]).toEqual(['later', 'failed']);
});

test('a beacon that was answered while the store was away is not sent again when it is back', async () => {
  const { url, asked } = await listen(() => 204);
  const said: unknown[] = [];
  const { make, write, rows, later, away } = await setUp({ log: (_, facts) => void said.push(facts) });
  await write([`${url}/1`, `${url}/2`]);
  const sender = make();
  away.isAway = true;
  await sender.sendDue();
  await expect.poll(() => said).toEqual([{ host: new URL(url).host, error: new Error('away') }]);
  await expect.poll(() => asked.length).toBe(2);
  // Long after the claim is over.
  later(600_000);
  await sender.sendDue();
  away.isAway = false;
  await write([`${url}/3`]);
  await sender.sendDue();
  await sender.stop();
  expect(asked.toSorted()).toEqual(['/1', '/2', '/3']);
  expect((await rows()).map(({ outcome, attempts, unsure }) => [outcome, attempts, unsure])).toEqual([
    ['sent', 1, 0],
    ['sent', 1, 0],
    ['sent', 1, 0],
  ]);
});

test('a host whose beacons are slow to claim holds up no other', async () => {
  const hosts = (await Promise.all([listen(() => 204), listen(() => 204)])).sort((a, b) => (a.url < b.url ? -1 : 1));
  const { make, write, away } = await setUp();
  away.slow = new URL(hosts[0]!.url).host;
  await write(hosts.map(({ url }) => `${url}/x`));
  void make().sendDue();
  await expect.poll(() => hosts[1]!.asked).toEqual(['/x']);
  expect(hosts[0]!.asked).toEqual([]);
});
