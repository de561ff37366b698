// What a manifest says before the media are asked: the common ground of the HLS and the DASH import. Times are nominal
// here (EXTINF is decimal, @duration is rounded); measuring makes them exact.
import type { MpdRefusal } from '../../dash/read/readMpd.ts';
import type { Unreadable } from '../../hls/readLines.ts';
import type { TtmlRefusal } from '../../subtitles/readTtml.ts';
import type { MediaRef, Protection, Rendition, SegmentUrls } from '../../timeline/asset.ts';
import type { ReadFailure } from '../ports.ts';

export type NominalTrack = {
  readonly init?: MediaRef;
  readonly urls: SegmentUrls;
  readonly count: number;
  /** count + 1 borders in `nominalTimescale`, on the media's own time where the manifest tells it, else from 0. */
  readonly nominalBorders: Float64Array;
  readonly nominalTimescale: number;
  /** True when an index of the media itself (`sidx`) told the borders, so that nothing is left to measure. */
  readonly exact: boolean;
  /** The media time that is the part's start, in nominalTimescale: DASH presentationTimeOffset. Absent for HLS. */
  readonly presentationTimeOffset?: number;
  readonly protection?: Protection;
  /** True when nothing but the length of the Period says that there is a last, shorter segment. */
  readonly isLastImplied?: boolean;
};

/** A rendition with one nominal track for each part; what the manifest leaves open is absent and read from the media. */
export type NominalRendition = Omit<Rendition, 'tracks' | 'timescale' | 'codecs' | 'averageBandwidth' | 'bandwidth'> & {
  readonly codecs?: string;
  readonly bandwidth?: number;
  readonly averageBandwidth?: number;
  /** Where it stands in the source, for messages: `line 12 of video.m3u8`, `Representation "v1" of Period 2`. */
  readonly where: string;
  readonly tracks: readonly NominalTrack[];
};

export type Presentation = {
  readonly url: string;
  readonly partCount: number;
  readonly renditions: readonly NominalRendition[];
  readonly warnings: readonly string[];
};

export type RefusalCode =
  /** With the `status` of the answer, where there was one. */
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

/** A manifest that can't be used says which rendition, which line or element, what was wanted and what came. */
export type Refusal = {
  readonly refused: string;
  /** Absent where nothing tells this fault from others. */
  readonly code?: RefusalCode | MpdRefusal['code'] | Unreadable['code'] | TtmlRefusal['code'];
  readonly status?: number;
  readonly line?: number;
  /** True when what was asked for is not there, whoever asks. */
  readonly isMissing?: boolean;
};

/** What a refusal has of the answer that was none. */
export const notFetched = ({ error, status }: ReadFailure): Pick<Refusal, 'code' | 'status'> => ({
  code: error === 'timeout' ? 'TIMEOUT' : 'NOT_FETCHED',
  ...(status === undefined ? {} : { status }),
});
