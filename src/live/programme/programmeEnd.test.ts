// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { liveFeed, mediaOf, type OriginPlan, writeLog } from '../../../test/laws/syntheticLive.ts';
import { flicks, framesToFlicks, secondsToFlicks } from '../../time/units.ts';
import { after } from '../../timeline/programme/span.ts';
import type { PlacedSignal } from '../slot.ts';
import { applyEntry } from './applyEntry.ts';
import { initialState, type LiveState } from './liveState.ts';
import { type LivePiece, piecesAfter } from './nextPieces.ts';
import { piecesUntilEnd } from './programmeEnd.ts';
import type { Recorded } from './recordedContent.ts';

const feed = liveFeed(50, 1);
const rules = { fill: 'slate', maxBreak: secondsToFlicks(180) } as const;
const SLOT = framesToFlicks(50, { n: 25, d: 1 });

/** A feed of 12 slots of 2 s. @param ends in slots @param ahead of it, the end is read */
function stateOf(ends: readonly number[], breaks: OriginPlan['breaks'] = [], count = 12): LiveState {
  const log = writeLog(feed, { frames: 50, breaks }, rules, 12, () => 0).slice(0, count);
  const { start } = log[0]!.anchor;
  const signals = ends.map(
    (slot): PlacedSignal => ({
      kind: 'programmeEnd',
      at: after(start, slot * SLOT),
      source: 's',
      line: 1,
      raw: `${slot}`,
    }),
  );
  const [first, ...rest] = log;
  const heard = [
    { ...first!, signals: [...first!.signals, ...signals].sort((a, b) => a.at.millis - b.at.millis) },
    ...rest,
  ];
  return heard.reduce(applyEntry, initialState(feed, mediaOf(feed), 600_000));
}

const first = (state: LiveState): number =>
  state.runs.flatMap((run) => (run.kind === 'content' ? run.chunks : []))[0]!.slots[0]!.number;
/** What was recorded up to a slot. */
const upTo = (state: LiveState, slot: number): Recorded =>
  ({
    kind: 'content',
    slots: [{ number: first(state) + slot }],
    run: state.runs.find(({ kind }) => kind === 'content')!,
  }) as never;

const shown = (state: LiveState, pieces: readonly LivePiece[] | undefined) =>
  pieces?.flatMap((piece): (string | number)[] =>
    piece.kind === 'break' ? ['break'] : piece.slots.map(({ number }) => number - first(state)),
  );

function untilEnd(state: LiveState, slot: number) {
  const last = upTo(state, slot);
  return shown(state, piecesUntilEnd(state, last, piecesAfter(state, last, flicks(0))));
}

test.each([
  ['at a border', [6], 3, [4, 5]],
  ['in the first half of a slot', [6.3], 3, [4, 5]],
  ['in the second half of a slot', [6.7], 3, [4, 5, 6]],
  ['where what was recorded ends', [4], 3, []],
  ['the first of several', [6, 8], 3, [4, 5]],
  ['one of an earlier programme', [2], 3, undefined],
  ['none', [], 3, undefined],
  ['one that the origin has not reached', [12.5], 3, undefined],
  ['at the edge, with nothing after it', [12], 3, [4, 5, 6, 7, 8, 9, 10, 11]],
] as const)('the programme ends: %s', (_, ends, recorded, expected) => {
  expect(untilEnd(stateOf(ends), recorded)).toEqual(expected);
});

test('a break before the end is shown, one after it is not', () => {
  const breaks = [{ slot: 5, ends: 8, announced: flicks(3 * SLOT) }];
  expect(untilEnd(stateOf([8], breaks), 3)).toEqual([4, 'break']);
  expect(untilEnd(stateOf([7], breaks), 3)).toEqual([4, 'break']);
  expect(untilEnd(stateOf([5], breaks), 3)).toEqual([4]);
});

test('what follows a break that was recorded ends where the break does, at the earliest', () => {
  const state = stateOf([7], [{ slot: 5, ends: 8, announced: flicks(3 * SLOT) }]);
  const [section] = state.sections;
  const last: Recorded = { kind: 'break', life: feed.life, until: after(section!.start, 3 * SLOT) };
  expect(shown(state, piecesUntilEnd(state, last, piecesAfter(state, last, flicks(0))))).toEqual([]);
});

test('a beginning does not end where the programme before it does', () => {
  const state = stateOf([4]);
  const pieces = piecesAfter(state, upTo(state, 3), flicks(0));
  expect(piecesUntilEnd(state, undefined, pieces)).toBeUndefined();
});
