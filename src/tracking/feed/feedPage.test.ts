// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { emptyBreak } from '../../../test/vast/richAd.ts';
import { pageOf, readToken } from './feedPage.ts';

const avail = (minute: number) => {
  const record = emptyBreak(`0-${minute}`, new Date(Date.UTC(2026, 2, 1, 20, minute)).toISOString());
  return { availId: record.id, record };
};
const all = [1, 2, 3, 4, 5].map(avail);
const ids = ({ avails }: ReturnType<typeof pageOf>) => avails.map(({ availId }) => availId);

test('the first page contains the newest avails, and its tokens lead to all earlier ones, each once', () => {
  const first = pageOf(all, undefined, 2);
  expect(ids(first)).toEqual(['0-4', '0-5']);
  const second = pageOf(all, readToken(first.nextToken!), 2);
  expect(ids(second)).toEqual(['0-2', '0-3']);
  const third = pageOf(all, readToken(second.nextToken!), 2);
  expect([ids(third), third.nextToken]).toEqual([['0-1'], null]);
});

test('a token leads to the same page after new breaks were added', () => {
  const { nextToken } = pageOf(all, undefined, 2);
  expect(ids(pageOf([...all, avail(6), avail(7)], readToken(nextToken!), 2))).toEqual(['0-2', '0-3']);
});

test.each(['', 'nonsense', 'YmVmb3JlIDE=', Buffer.from('before -1').toString('base64url'), 'é'.repeat(5000)])(
  'rejects the invalid token %j',
  (token) => {
    expect(readToken(token)).toBeUndefined();
  },
);
