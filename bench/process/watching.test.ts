// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Connections } from '../pollers.ts';
import { watchBreaks } from './watching.ts';

const PATH = '/hls/bench/one/v0.m3u8';
const running = { breakId: '7-1', startsAt: Date.now() - 20_000 };

/** Answers each segment with a redirect, or with another status. */
function open(status = 302) {
  const requested: string[] = [];
  const get = async (path: string) => {
    requested.push(path);
    return { status, body: '', ms: 1 };
  };
  const connections: Connections = { count: 1, get, close: () => {} };
  return { requested, connections };
}

const playlist = (...urls: string[]): string =>
  ['#EXTM3U', ...urls.flatMap((url) => ['#EXTINF:2,', url]), ''].join('\n');

test('a playlist that lists no segments is wrong', () => {
  const { onPlaylist, watched } = watchBreaks(open().connections, [], []);
  onPlaylist(PATH, playlist());
  expect(watched()).toMatchObject({ polls: 1, faults: 1, fault: expect.stringContaining('segments') });
});

test('a playlist in a break that lists no ads of it is wrong', () => {
  const { onPlaylist, watched } = watchBreaks(open().connections, [running], []);
  onPlaylist(PATH, playlist('7-1-0/media/250/0/1.m4s'));
  expect(watched().faults).toBe(0);
  onPlaylist(PATH, playlist('7-0-0/media/250/0/1.m4s', '/slate/1.m4s'));
  expect(watched()).toMatchObject({ faults: 1, fault: expect.stringContaining('7-1') });
});

test('a follower requests each segment of an ad once', async () => {
  const { requested, connections } = open();
  const { onPlaylist, watched, isWaiting } = watchBreaks(connections, [], [PATH]);
  const urls = ['7-1-0/media/250/0/1.m4s', '7-1-0/media/250/0/2.m4s', '7-1-1/media/250/0/1.m4s'];
  onPlaylist(PATH, playlist('http://origin/1.m4s', urls[0]!, urls[1]!));
  onPlaylist(PATH, playlist(...urls));
  onPlaylist('/hls/bench/two/v0.m3u8', playlist(...urls));
  await expect.poll(isWaiting).toBe(false);
  expect(requested).toEqual(urls.map((url) => `/hls/bench/one/${url}`));
  expect(watched()).toMatchObject({ segments: 3, ads: 2, wholeAds: 0, faults: 0 });
});

test('a segment that is not redirected is wrong', async () => {
  const { connections } = open(404);
  const { onPlaylist, watched, isWaiting } = watchBreaks(connections, [], [PATH]);
  onPlaylist(PATH, playlist('7-1-0/media/250/0/1.m4s'));
  await expect.poll(isWaiting).toBe(false);
  expect(watched()).toMatchObject({ faults: 1, fault: expect.stringContaining('404') });
});
