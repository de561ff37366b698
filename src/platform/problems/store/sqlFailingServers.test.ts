// SPDX-License-Identifier: Apache-2.0
// The store of ad servers that fail, on both databases.
import { expect, test } from 'vitest';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { millis } from '../../../time/units.ts';
import type { FailingServer } from '../rules/ports.ts';
import { sqlFailingServers } from './sqlFailingServers.ts';

const at = (ms: number) => millis(1_700_000_000_000 + ms);
const one: FailingServer = {
  tenant: 'acme',
  channel: 'one',
  asked: 'source',
  adServer: 'ads.test',
  since: at(0),
  lastAt: at(10),
  failure: { error: 'refused' },
};

onEachOpenStore((sql) => {
  const store = sqlFailingServers(sql);

  test('a server that several processes find is stored once, since its first failure, with its last one', async () => {
    const found = await Promise.all([store.put(one), store.put({ ...one, since: at(5) })]);
    expect(found.toSorted()).toEqual([false, true]);
    const later = { ...one, lastAt: at(500), failure: { error: 'httpStatus', status: 503 } } as const;
    expect([await store.put(later), await store.put({ ...one, lastAt: at(400) })]).toEqual([false, false]);
    const [stored, ...others] = await store.list(at(0));
    expect([stored, others]).toEqual([
      { ...later, since: expect.toSatisfy((since) => [at(0), at(5)].includes(since)) },
      [],
    ]);
    expect([await store.list(at(501)), await store.list(at(0), 'globex')]).toEqual([[], []]);
  });

  test('is removed only by a success after its last failure', async () => {
    expect([await store.remove(one, at(499)), await store.remove(one, at(500))]).toEqual([false, true]);
    expect([await store.remove(one, at(500)), await store.list(at(0))]).toEqual([false, []]);
  });

  test('servers of wrappers are apart, and hosts may be anything', async () => {
    const hosts = ['a.test', `${'x'.repeat(5000)}.test`, 'b\0\ud800.test'];
    for (const adServer of hosts) await store.put({ ...one, channel: 'two', asked: 'wrapper', adServer });
    await store.put({ ...one, channel: 'two' });
    expect((await store.list(at(0))).map(({ asked }) => asked).toSorted()).toEqual([
      'source',
      'wrapper',
      'wrapper',
      'wrapper',
    ]);
    for (const adServer of hosts)
      expect(await store.remove({ ...one, channel: 'two', asked: 'wrapper', adServer }, at(10))).toBe(true);
    await store.forget(at(10));
    expect((await store.list(at(0))).length).toBe(1);
    await store.forget(at(11));
    expect(await store.list(at(0))).toEqual([]);
  });
});
