// SPDX-License-Identifier: Apache-2.0
// Which keys are accepted, and how often the store is read for them.
import { expect, test } from 'vitest';
import { type Distributor, issueDistributorKey, rotated } from './distributor.ts';
import { createDistributorKeys } from './distributorKeys.ts';

const createdAt = new Date(0).toISOString();

function setUp() {
  const { key, secret } = issueDistributorKey(createdAt);
  const state = {
    distributor: {
      id: 'd',
      tenant: 'acme',
      channelId: 'c',
      createdBy: 'ann',
      createdAt,
      name: 'D',
      state: 'enabled',
      markersOut: 'both',
      keys: [key],
    } as Distributor,
    isAway: false,
    now: 1000,
  };
  const reads: (readonly string[])[] = [];
  const noted: (readonly [string, number])[] = [];
  const keys = createDistributorKeys({
    store: {
      async byHash(hashes) {
        reads.push(hashes);
        await undefined;
        if (state.isAway) throw new Error('unavailable');
        const known = state.distributor.keys.map(({ secretHash }) => secretHash);
        return new Map(hashes.filter((hash) => known.includes(hash)).map((hash) => [hash, state.distributor]));
      },
      noteUses: async (uses) => void noted.push(...uses),
    },
    now: () => state.now,
  });
  return { keys, key, secret, state, reads, noted };
}

test('a key is read once, and again after a change', async () => {
  const { keys, secret, reads, state } = setUp();
  for (let request = 0; request < 5; request += 1) expect(await keys.find('c', secret)).toBe(state.distributor);
  expect(await keys.find('other', secret)).toBeUndefined();
  expect(reads).toHaveLength(1);
  state.distributor = { ...state.distributor, keys: [] };
  keys.changed();
  expect(await keys.find('c', secret)).toBeUndefined();
  expect(reads).toHaveLength(2);
});

test('requests at the same time share reads, and what is no key is not read', async () => {
  const { keys, reads } = setUp();
  const unknown = Array.from({ length: 1000 }, () => issueDistributorKey(createdAt).secret);
  await Promise.all([...unknown, ...unknown, 'x', '', '../..'].map((one) => keys.find('c', one)));
  expect(reads.length).toBeLessThanOrEqual(2);
  expect(new Set(reads.flat()).size).toBe(1000);
});

test('a key expires by the clock, and a disabled distributor is rejected', async () => {
  const { keys, key, secret, state, reads } = setUp();
  state.distributor = { ...state.distributor, keys: [{ ...key, expiresAt: new Date(5000).toISOString() }] };
  state.now = 4999;
  expect(await keys.find('c', secret)).toBeDefined();
  state.now = 5000;
  expect(await keys.find('c', secret)).toBeUndefined();
  expect(reads).toHaveLength(1);
  state.now = 0;
  state.distributor = { ...state.distributor, state: 'disabled' };
  keys.changed();
  expect(await keys.find('c', secret)).toBeUndefined();
});

test('during an outage, keys in use are accepted and others are not judged', async () => {
  const { keys, secret, state } = setUp();
  await keys.find('c', secret);
  keys.changed();
  state.isAway = true;
  expect(await keys.find('c', secret)).toBe(state.distributor);
  await expect(keys.find('c', issueDistributorKey(createdAt).secret)).rejects.toThrow('unavailable');
});

test('uses are noted together, and only those of accepted keys', async () => {
  const { keys, key, secret, noted, state } = setUp();
  await keys.find('c', secret);
  state.now = 2000;
  await keys.find('c', secret);
  await keys.find('other', secret);
  await keys.find('c', issueDistributorKey(createdAt).secret);
  await keys.flush();
  await keys.flush();
  expect(noted).toEqual([[key.secretHash, 2000]]);
});

test('a rotation ends the other keys when it says so, never later than they end', () => {
  const at = (seconds: number) => new Date(seconds * 1000).toISOString();
  const old = issueDistributorKey(createdAt).key;
  const [soon, over] = [issueDistributorKey(createdAt, at(10)).key, issueDistributorKey(createdAt, at(1)).key];
  const next = issueDistributorKey(createdAt).key;
  expect(rotated([old, soon, over], next, 2000, undefined)).toEqual([old, soon, next]);
  expect(rotated([old, soon, over], next, 2000, at(60))).toEqual([{ ...old, expiresAt: at(60) }, soon, next]);
});
