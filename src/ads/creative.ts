// A creative: one ad's media as the ad server names them, and what became of them for one ladder.
import type { Ladder } from '../timeline/ladder.ts';

/** A media file that may be shown; taken from a VAST MediaFile or Mezzanine. */
export type CreativeSource = {
  readonly url: string;
  /** e.g. `video/mp4`, `application/x-mpegURL`, `application/dash+xml`; empty when unknown. */
  readonly mimeType: string;
  readonly width?: number;
  readonly height?: number;
  /** kbit/s */
  readonly bitrate?: number;
};

/** One rung of a conditioned creative, in the order of the ladder's rungs. */
export type ConditionedRung = {
  readonly codecs: string;
  readonly timescale: number;
  readonly bandwidth: number;
  readonly averageBandwidth: number;
};

/** Media that were made for a ladder: every segment's exact length is known from `frames` alone (timeline/frameGrid). */
export type ConditionedMedia = {
  /** Names the files and stands in URLs: no telling word, no secret. */
  readonly id: string;
  readonly frames: number;
  readonly rungs: readonly ConditionedRung[];
};

export type CreativeState =
  | { readonly state: 'ready'; readonly media: ConditionedMedia }
  | { readonly state: 'preparing' }
  | { readonly state: 'failed'; readonly reason: string };

/** Makes creatives and slate for ladders; each is made once however many ask. Implemented in ingest/. */
export type CreativeLibrary = {
  /** What is known now, without waiting; an unknown creative starts being made. `key` is UniversalAdId or URL. */
  prepare(key: string, source: CreativeSource, ladder: Ladder): CreativeState;
  /** Resolves when the creative is ready or failed. */
  settled(key: string, ladder: Ladder): Promise<CreativeState>;
  /** Slate for the ladder: built in, or made of the first video of `source`. */
  slate(ladder: Ladder, source?: CreativeSource): Promise<CreativeState>;
};
