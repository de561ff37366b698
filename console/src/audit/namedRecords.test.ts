// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { idsInValue, namedField, namedKind } from './namedRecords.ts';

test('knows the fields and records that have names', () => {
  expect(['playlistId', 'systemId', 'channels', 'channels.2', 'name', 'myplaylistId'].map(namedField)).toEqual([
    ...['playlists', 'systems', 'channels', 'channels', undefined, undefined],
  ]);
  expect(['channel', 'key', 'toString'].map(namedKind)).toEqual(['channels', undefined, undefined]);
});

test('reads ids from values', () => {
  expect(['evening', '', '["a", "b", 3]', '[broken'].map(idsInValue)).toEqual([['evening'], [], ['a', 'b'], []]);
});
