// SPDX-License-Identifier: Apache-2.0
// The editions that put a new schedule on air: the first edition of a new channel; for a running one, a bridge (the rest of
// the item on air and of the list after it), then the new cycle.
import { defined } from '../../invariant.ts';
import { flicks, flicksToMillis, type Millis, millis, repeat } from '../../time/units.ts';
import { clockAt } from '../../timeline/programme/span.ts';
import type { AiringRecord, EditionEnd, EditionRecord, SlotRecord } from './airing.ts';
import { type Base, countedAfter, type Edition, layCycle, type Place, type SlotPlan, spanAt } from './edition.ts';
import { type Leaving, leaveAt, restOf, resumeIndex } from './resume.ts';

/** What is played once. */
export type Bridge = {
  readonly plans: readonly SlotPlan[];
  /** Of a schedule: see `EditionRecord`. */
  readonly scheduled?: Required<Pick<EditionRecord, 'entries' | 'next'>>;
};

export type Schedule = {
  /** What is played over and over, once everything else has been played. */
  readonly plans: readonly SlotPlan[];
  /** The URL of each of the playlist's items; null where it has none. */
  readonly items: readonly (string | null)[];
  readonly record: (plan: SlotPlan) => SlotRecord;
  /** Where it continues after an edition of another list or an older schedule is left. */
  readonly placeOf: (next: Place, before: EditionRecord) => Place;
  /** What it plays once from a place on, before its cycle starts. */
  readonly bridge: (place: Place, at: Millis) => Bridge;
};

/**
 * The start of the first cycle, early enough that the first viewer has a full window.
 * @param anchor the playlist's startDate; one of the cycles starts exactly then
 */
export function firstStart(plans: readonly SlotPlan[], now: Millis, depth: number, anchor: Millis | undefined): Millis {
  if (anchor === undefined) return millis(now - depth);
  const { cycle } = layCycle(plans);
  const cycles = Math.floor((now - depth - anchor) / flicksToMillis(cycle)) - 1;
  const { millis: elapsed, rest } = repeat(cycle, cycles);
  return clockAt({ millis: millis(anchor + elapsed), rest }, 0);
}

/** The first editions of a life: what is played once, and the cycle. */
export function firstEditions(
  { channelId, life, startedAt, ladder }: AiringRecord,
  schedule: Schedule,
): EditionRecord[] {
  const bridge = schedule.bridge({ item: -1, at: flicks(0), played: 0 }, startedAt);
  const segments = new Array<number>(ladder.rungs.length).fill(0);
  const base = () => ({ segments, discontinuities: 0 });
  const chain = chainOf({ channelId, life, number: 0, from: startedAt, base }, schedule, bridge);
  if (bridge.plans.length > 0) chain.add(bridge.plans, { times: 1, isBridge: true });
  chain.add(schedule.plans);
  return chain.made.map(({ record }) => record);
}

const urlsOf = (list: readonly (string | null)[]) => list.map((url) => url ?? undefined);

/** The schedule of a playlist: its items, one after the other, over and over. */
export function playlistSchedule(list: Pick<Schedule, 'plans' | 'items' | 'record'>): Schedule {
  const { plans, items } = list;
  return {
    ...list,
    placeOf(next, before) {
      const found = resumeIndex(urlsOf(before.items), urlsOf(items), next.item);
      if (found === undefined) return { item: -1, at: flicks(0), played: 0 };
      return found.isSame ? { ...next, item: found.index } : { item: found.index, at: flicks(0), played: 0 };
    },
    // What remains of the list before its cycle starts again.
    bridge({ item, at, played }) {
      if (item < 0) return { plans: [] };
      const ofItem = plans.filter((plan) => plan.item === item);
      const rest = restOf(ofItem, at, played);
      const isWhole =
        item === 0 && rest.length === ofItem.length && rest.every((slot, index) => slot === ofItem[index]);
      return { plans: isWhole ? [] : [...rest, ...plans.filter((plan) => plan.item > item)] };
    },
  };
}

/** What an operator has inserted, to be put on air. */
export type Insertion = {
  readonly id: string;
  /** Repeated before `rest`: a long blackout. */
  readonly loop?: { readonly plan: SlotPlan; readonly times: number };
  readonly rest: SlotPlan;
};

/** A break or a blackout that an operator has inserted. */
export type InsertedPlan = Insertion & {
  readonly startsAt: Millis;
  /** Milliseconds. */
  readonly length: number;
  /** Set once the asset of a blackout is ready; `during` plans it for so many milliseconds, if that is long enough. */
  readonly asset?: { readonly slateId: string; readonly during: (length: number) => Insertion | undefined };
};

/** The edition that is left, without its end. */
export type Current = { readonly edition: Edition; readonly record: EditionRecord };

/** `base`: the counters before a slot, which may continue the one before it. */
type ChainStart = Pick<EditionRecord, 'channelId' | 'life' | 'number' | 'from' | 'after'> & {
  readonly base: (next: SlotPlan) => Base;
};

/** Editions that follow each other, with the counters that continue through them. */
function chainOf(start: ChainStart, { items, record: recordOf }: Schedule, { scheduled }: Bridge) {
  const made: Current[] = [];
  const { channelId, life } = start;
  let { number, from, base: baseOf, after } = start;
  return {
    made,
    /** @param times how often it is played; absent for the last one */
    add(plans: readonly SlotPlan[], { times, isBridge }: { times?: number; isBridge?: true } = {}): void {
      const isCycle = times === undefined;
      const more = {
        ...(isBridge && { isBridge }),
        ...(scheduled && (isBridge || isCycle) && { next: scheduled.next }),
      };
      const slots = plans.map(recordOf);
      const base = baseOf(defined(plans[0], 'an edition has slots'));
      const own: EditionRecord = {
        channelId,
        life,
        items,
        number,
        base,
        from,
        slots,
        ...more,
        ...(after && { after }),
        ...(scheduled && { entries: scheduled.entries }),
      };
      const laid: Edition = { number, from, base, ...layCycle(plans), ...more };
      if (isCycle) {
        made.push({ record: own, edition: laid });
        return;
      }
      const position = times * plans.length - 1;
      const { clip } = defined(plans.at(-1), 'an edition has slots');
      made.push({ record: own, edition: { last: { position, clip }, ...laid } });
      number += 1;
      from = clockAt(spanAt(laid, position + 1).placed.start, 0);
      baseOf = (next) => countedAfter(laid, position, clip, next);
      after = { position, to: flicks(clip.from + clip.duration) };
    },
  };
}

/** When the list continues after what is inserted. */
const endAfterInserted = (at: Millis, { loop, rest }: Insertion): Millis =>
  millis(
    at +
      (loop === undefined ? 0 : flicksToMillis(loop.plan.clip.duration) * loop.times) +
      flicksToMillis(rest.clip.duration),
  );

const endOf = ({ position, clip, ended }: Leaving): EditionEnd => ({
  position,
  to: flicks(clip.from + clip.duration),
  ...(ended === undefined ? {} : { ended }),
});

/**
 * The editions after an edition that is left: what is inserted, the rest of the item and of the list, then the new cycle.
 * @param number of the first new edition; higher than any that was ever stored
 */
export function continueAfter(
  current: Current,
  leaving: Leaving,
  schedule: Schedule,
  number: number,
  inserted?: Insertion,
): Current[] {
  const place = schedule.placeOf(leaving.next, current.record);
  const bridge = schedule.bridge(place, inserted === undefined ? leaving.at : endAfterInserted(leaving.at, inserted));
  const { channelId, life } = current.record;
  const base = (next: SlotPlan) => countedAfter(current.edition, leaving.position, leaving.clip, next);
  const start = { channelId, life, number, from: leaving.at, base, after: endOf(leaving) };
  const chain = chainOf(start, schedule, bridge);
  if (inserted === undefined) {
    if (bridge.plans.length > 0) chain.add(bridge.plans, { times: 1, isBridge: true });
  } else {
    const { played, ...where } = place;
    const marked = (plan: SlotPlan): SlotPlan => ({ ...plan, ...where, inserted: { id: inserted.id, played } });
    const { loop, rest } = inserted;
    if (loop !== undefined) chain.add([marked(loop.plan)], { times: loop.times });
    chain.add([marked(rest), ...bridge.plans], { times: 1, isBridge: true });
  }
  chain.add(schedule.plans);
  return chain.made;
}

/**
 * @param current the edition that is in force at `earliest`, compiled, and its record
 * @param number of the first new edition; higher than any that was ever stored
 */
export const nextEditions = (current: Current, schedule: Schedule, earliest: Millis, number: number): EditionRecord[] =>
  continueAfter(current, leaveAt(current.edition, earliest), schedule, number).map(({ record }) => record);
