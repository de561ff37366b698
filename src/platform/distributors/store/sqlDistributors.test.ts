// SPDX-License-Identifier: Apache-2.0
// Distributors and their keys, on each database.
import { beforeEach, expect, test } from 'vitest';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import type { AuditEntry } from '../../audit/rules/auditEntry.ts';
import { type Distributor, issueDistributorKey, MAX_DISTRIBUTORS } from '../rules/distributor.ts';
import { sqlDistributors } from './sqlDistributors.ts';

const createdAt = new Date(0).toISOString();
const channel = { tenant: 'acme', id: 'c' };
const keyed = () => issueDistributorKey(createdAt).key;
const distributor = (id: string, more: Partial<Distributor> = {}): Distributor => ({
  id,
  tenant: 'acme',
  channelId: 'c',
  createdBy: 'ann@example.com',
  createdAt,
  name: id,
  state: 'enabled',
  markersOut: 'both',
  keys: [keyed()],
  ...more,
});
let entries = 0;
const entry = (): AuditEntry => {
  entries += 1;
  return {
    id: `e${entries}`,
    tenant: 'acme',
    at: 0,
    operation: 'test',
    outcome: 'changed',
    changes: [],
    actor: { kind: 'key', id: 'k' },
    record: { kind: 'distributor' },
    source: {},
  } as unknown as AuditEntry;
};
const hashOf = ({ keys }: Distributor) => keys[0]!.secretHash;

onEachOpenStore((sql) => {
  const store = sqlDistributors(sql);
  beforeEach(async () => {
    for (const table of ['distributors', 'distributor_keys', 'audit_log'] as const)
      await sql.db.deleteFrom(table).execute();
  });
  const audited = async () => (await sql.db.selectFrom('audit_log').select('id').execute()).length;

  test('an id is unique in a channel, and found by its keys', async () => {
    const [one, other] = [distributor('one'), distributor('one', { channelId: 'other' })];
    expect([await store.insert(one, entry()), await store.insert(other, entry())]).toEqual([true, true]);
    expect(await store.insert(distributor('one'), entry())).toBe(false);
    expect(await audited()).toBe(2);
    expect(await store.find(channel, 'one')).toEqual({ ...one, version: 0 });
    expect(await store.find({ tenant: 'globex', id: 'c' }, 'one')).toBeUndefined();
    const found = await store.byHash([hashOf(one), hashOf(other), 'unknown']);
    expect([...found].map(([hash, { channelId }]) => [hash, channelId]).sort()).toEqual(
      [
        [hashOf(one), 'c'],
        [hashOf(other), 'other'],
      ].sort(),
    );
    expect((await store.list(channel)).map(({ id }) => id)).toEqual(['one']);
  });

  test('a change of another version changes nothing, not even the keys', async () => {
    const one = distributor('one');
    await store.insert(one, entry());
    const [next, late] = [
      { ...one, version: 0, keys: [keyed()] },
      { ...one, version: 0, keys: [keyed()] },
    ];
    expect([await store.replace(next, entry()), await store.replace(late, entry())]).toEqual([true, false]);
    const found = await store.byHash([hashOf(one), hashOf(next), hashOf(late)]);
    expect([...found.keys()]).toEqual([hashOf(next)]);
    expect(await store.remove({ ...next, version: 0 }, entry())).toBe(false);
    expect((await store.byHash([hashOf(next)])).size).toBe(1);
    expect(await store.remove({ ...next, version: 1 }, entry())).toBe(true);
    expect((await sql.db.selectFrom('distributor_keys').selectAll().execute()).length).toBe(0);
  });

  test('a channel has at most so many, also if they are created at once', async () => {
    const ids = Array.from({ length: MAX_DISTRIBUTORS + 5 }, (_, index) => `d${index}`);
    const atOnce = ids.splice(0, 10);
    for (const id of ids) expect(await store.insert(distributor(id), entry())).toBe(true);
    const stored = await Promise.all(atOnce.map((id) => store.insert(distributor(id), entry())));
    expect(ids.length + stored.filter(Boolean).length).toBe(MAX_DISTRIBUTORS);
    expect(await store.insert(distributor('x', { channelId: 'other' }), entry())).toBe(true);
  });

  test('the last use of a key is kept, in whatever order uses are noted', async () => {
    const one = distributor('one');
    await store.insert(one, entry());
    expect((await store.uses(channel)).size).toBe(0);
    for (const at of [2000, 3000, 1000])
      await store.noteUses(
        new Map([
          [hashOf(one), at],
          ['gone', at],
        ]),
      );
    expect([...(await store.uses(channel))]).toEqual([[hashOf(one), 3000]]);
  });
});
