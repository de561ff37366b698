// SPDX-License-Identifier: Apache-2.0
// The editions that put a new schedule on air: the first edition of a new channel; for a running one, a bridge (the rest of
// the item on air and of the list after it), then the new cycle.
import { flicks, flicksToMillis, type Millis, millis, repeat } from '../../time/units.ts';
import { clockAt } from '../../timeline/programme/span.ts';
import type { AiringRecord, EditionRecord, SlotRecord } from './airing.ts';
import { type Base, countedAfter, type Edition, layCycle, type SlotPlan, spanAt } from './edition.ts';
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

/** What remains of the new list before its cycle starts again. */
function bridgePlans({ next }: Leaving, before: EditionRecord, { plans, items }: Schedule): SlotPlan[] {
  const urls = (list: readonly (string | null)[]) => list.map((url) => url ?? undefined);
  const found = resumeIndex(urls(before.items), urls(items), next.item);
  if (found === undefined) return [];
  const ofItem = plans.filter(({ item }) => item === found.index);
  const rest = found.isSame ? restOf(ofItem, next.at, next.played) : ofItem;
  const isWhole = found.index === 0 && rest.length === ofItem.length;
  return isWhole ? [] : [...rest, ...plans.filter(({ item }) => item > found.index)];
}

/**
 * @param current the edition that is in force at `earliest`, compiled, and its record
 * @param number of the first new edition; higher than any that was ever stored
 */
export function nextEditions(
  current: { readonly edition: Edition; readonly record: EditionRecord },
  schedule: Schedule,
  earliest: Millis,
  number: number,
): EditionRecord[] {
  const { edition, record } = current;
  const leaving = leaveAt(edition, earliest);
  const common = { channelId: record.channelId, life: record.life, items: schedule.items };
  const after = { position: leaving.position, to: leaving.clip.from + leaving.clip.duration };
  const base = countedAfter(edition, leaving.position, leaving.clip);
  const editionOf = (
    plans: readonly SlotPlan[],
    from: Millis,
    its: { number: number; base: Base; after: { position: number; to: number } },
  ): EditionRecord => ({ ...common, ...its, from, slots: plans.map(schedule.record) });

  const bridge = bridgePlans(leaving, record, schedule);
  if (bridge.length === 0) return [editionOf(schedule.plans, leaving.at, { number, base, after })];
  const laid: Edition = { number, from: leaving.at, base, ...layCycle(bridge) };
  const last = bridge.length - 1;
  const lastClip = bridge[last]!.clip;
  return [
    editionOf(bridge, leaving.at, { number, base, after }),
    editionOf(schedule.plans, clockAt(spanAt(laid, bridge.length).placed.start, 0), {
      number: number + 1,
      base: countedAfter(laid, last, lastClip),
      after: { position: last, to: flicks(lastClip.from + lastClip.duration) },
    }),
  ];
}
