// SPDX-License-Identifier: Apache-2.0

import { expect, test } from 'vitest';
import type { ShownFrames } from '../../../../ads/placement/shownFrames.ts';
import type { BreakRecord } from '../../../../ads/record/breakRecord.ts';
import type { RecordedBreak } from '../../../../playback/decide/decisionRecorder.ts';
import type { EndedBreak } from '../../../../playback/viewers/settledDecisions.ts';
import { flicks, millis } from '../../../../time/units.ts';
import type { ReportEvent } from '../event.ts';
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

test('an inserted break is as long as what it shows, and has no slate', () => {
  expect(breakEvents({ airing, place: { start }, decision, record })).toEqual([
    { ...of, type: 'breakDecided', at: 60_000, ms: 18_000, ads, slate: [] },
    { ...of, type: 'adDecided', at: 62_000, creative: 'One' },
    { ...of, type: 'adDecided', at: 72_000, creative: 'Two' },
    { ...of, type: 'adSkipped', at: 60_000, creative: 'Three', reason: 'BREAK_FULL' },
  ]);
  const empty = { joined: 0, ads: [] };
  const [decided, ...others] = breakEvents({
    airing,
    place: { start },
    decision: empty,
    record: { ...record, ads: [] },
  });
  expect(decided).toEqual({ ...of, type: 'breakDecided', at: 60_000, ms: 0, ads: [], slate: [] });
  expect(others).toEqual([]);
});

test('the rest of a break of fixed length is slate before the outro', () => {
  const [decided] = breakEvents({ airing, place: { start, frames: 750 }, decision, record });
  expect(decided).toEqual({
    ...of,
    type: 'breakDecided',
    at: 60_000,
    ms: 30_000,
    ads,
    slate: [{ at: 77_000, ms: 12_000 }],
  });
});

test('content of the origin is no slate', () => {
  const place = { start, frames: 750 };
  const [decided] = breakEvents({ airing, place, decision, record: { ...record, content: 12 } });
  expect(decided).toMatchObject({ type: 'breakDecided', ms: 30_000, ads, slate: [] });
});

/** The seconds that reports count for a break, after it was decided and after it ended. */
function counted(events: readonly ReportEvent[]) {
  const sums: Record<string, number> = {};
  for (const { amounts } of events.flatMap(measure)) {
    for (const [name, amount] of Object.entries(amounts)) sums[name] = (sums[name] ?? 0) + amount;
  }
  return sums;
}

const endedOf = (decided: RecordedBreak, shown: Omit<ShownFrames, 'rate'>) =>
  ({ ...decided, shown: { rate: { n: 25, d: 1 }, ...shown } }) as unknown as EndedBreak;

test('a live break that ended early counts with what it has shown', () => {
  const decided = { airing, place: { start, frames: 750 }, decision, record };
  const ended = endedOf(decided, { frames: 350, ads: [250, 25], bumpers: 50 });
  const sums = counted([...breakEvents(decided), ...breakEndedEvents(ended)]);
  expect(sums).toMatchObject({ breaks: 1, offeredMs: 14_000, filledMs: 11_000, slateMs: 1000 });
});

test('a break of unknown length that shows content counts with its actual length', () => {
  const decided = {
    airing,
    place: { start, frames: 4500 },
    decision: { joined: 0, ads: [] },
    record: { ...record, ads: [], content: 180 },
  };
  const sums = counted([
    ...breakEvents(decided),
    ...breakEndedEvents(endedOf(decided, { frames: 500, ads: [], bumpers: 0 })),
  ]);
  expect(sums).toEqual({ breaks: 1, offeredMs: 20_000 });
});
