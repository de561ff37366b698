// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { LIVE_START, liveFeed, mediaOf, type OriginPlan, writeLog } from '../../../test/laws/syntheticLive.ts';
import { millis, secondsToFlicks } from '../../time/units.ts';
import { BY_HAND } from '../breaks/insertedFacts.ts';
import type { LiveEntry, PlacedSignal } from '../slot.ts';
import { applyEntry } from './applyEntry.ts';
import { checkpointOf } from './checkpoint.ts';
import { liveProgramme } from './liveProgramme.ts';
import { initialState, type LiveState } from './liveState.ts';
import { rejoinLog } from './splitEntry.ts';

const feed = liveFeed(50, 1);
const rules = { fill: 'slate', maxBreak: secondsToFlicks(180) } as const;
const plan: OriginPlan = { frames: 50, breaks: [{ slot: 6, ends: 14, announced: secondsToFlicks(16) }] };
const log = writeLog(feed, plan, rules, 24, () => 0);
const withoutCheckpoint = ({ checkpoint: _, ...entry }: LiveEntry): LiveEntry => entry;

/** The ids of spans by their starts. */
function shownIn(state: LiveState): ReadonlyMap<number, string> {
  const to = millis(LIVE_START.millis + 100 * 2000);
  const spans = liveProgramme(state).spansBetween(LIVE_START.millis, to);
  return new Map(spans.filter(({ placed }) => placed.startsAt < to).map(({ id, placed }) => [placed.startsAt, id]));
}

test.each([
  [5, 5],
  [7, 15],
  [8, 15],
  [11, 15],
  [15, 15],
])(
  'a node that has shown entries of its own up to %i is on the log again at entry %i, and nothing shown changes',
  (joined, rejoins) => {
    const own = log.slice(4, joined).map((entry) => ({ ...withoutCheckpoint(entry), number: entry.number + 5 }));
    const shown = [...log.slice(0, 4), ...own];
    let state = shown.reduce(applyEntry, initialState(feed, mediaOf(feed), 600_000));
    let stored = log.slice(0, joined).reduce(applyEntry, initialState(feed, mediaOf(feed), 600_000));
    let rejoinedAt: number | undefined;
    const seen = new Map(shownIn(state));
    for (const entry of log.slice(joined)) {
      const rejoined = rejoinedAt === undefined ? rejoinLog(state, stored, entry) : undefined;
      if (rejoined !== undefined) rejoinedAt = entry.number;
      state = applyEntry(rejoined ?? state, rejoinedAt === undefined ? withoutCheckpoint(entry) : entry);
      stored = applyEntry(stored, entry);
      const now = shownIn(state);
      for (const [start, id] of seen) expect([start, now.get(start)]).toEqual([start, id]);
      for (const [start, id] of now) seen.set(start, id);
    }
    expect(rejoinedAt).toBe(rejoins);
    expect([...seen.values()].filter((id) => /-0$/.test(id))).toHaveLength(1);
    expect(state.breaks).toEqual(stored.breaks);
  },
);

test('a node that is on the log again during a blackout continues the break that the blackout interrupts, as the log does', () => {
  const [{ announced: _, ...marked }] = plan.breaks as [OriginPlan['breaks'][number]];
  const written = writeLog(feed, { ...plan, breaks: [{ ...marked, ends: 30 }] }, rules, 20, () => 0);
  const blackout: PlacedSignal = {
    kind: 'out',
    source: BY_HAND,
    id: 'o',
    line: 0,
    raw: 'blackout 8 s',
    duration: secondsToFlicks(8),
    at: written[10]!.slots[0]!.start,
    inserted: { kind: 'blackout' },
  };
  let stored = initialState(feed, mediaOf(feed), 600_000);
  let state = stored;
  let isRejoined = false;
  for (const one of written) {
    const checkpoint = checkpointOf(stored);
    const signals = one.number === 10 ? [blackout] : one.signals;
    const entry = { ...withoutCheckpoint(one), signals, ...(checkpoint && { checkpoint }) };
    // The start of the break is read during an outage, and has another id.
    const isApart = one.number >= 4 && one.number < 8;
    const rejoined: LiveState | undefined = isRejoined || one.number < 8 ? undefined : rejoinLog(state, stored, entry);
    isRejoined ||= rejoined !== undefined;
    const shown = isRejoined ? entry : withoutCheckpoint(entry);
    state = applyEntry(rejoined ?? state, isApart ? { ...shown, number: one.number + 5 } : shown);
    stored = applyEntry(stored, entry);
    if (isRejoined) expect(state.sections.at(-1)!.id).toBe(stored.sections.at(-1)!.id);
  }
  expect(stored.sections.map(({ kind }) => kind)).toEqual([undefined, 'blackout', undefined]);
  expect(isRejoined).toBe(true);
});
