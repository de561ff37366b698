// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { millis } from '../../../time/units.ts';
import type { AuditedChange } from './auditEntry.ts';
import { CHANGED_SECRET, composeEntry, diffRecords, MAX_CHANGES, maskRecords, SECRET } from './composeEntry.ts';

const compose = (change: Omit<AuditedChange, 'kind'>) =>
  composeEntry(
    {
      id: 'e',
      tenant: 't',
      at: millis(0),
      operation: 'o',
      source: {},
      actor: { kind: 'key', id: 'k' },
    },
    { kind: 'channel', id: 'one', ...change },
  );

test.each([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1, b: undefined }, { a: 1 }, []],
  [{ a: 1 }, { a: 2 }, ['changed /a']],
  [{ a: 1 }, {}, ['removed /a']],
  [{}, { 'x/y~': 1 }, ['added /x~1y~0']],
  [{ a: { b: { c: 1 } } }, { a: { b: { c: 2 }, d: 1 } }, ['changed /a/b/c', 'added /a/d']],
  [{ a: [1, 2, 3] }, { a: [1, 5, 3] }, ['changed /a/1']],
  [{ a: [1, 2, 3] }, { a: [0, 1, 2, 3] }, ['added /a/0']],
  [{ a: [1, 2, 3, 4] }, { a: [1, 4] }, ['removed /a/1', 'removed /a/2']],
  [{ a: [1, 2, 3] }, { a: [3, 1] }, ['changed /a']],
  [{ a: [] }, { a: {} }, ['changed /a']],
  [{ a: null }, { a: 0 }, ['changed /a']],
])('compares %j with %j', (before, after, expected) => {
  expect(diffRecords(before, after).map(({ path, change }) => `${change} ${path}`)).toEqual(expected);
});

test('secrets are replaced by markers that state whether they have changed', () => {
  const before = {
    apiKey: 'player-key',
    signingSecret: 'same-secret-of-both',
    adSource: { url: 'https://u:p@ads.example.com/x?token=abcdef&a=1', headers: { 'x-any': 'header-value' } },
    settings: { searchPassword: 'hunter22', url: 'https://search.example.com' },
    webhooks: [{ url: 'https://hooks.example.com', secret: 'hook-one' }],
  };
  const after = {
    ...before,
    apiKey: 'other-key',
    adSource: { ...before.adSource, url: 'https://u:p@ads.example.com/x?token=123456&a=1' },
    settings: { searchPassword: 'hunter23', url: 'https://search.example.com' },
    webhooks: [{ url: 'https://hooks.example.com', secret: 'hook-two' }],
  };
  const masked = maskRecords(before, after);
  expect(masked.after).toEqual({
    apiKey: CHANGED_SECRET,
    signingSecret: SECRET,
    adSource: {
      url: `https://***@ads.example.com/x?token=***&a=1 ${CHANGED_SECRET}`,
      headers: { 'x-any': SECRET },
    },
    settings: { searchPassword: CHANGED_SECRET, url: SECRET },
    webhooks: [{ url: 'https://hooks.example.com', secret: CHANGED_SECRET }],
  });
  const text = JSON.stringify([masked, compose({ before, after }), compose({ after }), compose({ details: before })]);
  for (const secret of [
    /player-key|other-key/,
    /same-secret/,
    /hunter/,
    /header-value/,
    /hook-(one|two)/,
    /abcdef|123456/,
  ])
    expect(text).not.toMatch(secret);
});

test('an entry states what has happened', () => {
  const outcomes = [{ after: {} }, { before: {}, after: { a: 1 } }, { before: {} }, { before: {}, after: {} }, {}];
  expect(outcomes.map((change) => compose(change).outcome)).toEqual([
    ...['created', 'changed', 'deleted', 'unchanged', 'done'],
  ]);
});

test('an entry is bounded, whatever the size of the record', () => {
  const contents = Array.from({ length: 1000 }, (_, n) => ({ url: `https://x/${n}/${'y'.repeat(1000)}` }));
  const before = { name: 'Old', contents, unchanged: 'z'.repeat(100_000) };
  const after = {
    name: 'New',
    contents: contents.map((item) => ({ ...item, duration: 1 })),
    unchanged: before.unchanged,
  };
  const entry = compose({ name: 'n'.repeat(100_000), before, after });
  expect(JSON.stringify(entry).length).toBeLessThan(20_000);
  expect(entry).toMatchObject({ before: { name: 'Old' }, after: { name: 'New' } });
  expect(entry.before).not.toHaveProperty('unchanged');
  expect([entry.changes.length, entry.moreChanges]).toEqual([MAX_CHANGES, 1001 - MAX_CHANGES]);
  const names = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`${n}${'k'.repeat(1000)}`, n]));
  expect(JSON.stringify(compose({ after: names })).length).toBeLessThan(100_000);
});
