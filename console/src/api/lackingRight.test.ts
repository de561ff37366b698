// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { lackingRight } from './lackingRight.ts';

test('a scope includes those below it', () => {
  const operator = { kind: 'user', scope: 'operate' } as const;
  expect(lackingRight(operator, 'read')).toBeUndefined();
  expect(lackingRight(operator, 'operate')).toBeUndefined();
  expect(lackingRight(operator, 'manage')).toEqual(naming('manage', 'operate'));
  expect(lackingRight(operator, 'tenant')).toEqual(naming('manage', 'operate'));
});

test('a key that is restricted to channels manages these only', () => {
  const key = { kind: 'key', scope: 'manage', channels: ['a'] } as const;
  const own = { ...key, channels: [...key.channels] };
  expect(lackingRight(own, 'manage')).toBeUndefined();
  expect(lackingRight(own, 'tenant')).toEqual(naming('channels'));
  expect(lackingRight({ kind: 'key', scope: 'manage' }, 'tenant')).toBeUndefined();
});

test('nothing is disabled before the sign-in, or without a requirement', () => {
  expect(lackingRight(undefined, 'manage')).toBeUndefined();
  expect(lackingRight({ kind: 'key', scope: 'read' }, undefined)).toBeUndefined();
});
