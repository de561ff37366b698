// SPDX-License-Identifier: Apache-2.0
// The entries that a process shows: what is in the log when it is due, and during an outage of the store, its own.

import { beforeEach, expect, test } from 'vitest';
import { LIVE_START, liveFeed, mediaOf, type OriginPlan, writeLog } from '../../../test/laws/syntheticLive.ts';
import { applyEntry } from '../../live/programme/applyEntry.ts';
import { liveProgramme } from '../../live/programme/liveProgramme.ts';
import { initialState, type LiveState } from '../../live/programme/liveState.ts';
import { splitEntry } from '../../live/programme/splitEntry.ts';
import type { LiveEntry, PlacedSignal, Slot } from '../../live/slot.ts';
import { flicks, type Millis, millis, secondsToFlicks } from '../../time/units.ts';
import { clockAt } from '../../timeline/programme/span.ts';
import { createLiveFeedTimeline, type LiveFeedTimeline } from './feedTimeline.ts';

const SECOND = flicks(705_600_000);
const rules = { fill: 'slate', maxBreak: flicks(0) } as const;
const at = (ms: number): Millis => millis(ms);
const instant = (ms: number) => ({ millis: at(ms), rest: flicks(0) });

/** Of one second; its media is that of the origin at this second. */
const slot = (number: number, second = number, isNewStretch = false): Slot => ({
  number,
  start: instant(1000 * second),
  duration: SECOND,
  isNewStretch,
  segments: [[{ number: second, duration: SECOND, media: { url: `${second}` } }]],
});
const signal = (ms: number, line: number): PlacedSignal => ({
  kind: 'out',
  at: instant(ms),
  source: 'EXT-X-CUE-OUT',
  line,
  raw: '#EXT-X-CUE-OUT',
});
const entry = (number: number, readAt: number, slots: readonly Slot[], more: Partial<LiveEntry> = {}): LiveEntry => ({
  number,
  readAt: at(readAt),
  visibleAt: at(readAt + 1000),
  slots,
  signals: [],
  anchor: { start: instant(0), lag: 0 },
  rules,
  ...more,
});

let applied: LiveEntry[];
let timeline: LiveFeedTimeline<number, string>;
beforeEach(() => {
  applied = [];
  timeline = createLiveFeedTimeline<number, string>({
    initial: 0,
    start: '',
    visibleDelay: 1000,
    apply: (state, one) => {
      applied.push(one);
      return state + one.slots.length;
    },
    tailAfter: (tail, { number, readAt }) => `${tail} ${number}@${readAt}`,
    split: (_, one) => one.slots.map((each, index) => ({ ...one, number: one.number + index, slots: [each] })),
    rejoin: (state, _, one) => (one.checkpoint?.numbers[0] === 7 ? state : undefined),
  });
});
/** A reading at an instant at which all processes read. */
function readByAll(entries: readonly LiveEntry[], now: Millis): void {
  timeline.follow(entries, now);
  timeline.confirm(timeline.next());
}
const shown = () => applied.flatMap(({ slots }) => slots.map(({ number, start }) => [number, start.millis / 1000]));

test('entries are shown in order, each from its instant on', () => {
  readByAll([entry(0, 0, [slot(0)]), entry(1, 500, [slot(1)])], at(500));
  expect([timeline.hasSlots(), timeline.nextShownAt(), timeline.next()]).toEqual([false, 1000, 2]);
  expect([999, 1000, 1499, 1500].map((now) => timeline.stateAt(at(now)))).toEqual([0, 1, 1, 2]);
  expect([timeline.hasSlots(), timeline.nextShownAt()]).toEqual([true, undefined]);
});

test('a writer whose clock is ahead does not delay what is shown', () => {
  readByAll([entry(0, 60_000, [slot(0)])], at(0));
  expect([timeline.stateAt(at(999)), timeline.stateAt(at(1000))]).toEqual([0, 1]);
});

test('an own entry is shown once it is stored, however its storing becomes known', () => {
  const [own, next] = [entry(0, 0, [slot(0)]), entry(1, 2000, [slot(1)])];
  timeline.propose(own);
  expect(timeline.stateAt(at(5000))).toBe(0);
  readByAll([structuredClone(own)], at(5000));
  timeline.stored([own], at(5000));
  expect([timeline.stateAt(at(5000)), timeline.unstored(), timeline.next()]).toEqual([1, [], 1]);
  timeline.propose(next);
  timeline.stored([next], at(5000));
  readByAll([structuredClone(next)], at(5000));
  expect([timeline.stateAt(at(5000)), timeline.tail()]).toEqual([2, ' 0@0 1@2000']);
});

test('an own entry that was not first is replaced by that of the log', () => {
  timeline.propose(entry(0, 10, [slot(0), slot(1)]));
  readByAll([entry(0, 0, [slot(0)])], at(100));
  expect([timeline.unstored(), timeline.tail(), timeline.next()]).toEqual([[], ' 0@0', 1]);
  timeline.propose(entry(1, 10, [slot(1)]));
  expect(timeline.tail()).toBe(' 0@0 1@10');
});

test('own entries are shown during an outage, and not again when they are stored after it', () => {
  const own = [entry(0, 0, [slot(0)]), entry(1, 1000, [slot(1)])];
  for (const one of own) timeline.propose(one);
  timeline.showUnstored(true, at(0));
  expect([timeline.stateAt(at(1000)), timeline.nextShownAt()]).toEqual([1, 2000]);
  timeline.showUnstored(false, at(0));
  timeline.stored([...timeline.unstored()], at(1500));
  expect([timeline.stateAt(at(1999)), timeline.stateAt(at(2000))]).toEqual([1, 2]);
  expect(applied.map(({ number }) => number)).toEqual([0, 1]);
});

test('what follows a slot that another node has stored just before an outage is kept, and stored after it', () => {
  const before = { checkpoint: { numbers: [0], discontinuity: 0 } };
  timeline.showUnstored(true, at(100));
  timeline.propose(entry(0, 200, [slot(0)], before));
  timeline.propose(entry(1, 1200, [slot(1)]));
  timeline.stateAt(at(9000));
  timeline.follow([entry(0, 50, [slot(0)], before)], at(9100));
  expect(timeline.unstored().map(({ number }) => number)).toEqual([1]);
  expect(shown()).toEqual([
    [0, 0],
    [1, 1],
  ]);
  timeline.follow([entry(1, 1300, [slot(1, 7)])], at(9200));
  expect(timeline.unstored()).toEqual([]);
});

test('during an outage, a slot is shown as long after its end as usual, and half a slot later, whenever it was read', () => {
  readByAll([entry(0, 1200, [slot(0)]), entry(1, 2300, [slot(1)]), entry(2, 9000, [slot(2)])], at(9000));
  timeline.showUnstored(true, at(0));
  timeline.propose(entry(3, 4700, [slot(3), slot(4)]));
  // One of three entries was late. Origins are read each half second.
  const delay = 1300 + 500;
  expect(timeline.unstored().map(({ number, visibleAt, slots }) => [number, visibleAt, slots.length])).toEqual([
    [3, 4000 + delay, 1],
    [4, 5000 + delay, 1],
  ]);
});

test('during an outage, a slot to which the timeline has jumped ahead does not wait until then', () => {
  readByAll([entry(0, 1200, [slot(0)]), entry(1, 2200, [slot(1)]), entry(2, 3200, [slot(2)])], at(3300));
  timeline.showUnstored(true, at(3300));
  timeline.propose(entry(3, 4200, [slot(3, 3600, true)]));
  expect([timeline.stateAt(at(4200)), timeline.stateAt(at(4200 + 1000 + 5000))]).toEqual([3, 4]);
});

test('an entry is shown when others can have read it, and with those who have not read it if the store is away before that', () => {
  readByAll([entry(0, 1200, [slot(0)])], at(1200));
  const own = entry(1, 3000, [slot(1), slot(2)]);
  timeline.propose(own);
  timeline.stored([own], at(3100));
  const shownUntil = () => [3699, 3700, 4699, 4700].map((now) => timeline.stateAt(at(now)));
  timeline.showUnstored(true, at(3200));
  expect([timeline.next(), timeline.tail()]).toEqual([1, ' 0@1200 1@3000 2@3000']);
  expect(shownUntil()).toEqual([1, 2, 2, 3]);
  // The log has both slots in one entry.
  timeline.showUnstored(false, at(5700));
  readByAll([own], at(5700));
  expect([timeline.stateAt(at(9000)), timeline.next(), timeline.unstored()]).toEqual([3, 2, []]);
});

test('an entry that all have read is shown at its instant, also during an outage', () => {
  const own = entry(0, 0, [slot(0)]);
  timeline.propose(own);
  timeline.stored([own], at(100));
  expect(timeline.stateAt(at(1000))).toBe(0);
  timeline.confirm(1);
  timeline.showUnstored(true, at(900));
  expect([timeline.stateAt(at(1000)), timeline.unstored()]).toEqual([1, []]);
});

/** Shows seconds 0 to 3 from memory, of which the log has other entries. */
function showOwn(signals: readonly PlacedSignal[] = []): void {
  for (const number of [0, 1, 2, 3]) timeline.propose(entry(number, 1000 * number, [slot(number)], { signals }));
  timeline.showUnstored(true, at(0));
  timeline.stateAt(at(4000));
}

test('after an outage, the log is followed from the first slot that was not shown', () => {
  showOwn();
  const checkpoint = { numbers: [7], discontinuity: 0 };
  readByAll([entry(0, 5, [slot(0), slot(1)]), entry(1, 10, [slot(2), slot(3), slot(4)], { checkpoint })], at(4000));
  readByAll([entry(2, 20, [slot(5)], { checkpoint })], at(4000));
  timeline.stateAt(at(9000));
  expect(shown()).toEqual([0, 1, 2, 3, 4, 5].map((second) => [second, second]));
  expect(applied.slice(-2).map(({ slots }) => slots[0]!.isNewStretch)).toEqual([false, false]);
});

test('as long as its numbers differ from what was shown, the checkpoints of the log are not adopted', () => {
  showOwn();
  const [other, same] = [3, 7].map((number) => ({ numbers: [number], discontinuity: 0 }));
  readByAll([entry(0, 5, [slot(0), slot(1), slot(2), slot(3)])], at(4000));
  for (const [number, checkpoint] of [other, other, same, same].entries())
    readByAll([entry(1 + number, 10, [slot(4 + number)], { checkpoint: checkpoint! })], at(4000));
  timeline.stateAt(at(9000));
  expect(applied.slice(-4).map(({ checkpoint }) => checkpoint)).toEqual([undefined, undefined, same, same]);
});

test('slots that the log numbers differently continue the shown numbers, and start a stretch where they do not continue', () => {
  showOwn();
  readByAll([entry(0, 5, [slot(0), slot(1, 6), slot(2, 7)])], at(4000));
  readByAll([entry(1, 6, [slot(3, 8)], { checkpoint: { numbers: [3], discontinuity: 0 } })], at(4000));
  timeline.stateAt(at(9000));
  expect(shown().slice(-4)).toEqual([
    [3, 3],
    [4, 6],
    [5, 7],
    [6, 8],
  ]);
  expect(applied.slice(-2).flatMap(({ slots }) => slots.map(({ isNewStretch }) => isNewStretch))).toEqual([
    ...[true, false, false],
  ]);
  expect(applied.at(-1)!.checkpoint).toBeUndefined();
});

test('a slot of the log starts a stretch where another node has placed the same segments at other times', () => {
  showOwn();
  readByAll([entry(0, 5, [slot(0), slot(1), slot(2), { ...slot(4), number: 3, start: instant(3000) }])], at(4000));
  readByAll([entry(1, 6, [{ ...slot(5), number: 4, start: instant(4000) }])], at(4000));
  timeline.stateAt(at(9000));
  expect(applied.at(-1)!.slots.map(({ number, isNewStretch }) => [number, isNewStretch])).toEqual([[4, true]]);
});

test('signals that were shown are not applied again when another process has logged them', () => {
  showOwn([signal(9000, 5)]);
  readByAll([entry(0, 5, [slot(0)], { signals: [signal(9000, 9), signal(12_000, 11)] })], at(4000));
  timeline.stateAt(at(9000));
  expect(applied.at(-1)!.signals).toEqual([signal(12_000, 11)]);
});

test('a slot of the log that starts before the end of what was shown is not shown, so that the timeline does not go back', () => {
  showOwn();
  readByAll([entry(0, 5, [slot(0, 3.1), slot(1, 4.1)])], at(4000));
  timeline.stateAt(at(9000));
  expect(shown().slice(-2)).toEqual([
    [3, 3],
    [4, 4.1],
  ]);
});

// What a process shows of its own during an outage of the store, with real timelines: nothing that was listed is listed otherwise.

const feed = liveFeed(50, 1);
const plan: OriginPlan = { frames: 50, breaks: [{ slot: 6, ends: 14, announced: secondsToFlicks(16) }] };
const log = writeLog(feed, plan, { fill: 'slate', maxBreak: secondsToFlicks(180) }, 20, () => 0);
const initial = initialState(feed, mediaOf(feed), 600_000);

const timelineOf = () =>
  createLiveFeedTimeline<LiveState, LiveState>({
    initial,
    start: initial,
    visibleDelay: 1000,
    apply: applyEntry,
    tailAfter: applyEntry,
    split: splitEntry,
    rejoin: () => undefined,
  });

/** The entries as one reading of them all. */
const asOne = (entries: readonly LiveEntry[]): LiveEntry => ({
  ...entries.at(-1)!,
  number: entries[0]!.number,
  ...(entries[0]!.checkpoint && { checkpoint: entries[0]!.checkpoint }),
  slots: entries.flatMap(({ slots }) => slots),
  signals: entries.flatMap(({ signals }) => signals),
});

/** The numbers of the first rung by the start of their span, and how many spans are the start of a break. */
function shownIn(state: LiveState) {
  const end = millis(LIVE_START.millis + 2_000_000);
  const spans = liveProgramme(state).spansBetween(LIVE_START.millis, end);
  const numbers = spans.map(({ placed, numbers: [first] }) => [placed.startsAt, first] as const);
  return {
    numbers: new Map<number, number | undefined>(numbers),
    breaks: spans.filter((span) => span.break !== undefined).length,
  };
}

/** Whether the store is away before or after the entry was written, and the number of entries before it and in it. */
const cases = [
  { stored: 4, read: 8, withdrawn: 0 },
  { stored: 6, read: 3, withdrawn: 0 },
  { stored: 5, read: 6, withdrawn: 2 },
  { stored: 6, read: 4, withdrawn: 3 },
  { stored: 4, read: 2, withdrawn: 6 },
];

test.each(cases)('a break that begins in a reading during an outage is listed after what was listed: %o', (one) => {
  const { stored, read, withdrawn } = one;
  const timeline = timelineOf();
  const [known, unread, own] = [
    log.slice(0, stored),
    log.slice(stored, stored + withdrawn),
    log.slice(stored + withdrawn, stored + withdrawn + read),
  ];
  timeline.follow(known, millis(known.at(-1)!.readAt));
  timeline.confirm(stored);
  // Others cannot have read these before the outage.
  const lostAt = millis(known.at(-1)!.visibleAt);
  timeline.follow(unread, lostAt);
  const seen = shownIn(timeline.stateAt(lostAt)).numbers;
  timeline.showUnstored(true, lostAt);
  timeline.propose({ ...asOne(own), number: stored + withdrawn });
  const last = millis(own.at(-1)!.readAt + 60_000);
  const shown = shownIn(timeline.stateAt(last));
  for (const [start, number] of seen) expect([start, shown.numbers.get(start)]).toEqual([start, number]);
  expect([...shown.numbers.keys()][0]).toBe(clockAt(LIVE_START, 0));
  const numbers = [...shown.numbers.values()].map(Number);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(shown.breaks).toBe(1);
});
