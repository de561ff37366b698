// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Answer } from '../harness/load.ts';
import { type BenchShape, sessionIdOf, usualShape, viewerOf } from './shape.ts';
import { createTraffic } from './traffic.ts';

const few: BenchShape = { ...usualShape, sessions: 2 };

function answer(body: string, type = 'application/vnd.apple.mpegurl', status = '200 OK'): Answer {
  const bytes = Buffer.from(body);
  return { head: `HTTP/1.1 ${status}\r\ncontent-type: ${type}`, first: bytes, last: bytes, bytes: bytes.length };
}

const playlist = (...ads: string[]) =>
  `#EXTM3U\n#EXTINF:2,\nhttps://origin.test/channel0.video0/video0/1.m4s\n${ads.map((ad) => `#EXTINF:2,\n${ad}\n`).join('')}`;

test('the id of a session contains its viewer', () => {
  for (const viewer of [0, 1, 99_999]) expect(viewerOf(sessionIdOf(viewer))).toBe(viewer);
  expect(sessionIdOf(7)).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
});

test('sessions are polled in turn', () => {
  const { next } = createTraffic(few, false);
  const paths = [next(), next(), next()];
  expect(paths).toEqual([0, 1, 0].map((viewer) => `/hls/channel0/${sessionIdOf(viewer)}/v0.m3u8`));
});

test('with all renditions, a poll is one of video, in turn, and one of audio', () => {
  const { next } = createTraffic({ ...few, qualities: 2, renditions: 'all' }, false);
  const names = Array.from({ length: 8 }, () => next().split('/').slice(3).join(' '));
  const of = (viewer: number, rung: string) => `${sessionIdOf(viewer)} ${rung}.m3u8`;
  expect(names).toEqual([
    ...[of(0, 'v0'), of(0, 'a0'), of(1, 'v1'), of(1, 'a0')],
    ...[of(0, 'v1'), of(0, 'a0'), of(1, 'v0'), of(1, 'a0')],
  ]);
});

test.each([
  ['a manifest of the viewer', playlist('b-0/c0x350/350/v0/0.m4s'), undefined],
  ['ads of another viewer', playlist('b-0/c1x350/350/v0/0.m4s'), "none of the viewer's ads"],
  ['no end', '#EXTM3U\n#EXTINF:2,\nhttps://origin.test/channel0.', 'does not end'],
  ['another channel', playlist('b-0/c0x350/350/v0/0.m4s').replace('channel0', 'channel1'), '/channel0.'],
])('an answer is checked: %s', (_, body, fault) => {
  const { next, fault: check } = createTraffic(few, false);
  const found = check(next(), answer(body));
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(fault);
});

test('an answer with another status or type is wrong', () => {
  const { next, fault } = createTraffic(few, false);
  expect(fault(next(), answer('', 'application/json', '404 Not Found'))).toContain('404');
  expect(fault(next(), answer(playlist(), 'text/html'))).toContain('text/html');
});

test('a viewer who plays ads requests each of their segments once, and none that was listed before they joined', () => {
  const { next, fault } = createTraffic({ ...few, sessions: 1, viewersPerFollower: 1 }, false);
  const ad = (index: number) => `b-0/c0x350/350/v0/${index}.m4s`;
  const base = `/hls/channel0/${sessionIdOf(0)}`;
  fault(next(), answer(playlist(ad(0))));
  const manifest = next();
  expect(manifest).toBe(`${base}/v0.m3u8`);
  fault(manifest, answer(playlist(ad(0), ad(1), ad(2))));
  expect([next(), next(), next()]).toEqual([`${base}/${ad(1)}`, `${base}/${ad(2)}`, manifest]);
  fault(manifest, answer(playlist(ad(1), ad(2), '/m/slate/25/v0/0.m4s')));
  expect(next()).toBe(manifest);
  fault(manifest, answer(playlist(ad(9))));
  expect(next()).toBe(`${base}/${ad(9)}`);
});

test('a segment must be redirected', () => {
  const { fault } = createTraffic(few, false);
  const path = `/hls/channel0/${sessionIdOf(0)}/b-0/c0x350/350/v0/0.m4s`;
  expect(fault(path, answer('', '', '302 Found'))).toBeUndefined();
  expect(fault(path, answer('', '', '404 Not Found'))).toContain('404');
});
