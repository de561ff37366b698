// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { LIVE_START, liveFeed, liveNode, type OriginPlan, writeLog } from '../../../test/laws/syntheticLive.ts';
import { flicks, millis, secondsToFlicks } from '../../time/units.ts';
import type { LiveEntry } from '../slot.ts';

const feed = liveFeed(50, 1);
const rules = { fill: 'slate', maxBreak: secondsToFlicks(180) } as const;
const plan: OriginPlan = {
  frames: 50,
  stretches: new Set(),
  breaks: [{ slot: 6, ends: 14, announced: flicks(secondsToFlicks(16)), leadSlots: 0, hasIn: true, continues: false }],
};
const log = writeLog(feed, plan, rules, 24, () => 0);

/** What a node shows after each entry, as the ids of spans by their starts. */
function shownBy(entries: readonly LiveEntry[]): ReadonlyMap<number, string>[] {
  const node = liveNode(feed, entries, 0, {});
  return entries.map(({ visibleAt }) => {
    const { programme } = node.airingAt(visibleAt);
    const to = millis(LIVE_START.millis + 100 * 2000);
    const spans = programme.spansBetween(LIVE_START.millis, to).filter(({ placed }) => placed.startsAt < to);
    return new Map(spans.map(({ id, placed }) => [placed.startsAt, id]));
  });
}

test.each([7, 8, 11, 15])(
  'a node that had read a break on its own follows the log from entry %i on without changing what it has shown',
  (joined) => {
    // During an outage of the store, entries of this process had other numbers, and so had the break in them.
    const own = log.slice(4, joined).map(({ checkpoint: _, ...entry }) => ({ ...entry, number: entry.number + 5 }));
    const states = shownBy([...log.slice(0, 4), ...own, ...log.slice(joined)]);
    const seen = new Map<number, string>();
    for (const shown of states) {
      for (const [start, id] of seen) expect([start, shown.get(start)]).toEqual([start, id]);
      for (const [start, id] of shown) seen.set(start, id);
    }
    expect([...seen.values()].filter((id) => /-0$/.test(id))).toHaveLength(1);
  },
);
