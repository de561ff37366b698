// SPDX-License-Identifier: Apache-2.0
// What a channel will show as events that partners can plan with. An event that has started is none of them: its viewers are counted.
import type { LinearChannel } from '../../../channels/channel.ts';
import type { Projection } from '../../../planning/schedule/projectSchedule.ts';
import { joinRows } from '../../../scheduling/forms/guideProgrammes.ts';
import { mayOverrun } from '../../../scheduling/liveEntries.ts';
import { type Entry, isLiveSource } from '../../../scheduling/schedule.ts';
import type { TimelineBreak } from '../../../scheduling/timeline.ts';
import type { Millis } from '../../../time/units.ts';
import type { LeapEvent } from '../contract/leapContract.ts';
import { contentOf } from './content.ts';
import type { ExpectedViewers } from './expectedViewers.ts';

export type UpcomingProgramme = {
  readonly entry: Entry;
  readonly startsAt: Millis;
  readonly endsAt: Millis;
  readonly breaks: readonly TimelineBreak[];
};

/** The programmes that start in a range. What the guide hides is not listed. */
export function upcomingProgrammes(
  { rows, entries }: Pick<Projection, 'rows' | 'entries'>,
  { from, to }: { readonly from: Millis; readonly to: Millis },
): UpcomingProgramme[] {
  const known = new Map(entries.map(({ entry }) => [entry.id, entry]));
  return joinRows(rows).flatMap(({ id, startsAt, endsAt, rows: own }) => {
    const entry = id === undefined ? undefined : known.get(id);
    if (entry === undefined || entry.isHidden || startsAt < from || startsAt >= to) return [];
    return [{ entry, startsAt, endsAt, breaks: own.flatMap(({ breaks = [] }) => breaks) }];
  });
}

const VIDEO = 2;
const SCHEDULED = 1;

/** The breaks of a live entry are those of its origin, so that there is nothing to count before it is on air. */
function inventoryOf({ entry, breaks }: UpcomingProgramme): LeapEvent['inventoryconfig'] {
  if (isLiveSource(entry.source)) return { supportedmtype: [VIDEO], unplanned: 1 };
  const length = breaks.reduce((sum, { duration }) => sum + duration, 0);
  return {
    supportedmtype: [VIDEO],
    totaladdurationsec: Math.round(length / 1000),
    expectedpodcount: breaks.length,
    unplanned: 0,
  };
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
