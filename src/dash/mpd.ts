// What a static MPD says (ISO/IEC 23009-1), with everything inherited already in its place and URLs absolute.
import type { Flicks, FrameRate } from '../time/units.ts';
import type { ByteRange, Container, MediaRef, RenditionKind, SegmentUrls } from '../timeline/asset.ts';
import type { Caption } from '../timeline/caption.ts';

/** Segments that the MPD itself lists, cut to those that lie in the Period. */
export type ListedSegments = {
  readonly kind: 'listed';
  readonly init?: MediaRef;
  readonly urls: SegmentUrls;
  readonly count: number;
  /** count + 1 nominal borders on the media's own time, in ticks of the timescale. */
  readonly borders: Float64Array;
  readonly timescale: number;
  readonly presentationTimeOffset: number;
  /** True when nothing but the length of the Period says that there is a last, shorter segment (5.3.9.5.3). */
  readonly isLastImplied?: boolean;
};

/** One resource whose own index (`sidx`) tells the segments. */
export type IndexedSegments = {
  readonly kind: 'indexed';
  readonly url: string;
  readonly init?: MediaRef;
  /** Absent: the index is to be found at the head of the resource. */
  readonly indexRange?: ByteRange;
  readonly timescale: number;
  readonly presentationTimeOffset: number;
};

export type MpdRepresentation = {
  readonly id?: string;
  /** For messages: `Representation "v1" of Period 2`. */
  readonly where: string;
  readonly line: number;
  readonly kind: RenditionKind;
  readonly container: Container;
  /** RFC 6381; absent when the MPD does not say. */
  readonly codecs?: string;
  readonly bandwidth?: number;
  readonly width?: number;
  readonly height?: number;
  /** Of a pixel, as written, e.g. `1:1`. */
  readonly sar?: string;
  readonly frameRate?: FrameRate;
  readonly sampleRate?: number;
  readonly channels?: number;
  readonly language?: string;
  readonly name?: string;
  readonly isDefault: boolean;
  /** Of text: what must be read even by those who want no subtitles. */
  readonly isForced?: boolean;
  /** Of pictures, where the MPD tells of closed captions inside. */
  readonly captions?: readonly Caption[];
  /** Values of Role in the scheme urn:mpeg:dash:role:2011. */
  readonly roles: readonly string[];
  /** What Accessibility says, in HLS's words (RFC 8216bis CHARACTERISTICS). */
  readonly characteristics?: string;
  /** ContentProtection elements that stand alone as XML. */
  readonly protection: readonly string[];
  readonly segments: ListedSegments | IndexedSegments;
};

export type MpdPeriod = {
  /** For messages: `Period 2`. */
  readonly where: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly start: Flicks;
  /** Absent when nothing tells it: then the segments do. */
  readonly duration?: Flicks;
  readonly representations: readonly MpdRepresentation[];
};

export type Mpd = { readonly periods: readonly MpdPeriod[]; readonly warnings: readonly string[] };
