// SPDX-License-Identifier: Apache-2.0
// A page of events: channel by channel, so that no more schedules are laid out than the page needs.
import type { LinearChannel } from '../../../channels/channel.ts';
import { AppError } from '../../../errors.ts';
import type { ScheduleDesk } from '../../../planning/schedule/scheduleDesk.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { DAY_MS } from '../../../time/zone.ts';
import type { RecentCounts } from '../../reports/rules/query/recentCounts.ts';
import type { LeapEvent } from '../contract/leapContract.ts';
import { createExpectedViewers, HOUR_MS, HOURS_KNOWN } from './expectedViewers.ts';
import { eventOf, type UpcomingProgramme, upcomingProgrammes } from './upcomingEvents.ts';

/** A page continues with the events of the channel that start then or later, without the first `listed` of those that start then. */
export type ForecastPlace = { readonly channel: string; readonly at: Millis; readonly listed: number };

export type ForecastDeps = {
  readonly desk: Pick<ScheduleDesk, 'find' | 'project'>;
  readonly counts: Pick<RecentCounts, 'peaks'>;
  readonly now: () => Millis;
};

export type ForecastRequest = {
  /** In the order of their ids. */
  readonly channels: readonly LinearChannel[];
  /** The range of the starts of events. */
  readonly from: Millis;
  readonly to: Millis;
  readonly limit: number;
  readonly place: ForecastPlace | undefined;
  readonly country: string | undefined;
};

type ForecastPage = { readonly events: readonly LeapEvent[]; readonly next?: ForecastPlace };

/** Milliseconds after which no other schedule is laid out. */
const BUDGET_MS = 10_000;

/** @returns at least the events of one channel, or `limit`; `next`: where there may be more */
export async function forecastPage(deps: ForecastDeps, request: ForecastRequest): Promise<ForecastPage> {
  const { from, to, limit, place, country } = request;
  const began = deps.now();
  const events: LeapEvent[] = [];
  const waiting = request.channels.filter(({ id }) => place === undefined || id >= place.channel);
  for (const [index, channel] of waiting.entries()) {
    const isLate = index > 0 && deps.now() - began > BUDGET_MS;
    if (isLate || events.length === limit) return { events, next: { channel: channel.id, at: from, listed: 0 } };
    const start = channel.id === place?.channel ? millis(Math.max(from, place.at)) : from;
    const { programmes, modifiedAt } = await programmesOf(deps, channel, { from: start, to });
    if (programmes.length === 0) continue;
    const expected = createExpectedViewers(await recentPeaks(deps, channel), began);
    const skipped = place?.at === start && place.channel === channel.id ? place.listed : 0;
    for (const [at, programme] of programmes.entries()) {
      if (at < skipped) continue;
      if (events.length === limit) {
        const { startsAt } = programme;
        const listed = at - programmes.findIndex((one) => one.startsAt === startsAt);
        return { events, next: { channel: channel.id, at: startsAt, listed } };
      }
      events.push(eventOf(channel, programme, { viewers: expected(programme), country, modifiedAt }));
    }
  }
  return { events };
}

async function programmesOf(
  { desk, now }: ForecastDeps,
  channel: LinearChannel,
  range: { readonly from: Millis; readonly to: Millis },
): Promise<{ readonly programmes: readonly UpcomingProgramme[]; readonly modifiedAt: string }> {
  const stored = await desk.find(channel);
  // Each page lays out the same, whatever it begins with. A programme that starts in the range ends when it ends.
  const projection = stored && (await desk.project(channel, { from: now(), to: millis(range.to + DAY_MS) }));
  if (projection === undefined) return { programmes: [], modifiedAt: '' };
  return { programmes: upcomingProgrammes(projection, range), modifiedAt: stored?.modifiedAt ?? '' };
}

/** While a search domain is unavailable, nothing is known. */
async function recentPeaks(
  { counts, now }: ForecastDeps,
  channel: LinearChannel,
): Promise<ReadonlyMap<Millis, number>> {
  const end = millis(now() - (now() % HOUR_MS));
  const range = { start: millis(end - HOURS_KNOWN * HOUR_MS), end, interval: HOUR_MS };
  return counts.peaks(channel, 'viewers', 'watching', range).catch((error: unknown) => {
    if (error instanceof AppError && error.kind === 'UNAVAILABLE') return new Map();
    throw error;
  });
}
