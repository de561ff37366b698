// SPDX-License-Identifier: Apache-2.0
// The ad markers of live media playlists as signals, placed on the segments of the first rendition.
import type { OriginSegment, OriginSignal } from '../../../live/origin.ts';
import type { MarkerOptions } from '../../../markers/markerSignal.ts';
import { placeTags } from '../../../markers/placeTags.ts';
import { FLICKS_PER_MILLI, type Flicks, flicks } from '../../../time/units.ts';
import type { Instant } from '../../../timeline/programme/span.ts';
import type { ListedPlaylist } from './listSegments.ts';
import { microsToFlicks } from './segmentDates.ts';

export type HlsSignals = { readonly signals: readonly OriginSignal[]; readonly warnings: readonly string[] };

/**
 * All renditions have the same markers, so those of one are read.
 * @param playlists video first; the markers of the first one that has any are used
 */
export function hlsSignals(playlists: readonly ListedPlaylist[], options: MarkerOptions): HlsSignals {
  const [first] = playlists;
  for (const listed of playlists) {
    if (listed.playlist.markers.length === 0) continue;
    const { signals, warnings } = ownSignals(listed, options);
    if (signals.length + warnings.length === 0) continue;
    const texts = warnings.map(({ line, text }) => `line ${line}: ${text}`);
    return { signals: listed === first ? signals : signals.map(onto(first!, listed)), warnings: texts };
  }
  return { signals: [], warnings: [] };
}

function ownSignals({ playlist }: ListedPlaylist, options: MarkerOptions) {
  const { segments, markers, mediaSequence } = playlist;
  const borders: Flicks[] = [flicks(0)];
  for (const { micros } of segments) borders.push(flicks(borders.at(-1)! + microsToFlicks(micros)));
  const dates = segments.map(({ programDateTime }) => programDateTime);
  const { signals, warnings } = placeTags(markers, { borders, dates }, options);
  return {
    signals: signals.map(({ at, segment = 0, ...signal }): OriginSignal => {
      const index = Math.min(segment, segments.length);
      return { ...signal, number: mediaSequence + index, offset: flicks(at - borders[index]!) };
    }),
    warnings,
  };
}

/** Milliseconds since 1970, with a fraction. */
const exact = ({ millis, rest }: Instant): number => millis + rest / FLICKS_PER_MILLI;

/** Moves the signals of another rendition to the first one: by date, else by number. */
function onto(first: ListedPlaylist, other: ListedPlaylist): (signal: OriginSignal) => OriginSignal {
  const [own, others] = [startsOf(first.segments), startsOf(other.segments)];
  const shift = (first.segments.at(-1)?.number ?? 0) - (other.segments.at(-1)?.number ?? 0);
  return (signal) => {
    const at = others.get(signal.number);
    if (at === undefined || own.size === 0) {
      const isListed = first.segments.some(({ number }) => number === signal.number);
      return isListed ? signal : { ...signal, number: signal.number + shift };
    }
    const nearest = [...own].reduce((best, each) => (Math.abs(each[1] - at) < Math.abs(best[1] - at) ? each : best));
    return { ...signal, number: nearest[0] };
  };
}

/** When each segment starts and the last one ends, by number; empty without dates. */
function startsOf(segments: readonly OriginSegment[]): Map<number, number> {
  const starts = new Map<number, number>();
  for (const { number, startsAt, duration } of segments) {
    if (startsAt === undefined) return new Map();
    starts.set(number, exact(startsAt));
    starts.set(number + 1, exact(startsAt) + duration / FLICKS_PER_MILLI);
  }
  return starts;
}
