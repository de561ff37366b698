// An asset: media that exist, measured exactly. It knows renditions, segments and where they may be cut; it refuses to
// know channels, viewers and clocks.

import type { Flicks, FrameRate } from '../time/units.ts';
import type { Caption } from './caption.ts';
import type { TransportLayout } from './transportLayout.ts';

/** Bytes `start` to `start + length − 1` of a resource. */
export type ByteRange = { readonly start: number; readonly length: number };
export type MediaRef = { readonly url: string; readonly range?: ByteRange };

/** Where the segments of a track lie, kept small: a two-hour asset of six renditions must stay under a megabyte. */
export type SegmentUrls =
  /** `prefix + (first + i, padded with zeros to width) + suffix` */
  | {
      readonly kind: 'number';
      readonly prefix: string;
      readonly suffix: string;
      readonly first: number;
      readonly width: number;
    }
  /** `prefix + borders[i] (padded) + suffix`; only where the borders are the very times that the URLs tell */
  | { readonly kind: 'time'; readonly prefix: string; readonly suffix: string; readonly width: number }
  /** `prefix + names.slice(ends[i − 1] ?? 0, ends[i])` */
  | { readonly kind: 'list'; readonly prefix: string; readonly names: string; readonly ends: Uint32Array }
  /** bytes of one resource, told under `prefix + i + suffix` */
  | {
      readonly kind: 'numberedRanges';
      readonly prefix: string;
      readonly suffix: string;
      readonly starts: Float64Array;
      readonly lengths: Float64Array;
    }
  /** bytes of one resource */
  | { readonly kind: 'ranges'; readonly url: string; readonly starts: Float64Array; readonly lengths: Float64Array }
  /** bytes of the resource that `of` tells for a segment; all of it where the length is 0 */
  | {
      readonly kind: 'pieces';
      readonly of: SegmentUrls;
      readonly starts: Float64Array;
      readonly lengths: Float64Array;
    };

/** How segments are encrypted, carried along as the source said it. */
export type Protection = {
  /** Attribute lists of the EXT-X-KEY tags in force (RFC 8216 §4.3.2.4), without IV when the sequence number is the IV. */
  readonly hls?: readonly string[];
  /** The IV of segment 0 when the source let its media sequence number be the IV (RFC 8216 §5.2). */
  readonly firstIv?: number;
  /** ContentProtection elements as XML, with the namespaces they need declared on them. */
  readonly dash?: readonly string[];
};

/** The segments of one rendition in one part: one initialisation, one key, one unbroken run of media time. */
export type Track = {
  /** The media initialisation section; absent for MPEG-TS and WebVTT. */
  readonly init?: MediaRef;
  /** Segment i lasts from borders[i] to borders[i + 1], in ticks of the rendition's timescale, on the media's own time. */
  readonly borders: Float64Array;
  readonly urls: SegmentUrls;
  readonly protection?: Protection;
  /**
   * How much earlier than `borders` say browsers lay the media, in ticks, because they ignore a leading empty edit
   * (ISO/IEC 14496-12 §8.6.6); absent when they do not.
   */
  readonly ignoredDelay?: number;
  /**
   * How much later than the part's zero its media start, in ticks; absent where they start with it. Only what lags all along
   * has a lag: @presentationTimeOffset, which each Representation has of its own, makes up for both. HLS has nothing that does.
   */
  readonly lag?: number;
};

export type RenditionKind = 'video' | 'audio' | 'muxed' | 'text';
export type Container = 'fmp4' | 'ts' | 'vtt';
/** Media time, or what has passed since the start of the part or of the asset. */
export type CueTime = 'media' | 'part' | 'asset';

export type Rendition = {
  readonly id: string;
  readonly kind: RenditionKind;
  readonly container: Container;
  /** RFC 6381, e.g. `avc1.64001f` or, muxed, `avc1.64001f,mp4a.40.2`; empty for WebVTT. */
  readonly codecs: string;
  /** Bits a second, peak over segments; `averageBandwidth` over the whole. */
  readonly bandwidth: number;
  readonly averageBandwidth: number;
  readonly width?: number;
  readonly height?: number;
  readonly frameRate?: FrameRate;
  readonly sampleRate?: number;
  /** As HLS CHANNELS and DASH AudioChannelConfiguration count, e.g. 2. */
  readonly channels?: number;
  /** RFC 5646; `und` when the source does not say. */
  readonly language?: string;
  readonly name?: string;
  readonly isDefault?: boolean;
  /** Of text: what must be read even by those who want no subtitles (RFC 8216 §4.3.4.1, FORCED). */
  readonly isForced?: boolean;
  /** Of WebVTT: what its cue times count from. `media` unless told: media time, by X-TIMESTAMP-MAP (RFC 8216 §3.5). */
  readonly cueTime?: CueTime;
  /** Of pictures: the closed captions inside, none of them when there are none; absent when the source does not say. */
  readonly captions?: readonly Caption[];
  /** HLS CHARACTERISTICS / DASH Role@value, as the source said. */
  readonly characteristics?: string;
  readonly roles?: readonly string[];
  readonly timescale: number;
  /** Of MPEG-TS. */
  readonly transport?: TransportLayout;
  /** One track for each part of the asset, in the same order. */
  readonly tracks: readonly Track[];
};

/** A stretch of an asset without an inner discontinuity: a DASH Period, or what lies between EXT-X-DISCONTINUITY. */
export type Part = {
  /** Where the part starts in the asset: the sum of the parts before it. */
  readonly start: Flicks;
  /** As long as its media: the sum of its video segments, ended at its last cut point. */
  readonly duration: Flicks;
  /** The media time (of every rendition) that is this part's start. */
  readonly zero: Flicks;
  /** Instants after `start` of the part, 0 and `duration` included, at which every rendition has a segment border. */
  readonly cutPoints: Float64Array;
};

export type Asset = {
  readonly id: string;
  /** The manifest it was imported from. */
  readonly url: string;
  readonly duration: Flicks;
  readonly parts: readonly Part[];
  readonly renditions: readonly Rendition[];
  /** What players will see that is not as it should be, one sentence each. */
  readonly warnings: readonly string[];
};
