// SPDX-License-Identifier: Apache-2.0
// The SCTE-35 events of a live MPD and of its segments as signals, placed on the segments of the first rung.
import { flicksBetween } from '../../../dash/read/live/liveTimes.ts';
import type { SpliceEvent } from '../../../dash/spliceEvent.ts';
import type { OriginSegment, OriginSignal } from '../../../live/origin.ts';
import type { MarkerOptions, MarkerSignal } from '../../../markers/markerSignal.ts';
import { placingEvents } from '../../../markers/placeEvents.ts';
import { createLastUpTo } from '../../../time/lastUpTo.ts';
import type { Sliced } from '../../../time/sliced.ts';
import { flicks, millisToFlicks } from '../../../time/units.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';

/** The breaks of all signals of a reading are found in one turn. */
const MAX_EVENTS = 1000;
/** Places the same event of the MPD and of a segment, which has another timescale, on the same instant. */
const SAME = millisToFlicks(2000);

/** @param live the time that is live; by default, event times count from it */
export function nearestEvents(
  events: readonly SpliceEvent[],
  live = 0,
): {
  readonly events: readonly SpliceEvent[];
  readonly warnings: readonly string[];
} {
  if (events.length <= MAX_EVENTS) return { events, warnings: [] };
  const nearest = new Set(
    events.toSorted((a, b) => Math.abs(a.start - live) - Math.abs(b.start - live)).slice(0, MAX_EVENTS),
  );
  const warning = `line ${events[0]!.line}: the MPD has ${events.length} SCTE-35 events; the ${MAX_EVENTS} nearest to what is live are read. Remove events that have passed`;
  return { events: events.filter((event) => nearest.has(event)), warnings: [warning] };
}

/** @returns what merges the events of each reading: an event that is in the MPD and in segments is one signal */
export function createSignalMerger(
  options: MarkerOptions,
): (listed: readonly SpliceEvent[], inband: readonly SpliceEvent[], epoch: Instant) => Sliced<readonly MarkerSignal[]> {
  /** The instants of signals from segments that an earlier reading contained. */
  let reported = new Set<string>();
  return function* (listed, inband, epoch) {
    const ofMpd = yield* placingEvents([{ start: flicks(0), events: listed }], options);
    const ofSegments = yield* placingEvents([{ start: flicks(0), events: inband }], options);
    const nameOf = (signal: MarkerSignal): string => {
      const at = after(epoch, signal.at);
      return `${signal.kind} ${signal.id} ${at.millis} ${at.rest}`;
    };
    const isSame = (one: MarkerSignal) => (other: MarkerSignal) =>
      one.kind === other.kind && one.id === other.id && Math.abs(one.at - other.at) <= SAME;
    const kept = ofSegments.filter((one) => reported.has(nameOf(one)) || !ofMpd.some(isSame(one)));
    reported = new Set(kept.map(nameOf));
    const signals = [...ofMpd.filter((one) => !kept.some(isSame(one))), ...kept.map(inSegment)];
    return signals.sort((a, b) => a.at - b.at);
  };
}

const inSegment = (signal: MarkerSignal): MarkerSignal => ({ ...signal, raw: signal.raw.replace(/^<Event/, '<emsg') });

/** @param segments of the first rung, with their instants; not empty */
export function onSegments(
  signals: readonly MarkerSignal[],
  segments: readonly OriginSegment[],
  epoch: Instant,
): OriginSignal[] {
  const lastUpTo = createLastUpTo(segments.map(({ startsAt }) => flicksBetween(epoch, startsAt!)));
  return signals.map(({ at, segment: _segment, ...signal }) => {
    const { number, startsAt } = segments[Math.max(0, lastUpTo(at))]!;
    return { ...signal, number, offset: flicks(flicksBetween(startsAt!, after(epoch, at))) };
  });
}
