// What lies in a media folder, told by its `meta.json`: enough to answer any segment of it without looking into the
// media, but for the segment that is cut. It knows sample counts and byte sizes; it refuses to know paths and requests.
//
// Each encode is one file: its init section, then its segments, one CMAF fragment each. A rung plays one of them, or a
// video and an audio encode together. A creative that is used as it is (`media.asset`) has no file here: no tracks, no
// rungs, and its segments where they always were.
import type { ConditionedMedia } from '../../ads/creative/creative.ts';
import type { FrameRate } from '../../time/units.ts';
import type { TransportLayout } from '../../timeline/transportLayout.ts';

export type PackagedTrack = {
  readonly file: string;
  readonly kind: 'video' | 'audio';
  readonly codecs: string;
  readonly timescale: number;
  /** Ticks of a sample: each is equally long. */
  readonly unit: number;
  /** The decoder configuration (avcC, hvcC, AudioSpecificConfig) in base 64. */
  readonly config: string;
  readonly initSize: number;
  /** The number of the first stored sample on the media's own line: its decode time is `first · unit`. */
  readonly first: number;
  /** Samples of each stored segment, and bytes. */
  readonly counts: readonly number[];
  readonly sizes: readonly number[];
};

export type PackagedRung = {
  readonly id: string;
  readonly video?: number;
  readonly audio?: number;
  /** Of MPEG-TS: where its tables and streams stand; absent where no content told. */
  readonly transport?: TransportLayout;
};

export type PackagedMedia = {
  readonly kind: 'creative' | 'slate';
  readonly container: 'fmp4' | 'ts';
  readonly frameRate: FrameRate;
  readonly media: ConditionedMedia;
  readonly tracks: readonly PackagedTrack[];
  /** In the ladder's order; the numbers are places in `tracks`. */
  readonly rungs: readonly PackagedRung[];
};

/** Tracks of a rung, video first. */
export const tracksOf = (packaged: PackagedMedia, rung: PackagedRung): PackagedTrack[] =>
  [rung.video, rung.audio].filter((place) => place !== undefined).map((place) => packaged.tracks[place]!);

/** The stored segments `from` to `to` (excluded) that hold samples `start` to `start + count`, and where their bytes lie. */
export function storedSegments(track: PackagedTrack, start: number, count: number) {
  let [from, skipped, offset] = [0, 0, track.initSize];
  while (from < track.counts.length && skipped + track.counts[from]! <= start) {
    skipped += track.counts[from]!;
    offset += track.sizes[from]!;
    from += 1;
  }
  let [to, held, length] = [from, skipped, 0];
  while (to < track.counts.length && held < start + count) {
    held += track.counts[to]!;
    length += track.sizes[to]!;
    to += 1;
  }
  return { from, to, skip: start - skipped, offset, length, isWhole: start === skipped && held === start + count };
}
