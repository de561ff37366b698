// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { batchesOf, MAX_CHANGES, missingFrom, outcomeOf, type Planned, type Result, undoPlan } from './bulkPlan.ts';

const planned = (id: string): Planned => ({
  id,
  name: id.toUpperCase(),
  change: { method: 'PATCH', path: `/api/v2/channels/${id}`, body: { state: 'disabled' } },
  before: { state: 'enabled' },
});
const done = (): Result => ({ status: 200, etag: '"x.5"' });
const outcome = (ids: readonly string[], results: readonly Result[]) =>
  outcomeOf({ changes: ids.map(planned), left: [] }, results);

test('undoes each change by its earlier values, only for the version that it made', () => {
  const { changes, left } = undoPlan(outcome(['a', 'b'], [done(), done()]));
  expect(left).toEqual([]);
  expect(changes).toEqual(
    ['a', 'b'].map((id) => ({
      id,
      name: id.toUpperCase(),
      change: { method: 'PATCH', path: `/api/v2/channels/${id}`, body: { state: 'enabled' }, ifMatch: '"x.5"' },
    })),
  );
});

test('a deletion is undone by the path that restores the record', () => {
  const change = { method: 'DELETE', path: '/api/v2/channels/a' } as const;
  const result = { status: 204, restore: '/api/v2/deleted/1/restore' };
  const deleted = outcomeOf({ changes: [{ id: 'a', name: 'A', change }], left: [] }, [result]);
  expect(undoPlan(deleted).changes[0]?.change).toEqual({ method: 'POST', path: '/api/v2/deleted/1/restore' });
});

test('names selected records that are no longer there', () => {
  const missing = missingFrom([planned('a'), planned('b')], [{ id: 'b' }]);
  expect(missing).toEqual([{ id: 'a', name: 'A', reason: expect.stringContaining('deleted') }]);
});

test('every record is either done or named with a reason, also those that were not sent', () => {
  const failed: Result = { status: 422, error: { message: 'labels must have at most 20 items.' } };
  const { done: all, left } = outcome(['a', 'b', 'c', 'd', 'e'], [done(), failed, { status: 404 }, { status: 412 }]);
  expect(all.map(({ id }) => id)).toEqual(['a']);
  expect(left.map(({ id, reason }) => [id, reason])).toEqual([
    ['b', 'labels must have at most 20 items.'],
    ['c', 'It was deleted meanwhile.'],
    ['d', 'Someone else changed it meanwhile.'],
    ['e', 'It was not sent.'],
  ]);
});

test('more changes than the API accepts are sent in several batches, in order', () => {
  const changes = Array.from({ length: MAX_CHANGES + 1 }, (_, index) => planned(`c${index}`));
  const batches = batchesOf(changes);
  expect(batches.map(({ length }) => length)).toEqual([MAX_CHANGES, 1]);
  expect(batches.flat()).toEqual(changes.map(({ change }) => change));
  expect(batchesOf([])).toEqual([]);
});
