// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
// @ts-expect-error: an example in JavaScript
import * as example from '../../examples/clocks.js';
import { syntheticAsset } from '../../test/laws/syntheticMedia.ts';
import { presentationOf, randomBreaks, titleOf } from '../../test/laws/syntheticPresentation.ts';
import { inFlicks } from '../../test/laws/syntheticTitle.ts';
import { seededRandom } from '../../test/seededRandom.ts';
import { FLICKS_PER_SECOND, flicksToSeconds } from '../time/units.ts';
import type { PlannedBreak } from './breakPlan.ts';
import { breakPositions, contentTimeOf, sourceTimeOf } from './contentClock.ts';
import { streamTimeOf } from './layOut.ts';

const breaks = [[0], [4, 8], [8, 12], [15]].map(([at, until]) => ({
  at: inFlicks(at!),
  ...(until === undefined ? {} : { until: inFlicks(until) }),
}));

test('content time does not advance within ranges', () => {
  const times = [0, 3, 4, 6, 8, 12, 13, 20].map((at) => contentTimeOf({ breaks }, inFlicks(at)) / inFlicks(1));
  expect(times).toEqual([0, 3, 4, 4, 4, 4, 5, 12]);
});

test('the content time of a range is the source time of its start', () => {
  const times = [0, 3, 4, 4.5, 5, 12].map((at) => sourceTimeOf({ breaks }, inFlicks(at)) / inFlicks(1));
  expect(times).toEqual([0, 3, 4, 12.5, 13, 20]);
});

const START = Date.parse('2026-03-01T00:00:00Z');
const rate = { n: 25, d: 1 };
const title = titleOf([syntheticAsset({ name: 'film', rate, segments: new Array<number>(30).fill(50) })]);

test('clients convert between content time and stream time as Midroll does', () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const presentation = presentationOf(title, randomBreaks(title, seededRandom(seed)), START);
    const breaks = presentation.breaks.map(({ contentTime, streamTime, duration }) => ({
      contentTime: flicksToSeconds(contentTime),
      streamTime: flicksToSeconds(streamTime),
      duration: flicksToSeconds(duration),
    }));
    for (let at = 0; at <= flicksToSeconds(presentation.contentDuration); at += 0.5) {
      const streamTime = example.streamTime(at, breaks);
      expect(streamTime).toBeCloseTo(flicksToSeconds(streamTimeOf(presentation, at * FLICKS_PER_SECOND)), 6);
      expect(example.contentTime(streamTime, breaks)).toBeCloseTo(at, 6);
    }
    for (const { contentTime, streamTime, duration } of breaks)
      for (const part of [0, 0.5, 1])
        expect(example.contentTime(streamTime + part * duration, breaks)).toBeCloseTo(contentTime, 6);
  }
});

const planned = (at: number, { requested = at, until }: { requested?: number; until?: number } = {}): PlannedBreak => ({
  id: '0-1',
  origin: 'marker',
  at: inFlicks(at),
  requested: inFlicks(requested),
  duration: 30,
  warnings: [],
  ...(until === undefined ? {} : { until: inFlicks(until) }),
});
const duration = inFlicks(600);

test('a position states how far the break was moved, and its content time without replaced ranges', () => {
  const breaks = [planned(0), planned(100, { requested: 101.5, until: 130 }), planned(200), planned(600)];
  expect(breakPositions(breaks, duration)).toEqual([
    { kind: 'pre', requested: 0, contentTime: 0, movedBy: 0, origin: 'marker' },
    { kind: 'mid', requested: 101.5, contentTime: 100, movedBy: -1.5, origin: 'marker', replaced: 30 },
    { kind: 'mid', requested: 200, contentTime: 170, movedBy: 0, origin: 'marker' },
    { kind: 'post', requested: 600, contentTime: 570, movedBy: 0, origin: 'marker' },
  ]);
});

test('a break that replaces the end of the content is a post-roll', () => {
  expect(breakPositions([planned(570, { until: 600 })], duration)).toMatchObject([{ kind: 'post', contentTime: 570 }]);
});
