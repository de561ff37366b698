// SPDX-License-Identifier: Apache-2.0

import { expect, test } from 'vitest';
import type { ShownFrames } from '../../../../ads/placement/shownFrames.ts';
import type { BreakRecord } from '../../../../ads/record/breakRecord.ts';
import type { RecordedBreak } from '../../../../playback/decide/decisionRecorder.ts';
import type { EndedBreak } from '../../../../playback/viewers/settledDecisions.ts';
import { flicks, millis } from '../../../../time/units.ts';
import { breakEndedEvents, breakEvents } from './breakEvents.ts';
import { measure } from './measure.ts';

const airing = {
  channel: { id: 'c', tenant: 't' },
  ladder: { frameRate: { n: 25, d: 1 } },
} as unknown as RecordedBreak['airing'];
const start = { millis: millis(60_000), rest: flicks(0) };
const record = {
  ads: [
    { adId: '0-1-1', title: 'One', duration: 10, outcome: 'stitched' },
    { adId: '0-1-2', title: 'Two', duration: 5, outcome: 'stitched' },
    { adId: 'x', title: 'Three', duration: 5, outcome: 'skipped', reason: { code: 'BREAK_FULL', text: 'Full.' } },
  ],
} as unknown as BreakRecord;
const decision = {
  joined: 0,
  intro: { mediaId: 'i', frames: 50 },
  ads: [
    { adId: '0-1-1', mediaId: 'a', frames: 250 },
    { adId: '0-1-2', mediaId: 'b', frames: 125 },
  ],
  outro: { mediaId: 'o', frames: 25 },
};
const of = { channel: 'c', tenant: 't' };
const ads = [
  { at: 62_000, ms: 10_000 },
  { at: 72_000, ms: 5000 },
];

const decided = (more: object = {}) => ({ airing, place: { start }, decision, record, ...more });
const demand = { notRequested: 'NOT_REQUESTED' };
const whole = { ...of, type: 'breakDecided', at: 60_000, ads, slate: [], demand };

test.each([
  ['an inserted break is as long as what it shows, and has no slate', {}, { ms: 18_000 }],
  [
    'the rest of a break of fixed length is slate before the outro',
    { place: { start, frames: 750 } },
    { ms: 30_000, slate: [{ at: 77_000, ms: 12_000 }] },
  ],
  [
    'content of the origin is no slate',
    { place: { start, frames: 750 }, record: { ...record, content: 12 } },
    { ms: 30_000 },
  ],
])('%s', (_, more, expected) => {
  expect(breakEvents(decided(more))).toEqual([
    { ...whole, demand: expect.anything(), ...expected },
    { ...of, type: 'adDecided', at: 62_000, creative: 'One' },
    { ...of, type: 'adDecided', at: 72_000, creative: 'Two' },
    { ...of, type: 'adSkipped', at: 60_000, creative: 'Three', reason: 'BREAK_FULL', ms: 5000 },
  ]);
});

test('an empty break has no ads', () => {
  const empty = decided({ decision: { joined: 0, ads: [] }, record: { ...record, ads: [] } });
  expect(breakEvents(empty)).toEqual([{ ...whole, ms: 0, ads: [] }]);
});

/** What reports count of a live break, after it was decided and after it ended. */
function countedOf(live: RecordedBreak, shown: Omit<ShownFrames, 'rate'>) {
  const ended = { ...live, shown: { rate: { n: 25, d: 1 }, ...shown } } as unknown as EndedBreak;
  const sums: Record<string, number> = {};
  const measured = [...breakEvents(live), ...breakEndedEvents(ended)].flatMap(measure);
  for (const { amounts } of measured.filter(({ report }) => report === 'breaks'))
    for (const [name, amount] of Object.entries(amounts)) sums[name] = (sums[name] ?? 0) + amount;
  return sums;
}

test('a live break that ended early counts with what it has shown', () => {
  const live = decided({ place: { start, frames: 750 } });
  const sums = countedOf(live, { frames: 350, ads: [250, 25], bumpers: 50 });
  expect(sums).toMatchObject({ breaks: 1, offeredMs: 14_000, filledMs: 11_000, slateMs: 1000 });
});

test('a break of unknown length that shows content counts with its actual length', () => {
  const content = { decision: { joined: 0, ads: [] }, record: { ...record, ads: [], content: 180 } };
  const live = decided({ place: { start, frames: 4500 }, ...content });
  expect(countedOf(live, { frames: 500, ads: [], bumpers: 0 })).toEqual({ breaks: 1, offeredMs: 20_000 });
});
