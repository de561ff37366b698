// SPDX-License-Identifier: Apache-2.0
// What a test's live origin serves at an instant, in the form that its playlists and its MPD share.
import type { Broadcast, Run } from '../broadcast.ts';
import type { DashMarkers } from '../markers/dashMarkers.ts';
import type { HlsMarkers } from '../markers/hlsMarkers.ts';
import { type LiveMedia, liveMedia } from '../media/liveMedia.ts';
import type { TextForm } from '../media/liveText.ts';
import type { LoopRendition } from '../media/mediaLoop.ts';

export type LiveOriginOptions = {
  readonly hlsMarkers?: HlsMarkers;
  readonly dashMarkers?: DashMarkers;
  /** The number of listed segments; default 6. */
  readonly window?: number;
  /** EXT-X-PROGRAM-DATE-TIME: at each segment, at the first only, never, in whole seconds, or with an error of some ms. */
  readonly dates?: 'all' | 'first' | 'none' | 'truncated' | 'jitter';
  readonly encryption?: {
    /** In segments; default: one key. */
    readonly rotation?: number;
    /** Whether the IV is stated, or is the media sequence number. */
    readonly isIvStated?: boolean;
    /** Encrypts initialization sections, too, with a key of their own; else EXT-X-MAP precedes EXT-X-KEY. */
    readonly coversInit?: boolean;
  };
  /** Lists bytes of files of four segments. */
  readonly byteRanges?: boolean;
  /** Playlists use EXT-X-DEFINE. */
  readonly defines?: boolean;
  /** Languages of the sound; default one, `en`. */
  readonly languages?: readonly string[];
  /** Adds subtitles, in English. The MPD has those in fragmented MP4. */
  readonly subtitles?: TextForm;
  /** How the MPD addresses segments: a timeline of `$Time$`, a timeline of `$Number$`, or `$Number$` with @duration. */
  readonly addressing?: 'time' | 'number' | 'duration';
  /** More XML in the MPD before the first Period, such as BaseURL and Location. */
  readonly mpdHead?: string;
  /** XML in each AdaptationSet with audio or video, such as ContentProtection. */
  readonly protection?: string;
  /** Whether the MPD states UTCTiming. Default true. */
  readonly hasTiming?: boolean;
  /** A suffix of all URLs, as `?token=…`. */
  readonly query?: () => string;
};

/** A rendition on air: for sound, one for each language. */
export type OnAir = {
  readonly name: string;
  readonly language?: string;
  readonly rendition: LoopRendition;
  readonly media: LiveMedia;
};

/** A reading of the clock: the run, and the newest segment of each rendition. */
export type LiveState = {
  readonly broadcast: Broadcast;
  readonly options: LiveOriginOptions;
  readonly now: number;
  readonly run: Run;
  readonly onAir: readonly OnAir[];
  /** The newest segment of a rendition that is listed. */
  edge(name: string): number;
};

export const SUBTITLES = 't0';
export const WINDOW = 6;

export function renditionsOnAir({ loop }: Broadcast, { languages = ['en'] }: LiveOriginOptions): OnAir[] {
  return loop.renditions.flatMap((rendition): OnAir[] => {
    const media = liveMedia(loop, rendition);
    if (rendition.kind !== 'audio') return [{ name: rendition.name, rendition, media }];
    return languages.map((language, index) => ({ name: `a${index}`, language, rendition, media }));
  });
}

/** Milliseconds: sound starts beside the border of the picture. */
export const offsetMs = ({ rendition, media }: OnAir, { loop }: Broadcast, index: number): number => {
  const { start } = media.source(index);
  return (start * 1000) / rendition.timescale - (index % loop.count) * loop.segmentMs;
};

/** Ticks. */
export const mediaTime = (one: OnAir, broadcast: Broadcast, run: Run, index: number): number => {
  const { timescale } = one.rendition;
  const { start } = one.media.source(index);
  const passStart = broadcast.mediaMsOf(run, index) - (index % broadcast.loop.count) * broadcast.loop.segmentMs;
  return (passStart * timescale) / 1000 + start;
};
