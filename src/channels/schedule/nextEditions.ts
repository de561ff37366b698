// SPDX-License-Identifier: Apache-2.0
// The editions that put a new schedule on air: the first edition of a new channel; for a running one, a bridge (the rest of
// the item on air and of the list after it), then the new cycle.
import { defined } from '../../invariant.ts';
import { flicks, flicksToMillis, type Millis, millis, repeat } from '../../time/units.ts';
import { clockAt } from '../../timeline/programme/span.ts';
import type { AiringRecord, EditionEnd, EditionRecord, SlotRecord } from './airing.ts';
import { countedAfter, type Edition, layCycle, type SlotPlan, spanAt } from './edition.ts';
import { type Leaving, leaveAt, restOf, resumeIndex } from './resume.ts';

export type Schedule = {
  readonly plans: readonly SlotPlan[];
  /** The URL of each of the playlist's items; null where it has none. */
  readonly items: readonly (string | null)[];
  readonly record: (plan: SlotPlan) => SlotRecord;
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

export function firstEdition(airing: AiringRecord, schedule: Schedule): EditionRecord {
  const rungs = airing.ladder.rungs.length;
  return {
    channelId: airing.channelId,
    life: airing.life,
    number: 0,
    from: airing.startedAt,
    slots: schedule.plans.map(schedule.record),
    base: { segments: new Array<number>(rungs).fill(0), discontinuities: 0 },
    items: schedule.items,
  };
}

const urlsOf = (list: readonly (string | null)[]) => list.map((url) => url ?? undefined);

/** Where the new list continues; an item of −1 stands for its start. */
function placeIn({ next }: Leaving, before: EditionRecord, { items }: Schedule): Leaving['next'] {
  const found = resumeIndex(urlsOf(before.items), urlsOf(items), next.item);
  if (found === undefined) return { item: -1, at: flicks(0), played: 0 };
  return found.isSame ? { ...next, item: found.index } : { item: found.index, at: flicks(0), played: 0 };
}

/** What remains of the new list before its cycle starts again. */
function bridgePlans(leaving: Leaving, before: EditionRecord, schedule: Schedule): SlotPlan[] {
  const { item, at, played } = placeIn(leaving, before, schedule);
  if (item < 0) return [];
  const ofItem = schedule.plans.filter((plan) => plan.item === item);
  const rest = restOf(ofItem, at, played);
  const isWhole = item === 0 && rest.length === ofItem.length && rest.every((slot, index) => slot === ofItem[index]);
  return isWhole ? [] : [...rest, ...schedule.plans.filter((plan) => plan.item > item)];
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

/** Editions that follow each other, with the counters that continue through them. */
function chainOf({ edition, record }: Current, leaving: Leaving, { items, record: recordOf }: Schedule, first: number) {
  const made: Current[] = [];
  let [number, from] = [first, leaving.at];
  let base = countedAfter(edition, leaving.position, leaving.clip);
  let after: EditionEnd = endOf(leaving);
  return {
    made,
    /** @param times how often it is played; absent for the last one */
    add(plans: readonly SlotPlan[], times?: number, isBridge?: boolean): void {
      const { channelId, life } = record;
      const bridge = isBridge ? { isBridge } : {};
      const own: EditionRecord = {
        channelId,
        life,
        items,
        number,
        base,
        after,
        from,
        slots: plans.map(recordOf),
        ...bridge,
      };
      const laid: Edition = { number, from, base, ...layCycle(plans), ...bridge };
      if (times === undefined) {
        made.push({ record: own, edition: laid });
        return;
      }
      const position = times * plans.length - 1;
      const { clip } = defined(plans.at(-1), 'an edition has slots');
      made.push({ record: own, edition: { last: { position, clip }, ...laid } });
      number += 1;
      from = clockAt(spanAt(laid, position + 1).placed.start, 0);
      base = countedAfter(laid, position, clip);
      after = { position, to: flicks(clip.from + clip.duration) };
    },
  };
}

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
  const chain = chainOf(current, leaving, schedule, number);
  const bridge = bridgePlans(leaving, current.record, schedule);
  if (inserted === undefined) {
    if (bridge.length > 0) chain.add(bridge, 1, true);
  } else {
    const { item, at, played } = placeIn(leaving, current.record, schedule);
    const marked = (plan: SlotPlan): SlotPlan => ({ ...plan, item, at, inserted: { id: inserted.id, played } });
    if (inserted.loop !== undefined) chain.add([marked(inserted.loop.plan)], inserted.loop.times);
    chain.add([marked(inserted.rest), ...bridge], 1, true);
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
