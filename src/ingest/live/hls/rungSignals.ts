// SPDX-License-Identifier: Apache-2.0
// The ad markers of live media playlists as signals, placed on the segments of the first rung.
import { flicksBetween } from '../../../dash/read/live/liveTimes.ts';
import { MAX_READ_TAGS, type MarkerTag } from '../../../hls/markerTag.ts';
import type { MediaPlaylist } from '../../../hls/mediaPlaylist.ts';
import type { OriginSegment, OriginSignal } from '../../../live/origin.ts';
import type { MarkerOptions } from '../../../markers/markerSignal.ts';
import { placeTags } from '../../../markers/placeTags.ts';
import { type Flicks, flicks } from '../../../time/units.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';
import { microsToFlicks } from './rungDates.ts';
import type { ListedPlaylist } from './rungPlaylist.ts';

/** Of tags that cannot be read, the newest are reported. */
const MAX_UNREAD = 20;

/** @param playlists by rung. All contain the same markers: those of the first one that has any are used. */
export function rungSignals(
  playlists: readonly (ListedPlaylist | undefined)[],
  options: MarkerOptions,
): readonly OriginSignal[] {
  const [own] = playlists;
  const marked = playlists.find((each) => each !== undefined && each.playlist.markers.length > 0);
  if (own === undefined || marked === undefined) return [];
  if (marked === own) return signalsOf(own, options);
  const end = edgeOf(own);
  const signals = signalsOf(marked, options, (tag) => isBefore(tag, marked, end));
  const nearest = nearestBy(own.segments);
  return signals.map((signal) => onFirstRung(signal, marked.segments, nearest));
}

function signalsOf(
  { playlist, first, segments }: ListedPlaylist,
  options: MarkerOptions,
  isUsed: (tag: MarkerTag) => boolean = () => true,
): OriginSignal[] {
  const borders = bordersOf(playlist);
  const dates = playlist.segments.map(({ programDateTime }) => programDateTime);
  if (segments[0]?.startsAt !== undefined) dates[first] ??= new Date(segments[0].startsAt.millis).toISOString();
  // Date ranges are placed by their dates, wherever the playlist lists them.
  const tags = playlist.markers.filter(
    (tag) => (tag.segment >= first || tag.name === 'EXT-X-DATERANGE') && isUsed(tag),
  );
  // Older ones are of breaks that have ended.
  const placed = placeTags(tags.slice(-MAX_READ_TAGS), { borders, dates, isLive: !playlist.ended }, options);
  const unread = placed.filter(({ kind }) => kind === 'unread');
  const left = new Set(unread.slice(0, -MAX_UNREAD));
  return placed
    .filter((signal) => !left.has(signal))
    .flatMap(({ at, segment = 0, ...signal }): OriginSignal[] => {
      const index = Math.min(segment, playlist.segments.length);
      if (index < first) return [];
      return [{ ...signal, number: playlist.mediaSequence + index, offset: flicks(at - borders[index]!) }];
    });
}

/** The start of each segment after that of the first, and the end. */
function bordersOf({ segments }: MediaPlaylist): Flicks[] {
  let micros = 0;
  const borders = [flicks(0)];
  for (const segment of segments) {
    micros += segment.micros;
    borders.push(microsToFlicks(micros));
  }
  return borders;
}

type Edge = { readonly number: number; readonly date: Instant | undefined };

function edgeOf({ segments }: ListedPlaylist): Edge {
  const last = segments.at(-1);
  const date = last?.startsAt && after(last.startsAt, last.duration);
  return { number: (last?.number ?? 0) + 1, date };
}

/** A rendition may be listed earlier than the first rung, which may have the same tag. */
function isBefore({ segment }: MarkerTag, { segments, first }: ListedPlaylist, { number, date }: Edge): boolean {
  const next = segments[Math.max(segment - first, 0)];
  if (next === undefined) return false;
  return date !== undefined && next.startsAt !== undefined
    ? flicksBetween(next.startsAt, date) > next.duration / 2
    : next.number < number;
}

/** The segment whose start is nearest to a date. Dates of stretches may be out of order. */
function nearestBy(segments: readonly OriginSegment[]): (date: Instant) => OriginSegment | undefined {
  const dated = segments
    .flatMap((segment) => (segment.startsAt === undefined ? [] : [{ segment, startsAt: segment.startsAt }]))
    .sort((a, b) => flicksBetween(b.startsAt, a.startsAt));
  return (date) => {
    let [from, to] = [0, dated.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (flicksBetween(dated[middle]!.startsAt, date) > 0) from = middle + 1;
      else to = middle;
    }
    const [before, after] = [dated[from - 1], dated[from]];
    if (before === undefined || after === undefined) return (before ?? after)?.segment;
    const isBefore = flicksBetween(before.startsAt, date) <= flicksBetween(date, after.startsAt);
    return (isBefore ? before : after).segment;
  };
}

/** By date, or by number if there is none. */
function onFirstRung(
  signal: OriginSignal,
  others: readonly OriginSegment[],
  nearestTo: (date: Instant) => OriginSegment | undefined,
): OriginSignal {
  const other = others[signal.number - (others[0]?.number ?? 0)];
  const date = other?.startsAt;
  if (date === undefined) return signal;
  const nearest = nearestTo(date);
  if (nearest?.startsAt === undefined) return signal;
  const shift = flicksBetween(nearest.startsAt, date);
  if (Math.abs(shift) > nearest.duration) return signal;
  // The renditions' own borders are beside each other; a signal at one is at the other.
  const isAtBorder = Math.abs(shift) <= nearest.duration / 2;
  return { ...signal, number: nearest.number, offset: isAtBorder ? signal.offset : flicks(signal.offset + shift) };
}
