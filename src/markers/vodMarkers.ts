// SPDX-License-Identifier: Apache-2.0
// What marked breaks mean in on-demand content: where ads are inserted, and which content they replace. Live channels differ
// only here.

import { type Flicks, flicks, flicksToSeconds, secondsToFlicks } from '../time/units.ts';
import type { AdMarker } from '../timeline/asset/asset.ts';
import type { MarkedBreak, MarkerWarning } from './markerSignal.ts';

const MAX_RAW = 300;
/** Rounding and frames are not worth a warning. */
const UNNOTICED = secondsToFlicks(0.5);

/** @param marked in order. @param end of the asset; markers are within 0 and `end`, and do not overlap */
export function vodMarkers(
  marked: readonly MarkedBreak[],
  end: Flicks,
): { markers: AdMarker[]; warnings: MarkerWarning[] } {
  const markers: AdMarker[] = [];
  const warnings: MarkerWarning[] = [];
  for (const [index, each] of marked.entries()) {
    const { line, source } = each;
    const warn = (text: string): void => {
      warnings.push({ line, text });
    };
    const extent = extentOf(each, warn);
    if (extent === undefined) continue;
    if (Math.max(extent.at, extent.until ?? extent.at) < 0 || (extent.at < 0 && extent.until === 0)) {
      warn(`${source} is before the start of the content; it is ignored`);
      continue;
    }
    if (extent.at > end) {
      warn(`${source} is ${seconds(extent.at - end)} after the end of the content; it is ignored`);
      continue;
    }
    const before = markers.at(-1);
    const at = flicks(Math.max(extent.at, before?.until ?? before?.at ?? 0, 0));
    const limit = Math.min(end, Math.max(marked[index + 1]?.at ?? end, at));
    const until = extent.until === undefined ? undefined : flicks(Math.min(extent.until, limit));
    if (extent.until !== undefined && extent.until > limit + UNNOTICED && at < end) {
      const where = limit === end ? 'the end of the content' : 'the next break';
      warn(
        `${source} announces a break that lasts until ${seconds(extent.until - limit)} after ${where}; it ends there`,
      );
    }
    markers.push(markerOf(each, at, until));
  }
  return { markers, warnings };
}

/** @returns undefined for a break that is ignored */
function extentOf(
  { at, until, duration, start, source }: MarkedBreak,
  warn: (text: string) => void,
): { readonly at: Flicks; readonly until?: Flicks } | undefined {
  if (start === 'unknown') {
    warn(`${source} ends a break that was not started; it is ignored`);
    return undefined;
  }
  if (start === 'continued' && until === undefined && !duration) {
    warn(`${source} continues a break of which neither the start nor the end is marked; it is ignored`);
    return undefined;
  }
  if (start === 'continued') warn(`${source} continues a break whose start is not marked`);
  if (until !== undefined) return { at, until };
  if (duration === undefined)
    warn(`${source} has neither a duration nor an end; ads are inserted there, and nothing is replaced`);
  return duration ? { at, until: flicks(at + duration) } : { at };
}

function markerOf({ duration, source, raw, line }: MarkedBreak, at: Flicks, until: Flicks | undefined): AdMarker {
  return {
    at,
    ...(until !== undefined && until > at ? { until } : {}),
    ...(duration ? { duration } : {}),
    source,
    raw: raw.length > MAX_RAW ? `${raw.slice(0, MAX_RAW)}…` : raw,
    line,
  };
}

const seconds = (length: number): string => `${flicksToSeconds(length as Flicks).toFixed(3)} s`;
