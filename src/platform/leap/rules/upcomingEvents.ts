// SPDX-License-Identifier: Apache-2.0
// What a channel will show, as events for partners. The viewers of an event that has started are counted, so it is not listed.
import type { LinearChannel } from '../../../channels/channel.ts';
import type { ProjectedEntry, Projection } from '../../../planning/schedule/projectSchedule.ts';
import { joinRows } from '../../../scheduling/forms/guideProgrammes.ts';
import { mayOverrun } from '../../../scheduling/liveEntries.ts';
import { type Entry, isLiveSource } from '../../../scheduling/schedule.ts';
import type { TimelineBreak } from '../../../scheduling/timeline.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { LeapEvent } from '../contract/leapContract.ts';
import { contentOf } from './content.ts';
import type { ExpectedViewers } from './expectedViewers.ts';

export type UpcomingProgramme = {
  readonly entry: Entry;
  readonly startsAt: Millis;
  readonly endsAt: Millis;
  /** Undefined if they are not known before it is on air, or before its source has been read. */
  readonly breaks: readonly TimelineBreak[] | undefined;
};

/** The programmes that start in a range, in order. What the guide hides is not listed. */
export function upcomingProgrammes(
  { rows, entries }: Pick<Projection, 'rows' | 'entries'>,
  { from, to }: { readonly from: Millis; readonly to: Millis },
): UpcomingProgramme[] {
  const known = new Map(entries.map(({ entry }) => [entry.id, entry]));
  const shown = joinRows(rows).flatMap(({ id, startsAt, endsAt, rows: own }): UpcomingProgramme[] => {
    const entry = id === undefined ? undefined : known.get(id);
    if (entry === undefined) return [];
    const breaks = isLiveSource(entry.source) ? undefined : own.flatMap((row) => row.breaks ?? []);
    return [{ entry, startsAt, endsAt, breaks }];
  });
  return [...shown, ...entries.flatMap(withoutMedia)]
    .filter(({ entry, startsAt }) => !entry.isHidden && startsAt >= from && startsAt < to)
    .sort((a, b) => a.startsAt - b.startsAt);
}

/** Media often arrive a day before they air, so entries without media keep their time. */
function withoutMedia({ entry, outcome, laid, length }: ProjectedEntry): UpcomingProgramme[] {
  if (outcome?.ok !== false || isLiveSource(entry.source) || laid === undefined || length === undefined) return [];
  return [{ entry, startsAt: laid.startsAt, endsAt: millis(laid.startsAt + length), breaks: undefined }];
}

const VIDEO = 2;
const SCHEDULED = 1;

/** The breaks of a live entry are those of its origin. */
function inventoryOf({ entry, breaks }: UpcomingProgramme): LeapEvent['inventoryconfig'] {
  const common = { supportedmtype: [VIDEO], unplanned: isLiveSource(entry.source) ? 1 : 0 };
  if (breaks === undefined) return common;
  const length = breaks.reduce((sum, { duration }) => sum + duration, 0);
  return { ...common, totaladdurationsec: Math.round(length / 1000), expectedpodcount: breaks.length };
}

/** @param viewers undefined if nothing was counted; @param modifiedAt of the schedule, ISO 8601 */
export function eventOf(
  channel: LinearChannel,
  programme: UpcomingProgramme,
  { viewers, country, modifiedAt }: EventFacts,
): LeapEvent {
  const { entry, startsAt, endsAt } = programme;
  const content = contentOf(channel, entry);
  return {
    id: content.id,
    scheduledstart: startsAt,
    scheduledend: endsAt,
    flexibleend: isLiveSource(entry.source) && mayOverrun(entry.source.live) ? 1 : 0,
    content,
    eventstatus: SCHEDULED,
    ...(viewers && { streamsdata: [{ ...(country === undefined ? {} : { country }), ...viewers }] }),
    inventoryconfig: inventoryOf(programme),
    lastmodifieddate: Date.parse(modifiedAt),
  };
}

export type EventFacts = {
  readonly viewers: ExpectedViewers | undefined;
  readonly country: string | undefined;
  readonly modifiedAt: string;
};
