// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { affectedChannels, isTyped, viewersOf, watchingText } from './affectedChannels.ts';

const channels = [
  { id: 'a', name: 'Alpha', viewers: 2, playlistId: 'p' },
  { id: 'b', viewers: 7, playlistId: 'p' },
  { id: 'c', name: '', viewers: 7 },
];

test('lists the channels that use a playlist, the most watched first, by name or id', () => {
  const affected = affectedChannels(channels, { kind: 'playlist', id: 'p' })!;
  expect(affected).toEqual([
    { id: 'b', name: 'b', viewers: 7 },
    { id: 'a', name: 'Alpha', viewers: 2 },
  ]);
  expect(viewersOf(affected)).toBe(9);
});

test('lists the channels of a system, of an ad source and of a creative, and none for a key', () => {
  const users = new Set(['a']);
  const ids = (target: Parameters<typeof affectedChannels>[1]) =>
    affectedChannels(channels, target, users)?.map(({ id }) => id);
  expect(ids({ kind: 'system', id: 's' })).toEqual(['a']);
  expect(ids({ kind: 'ad source', id: 's' })).toEqual(['a']);
  expect(ids({ kind: 'creative', channelIds: ['c', 'gone'] })).toEqual(['c']);
  expect(ids({ kind: 'key' })).toEqual([]);
});

test('sums up the viewers of several channels, and of those that use several playlists', () => {
  const viewers = (target: Parameters<typeof affectedChannels>[1]) => viewersOf(affectedChannels(channels, target)!);
  expect(viewers({ kind: 'channels', ids: ['a', 'c', 'gone'] })).toBe(9);
  expect(viewers({ kind: 'playlists', ids: ['p', 'q'] })).toBe(9);
  expect(viewers({ kind: 'playlists', ids: ['q'] })).toBe(0);
});

test('the viewers of a channel that is not listed are unknown, not zero', () => {
  expect(affectedChannels(channels, { kind: 'channel', id: 'z' })).toBeUndefined();
  expect(affectedChannels(channels, { kind: 'channel', id: 'c' })).toHaveLength(1);
});

test('states the number of viewers', () => {
  expect([0, 1, 1234].map(watchingText)).toEqual([
    expect.stringMatching(/^No /),
    expect.stringMatching(/^1 viewer is/),
    expect.stringMatching(/^1,234 viewers are/),
  ]);
});

test('a typed name matches whatever its case and the spaces around it', () => {
  expect([isTyped(' evening LOOP', 'Evening loop '), isTyped('', 'x'), isTyped('evenin', 'Evening')]).toEqual([
    true,
    false,
    false,
  ]);
});
