// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { noMemos } from '../../cache/memo.ts';
import { flicks, millis, secondsToFlicks } from '../../time/units.ts';
import type { Clip } from '../asset/clip.ts';
import { after, clockAt, type Instant, place, type Span } from './span.ts';
import { bordersAt, openEdge, withBorder } from './window.ts';

const zero: Instant = { millis: millis(Date.parse('2026-03-01T00:00:00Z')), rest: flicks(0) };
const at = (seconds: number): Instant => after(zero, secondsToFlicks(seconds));
const seconds = (time: number): number => (time - zero.millis) / 1000;

function open(from: number, to: number, announcedEnd?: Instant): Span {
  const cutPoints = Float64Array.from({ length: 20 }, (_, index) => secondsToFlicks(2 * index));
  const clip = { part: 0, from: flicks(0), duration: secondsToFlicks(to - from), asset: { parts: [{ cutPoints }] } };
  const placed = place(clip as unknown as Clip, at(from));
  return { id: 's', placed, numbers: [], discontinuity: 0, memos: noMemos(), open: { announcedEnd } };
}
const edgeAt = (spans: readonly Span[], ...borders: number[]): number =>
  seconds(openEdge(spans, clockAt(at(borders[0]!), 0), borders.map(at)));

test('segments of an open break that end at the edge are listed if half a second is left to its announced end, or none', () => {
  const until = (end: number) => [open(0, 6, at(30)), open(6, 30, at(end))];
  expect(edgeAt(until(30), 10)).toBe(10);
  expect(edgeAt(until(10.5), 10)).toBe(10);
  expect(edgeAt(until(10.4), 10)).toBeCloseTo(9.499);
  expect(edgeAt(until(10.05), 10)).toBe(10);
  // An advertisement that ends there.
  expect(edgeAt(until(30), 6)).toBe(6);
});

test('other edges are followed by half a second', () => {
  expect(edgeAt([open(0, 30, at(30))], 9.9)).toBeCloseTo(9.399);
  expect(edgeAt([open(0, 30)], 10)).toBeCloseTo(9.499);
  expect(seconds(openEdge([open(0, 30, at(30))], millis(zero.millis + 8000), [at(10)]))).toBeCloseTo(7.499);
});

test('what was listed at an edge stays listed when the next one is hardly later', () => {
  const borders = [0, 8, 10, 10.3].map(at).reduce(withBorder, []);
  expect(borders).toEqual([10.3, 10, 8, 0].map(at));
  expect(bordersAt(borders, clockAt(at(10.3), 0))).toEqual([at(10.3), at(10)]);
  expect(edgeAt([open(0, 30, at(30))], 10.3, 10, 8)).toBe(10);
  expect(edgeAt([open(0, 30, at(30))], 10.6, 10, 8)).toBeCloseTo(10.099);
});

test('a window that waits for a decision lists what it has listed', () => {
  expect(seconds(openEdge([open(0, 30, at(30))], clockAt(at(10), 0), [12, 10, 8].map(at)))).toBe(10);
});
