// SPDX-License-Identifier: Apache-2.0
// The ad markers of live media playlists as signals, placed on the segments of the first rung.
import { flicksBetween } from '../../../dash/read/live/liveTimes.ts';
import type { MarkerTag } from '../../../hls/markerTag.ts';
import type { MediaPlaylist } from '../../../hls/mediaPlaylist.ts';
import type { OriginSegment, OriginSignal } from '../../../live/origin.ts';
import type { MarkerOptions } from '../../../markers/markerSignal.ts';
import { placingTags } from '../../../markers/placeTags.ts';
import { numberAt } from '../../../time/row.ts';
import type { Sliced } from '../../../time/sliced.ts';
import { type Flicks, flicks } from '../../../time/units.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';
import type { ListedPlaylist } from './rungPlaylist.ts';
import { microsToFlicks, nearestTo } from './segmentLengths.ts';

/** A channel on air finds the breaks of all signals of a reading in one turn. */
const MAX_TAGS = 1000;
const MAX_SIGNALS = 1000;
/** The most tags that cannot be read and are reported: the newest ones. */
const MAX_UNREAD = 20;

type RungSignals = { readonly signals: readonly OriginSignal[]; readonly warnings: readonly string[] };

/** @param playlists by rung. All contain the same markers: those of the first one that has any are used. */
export function* rungSignals(
  playlists: readonly (ListedPlaylist | undefined)[],
  options: MarkerOptions,
): Sliced<RungSignals> {
  const [own] = playlists;
  const marked = playlists.find((each) => each !== undefined && each.playlist.markers.length > 0);
  if (own === undefined || marked === undefined) return { signals: [], warnings: [] };
  if (marked === own) return yield* signalsOf(own, options);
  const end = edgeOf(own);
  const { signals, warnings } = yield* signalsOf(marked, options, (tag) => isBefore(tag, marked, end));
  yield;
  const nearest = nearestBy(own.segments);
  return { signals: signals.map((signal) => onFirstRung(signal, marked.segments, nearest)), warnings };
}

function* signalsOf(
  { playlist, first, segments }: ListedPlaylist,
  options: MarkerOptions,
  isUsed: (tag: MarkerTag) => boolean = () => true,
): Sliced<RungSignals> {
  const borders = bordersOf(playlist);
  const dates = playlist.segments.map(({ programDateTime }) => programDateTime);
  if (segments[0]?.startsAt !== undefined) dates[first] ??= new Date(segments[0].startsAt.millis).toISOString();
  // Date ranges are placed by their dates, wherever the playlist lists them.
  const tags = playlist.markers.filter(
    (tag) => (tag.segment >= first || tag.name === 'EXT-X-DATERANGE') && isUsed(tag),
  );
  const [oldest] = tags;
  if (oldest === undefined) return { signals: [], warnings: [] };
  yield;
  // Older ones are of breaks that have ended.
  const newest = tags.slice(-MAX_TAGS);
  const placed = yield* placingTags(newest, { borders, dates, isLive: !playlist.ended }, options);
  const unread = placed.filter(({ kind }) => kind === 'unread');
  const left = new Set(unread.slice(0, -MAX_UNREAD));
  const signals = placed
    .filter((signal) => !left.has(signal))
    .flatMap(({ at, segment = 0, ...signal }): OriginSignal[] => {
      const index = Math.min(segment, playlist.segments.length);
      if (index < first) return [];
      return [{ ...signal, number: playlist.mediaSequence + index, offset: flicks(at - numberAt(borders, index)) }];
    });
  // Tags before `first` were read by an earlier reading.
  const isOld =
    tags.length > newest.length && tags.some(({ segment }, at) => at < tags.length - MAX_TAGS && segment >= first);
  return {
    signals: signals.slice(-MAX_SIGNALS),
    warnings: isOld || signals.length > MAX_SIGNALS ? [tooManyTags(oldest, tags.length)] : [],
  };
}

const tooManyTags = ({ line }: MarkerTag, count: number): string =>
  `line ${line}: the playlist has ${count} tags of ad markers; the newest ${MAX_TAGS} are read, so earlier breaks are not listed. Let the packager list a shorter window, or mark breaks at their start and end only`;

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
    .flatMap((segment) => (segment.startsAt === undefined ? [] : [{ segment, at: segment.startsAt }]))
    .sort((a, b) => flicksBetween(b.at, a.at));
  return (date) => nearestTo(dated, date)?.segment;
}

/** By date, or by number if there is none. */
function onFirstRung(signal: OriginSignal, others: readonly OriginSegment[], nearestTo: ReturnType<typeof nearestBy>) {
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
