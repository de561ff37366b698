// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createUploads } from './uploads.ts';

const playlist = (first: number, count: number): Buffer =>
  Buffer.from(`#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:${first}\n${'#EXTINF:2,\ns.m4s\n'.repeat(count)}`);

test('the edge is after the newest segment that any playlist of the run lists', () => {
  const uploads = createUploads();
  expect(uploads.edge()).toBeUndefined();
  uploads.store('one', 'v0.m3u8', playlist(3, 5));
  uploads.store('one', 'a0.m3u8', playlist(3, 4));
  uploads.store('one', 'master.m3u8', Buffer.from('#EXTM3U\nv0.m3u8\n'));
  expect(uploads.edge()).toEqual({ run: 'one', next: 8 });
  uploads.store('two', 'a0.m3u8', playlist(0, 1));
  expect(uploads.edge()).toEqual({ run: 'two', next: 1 });
  expect(uploads.read('v0.m3u8')?.run).toBe('one');
});

test('keeps the segments of the last two minutes of three tracks, and their initialization sections', () => {
  const uploads = createUploads();
  uploads.store('r', 'r-init-v0.mp4', Buffer.from('init'));
  for (let number = 0; number < 1000; number += 1) uploads.store('r', `r-v0-${number}.m4s`, Buffer.from('s'));
  const kept = Array.from({ length: 1000 }, (_, number) => uploads.read(`r-v0-${number}.m4s`) !== undefined);
  expect(kept.filter(Boolean)).toHaveLength(180);
  expect(kept.indexOf(true)).toBe(820);
  expect(uploads.read('r-init-v0.mp4')).toBeDefined();
});
