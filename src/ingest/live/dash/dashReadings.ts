// SPDX-License-Identifier: Apache-2.0
// What live MPDs and the events in segments state about the rungs of a feed, one reading after the other.
import type { LiveMpd, LivePeriod } from '../../../dash/read/live/liveMpd.ts';
import type { OriginReading, OriginRendition } from '../../../live/origin.ts';
import type { MarkerOptions } from '../../../markers/markerSignal.ts';
import type { Origin } from '../../ports.ts';
import { createSignalMerger, onSegments } from './dashSignals.ts';
import { createInbandEvents, hasInbandEvents } from './inbandEvents.ts';
import { originSegments, type PeriodOfRung, type WantedRendition } from './originSegments.ts';
import { type RungShape, rungsOfPeriod } from './rungsOfPeriod.ts';
import { createSegmentCounter } from './segmentCounter.ts';

/** A rung of a feed, or a Representation that is sampled. */
export type DashRung = RungShape & WantedRendition;

/** @param warnings found while the MPD was read */
export type DashReadings = (mpd: LiveMpd, warnings: readonly string[], signal?: AbortSignal) => Promise<OriginReading>;

export function createDashReadings(origin: Origin, rungs: readonly DashRung[], markers: MarkerOptions): DashReadings {
  const inband = createInbandEvents(origin);
  const merge = createSignalMerger(markers);
  const counters = rungs.map(createSegmentCounter);
  return async (mpd, found, signal) => {
    const warnings = new Set(found);
    const periods = withAllRungs(rungs, mpd.periods, (text) => warnings.add(text));
    const renditions = rungs.map((rung, index): OriginRendition => {
      const ofRung = periods.flatMap((of) => of[index] ?? []);
      return { key: rung.key, segments: originSegments(rung, ofRung, counters[index]!) };
    });
    if (hasInbandEvents(mpd)) for (const warning of await inband.scan(mpd.periods, signal)) warnings.add(warning);
    const { epoch } = mpd;
    const merged = merge(mpd.events, inband.events(epoch), epoch);
    const { segments } = renditions[0]!;
    const signals = segments.length === 0 ? [] : onSegments(merged, segments, epoch);
    return { renditions, signals, warnings: [...warnings], isEnded: mpd.isEnded };
  };
}

/** The Periods that have all rungs, except for text. */
function withAllRungs(
  rungs: readonly DashRung[],
  periods: readonly LivePeriod[],
  warn: (text: string) => void,
): (PeriodOfRung | undefined)[][] {
  return periods
    .filter(({ representations }) => representations.some(({ segments }) => segments.segments.length > 0))
    .flatMap((period) => {
      const found = rungsOfPeriod(rungs, period);
      if ('missing' in found) warn(found.missing);
      else for (const warning of found.warnings) warn(warning);
      if ('missing' in found) return [];
      return [found.representations.map((representation) => representation && { period, representation })];
    });
}
