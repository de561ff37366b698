// SPDX-License-Identifier: Apache-2.0
// Reading as-run logs: rows that are stored, followed by those that are not yet.
import { expect, test } from 'vitest';
import { sqlAsRun } from '../../src/platform/asRun/store/sqlAsRun.ts';
import type { AsRunRow } from '../../src/scheduling/asRun.ts';
import { millis } from '../../src/time/units.ts';
import { expectError } from '../admin/expectError.ts';
import { startInTest } from '../admin/startInTest.ts';

const NOW = 1_772_366_400_000;
const iso = (second: number) => new Date(NOW + second * 1000).toISOString();
const row = (from: number, to: number): AsRunRow => ({
  ...{ id: `l-0-${from}`, from: millis(NOW + from * 1000), to: millis(NOW + to * 1000) },
  ...{
    kind: 'programme',
    entryId: 'news',
    title: '=News',
    upid: { type: 'uri', value: 'urn:a' },
    plannedStart: millis(NOW),
  },
  ...{ asset: { url: 'https://media.test/a', in: 0, out: to - from }, differences: ['Late.', 'Cut.'] },
});

test('a log is read in pages, by range, and as CSV', async () => {
  const unstored = async () => ({ storedUntil: millis(NOW + 20_000), ended: [row(20, 30)], onAir: row(30, 35) });
  const { admin, call, other } = await startInTest({ now: () => millis(NOW + 35_000) });
  Object.assign(admin.deps.asRun.asRun, { unstored });
  const store = sqlAsRun(admin.store);
  await call('POST', '/api/v2/channels', { id: 'loop' });
  // The last one was stored by another node after the log was read.
  await store.add({ tenant: 'acme', id: 'loop' }, [row(0, 10), row(10, 20), row(20, 30)]);
  await call('POST', '/api/v2/channels', { id: 'live', type: 'live' });
  const read = (query = '', headers = {}, id = 'loop') =>
    call('GET', `/api/v2/channels/${id}/as-run${query}`, undefined, headers);

  const { json, headers } = await read();
  expect([json.total, headers['x-total-count']]).toEqual([4, '4']);
  expect(json.items[0]).toEqual({ ...row(0, 10), from: iso(0), to: iso(10), plannedStart: iso(0) });
  expect(json.items.map(({ from, to }: { from: string; to?: string }) => [from, to])).toEqual([
    [iso(0), iso(10)],
    [iso(10), iso(20)],
    [iso(20), iso(30)],
    [iso(30), undefined],
  ]);
  expect(json.items[3]).toMatchObject({ isOnAir: true, asset: { url: 'https://media.test/a', in: 0 } });
  const idsOf = async (query: string) => (await read(query)).json.items.map(({ id }: { id: string }) => id);
  expect(await idsOf('?offset=1&limit=2')).toEqual(['l-0-10', 'l-0-20']);
  expect(await idsOf('?offset=3&limit=9')).toEqual(['l-0-30']);
  expect(await idsOf(`?from=${iso(5)}&to=${iso(11)}`)).toEqual(['l-0-0', 'l-0-10']);
  expect(await idsOf(`?from=${iso(31)}&to=${iso(99)}`)).toEqual(['l-0-30']);

  const csv = await read('?format=csv&limit=1');
  const asCsv = await read('', { accept: 'text/csv' });
  expect(csv.text).toBe(asCsv.text);
  expect(csv.headers['content-type']).toContain('text/csv');
  expect(csv.text.split('\r\n').slice(0, 2)).toEqual([
    'from,to,kind,entryId,title,upid,plannedStart,asset,in,out,breakId,insertedId,markers,differences,id',
    `${iso(0)},${iso(10)},programme,news,'=News,uri=urn:a,${iso(0)},https://media.test/a,0,10,,,,Late. Cut.,l-0-0`,
  ]);
  expect(csv.text.trim().split('\r\n')).toHaveLength(5);
  expect((await read('?format=json', { accept: 'text/csv' })).json.total).toBe(4);

  expectError(await read('', {}, 'live'), 409, 'CONFLICT');
  expectError(await read('', {}, 'unknown'), 404, 'NOT_FOUND');
  expectError(await other('GET', '/api/v2/channels/loop/as-run'), 404, 'NOT_FOUND');
  expectError(await read('?format=xml'), 422, 'VALIDATION_ERROR');
  expectError(await read(`?from=${iso(1)}&to=${iso(0)}`), 422, 'VALIDATION_ERROR');
});
