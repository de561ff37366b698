// SPDX-License-Identifier: Apache-2.0

import { expect, test } from 'vitest';
import { liveFeed, mediaOf, type OriginPlan, writeLog } from '../../../test/laws/syntheticLive.ts';
import { flicks, millis, secondsToFlicks } from '../../time/units.ts';
import type { BreakFact } from '../breaks/breakFact.ts';
import type { LiveEntry } from '../slot.ts';
import { applyEntry, hasPassedBreak } from './applyEntry.ts';
import { liveProgramme } from './liveProgramme.ts';
import { initialState, type LiveState } from './liveState.ts';

const feed = liveFeed(50, 1);
const rules = { fill: 'slate', maxBreak: secondsToFlicks(180) } as const;
const oneBreak = { slot: 2, ends: 5, announced: secondsToFlicks(6) };
const logWith = (breaks: OriginPlan['breaks']) => writeLog(feed, { frames: 50, breaks }, rules, 12, () => 0);
const stateOf = (log: readonly LiveEntry[]): LiveState =>
  log.reduce(applyEntry, initialState(feed, mediaOf(feed), 600_000));

/** The media sequence numbers that follow. */
const nextNumbers = (log: readonly LiveEntry[]) => stateOf(log).next.numbers;

test('segments that were not read keep their numbers (law 3), and what comes before them is not listed any more', () => {
  const log = logWith([]).map(({ checkpoint: _, ...entry }): LiveEntry => entry);
  const missed = log.map((entry, index) =>
    index === 6 ? { ...entry, slots: entry.slots.map((slot) => ({ ...slot, missed: 3, isNewStretch: true })) } : entry,
  );
  expect(log[6]!.slots).toHaveLength(1);
  expect(nextNumbers(missed)).toEqual(nextNumbers(log).map((number) => number + 3));
  const [run] = stateOf(missed).runs;
  expect(run).toMatchObject({ kind: 'content', stretch: { start: log[6]!.slots[0]!.start } });
});

test('decisions of breaks that the timeline has forgotten count, and those of breaks that it does not have do not', () => {
  const state = stateOf(logWith([oneBreak]));
  const later = {
    ...state,
    sections: [],
    breaks: { ...state.breaks!, breaks: state.breaks!.breaks.map((fact) => ({ ...fact, id: '5' })) },
  };
  const { isOnSchedule } = liveProgramme(later);
  expect(['3-0', '9-0'].map(isOnSchedule)).toEqual([true, false]);
});

test('a segment that is listed again after an outage of the store has no markers', () => {
  const tags = ['#EXT-X-DATERANGE:ID="b"'];
  const log = logWith([]).map(({ checkpoint: _, ...entry }): LiveEntry => entry);
  const marked = (entry: LiveEntry, like = entry): LiveEntry => ({
    ...entry,
    slots: entry.slots.map((slot) => ({ ...slot, tags, segments: like.slots[0]!.segments })),
  });
  const again = log.slice(0, 9).map((entry, at) => (at < 7 ? entry : at === 7 ? marked(entry) : marked(entry, log[7])));
  const listed = stateOf(again).runs.flatMap((run) => (run.kind === 'content' ? run.chunks : []));
  expect(listed.flatMap(({ slots }) => slots.map((slot) => slot.tags)).slice(-2)).toEqual([tags, undefined]);
});

const at = (seconds: number) => ({ millis: millis(1000 * seconds), rest: flicks(0) });
const breaks = [10, 20, 30].map((seconds) => ({ startsAt: at(seconds) }) as BreakFact);

test.each([
  [11, 13, false],
  [18, 20, false],
  [20, 22, true],
  [19, 21, true],
  [5, 40, true],
  [31, 33, false],
  [5, 9, false],
] as const)(
  'whether a timeline that grows from %i to %i s passes a break at 10, 20 or 30 s: %s',
  (from, to, passes) => {
    expect(hasPassedBreak(breaks, at(from), at(to))).toBe(passes);
    expect(hasPassedBreak([], at(from), at(to))).toBe(false);
  },
);
