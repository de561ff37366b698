// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findBox, readBoxes } from '../mp4/boxes.ts';
import { readFragmentTimes } from '../mp4/readFragmentTimes.ts';
import { readInit } from '../mp4/readInit.ts';
import { readSamples } from '../mp4/readSamples.ts';
import { type Cue, cutCues } from './cue.ts';
import { readWvtt, writeWvttInit, writeWvttSegment } from './mp4Text.ts';

const TIMESCALE = 25_000;
const ticks = (milliseconds: number) => (milliseconds * TIMESCALE) / 1000;

test('the initialization section has one text track', () => {
  expect(readInit(writeWvttInit(TIMESCALE))).toMatchObject([
    { id: 1, handler: 'text', codec: 'wvtt', timescale: TIMESCALE },
  ]);
});

test('a segment without cues has its full duration', () => {
  const bytes = writeWvttSegment(1, [], { timescale: TIMESCALE, zero: 0, from: 50_000, to: 100_000 });
  expect(readFragmentTimes(bytes).fragments).toMatchObject([{ earliest: 50_000, duration: 50_000 }]);
  const [sample] = readSamples(bytes);
  expect(readBoxes(sample!.bytes).map(({ type }) => type)).toEqual(['vtte']);
  expect(readWvtt(readSamples(bytes), TIMESCALE)).toEqual([]);
});

test('overlapping cues are in the same sample, with their settings and ids', () => {
  const cues: Cue[] = [
    { start: 500, end: 1500, text: 'one', id: 'x' },
    { start: 1000, end: 2000, text: 'two', settings: 'line:0' },
  ];
  const bytes = writeWvttSegment(1, cues, { timescale: TIMESCALE, zero: 0, from: 0, to: 50_000 });
  const samples = readSamples(bytes);
  expect(samples.map(({ time, duration }) => [time, duration])).toEqual([
    [0, 12_500],
    [12_500, 12_500],
    [25_000, 12_500],
    [37_500, 12_500],
  ]);
  expect(readWvtt(samples, TIMESCALE)).toEqual(cues);
});

test('for any cues and borders, samples fill the segment and contain the cues', () => {
  const someCues = fc.array(
    fc.record({
      start: fc.integer({ min: 0, max: 9000 }),
      length: fc.integer({ min: 1, max: 5000 }),
      text: fc.string({ minLength: 1 }),
    }),
    { maxLength: 12 },
  );
  const word = (text: string) => text.replace(/[^a-z]/g, '') || 'x';
  fc.assert(
    fc.property(
      someCues,
      fc.integer({ min: 0, max: 2 ** 36 }),
      fc.integer({ min: 1, max: 6000 }),
      (list, zero, length) => {
        const cues = list.map((cue, index) => ({
          start: cue.start,
          end: cue.start + cue.length,
          text: word(cue.text) + index,
        }));
        const [from, to] = [2000, 2000 + length];
        const cut = cutCues(cues, from, to);
        const bytes = writeWvttSegment(3, cut, {
          timescale: TIMESCALE,
          zero,
          from: zero + ticks(from),
          to: zero + ticks(to),
        });
        const samples = readSamples(bytes);
        let at = zero + ticks(from);
        for (const { time, duration } of samples) {
          expect(time).toBe(at);
          expect(duration).toBeGreaterThan(0);
          at += duration;
        }
        expect(at).toBe(zero + ticks(to));
        const read = readWvtt(
          samples.map((one) => ({ ...one, time: one.time - zero })),
          TIMESCALE,
        );
        const byTime = (all: readonly Cue[]) => all.map(({ start, end, text }) => `${start} ${end} ${text}`).sort();
        expect(byTime(read)).toEqual(byTime(cut));
      },
    ),
  );
});

test('damaged fragments are read as far as possible', () => {
  const bytes = writeWvttSegment(1, [{ start: 0, end: 1000, text: 'one' }], {
    timescale: TIMESCALE,
    zero: 0,
    from: 0,
    to: 50_000,
  });
  for (let length = 0; length < bytes.length; length += 1)
    expect(() => readSamples(bytes.subarray(0, length))).not.toThrow();
  const trun = findBox(bytes, ['moof', 'traf', 'trun'])!;
  for (let at = trun.body; at < trun.end; at += 1) {
    const broken = bytes.slice();
    broken[at] = 0xff;
    expect(() => readWvtt(readSamples(broken), TIMESCALE)).not.toThrow();
  }
});
