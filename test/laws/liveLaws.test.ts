// SPDX-License-Identifier: Apache-2.0
// The laws of published manifests (docs/laws.md) on live channels: random origins, breaks, orders of operators, decisions, polls and
// nodes.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addEntryBreaks, type BreakList } from '../../src/live/breaks/breakList.ts';
import type { LiveEntry } from '../../src/live/slot.ts';
import { viewAt } from '../../src/playback/view/view.ts';
import type { Viewer } from '../../src/playback/viewers/viewers.ts';
import type { JoinedLive } from '../../src/sessions/session.ts';
import { flicks, framesToFlicks, millis, secondsToFlicks } from '../../src/time/units.ts';
import { after } from '../../src/timeline/programme/span.ts';
import { isThorough, lawRuns } from '../lawRuns.ts';
import { seededRandom } from '../seededRandom.ts';
import { DeltaWitness, updatesOf } from './deltaWitness.ts';
import { liveDecider } from './liveDecider.ts';
import { liveOperator } from './liveOperator.ts';
import { ChannelWitness, expectAligned } from './shared/channelWitness.ts';
import { hlsDeltaOf, hlsOf, mpdOf, placeOn } from './syntheticChannel.ts';
import {
  framesBetween,
  LAG,
  LIVE_START,
  liveFeed,
  liveNode,
  liveViewer,
  type OriginBreak,
  type OriginPlan,
  writeLog,
} from './syntheticLive.ts';
import { ColumnWitness, RowsWitness } from './witness.ts';

const SLOTS = 120;

const plansWith = (isOperated: fc.Arbitrary<boolean>) =>
  fc.record({
    frames: fc.constantFrom(48, 50, 96, 150),
    qualities: fc.integer({ min: 1, max: 2 }),
    fill: fc.constantFrom('slate' as const, 'content' as const),
    passes: fc.boolean(),
    isOperated,
    hasPreroll: fc.boolean(),
    joinSlot: fc.integer({ min: 20, max: 60 }),
    window: fc.option(fc.constantFrom(6000, 20_000, 30_000), { nil: undefined }),
    short: fc.uniqueArray(fc.integer({ min: 12, max: SLOTS }), { maxLength: 20 }),
    stretches: fc.uniqueArray(fc.integer({ min: 1, max: SLOTS }), { maxLength: 3 }),
    aways: fc.array(fc.record({ slot: fc.integer({ min: 1, max: SLOTS }), count: fc.integer({ min: 1, max: 60 }) }), {
      maxLength: 2,
    }),
    breaks: fc.array(
      fc.record({
        gap: fc.integer({ min: 2, max: 25 }),
        length: fc.integer({ min: 1, max: 14 }),
        /** What the markers say: exact, shorter, longer, nothing, or not a whole number of segments. */
        announced: fc.constantFrom('exact', 'short', 'long', 'none', 'odd'),
        leadSlots: fc.constantFrom(0, 0, 1, 8),
        hasIn: fc.boolean(),
        continues: fc.boolean(),
        form: fc.constantFrom('cues' as const, 'range' as const),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  });
type Drawn = ReturnType<typeof plansWith> extends fc.Arbitrary<infer Value> ? Value : never;

function planOf({ frames, window, stretches, breaks, aways, ...drawn }: Drawn): OriginPlan {
  const short = new Set(drawn.short);
  const factors = { exact: 1, short: 0.5, long: 1.7, odd: 0.93 };
  let at = 12;
  const placed = breaks.map(({ gap, length, announced, leadSlots, hasIn, continues, form }): OriginBreak => {
    const start = at + gap;
    at = start + length;
    const whole = framesToFlicks(framesBetween({ frames, short }, start, at), { n: 25, d: 1 });
    const known = announced === 'none' ? {} : { announced: flicks(Math.round(whole * factors[announced])) };
    // A break of unknown length ends by its marker.
    return {
      slot: start,
      ends: start + length,
      ...known,
      leadSlots,
      hasIn: hasIn || announced === 'none',
      continues,
      form,
    };
  });
  return {
    frames,
    short,
    breaks: placed,
    aways,
    stretches: new Set(stretches),
    ...(window === undefined ? {} : { window }),
  };
}

/** The slot from which a node reads that needs slot `from`: it reads the signals of breaks that are not over there. */
const firstSlot = ({ breaks }: OriginPlan, from: number): number =>
  breaks.reduceRight((first, { slot, ends, leadSlots = 0 }) => {
    const known = Math.max(0, slot - leadSlots);
    return known < first && first <= slot + 2 * (ends - slot) ? known : first;
  }, from);

/** The last slot before an entry. */
const slotBefore = (entries: readonly LiveEntry[], index: number): number =>
  entries
    .slice(0, index)
    .findLast(({ slots }) => slots.length > 0)
    ?.slots.at(-1)?.number ?? 0;

/** The entry with which a node begins; it has read those that insert breaks which are not over there. */
function firstEntry(plan: OriginPlan, entries: readonly LiveEntry[], from: number): number {
  const index = entries.findIndex(({ slots }) => slots[0]?.number === firstSlot(plan, from));
  const { start } = entries[index]!.slots[0]!;
  const breaks = entries.slice(0, index).reduce<BreakList | undefined>(addEntryBreaks, undefined)?.breaks ?? [];
  const inserted = breaks.filter(({ inserted: kind, startsAt, endsAt, duration }) => {
    const end = endsAt ?? (duration === undefined ? undefined : after(startsAt, duration));
    return kind !== undefined && (end === undefined || end.millis > start.millis - 10_000);
  });
  // The ids of breaks begin with the number of the entry.
  const first = Math.min(...inserted.map(({ id }) => Math.floor(Number(id) / 100_000)));
  return first < index ? firstEntry(plan, entries, slotBefore(entries, first)) : index;
}

async function holds(isOperated: boolean, parameters: fc.Parameters<[Drawn, number]>): Promise<void> {
  let updates = 0;
  await fc.assert(
    fc.asyncProperty(plansWith(fc.constant(isOperated)), fc.integer(), async (drawn, seed) => {
      const random = seededRandom(seed);
      const feed = liveFeed(drawn.frames, drawn.qualities);
      const plan = planOf(drawn);
      const slotMillis = drawn.frames * 40;
      const rules = {
        fill: drawn.fill,
        maxBreak: secondsToFlicks(25),
        ...(drawn.passes ? { markers: 'pass' as const } : {}),
      };
      const operator = drawn.isOperated ? liveOperator(feed, random) : undefined;
      const entries = writeLog(feed, plan, rules, SLOTS, () => random() * 0.1 * slotMillis, operator);
      // A node reads at least what windows list.
      const latest = Math.max(0, drawn.joinSlot - Math.ceil(45_000 / slotMillis));
      const nodes = [0, Math.floor(random() * latest)].map((from) =>
        liveNode(feed, entries, firstEntry(plan, entries, from), { breakFill: drawn.fill }),
      );
      const joinTime = LIVE_START.millis + drawn.joinSlot * slotMillis + LAG + 700;
      const opening = nodes[0]!.airingAt(joinTime);
      const { programme } = opening;
      const edge = programme.edgeAt(millis(joinTime));
      const start = programme.borderBefore!(millis(edge - 10_000));
      const isInBreak = programme.borderBefore!(edge) === undefined;
      const preroll = drawn.hasPreroll && !isInBreak && start ? { start, duration: secondsToFlicks(9) } : undefined;
      const live: JoinedLive = { joinedAt: edge, ...(preroll && { preroll }) };
      const viewers = (['hls', 'dash'] as const).map((format) => liveViewer(opening, joinTime, live, format));
      const [forHls, forDash] = viewers as [Viewer, Viewer];
      const decider = liveDecider(random, viewers);
      const columns = feed.ladder.rungs.map(({ id }) => new ColumnWitness(id, feed.ladder.frameRate));
      const deltas = columns.map(() => new DeltaWitness());
      const rows = new RowsWitness();
      const everyone = new ChannelWitness(feed.ladder);
      const last = entries.at(-1)!.visibleAt;
      for (let now = joinTime; now < last; now = Math.floor(now + 300 + random() * 2000)) {
        const airing = nodes[random() < 0.5 ? 0 : 1]!.airingAt(now);
        for (const viewer of viewers) placeOn(airing, viewer);
        // Decisions that begin with this poll are listed from the next one on: the same in both formats.
        for (const viewer of viewers) await viewAt(airing, viewer, decider, millis(now));
        for (const viewer of viewers) placeOn(airing, viewer);
        const view = await viewAt(airing, forHls, decider, millis(now));
        const seen = columns.map((column, rung) => column.check(hlsOf(view, rung), now));
        for (const [rung, one] of deltas.entries()) one.check(hlsOf(view, rung), hlsDeltaOf(view, rung));
        const periods = rows.check(mpdOf(await viewAt(airing, forDash, decider, millis(now))));
        expectAligned(feed.ladder, seen, periods, now);
        const [here, there] = nodes.map((node) => node.airingAt(now));
        everyone.check(here!, now, there);
      }
      updates += updatesOf(deltas);
    }),
    parameters,
  );
  if (isThorough) expect(updates, 'delta updates').toBeGreaterThan(0);
}

test('laws 1 to 8 hold with any live origin, breaks, decisions, polls and nodes', async () => {
  await holds(false, lawRuns(6));
}, 120_000);

test('laws 1 to 8 hold with orders of operators', async () => {
  await holds(true, lawRuns(6));
}, 120_000);
