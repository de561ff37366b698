// SPDX-License-Identifier: Apache-2.0
// The model of a static MPD (ISO/IEC 23009-1): inheritance is resolved and URLs are absolute.
import type { Flicks } from '../time/units.ts';
import type { ByteRange, MediaRef, Rendition, SegmentUrls } from '../timeline/asset/asset.ts';
import type { XmlElement } from '../xml/element.ts';

/** Segments that the MPD itself lists; only those within the Period. */
export type ListedSegments = {
  readonly kind: 'listed';
  readonly init?: MediaRef;
  readonly urls: SegmentUrls;
  readonly count: number;
  /** count + 1 nominal borders on the media's own time, in ticks of the timescale. */
  readonly borders: Float64Array;
  readonly timescale: number;
  readonly presentationTimeOffset: number;
  /** True when the last, shorter segment follows only from the duration of the Period (5.3.9.5.3). */
  readonly isLastImplied?: boolean;
};

/** One resource with an index (`sidx`) of its segments. */
export type IndexedSegments = {
  readonly kind: 'indexed';
  readonly url: string;
  readonly init?: MediaRef;
  /** When absent, the index is at the start of the resource. */
  readonly indexRange?: ByteRange;
  readonly timescale: number;
  readonly presentationTimeOffset: number;
};

type Described = 'id' | 'codecs' | 'bandwidth' | 'width' | 'height' | 'frameRate' | 'sampleRate' | 'channels';
type Declared = 'language' | 'name' | 'isForced' | 'captions' | 'characteristics';

/** Of a rendition, what the MPD states; `roles`: values in the scheme urn:mpeg:dash:role:2011. */
export type MpdRepresentation<Segments = ListedSegments | IndexedSegments> = Pick<Rendition, 'kind' | 'container'> &
  Partial<Pick<Rendition, Described | Declared>> &
  Required<Pick<Rendition, 'isDefault' | 'roles'>> & {
    /** For messages: `Representation "v1" of Period 2`. */
    readonly where: string;
    readonly line: number;
    /** ContentProtection elements as XML, with their namespaces declared. */
    readonly protection: readonly string[];
    /** If the MPD has several BaseURLs for it: the one that its URLs start from, and all in order of preference. */
    readonly bases?: { readonly used: string; readonly all: readonly string[] };
    readonly segments: Segments;
  };

export type MpdPeriod = {
  /** For messages: `Period 2`. */
  readonly where: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly start: Flicks;
  /** Absent when the MPD does not state it; then it follows from the segments. */
  readonly duration?: Flicks;
  readonly representations: readonly MpdRepresentation[];
  /** Events with SCTE-35 messages; absent when there are none. */
  readonly events?: readonly SpliceEvent[];
};

export type Mpd = { readonly periods: readonly MpdPeriod[]; readonly warnings: readonly string[] };

// The events of an EventStream with SCTE-35 messages (ISO/IEC 23009-1 5.10.2), with their content as XML. What the messages
// mean is left to `markers`.

export type SpliceEvent = {
  /** After the start of its Period; may be negative, or later than the Period's end. */
  readonly start: Flicks;
  readonly duration?: Flicks;
  readonly id?: string;
  readonly scheme: string;
  readonly line: number;
  readonly element: XmlElement;
  /** One sentence for each attribute that was not used as written. */
  readonly warnings?: readonly string[];
};
