// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { changeRows, describeEntry, idsInValue, namedField, namedKind } from './describeEntry.ts';

const record = { kind: 'channel', id: 'news', name: 'News' };
const changed = (...paths: string[]) => ({
  operation: 'patchChannel',
  record,
  outcome: 'changed' as const,
  changes: paths.map((path) => ({ path, change: 'changed' as const })),
});

test.each([
  [changed('/adSource/url'), 'Changed adSource.url of channel'],
  [changed('/a', '/b'), 'Changed a and b of channel'],
  [{ ...changed('/a', '/b', '/c', '/d'), moreChanges: 2 }, 'Changed a, b, c and 3 more of channel'],
  [{ ...changed(), outcome: 'created' as const }, 'Created channel'],
  [{ ...changed(), outcome: 'deleted' as const, record: { kind: 'asset' } }, 'Deleted creative'],
  [{ ...changed(), outcome: 'unchanged' as const }, 'Saved without changes channel'],
  [{ ...changed(), operation: 'rotateKey' }, 'Rotated key'],
  [{ ...changed(), operation: 'signIn', record: { kind: 'session' }, outcome: 'done' as const }, 'Signed in'],
  [
    {
      ...changed(),
      record: { kind: 'session' },
      outcome: 'refused' as const,
      details: { reason: 'no-role', attempts: 10 },
    },
    'Sign-in refused (no-role, 10 attempts)',
  ],
  [{ ...changed(), operation: 'orderBreak', details: { action: 'end' } }, 'Ended a break on'],
  [{ ...changed(), operation: 'restoreChannel', outcome: 'done' as const }, 'Restore channel channel'],
])('describes %j', (entry, action) => {
  expect(describeEntry(entry).action).toBe(action);
});

test('names the record, or its id', () => {
  expect(describeEntry(changed('/a')).name).toBe('News');
  const nameOf = (record: { kind: string; id: string; name?: string }) =>
    describeEntry({ ...changed('/a'), record }).name;
  expect(nameOf({ kind: 'channel', id: 'x', name: '' })).toBe('x');
  expect(nameOf({ kind: 'asset', id: 'x', name: 'https://ads.example/spots/soda.mp4?a=1' })).toBe('soda');
  expect(nameOf({ kind: 'asset', id: 'x', name: 'Built-in slate' })).toBe('Built-in slate');
});

test('lists fields with their values before and after', () => {
  const before = { 'a/b': { c: 1 }, large: '[omitted, 9 characters]' };
  const after = { 'a/b': { c: [1] }, large: '[omitted, 8 characters]', added: true };
  expect(changeRows({ ...changed('/a~1b/c', '/large/3/url', '/added'), before, after })).toEqual([
    { field: 'a/b.c', before: '1', after: '[\n  1\n]' },
    { field: 'large.3.url', before: '[omitted, 9 characters]', after: '[omitted, 8 characters]' },
    { field: 'added', before: '', after: 'true' },
  ]);
  const created = { ...changed(), outcome: 'created' as const, after: { name: 'x' } };
  expect(changeRows(created)).toEqual([{ field: 'name', before: '', after: 'x' }]);
  expect(changeRows({ ...changed(), outcome: 'deleted', before: { name: 'x' } })).toEqual([
    { field: 'name', before: 'x', after: '' },
  ]);
});

test('knows the fields and records that have names', () => {
  expect(['playlistId', 'systemId', 'channels', 'channels.2', 'name', 'myplaylistId'].map(namedField)).toEqual([
    ...['playlists', 'systems', 'channels', 'channels', undefined, undefined],
  ]);
  expect(['channel', 'key', 'toString'].map(namedKind)).toEqual(['channels', undefined, undefined]);
});

test('reads ids from values', () => {
  expect(['evening', '', '["a", "b", 3]', '[broken'].map(idsInValue)).toEqual([['evening'], [], ['a', 'b'], []]);
});
