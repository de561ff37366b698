// SPDX-License-Identifier: Apache-2.0
// Processes that share a store, and what they write of the ad servers that they see.
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openSqlite } from '../../../database.ts';
import type { AdServerSign } from '../../../playback/request/observeAdRequests.ts';
import { millis } from '../../../time/units.ts';
import { sqlFailingServers } from '../store/sqlFailingServers.ts';
import type { FailingServers } from './ports.ts';
import { FORGOTTEN_MS, RECOVERS_MS } from './serverHealth.ts';
import { createServerWatch } from './serverWatch.ts';

let logged: string[];
let now = 0;
const sql = await openSqlite(':memory:');
const store = sqlFailingServers(sql);
afterAll(() => sql.close());
beforeEach(async () => {
  await store.forget(millis(1e15));
  logged = [];
  now = 1_000_000;
});

const open = (own: FailingServers = store) =>
  createServerWatch({ store: own, now: () => millis(now), log: (message) => void logged.push(message) });
const listed = async () => (await store.list(millis(now - FORGOTTEN_MS), 'acme')).map(({ adServer }) => adServer);
const sign = (more: Partial<AdServerSign> = {}): AdServerSign => ({
  at: millis(now),
  tenant: 'acme',
  channel: 'one',
  adServer: 'ads.test',
  asked: 'source',
  ...more,
});
const refused = { failure: { error: 'refused' } } as const;

test('a server that fails is stored and logged once by all processes, and once when it works again', async () => {
  const [first, second] = [open(), open()];
  first.sign(sign(refused));
  second.sign(sign(refused));
  await first.share();
  await second.share();
  expect([await listed(), logged]).toEqual([['ads.test'], ['an ad server fails on a channel']]);

  // The viewers of the process that noticed it have gone to another one.
  const third = open();
  await third.refresh();
  now += RECOVERS_MS;
  third.sign(sign());
  await third.share();
  expect([await listed(), logged.slice(1)]).toEqual([[], ['an ad server works again on a channel']]);
});

test('a process that still fails keeps it, whatever others see', async () => {
  const [failing, working] = [open(), open()];
  for (let second = 0; second < 60; second += 1) {
    now += 1000;
    failing.sign(sign(refused));
    await failing.share();
    await working.refresh();
    working.sign(sign());
    await working.share();
    expect(await listed()).toEqual(['ads.test']);
  }
  expect(logged.length).toBe(1);
});

test('is written at most every ten seconds while it fails', async () => {
  let writes = 0;
  const put: FailingServers['put'] = (one) => {
    writes += 1;
    return store.put(one);
  };
  const watch = open({ ...store, put });
  for (let count = 0; count < 1000; count += 1) {
    now += 20;
    watch.sign(sign(refused));
    await watch.share();
  }
  expect(writes).toBe(2);
});

test('changes during an outage of the store are stored afterwards', async () => {
  let isAway = true;
  const away = async (): Promise<never> => {
    throw new Error('away');
  };
  const watch = open({ ...store, put: (one) => (isAway ? away() : store.put(one)) });
  watch.sign(sign(refused));
  await expect(watch.share()).rejects.toThrow('away');
  isAway = false;
  await watch.share();
  expect([await listed(), logged.length]).toEqual([['ads.test'], 1]);
});

test('hosts without end fill neither memory nor the table', async () => {
  const watch = open();
  for (let count = 0; count < 30_000; count += 1) {
    const channel = `channel-${count % 20}`;
    watch.sign(sign({ ...refused, asked: 'wrapper', channel, adServer: `host-${count}.test` }));
    if (count % 1000 === 0) await watch.share();
  }
  await watch.share();
  expect([watch.size() <= 10_000, (await listed()).length]).toEqual([true, 20 * 5]);
});

test('an ad source whose host is a macro is one server', async () => {
  const watch = open();
  for (let count = 0; count < 3; count += 1)
    watch.sign(sign({ adServer: `${count}.ads.test`, failure: { error: 'timeout' } }));
  await watch.share();
  expect(await listed()).toEqual(['2.ads.test']);
});

test('requests that are suspended because of another channel have the reason of its failure', async () => {
  const watch = open();
  watch.sign(sign(refused));
  watch.sign(sign({ channel: 'two', failure: { error: 'resting' } }));
  await watch.share();
  const found = await store.list(millis(0), 'acme');
  expect(found.map(({ channel, failure }) => [channel, failure.error])).toEqual([
    ['one', 'refused'],
    ['two', 'refused'],
  ]);
});
