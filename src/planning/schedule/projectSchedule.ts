// SPDX-License-Identifier: Apache-2.0
// What a channel will show by a schedule, without putting it on air: what is published, then what the planner will lay out.
import type { LinearChannel } from '../../channels/channel.ts';
import type { ChannelRef } from '../../channels/channelKey.ts';
import { type Place, positionAt, type SlotPlan, slotAt, spanAt } from '../../channels/schedule/edition.ts';
import { inForceAt, type LeavingOf, leaveLineup } from '../../channels/schedule/leaveLineup.ts';
import type { Current, Schedule } from '../../channels/schedule/nextEditions.ts';
import type { Slate } from '../../channels/schedule/planSlots.ts';
import { nextTurn } from '../../ingest/source/inTurns.ts';
import { defined } from '../../invariant.ts';
import { firstDifference } from '../../scheduling/firstDifference.ts';
import { type LaidEntry, layOut } from '../../scheduling/layOut.ts';
import type { ScheduleStore } from '../../scheduling/ports.ts';
import type { Entry, ScheduleSettings } from '../../scheduling/schedule.ts';
import { scheduledList } from '../../scheduling/scheduledList.ts';
import { createTimeline, type TimedSlot, type TimelineRow } from '../../scheduling/timeline.ts';
import { type Clock, within } from '../../time/clock.ts';
import { flicks, framesToFlicks, type Millis, millis } from '../../time/units.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { ladderOf } from '../../timeline/ladder/ladderOf.ts';
import { after, clockAt, spanStart } from '../../timeline/programme/span.ts';
import { currentOf, EDITION_LEAD_MS, type OnAir } from '../insertBreaks.ts';
import { measureWith } from './measureSchedule.ts';
import { findFiller, foundOf, partsOf, prepareEntries } from './scheduleContent.ts';
import {
  type EntryMedia,
  type EntryOutcome,
  mediaFinder,
  readWindow,
  type WindowDeps,
  type WindowEntry,
} from './scheduleWindow.ts';

export type ProjectDeps = Omit<WindowDeps, 'schedules'> &
  Clock & {
    /** Undefined if it is not on air, or a part of it, such as its slate, has to be made again. */
    readonly onAir: (channel: ChannelRef) => Promise<OnAir | undefined>;
  };

export type ProjectedEntry = {
  readonly entry: Entry;
  readonly isOfRule: boolean;
  /** When the plan has it. */
  readonly plannedAt: Millis;
  /** Milliseconds, as planned; undefined if it is not known. */
  readonly length?: Millis | undefined;
  /** What its source contains; undefined if it was not read. */
  readonly outcome: EntryOutcome | undefined;
  /** How it is laid out; undefined if it is not on air. */
  readonly laid: LaidEntry | undefined;
};

export type Projection = {
  readonly rows: readonly TimelineRow[];
  readonly entries: readonly ProjectedEntry[];
  readonly warnings: readonly string[];
};

/** After this time, sources that are not imported yet are left out. Their imports continue. */
const BUDGET_MS = 8000;
/** What is laid out at once. Filler may be seconds long. */
const STEP_MS = 3_600_000;
/** Longer than the planner lays out. */
const COMPARED_MS = 4 * 3_600_000;
/** What begins so much later does not depend on what is on air, but on the plan alone. */
const FAR_MS = 48 * 3_600_000;

/** @param schedules the entries, perhaps of an edit that is not stored */
export async function projectSchedule(
  deps: ProjectDeps,
  channel: LinearChannel,
  settings: ScheduleSettings,
  schedules: Pick<ScheduleStore, 'entries'>,
  { from, to }: { readonly from: Millis; readonly to: Millis },
): Promise<Projection> {
  const now = deps.now();
  const onAir = await deps.onAir(channel);
  const finder = mediaFinder(deps, channel, 0);
  const deadline = now + BUDGET_MS;
  const notImported: EntryMedia = { kind: 'missing', reason: 'its source is still being imported' };
  const find = (entry: Parameters<typeof finder>[0]): Promise<EntryMedia> =>
    within(deps.timers, deadline - deps.now(), finder(entry)).then((media) => media ?? notImported);
  const measure = measureWith(onAir?.airing.ladder, channel, settings);
  const isFar = from - now > FAR_MS;
  const start = isFar ? from : millis(Math.min(from, now));
  const window = await readWindow(
    schedules.entries,
    channel,
    settings,
    { now, from: start, until: to },
    { find, measure },
  );
  const content = { settings, window, filler: (await findFiller(find, channel, settings)).items };
  const [first, ...others] = foundOf(content).map(({ asset }) => asset);
  const ladder = onAir?.airing.ladder ?? (first && ladderOf([first, ...others]));
  if (ladder === undefined) return { rows: [], entries: window.entries.map(notLaid), warnings: window.warnings };
  const lineup = onAir === undefined || isFar ? [] : currentOf(onAir);
  const slate = measuringSlate(ladder, lineup);
  const prepared = await prepareEntries(content, channel, ladder, slate);
  const parts = partsOf(content, channel, prepared, ladder, slate);
  const { entries, filler, rate } = parts;
  const list = (until: Millis): Schedule => scheduledList({ ...parts, until });
  const left = lineup.length === 0 ? undefined : leaveFor(lineup, list, now, to);
  const published = publishedUntil(lineup, start, left?.leaving.at ?? to);
  const begin = beginAt(lineup, left, list(to), window.entries, { from, to });
  const laid: LaidEntry[] = [];
  const timeline = createTimeline();
  published.forEach(timeline.add);
  let { at, place } = begin;
  while (at < to) {
    const until = millis(Math.min(to, at + STEP_MS));
    const layout = layOut(entries, filler, rate, { from: at, until, place });
    let time = { millis: at, rest: flicks(0) };
    for (const slot of layout.slots) {
      timeline.add(timedSlot(slot, clockAt(time, 0), entries));
      time = after(time, slot.clip.duration);
    }
    laid.push(...layout.entries);
    if (layout.slots.length === 0) break;
    at = clockAt(time, 0);
    place = layout.next;
    await nextTurn();
  }
  const laidAt = new Map(laid.map((one) => [one.index, one]));
  return {
    rows: timeline.rows().filter(({ startsAt, endsAt }) => endsAt > from && startsAt < to),
    entries: prepared.map(({ entry, outcome }, index) => ({
      entry: entry.entry,
      isOfRule: entry.isOfRule,
      plannedAt: entry.at,
      length: entry.length,
      outcome,
      laid: laidAt.get(index),
    })),
    warnings: window.warnings,
  };
}

const notLaid = ({ entry, isOfRule, at, length }: WindowEntry): ProjectedEntry => ({
  entry,
  isOfRule,
  plannedAt: at,
  length,
  outcome: undefined,
  laid: undefined,
});

/** Slate of which only the length counts. */
function measuringSlate({ frameRate }: Ladder, lineup: readonly Current[]): Slate {
  const slots = lineup.flatMap(({ record }) => record.slots);
  const known = slots.findLast((slot) => 'slateId' in slot);
  const asset = { id: '', url: '', duration: flicks(0), parts: [], renditions: [], warnings: [] };
  const clip: Slate['clip'] = (frames) => {
    const duration = framesToFlicks(frames, frameRate);
    return { kind: 'slate', asset, part: 0, from: flicks(0), duration, cells: [], firsts: [], ends: [] };
  };
  return { id: known?.slateId ?? '', clip };
}

function beginAt(
  lineup: readonly Current[],
  left: LeavingOf | undefined,
  schedule: Schedule,
  entries: readonly WindowEntry[],
  { from, to }: { readonly from: Millis; readonly to: Millis },
): Begin {
  if (left !== undefined) return beginAfter(lineup, left, schedule);
  return lineup.length === 0 ? beginOf(entries, from) : { at: to, place: START };
}

type Begin = { readonly at: Millis; readonly place: Place };

const START: Place = { item: -1, at: flicks(0), played: 0 };

/** Of a channel that is not on air: with the entry that is planned then. */
const beginOf = (entries: readonly WindowEntry[], from: Millis): Begin => ({
  at: entries.findLast(({ at }) => at <= from)?.at ?? from,
  place: START,
});

const beginAfter = (lineup: readonly Current[], { index, leaving }: LeavingOf, schedule: Schedule): Begin => ({
  at: leaving.at,
  place: schedule.placeOf(leaving.next, defined(lineup[index], 'a lineup is left in an edition').record),
});

/** Where the planner will leave the lineup, or could; undefined if all of it stays. */
function leaveFor(
  lineup: readonly Current[],
  list: (until: Millis) => Schedule,
  now: Millis,
  to: Millis,
): LeavingOf | undefined {
  const earliest = millis(now + EDITION_LEAD_MS);
  const soon = millis(now + COMPARED_MS);
  const left = firstDifference(lineup, list(millis(Math.min(to, soon))), earliest);
  // What follows is laid out from where it shows what the schedule says.
  return left === undefined && to > soon ? leaveLineup(lineup, soon) : left;
}

/** What a lineup shows until it is left. */
function publishedUntil(lineup: readonly Current[], from: Millis, to: Millis): TimedSlot[] {
  const slots: TimedSlot[] = [];
  for (const { edition, record } of lineup.slice(Math.max(0, inForceAt(lineup, from)))) {
    const last = edition.last?.position ?? Number.POSITIVE_INFINITY;
    const first = edition.from > from ? 0 : positionAt(edition, from);
    for (let position = first; position <= last; position += 1) {
      const span = spanAt(edition, position);
      if (spanStart(span) >= to) return slots;
      const slot = { ...slotAt(edition, position), clip: span.placed.clip };
      slots.push(timedSlot(slot, spanStart(span), record.entries ?? []));
    }
  }
  return slots;
}

function timedSlot(
  { clip, item, follows, slate, inserted, ...slot }: SlotPlan,
  startsAt: Millis,
  entries: readonly ({ readonly id: string } | null)[],
): TimedSlot {
  const isOfEntry = follows === undefined && inserted === undefined;
  return {
    startsAt,
    duration: clip.duration,
    kind: slot.break ? 'break' : slate ? 'slate' : 'content',
    entryId: isOfEntry ? entries[item]?.id : undefined,
    insertedId: inserted?.id,
  };
}
