// SPDX-License-Identifier: Apache-2.0
// What a process shows of its own during an outage of the store, with real timelines: nothing that was listed is listed otherwise.
import { expect, test } from 'vitest';
import { LIVE_START, liveFeed, mediaOf, type OriginPlan, writeLog } from '../../../test/laws/syntheticLive.ts';
import { applyEntry } from '../../live/programme/applyEntry.ts';
import { liveProgramme } from '../../live/programme/liveProgramme.ts';
import { initialState, type LiveState } from '../../live/programme/liveState.ts';
import { splitEntry } from '../../live/programme/splitEntry.ts';
import type { LiveEntry } from '../../live/slot.ts';
import { flicks, millis, secondsToFlicks } from '../../time/units.ts';
import { clockAt } from '../../timeline/programme/span.ts';
import { createLiveFeedTimeline } from './feedTimeline.ts';

const feed = liveFeed(50, 1);
const plan: OriginPlan = {
  frames: 50,
  stretches: new Set(),
  breaks: [{ slot: 6, ends: 14, announced: flicks(secondsToFlicks(16)), leadSlots: 0, hasIn: true, continues: false }],
};
const log = writeLog(feed, plan, { fill: 'slate', maxBreak: secondsToFlicks(180) }, 20, () => 0);
const initial = initialState(feed, mediaOf(feed), 600_000);

const timelineOf = () =>
  createLiveFeedTimeline<LiveState, LiveState>({
    ...{ initial, start: initial, visibleDelay: 1000 },
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
