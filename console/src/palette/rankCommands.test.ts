// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { pages } from '../navigation/pages.ts';
import { channelKeys } from './channelPaths.ts';
import { allCommands, rankCommands } from './rankCommands.ts';

const channels = [
  { id: 'news', name: 'News 24', type: 'vod2live', state: 'enabled' },
  { id: 'a/b', type: 'live', state: 'disabled' },
  { id: 'cinema', name: 'Cinema', type: 'vod', state: 'enabled' },
];
const commands = allCommands(channels, [{ id: 'evening', name: 'Evening news' }]);
const paths = (text: string) => rankCommands(commands, text).map(({ path }) => path);

test('finds channels and playlists by name and id, the best first', () => {
  expect(paths('news')[0]).toBe('/channels/news');
  expect(paths('news')).toContain('/playlists/evening');
  expect(paths('evening')).toEqual(['/playlists/evening']);
  expect(paths('24 NEW sched')).toEqual(['/channels/news?tab=schedule']);
  expect(paths('nothing like this')).toEqual([]);
});

test('ids are encoded in paths', () => expect(paths('a/b')).toContain('/channels/a%2Fb'));

test('breaks can be inserted on enabled channels that have a timeline', () => {
  expect(paths('insert')).toEqual(['/channels/news?insert=ads']);
});

test('a session is opened by its id, alone or in a URL', () => {
  const id = '0123abcd-0000-4000-8000-00000000000f';
  for (const text of [id.toUpperCase(), `https://x/hls/session/${id}/master.m3u8`])
    expect(paths(text)).toEqual([`/sessions/${id}`]);
});

test('without a text, pages come first; the list is bounded', () => {
  expect(paths('')[0]).toBe('/overview');
  const many = Array.from({ length: 500 }, (_, index) => ({ id: `c${index}`, type: 'live', state: 'enabled' }));
  expect(rankCommands(allCommands(many, []), 'c').length).toBeLessThan(50);
  expect(new Set(allCommands(many, []).map(({ id }) => id)).size).toBe(allCommands(many, []).length);
});

test('parts of channels and of alerts are found; pages that cannot be read are left out', () => {
  expect(paths('try cinema')).toEqual(['/channels/cinema?tab=try']);
  expect(paths('webhooks')).toEqual(['/alerts/webhooks']);
  const restricted = allCommands(channels, [], { kind: 'key', scope: 'manage', channels: ['news'] });
  expect(rankCommands(restricted, 'alert')).toEqual([]);
  expect(rankCommands(restricted, 'sessions')).toHaveLength(1);
});

test('each page has a key of its own, and none is a key of a channel', () => {
  const keys = [...pages.map(({ key }) => key), ...Object.keys(channelKeys)];
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).not.toContain('g');
});
