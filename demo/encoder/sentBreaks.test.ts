// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { markPlaylist, nextNumber } from './markPlaylist.ts';
import { endBreak, openBreak, type SentBreak, segmentsToBreak, sendBreak, sendDueBreak } from './sentBreaks.ts';

const at = (next: number, run = 'r') => ({ run, next });

/** What an encoder lists, with `count` segments from `first` on. */
const playlist = (first: number, count: number): string =>
  [
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:2',
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    '#EXT-X-MAP:URI="r-init-v0.mp4"',
    ...Array.from({ length: count }, (_, index) => ['#EXTINF:2.000000,', `r-v0-${first + index}.m4s`]).flat(),
    '',
  ].join('\n');

const markersOf = (text: string): string[] =>
  [...text.matchAll(/#EXT-X-(CUE\S+)\n(?:#EXT.*\n)*(\S+)/g)].map(([, marker, uri]) => `${marker} ${uri}`);

test('a break of 20 s starts and ends at segments that were not listed when it was sent', () => {
  const breaks = sendBreak([], at(nextNumber(playlist(3, 5))));
  expect(markPlaylist(playlist(3, 5), breaks)).toBe(playlist(3, 5));
  expect(markersOf(markPlaylist(playlist(4, 15), breaks))).toEqual(['CUE-OUT:20 r-v0-8.m4s', 'CUE-IN r-v0-18.m4s']);
  expect(markersOf(markPlaylist(playlist(9, 15), breaks))).toEqual(['CUE-IN r-v0-18.m4s']);
});

test('a break that is ended returns at the next segment; its announced length stays as listed', () => {
  const sent = sendBreak([], at(8));
  const ended = endBreak(sent, at(11));
  expect(markersOf(markPlaylist(playlist(4, 15), ended))).toEqual(['CUE-OUT:20 r-v0-8.m4s', 'CUE-IN r-v0-11.m4s']);
  const listed = markPlaylist(playlist(4, 7), sent);
  expect(markPlaylist(playlist(4, 7), ended)).toBe(listed);
  expect(endBreak(ended, at(12))).toBe(ended);
});

test('a break of which nothing is listed is removed when it is ended', () => {
  expect(endBreak(sendBreak([], at(8)), at(8))).toEqual([]);
});

test('a second break is not sent before the first one is over', () => {
  const first = sendBreak([], at(8));
  expect(sendBreak(first, at(17))).toBe(first);
  expect(openBreak(first, at(17))).toEqual({ run: 'r', from: 8, to: 18 });
  expect(sendBreak(first, at(18))).toEqual([...first, { run: 'r', from: 18, to: 28 }]);
});

test('a break starts by itself after a minute without one', () => {
  let breaks: readonly SentBreak[] = [];
  for (let next = 1; next <= 100; next += 1) breaks = sendDueBreak(breaks, at(next));
  expect(breaks.map(({ from }) => from)).toEqual([30, 70]);
  expect(segmentsToBreak(breaks, at(75))).toBe(0);
  expect(segmentsToBreak(breaks, at(90))).toBe(20);
});

test('a restart of the encoder leaves the break of before', () => {
  const before = sendBreak([], at(8, 'first'));
  expect(openBreak(before, at(2, 'second'))).toBeUndefined();
  expect(endBreak(before, at(9, 'second'))).toBe(before);
  expect(sendBreak(before, at(2, 'second'))).toHaveLength(2);
});
