// SPDX-License-Identifier: Apache-2.0
// The ad markers of an asset: those of its manifest, in the time of the asset.
import type { SpliceEvent } from '../../dash/mpd.ts';
import type { MediaPlaylist } from '../../hls/mediaPlaylist.ts';
import { defined } from '../../invariant.ts';
import { collectBreaks } from '../../markers/breakFold.ts';
import type { MarkerWarning } from '../../markers/markerSignal.ts';
import { placingEvents } from '../../markers/placeEvents.ts';
import { placingTags } from '../../markers/placeTags.ts';
import { vodMarkers } from '../../markers/vodMarkers.ts';
import { numberAt } from '../../time/row.ts';
import { type Flicks, flicks, ticksToFlicks } from '../../time/units.ts';
import type { Part, Rendition } from '../../timeline/asset/asset.ts';
import type { NominalRendition, Presentation, Refusal } from '../source/presentation.ts';
import type { Assembled } from './assembleAsset.ts';

/** What the manifest of an asset contains: for each Period, or for the media playlists of some renditions. */
export type MarkerSource =
  | { readonly kind: 'events'; readonly periods: readonly (readonly SpliceEvent[])[] }
  | { readonly kind: 'playlists'; readonly playlists: ReadonlyMap<string, MediaPlaylist> };

/** `chapters`: the URL of the chapters as JSON. */
type MarkedPresentation = Presentation & { readonly markers: MarkerSource; readonly chapters?: string };
export type PresentationRead = MarkedPresentation | Refusal;

const MAX_WARNINGS = 20;
/** The most tags or events that are read: each may contain a message. */
const MAX_TAGS = 1500;
/** More breaks than any content has. Markers are stored with the asset. */
const MAX_MARKERS = 1000;

/**
 * All renditions have the same markers. The first rendition that has any is used, video first.
 * @param nominal the renditions before they were measured: assembling may omit their last segments
 */
export function* assetMarkers(source: MarkerSource, assembled: Assembled, nominal: readonly NominalRendition[]) {
  const placed = yield* place(source, assembled, nominal);
  if (placed === undefined) return { warnings: [] };
  yield;
  const { breaks, warnings } = collectBreaks(placed.signals, flicks(0));
  const { markers, warnings: others } = vodMarkers(breaks, assembled.duration);
  const kept = markers.slice(0, MAX_MARKERS);
  const ignored = markers.length - kept.length;
  return {
    warnings: [
      ...sentences([...warnings, ...others], placed.where),
      ...placed.leftOut,
      ...(ignored > 0 ? [`the manifest marks ${markers.length} breaks; only the first ${MAX_MARKERS} are used`] : []),
    ],
    ...(kept.length > 0 && { markers: kept }),
  };
}

const tooManyTags = (id: string, count: number): string =>
  `${id}: the playlist has ${count} tags of ad markers; only the first ${MAX_TAGS} are read. Mark breaks at their start and end only`;

function* place(
  source: MarkerSource,
  { parts, renditions, duration }: Assembled,
  nominal: readonly NominalRendition[],
) {
  if (source.kind === 'events') {
    const count = source.periods.reduce((sum, { length }) => sum + length, 0);
    let left = MAX_TAGS;
    const periods = source.periods.map((events, index) => {
      const used = events.slice(0, left);
      left -= used.length;
      return { start: defined(parts[index], 'each Period is a part').start, events: used };
    });
    const leftOut =
      count > MAX_TAGS ? [`the MPD has ${count} SCTE-35 events; only the first ${MAX_TAGS} are read`] : [];
    return { signals: yield* placingEvents(periods), where: 'line', leftOut };
  }
  for (const rendition of renditions) {
    const playlist = source.playlists.get(rendition.id);
    const counts = nominal.find(({ id }) => id === rendition.id)?.tracks.map(({ count }) => count);
    if (playlist === undefined || playlist.markers.length === 0 || counts?.length !== parts.length) continue;
    const borders = bordersOf(playlist, segmentStarts(rendition, parts, counts), duration);
    const dates = playlist.segments.map(({ programDateTime }) => programDateTime);
    const { length } = playlist.markers;
    const signals = yield* placingTags(playlist.markers.slice(0, MAX_TAGS), { borders, dates });
    const leftOut = length > MAX_TAGS ? [tooManyTags(rendition.id, length)] : [];
    if (signals.length > 0) return { signals, where: `${rendition.id}: line`, leftOut };
  }
  return undefined;
}

function segmentStarts({ tracks, timescale }: Rendition, parts: readonly Part[], counts: readonly number[]): Flicks[] {
  return parts.flatMap(({ start, duration, zero }, part) => {
    const { borders } = defined(tracks[part], 'all renditions of an asset have its parts');
    return Array.from({ length: numberAt(counts, part) }, (_, i) => {
      const after = i < borders.length ? ticksToFlicks(numberAt(borders, i), timescale) - zero : duration;
      return flicks(start + Math.min(Math.max(after, 0), duration));
    });
  });
}

/** The border of each segment of the playlist; segments without a duration are not imported. */
function bordersOf({ segments }: MediaPlaylist, starts: readonly Flicks[], end: Flicks): Flicks[] {
  let imported = 0;
  const borders = segments.map(({ micros }) => {
    const border = starts[imported] ?? end;
    if (micros > 0) imported += 1;
    return border;
  });
  return [...borders, end];
}

function sentences(warnings: readonly MarkerWarning[], where: string): string[] {
  const shown = warnings.slice(0, MAX_WARNINGS).map(({ line, text }) => `${where} ${line}: ${text}`);
  const more = warnings.length - shown.length;
  return more > 0 ? [...shown, `${more} more warnings about ad markers are not listed`] : shown;
}
