// SPDX-License-Identifier: Apache-2.0
// Whether manifests mark the breaks of a channel for those who replace them downstream, and how (docs/markers.md).
import type { Channel, MarkersOut as Setting } from '../../../channels/channel.ts';
import { AppError, fieldError, validationError } from '../../../errors.ts';
import type { MarkerDialect, Markers } from '../../../hls/breakMarkers.ts';
import type { Airing } from '../../../playback/onAir/airing.ts';
import { type ChannelView, channelBreaks } from '../../../playback/view/channelView.ts';
import { placeOf, spanEnd } from '../../../timeline/programme/span.ts';

export type MarkersOut = {
  /** Of HLS; in DASH there is one. */
  readonly dialect: MarkerDialect;
  /** Milliseconds before a break from which on its date range is listed. */
  readonly ahead: number;
};

/** The parameter of URLs of the channel's own view that has precedence over the channel's setting. */
export const MARKERS_PARAMETER = 'markers';

/** Seconds. */
const DEFAULT_AHEAD = 4;

const named = (
  dialect: Setting,
  { markersOutAhead = DEFAULT_AHEAD }: Pick<Channel, 'markersOutAhead'>,
): MarkersOut | undefined => (dialect === 'none' ? undefined : { dialect, ahead: 1000 * markersOutAhead });

/** Films have no breaks that all viewers share, and what keeps the markers of its origin has no others. */
const canMark = (channel: Channel): boolean =>
  channel.type === 'vod2live' || (channel.type === 'live' && channel.markers !== 'pass');

/** As the channel says; undefined if its breaks are not marked. */
export const markersOf = (channel: Channel): MarkersOut | undefined =>
  markersFor(channel, channel.markersOut ?? 'none', undefined);

/** As a distributor of the channel has them. @param ahead seconds; those of the channel when undefined */
export const markersFor = (channel: Channel, dialect: Setting, ahead: number | undefined): MarkersOut | undefined =>
  canMark(channel) ? named(dialect, ahead === undefined ? channel : { markersOutAhead: ahead }) : undefined;

const settings: readonly string[] = ['none', 'daterange', 'cue', 'both'] satisfies Setting[];
const isSetting = (text: string): text is Setting => settings.includes(text);

/** As a URL of the channel's own view says. @throws {AppError} VALIDATION_ERROR, CONFLICT */
export function requestedMarkers(channel: Channel, query: URLSearchParams): MarkersOut | undefined {
  const requested = query.get(MARKERS_PARAMETER);
  if (requested === null) return markersOf(channel);
  if (!isSetting(requested)) {
    const fault = fieldError('enum', `/${MARKERS_PARAMETER}`, `must be one of ${settings.join(', ')}`);
    throw validationError('Invalid query', [fault], 'the query');
  }
  if (requested !== 'none' && !canMark(channel))
    throw new AppError(
      'CONFLICT',
      'This channel has no markers of its own: it is a VoD channel, or keeps those of its origin. Leave out "markers".',
    );
  return named(requested, channel);
}

/**
 * The markers of a media playlist. Live breaks are not announced ahead: they may change until their first segment is there.
 * @param to the live edge that is listed
 */
export function markersAt(
  airing: Airing,
  { now, to }: Pick<ChannelView, 'now' | 'to'>,
  out: MarkersOut | undefined,
): Markers | undefined {
  if (out === undefined) return undefined;
  const { dialect, ahead } = out;
  const coming =
    airing.channel.type !== 'vod2live' || dialect === 'cue' || ahead === 0
      ? []
      : channelBreaks(airing, now).filter((span) => placeOf(span).startsAt <= to + ahead && spanEnd(span) > to);
  return { dialect, upcoming: coming.map(placeOf) };
}
