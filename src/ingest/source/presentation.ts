// SPDX-License-Identifier: Apache-2.0
// The contents of a manifest, in the form that the HLS and the DASH import share, before any media are read. Its times are
// nominal (EXTINF is decimal, @duration is rounded); ingest/measure makes them exact. This folder reads from origins; what
// manifests and media mean is left to the other folders of ingest.
import type { MpdRepresentation } from '../../dash/mpd.ts';
import type { MpdRefusal } from '../../dash/read/mpdElements.ts';
import type { InvalidPlaylist } from '../../hls/readLines.ts';
import type { TtmlRefusal } from '../../subtitles/readTtml.ts';
import type { MediaRef, Protection, Rendition, SegmentUrls, Track } from '../../timeline/asset/asset.ts';
import type { ReadFailure } from '../ports.ts';

export type NominalTrack = {
  readonly init?: MediaRef | undefined;
  readonly urls: SegmentUrls;
  readonly count: number;
  /** count + 1 borders in `nominalTimescale`: media times if the manifest states them, otherwise counted from 0. */
  readonly nominalBorders: Float64Array;
  readonly nominalTimescale: number;
  /** True if the borders come from an index of the media (`sidx`), so that nothing is left to measure. */
  readonly exact: boolean;
  /** The media time at which the part starts, in nominalTimescale: DASH presentationTimeOffset. Absent for HLS. */
  readonly presentationTimeOffset?: number;
  readonly protection?: Protection | undefined;
  /** True if only the length of the Period implies the last, shorter segment. */
  readonly isLastImplied?: boolean | undefined;
};

/** An imported track in the form that a media reader accepts. */
export function asNominal({ init, borders: nominalBorders, urls, protection }: Track, nominalTimescale: number) {
  const count = nominalBorders.length - 1;
  return { init, urls, protection, count, nominalBorders, nominalTimescale, exact: true } satisfies NominalTrack;
}

/** A rendition with one nominal track for each part. What the manifest does not state is absent and read from the media. */
export type NominalRendition = Omit<Rendition, 'tracks' | 'timescale' | 'codecs' | 'averageBandwidth' | 'bandwidth'> & {
  readonly codecs?: string;
  readonly bandwidth?: number;
  readonly averageBandwidth?: number;
  /** Its location in the source, for messages: `line 12 of video.m3u8`, `Representation "v1" of Period 2`. */
  readonly where: string;
  readonly tracks: readonly NominalTrack[];
};

/** What an MPD declares of a Representation, without its place, its segments and their protection. */
export function declaredBy<One extends MpdRepresentation<unknown>>(one: One) {
  const { segments: _segments, protection: _protection, line: _line, bases: _bases, ...declared } = one;
  return declared;
}

export type Presentation = {
  readonly renditions: readonly NominalRendition[];
  readonly warnings: readonly string[];
};

export type RefusalCode =
  /** With the `status` of the response, if there was one. */
  | 'NOT_FETCHED'
  | 'TIMEOUT'
  | 'NOT_HTTP'
  | 'NO_MANIFEST'
  | 'I_FRAMES_ONLY'
  | 'NOT_FINISHED'
  | 'GAP'
  | 'NO_SEGMENT'
  | 'NO_MEDIA'
  | 'WEB_PAGE'
  | 'PACKED_AUDIO'
  | 'PLAYLIST'
  | 'NO_MOOV'
  | 'ENCRYPTED'
  | 'NO_KEY'
  | 'UNREAD_STREAM'
  | 'NO_SAMPLE'
  | 'NO_TEXT'
  | 'NO_TTML'
  | 'PICTURES'
  | 'NO_ORDER'
  | 'NO_DURATION'
  | 'OTHER_KIND'
  | 'NO_INDEX'
  | 'NOTHING_PLAYABLE'
  | 'NOT_IN_ALL_PERIODS';

/** Why a source cannot be used: which rendition, line or element, what was expected and what was found. */
export type Refusal = {
  /** For operators, without a full stop. Callers put the location in front: `line 3 of film.m3u8: …`. */
  readonly refused: string;
  /** Absent if no caller treats this fault differently from others. */
  readonly code?: RefusalCode | MpdRefusal['code'] | InvalidPlaylist['code'] | TtmlRefusal['code'];
  readonly status?: number;
  readonly line?: number;
  /** True if the resource does not exist, so that a retry would fail as well. */
  readonly isMissing?: boolean;
};

export const notFetched = ({ error, status }: ReadFailure): Pick<Refusal, 'code' | 'status'> => ({
  code: error === 'timeout' ? 'TIMEOUT' : 'NOT_FETCHED',
  ...(status === undefined ? {} : { status }),
});

/** @param where the location in the source, if known */
export const notHttp = (url: string, where?: string): Refusal => ({
  code: 'NOT_HTTP',
  refused: `${where === undefined ? '' : `${where}: `}the URL must be an http or https URL; got ${url.slice(0, 60)}`,
});
