// SPDX-License-Identifier: Apache-2.0
// A creative: the media of an ad, and its state for one ladder.
import { isoText, type Millis } from '../../time/units.ts';
import type { Asset, Rendition } from '../../timeline/asset/asset.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { MediaFile } from '../../vast/response.ts';

/** A media file that can be shown, from a VAST MediaFile or Mezzanine. */
export type CreativeSource = Pick<MediaFile, 'url' | 'width' | 'height' | 'bitrate'> & {
  /** e.g. `video/mp4`, `application/x-mpegURL`, `application/dash+xml`; empty when unknown. */
  readonly mimeType: string;
  /** False: it is conditioned even if its own segments match the ladder. */
  readonly asIs?: boolean;
};

/** One rung of a conditioned creative, in the order of the ladder's rungs. */
export type ConditionedRung = Required<Pick<Rendition, 'codecs' | 'timescale' | 'bandwidth' | 'averageBandwidth'>>;

/** Media made for a ladder. The exact length of every segment follows from `frames` (timeline/frameGrid). */
export type ConditionedMedia = {
  /** Used in file names and URLs, so it contains nothing descriptive or secret. */
  readonly id: string;
  readonly frames: number;
  /**
   * The frame at which a creative starts on its own timeline, so that audio can begin before it; absent if media cannot be
   * joined.
   */
  readonly startFrame?: number;
  readonly rungs: readonly ConditionedRung[];
  /** If the creative is used as is: its own segments are listed, and it can be neither cut nor extended. */
  readonly asset?: Asset;
  /** Why the creative's own segments are not used as they are. */
  readonly unlike?: string;
};

export type CreativeState =
  | { readonly state: 'ready'; readonly media: ConditionedMedia }
  | {
      readonly state: 'preparing';
      /** Only if it was looked up without requesting it. `absent`: it would have to be made. */
      readonly stage?: 'absent' | 'waiting' | 'making';
      /** It has failed before, and is being tried again. */
      readonly failure?: CreativeFailure;
    }
  | (CreativeFailure & {
      readonly state: 'failed';
      /** When it is tried again. For slate: from then on, another request may have another result. */
      readonly retryAt?: Millis;
    });

export type CreativeFailure = { readonly fault: CreativeFault; readonly reason: string };

/** What is true of a creative that cannot be shown, after its name. */
export function failureText({ reason, retryAt }: Extract<CreativeState, { state: 'failed' }>): string {
  const again = retryAt === undefined ? '' : `; it is tried again at ${isoText(retryAt).slice(11, 19)} UTC`;
  return `cannot be shown: ${reason}${again}`;
}

/** What is true of a creative that is not ready, after its name. */
export function preparingText({ stage }: Extract<CreativeState, { state: 'preparing' }>): string {
  if (stage === 'absent') return 'is not prepared yet, and nothing has requested it';
  if (stage === 'waiting') return 'waits to be prepared, and can be shown in a later break';
  return 'is being prepared and can be shown in a later break';
}

/** The tenant and channel for which a creative is made. */
export type CreativeOwner = { readonly tenant: string; readonly channelId: string };

/** What an ad calls itself and its creative. */
export type AdNames = { readonly adId?: string; readonly creativeId?: string; readonly title?: string };

/** Who requests a creative, and for which ad. */
export type CreativeRequester = CreativeOwner & { readonly ad?: AdNames };

/** What a break needs of the library. */
export type CreativeLookup = Pick<CreativeLibrary, 'prepare' | 'settled'>;

/** Makes creatives and slate for ladders, each one once. Implemented in ingest. */
export type CreativeLibrary = {
  /** Has a creative made. @param key UniversalAdId and file name, or URL @param isAhead no viewer waits */
  prepare(
    key: string,
    source: CreativeSource,
    ladder: Ladder,
    by?: CreativeRequester,
    isAhead?: boolean,
  ): CreativeState;
  /** Resolves when the creative is ready or failed. */
  settled(key: string, ladder: Ladder): Promise<CreativeState>;
  /** Slate for the ladder: the built-in one, or one made from the first video of `source`. */
  slate(ladder: Ladder, source?: CreativeSource, owner?: CreativeOwner): Promise<CreativeState>;
  /** Number of jobs ahead of a requested slate: 0 while it is being made, undefined if not known yet. */
  slateQueue(ladder: Ladder, source?: CreativeSource): number | undefined;
};

// Why a creative cannot be shown. The fault is stored with the creative and determines the VAST error code for its Error
// URLs (VAST 4.2 §2.3.6.3).

/** VAST error codes: 202 wrong duration, 400 general, 401 not found, 402 timeout, 405 cannot be displayed. */
const vastCodes = {
  // fetching it
  /** The server returned 404 or 410. */
  NOT_FOUND: 401,
  /** No connection, or no valid response. */
  NOT_FETCHED: 401,
  TIMED_OUT: 402,
  TOO_LARGE: 405,
  // its content
  EMPTY_FILE: 405,
  WEB_PAGE: 405,
  /** The decoder does not support the container or codec. */
  UNREADABLE: 405,
  /** An HLS or DASH manifest that cannot be used. */
  MANIFEST: 405,
  ENCRYPTED: 405,
  /** More discontinuities than an ad can have. */
  TOO_MANY_PARTS: 405,
  CUT_OFF: 405,
  NO_VIDEO: 405,
  TOO_LONG: 202,
  TOO_SHORT: 202,
  /** The decoder or the encoder failed on it. */
  NOT_ENCODED: 405,
  // this installation
  /** Conditioning took longer than the time limit. */
  TOO_SLOW: 400,
  NO_ENCODER: 400,
  NO_FFMPEG: 400,
  NO_ROOM: 400,
  /** The process that conditioned it was killed. */
  BROKEN_OFF: 400,
  /** The media could not be made, stored or queued, for reasons other than the creative itself. */
  NOT_MADE: 400,
} as const;

export type CreativeFault = keyof typeof vastCodes;

export const creativeFaults = Object.keys(vastCodes) as CreativeFault[];

export const vastErrorOfFault = (fault: CreativeFault): number => vastCodes[fault];
