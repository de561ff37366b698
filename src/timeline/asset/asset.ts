// SPDX-License-Identifier: Apache-2.0
// An asset: existing media, measured exactly. The model contains renditions, segments and cut points, and nothing about
// channels, viewers and clocks.
import type { Flicks, FrameRate } from '../../time/units.ts';

/** Bytes `start` to `start + length − 1` of a resource. */
export type ByteRange = { readonly start: number; readonly length: number };
export type MediaRef = { readonly url: string; readonly range?: ByteRange };

/** The URLs of a track's segments, in a compact form: a two-hour asset of six renditions must stay below a megabyte. */
export type SegmentUrls =
  /** `prefix + (first + i, padded with zeros to width) + suffix` */
  | {
      readonly kind: 'number';
      readonly prefix: string;
      readonly suffix: string;
      readonly first: number;
      readonly width: number;
    }
  /** `prefix + (mediaTime + borders[i], padded) + suffix`; only when the URLs contain exactly these times */
  | { readonly kind: 'time'; readonly prefix: string; readonly suffix: string; readonly width: number }
  /** `prefix + names.slice(ends[i − 1] ?? 0, ends[i])` */
  | { readonly kind: 'list'; readonly prefix: string; readonly names: string; readonly ends: Uint32Array }
  /** bytes of one resource, served under `prefix + i + suffix` */
  | {
      readonly kind: 'numberedRanges';
      readonly prefix: string;
      readonly suffix: string;
      readonly starts: Float64Array;
      readonly lengths: Float64Array;
    }
  /** bytes of one resource */
  | { readonly kind: 'ranges'; readonly url: string; readonly starts: Float64Array; readonly lengths: Float64Array }
  /** bytes of the resource that `of` contains for a segment; the whole resource where the length is 0 */
  | {
      readonly kind: 'pieces';
      readonly of: SegmentUrls;
      readonly starts: Float64Array;
      readonly lengths: Float64Array;
    };

/** The encryption of segments, as the source declares it. */
export type Protection = {
  /** Attribute lists of the EXT-X-KEY tags in force (RFC 8216 §4.3.2.4), without IV when the sequence number is the IV. */
  readonly hls?: readonly string[];
  /**
   * The attribute lists in force at the EXT-X-MAP tag, if they are not those of the first segment: empty if only
   * segments are encrypted.
   */
  readonly hlsOfInit?: readonly string[];
  /** Live, instead of `hls`: the same for each segment, where they differ (IVs, and keys that change within a slot). */
  readonly hlsOfEach?: readonly (readonly string[])[];
  /** The IV of segment 0 when the source uses the media sequence number as the IV (RFC 8216 §5.2). */
  readonly firstIv?: number;
  /** ContentProtection elements as XML, with their namespaces declared. */
  readonly dash?: readonly string[];
};

/** The segments of one rendition in one part: one initialization section, one key, continuous media time. */
export type Track = {
  /** The media initialization section; absent for MPEG-TS and WebVTT. */
  readonly init?: MediaRef;
  /** Segment i lasts from borders[i] to borders[i + 1] in media time, in ticks of the rendition's timescale. */
  readonly borders: Float64Array;
  readonly urls: SegmentUrls;
  /** Audio: where the first frame of each segment starts, in ticks, if that is not at its border. */
  readonly audioStarts?: Float64Array;
  /** Audio: how much later than `borders` its decode times are, in ticks, because an edit list omits the delay of the encoder. */
  readonly priming?: number;
  readonly protection?: Protection;
  /** Live: the media time of the start of the stretch, in ticks, when `borders` count from there. 0 when absent. */
  readonly mediaTime?: number;
  /** The segments that the source marks as missing (EXT-X-GAP). */
  readonly gaps?: ReadonlySet<number>;
  /** Live: marker tags of the origin before segments. */
  readonly tags?: ReadonlyMap<number, readonly string[]>;
  /**
   * How much earlier than `borders` browsers place the media, in ticks, because they ignore a leading empty edit
   * (ISO/IEC 14496-12 §8.6.6); absent when there is none.
   */
  readonly ignoredDelay?: number;
  /**
   * How much later than the part's zero the media start, in ticks, if they are late by this much throughout. In DASH,
   * @presentationTimeOffset of each Representation compensates both this and `ignoredDelay`; HLS has no counterpart.
   */
  readonly lag?: number;
};

export type RenditionKind = 'video' | 'audio' | 'muxed' | 'text';
export type Container = 'fmp4' | 'ts' | 'vtt';
/** Media time, or time since the start of the part or of the asset. */
export type CueTime = 'media' | 'part' | 'asset';

export type Rendition = {
  readonly id: string;
  readonly kind: RenditionKind;
  readonly container: Container;
  /** RFC 6381, e.g. `avc1.64001f` or, muxed, `avc1.64001f,mp4a.40.2`; empty for WebVTT. */
  readonly codecs: string;
  /** Bits per second: the peak over all segments. `averageBandwidth` is the average over the asset. */
  readonly bandwidth: number;
  readonly averageBandwidth: number;
  readonly width?: number;
  readonly height?: number;
  readonly frameRate?: FrameRate;
  readonly sampleRate?: number;
  /** Audio channels, as in HLS CHANNELS and DASH AudioChannelConfiguration, e.g. 2. */
  readonly channels?: number;
  /** RFC 5646; `und` when the source does not state it. */
  readonly language?: string;
  readonly name?: string;
  readonly isDefault?: boolean;
  /** For text: shown even when the viewer has turned subtitles off (RFC 8216 §4.3.4.1, FORCED). */
  readonly isForced?: boolean;
  /** For WebVTT: what its cue times are relative to. Default `media`: media time, by X-TIMESTAMP-MAP (RFC 8216 §3.5). */
  readonly cueTime?: CueTime;
  /** For video: the embedded closed captions, possibly none; absent when the source does not state them. */
  readonly captions?: readonly Caption[];
  /** HLS CHARACTERISTICS and DASH Role@value of the source. */
  readonly characteristics?: string;
  readonly roles?: readonly string[];
  readonly timescale: number;
  /** The layout of the transport stream, for MPEG-TS. */
  readonly transport?: TransportLayout;
  /** One track for each part of the asset, in the same order. */
  readonly tracks: readonly Track[];
};

/** A section of an asset without an inner discontinuity: a DASH Period, or the segments between EXT-X-DISCONTINUITY tags. */
export type Part = {
  /** The start of the part in the asset: the sum of the parts before it. */
  readonly start: Flicks;
  /** The sum of its video segments, up to its last cut point. */
  readonly duration: Flicks;
  /** The media time of every rendition at the start of this part. */
  readonly zero: Flicks;
  /** Flicks after the start of the part at which every rendition has a segment border; includes 0 and `duration`. */
  readonly cutPoints: Float64Array;
};

export type Asset = {
  readonly id: string;
  /** The manifest that it was imported from. */
  readonly url: string;
  readonly duration: Flicks;
  readonly parts: readonly Part[];
  readonly renditions: readonly Rendition[];
  /** Problems that viewers may notice, one sentence each. */
  readonly warnings: readonly string[];
  /** The ad breaks that the manifest marks, ascending; absent when there are none. */
  readonly markers?: readonly AdMarker[];
  /** Where its chapters start, ascending; absent when the manifest has none. */
  readonly chapters?: readonly Flicks[];
};

/** A border of a track; NaN, with which no comparison holds, beyond its ends. */
export const borderAt = (borders: Float64Array, index: number): number => borders[index] ?? Number.NaN;

/** The end of the last segment of a track. */
export const endOf = (borders: Float64Array): number => borderAt(borders, borders.length - 1);

export const hasVideo = (kind: RenditionKind): boolean => kind === 'video' || kind === 'muxed';
export const hasAudio = (kind: RenditionKind): boolean => kind === 'audio' || kind === 'muxed';

// Closed captions embedded in the video (CTA-608, CTA-708). Midroll passes them through and declares them as the source does.
export type Caption = {
  /** `CC1` to `CC4`, or `SERVICE1` to `SERVICE63` (RFC 8216 §4.3.4.1, INSTREAM-ID). */
  readonly channel: string;
  readonly language?: string;
  readonly name?: string;
  readonly characteristics?: string;
};

/** Whether a value of INSTREAM-ID is valid. */
export const isCaptionChannel = (text: string): boolean => /^(?:CC[1-4]|SERVICE(?:[1-9]|[1-5]\d|6[0-3]))$/.test(text);

// An ad break that the manifest of an asset marks. Markers change nothing about the asset's media.

export type AdMarker = {
  /** After the start of the asset, where the marker is; not moved to a cut point. */
  readonly at: Flicks;
  /** The end of the content that ads replace; absent when ads are inserted at `at`. */
  readonly until?: Flicks;
  /** The announced length of the break: for an insertion, the most that ads may take. */
  readonly duration?: Flicks;
  /** The tag, or the scheme of the DASH event stream, e.g. `EXT-X-CUE-OUT`. */
  readonly source: string;
  /** The tag or event as written, shortened. */
  readonly raw?: string;
  /** In the manifest or media playlist, counted from 1. */
  readonly line?: number;
};

/**
 * The layout of a transport stream of one program: its tables and its elementary streams (ISO/IEC 13818-1 §2.4.4). Ads and
 * slate have the layout of the surrounding content, because some demuxers, such as libavformat's, treat another PID as another
 * stream and stop the one that was playing.
 */
export type TransportLayout = {
  /** transport_stream_id of the program association, program_number, and the PID of the program map. */
  readonly transportId: number;
  readonly program: number;
  readonly mapPid: number;
  /** In the order of the program map. */
  readonly streams: readonly {
    readonly kind: 'video' | 'audio';
    readonly pid: number;
    /** stream_id of the PES packets (§2.4.3.7). */
    readonly streamId: number;
  }[];
};
