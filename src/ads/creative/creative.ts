// A creative: one ad's media as the ad server names them, and what became of them for one ladder.
import type { Asset } from '../../timeline/asset.ts';
import type { Ladder } from '../../timeline/ladder.ts';
import type { CreativeFault } from './creativeFault.ts';

/** A media file that may be shown; taken from a VAST MediaFile or Mezzanine. */
export type CreativeSource = {
  readonly url: string;
  /** e.g. `video/mp4`, `application/x-mpegURL`, `application/dash+xml`; empty when unknown. */
  readonly mimeType: string;
  readonly width?: number;
  readonly height?: number;
  /** kbit/s */
  readonly bitrate?: number;
  /** False: it is conditioned even where its own segments could be shown as they are. */
  readonly asIs?: boolean;
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
  /**
   * Set where nothing was made, because the creative's own segments match the ladder: they are listed where they lie, with
   * a rendition for each rung. Such media play whole: they are neither cut nor held.
   */
  readonly asset?: Asset;
  /** Why segments that the creative has of its own are not shown as they are. */
  readonly unlike?: string;
};

export type CreativeState =
  | { readonly state: 'ready'; readonly media: ConditionedMedia }
  | { readonly state: 'preparing' }
  | { readonly state: 'failed'; readonly fault: CreativeFault; readonly reason: string };

/** For whom a creative is made. */
export type CreativeOwner = { readonly tenant: string; readonly channelId: string };

/** Makes creatives and slate for ladders; each is made once however many ask. Implemented in ingest/. */
export type CreativeLibrary = {
  /**
   * What is known now, without waiting; an unknown creative starts being made. `key` is UniversalAdId and file name, or URL.
   * @param isAhead no viewer waits for it: it is made after those that viewers wait for
   */
  prepare(key: string, source: CreativeSource, ladder: Ladder, owner?: CreativeOwner, isAhead?: boolean): CreativeState;
  /** Resolves when the creative is ready or failed. */
  settled(key: string, ladder: Ladder): Promise<CreativeState>;
  /** Slate for the ladder: built in, or made of the first video of `source`. */
  slate(ladder: Ladder, source?: CreativeSource, owner?: CreativeOwner): Promise<CreativeState>;
  /** How many jobs are made before a slate that is asked for: 0 while it is being made, undefined before that is known. */
  slateQueue(ladder: Ladder, source?: CreativeSource): number | undefined;
};
