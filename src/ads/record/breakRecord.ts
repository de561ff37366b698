// What is known of one viewer's break beyond the decision: the story from the question to the answer, with one plain
// reason for every ad that is not shown. It is written once, with the decision; no manifest needs it.
import type { TrackingEvent, VastAd } from '../../vast/response.ts';
import type { CreativeFault } from '../creative/creativeFault.ts';

export type Reason = {
  readonly code: string;
  readonly text: string;
  /** What was wrong with the creative, where it failed. */
  readonly fault?: CreativeFault;
};

/** How an ad's media came to the channel's ladder: from its own host as they are, or conditioned to it. */
export type CreativeUse = {
  readonly use: 'asIs' | 'conditioned';
  /** Why segments that it has of its own are not shown as they are. */
  readonly reason?: string;
};

export type AdRecord = {
  readonly adId: string;
  readonly creativeId?: string;
  readonly title?: string;
  /** Seconds: as it plays here, or as the ad server said where it does not. */
  readonly duration: number;
  readonly outcome: 'stitched' | 'skipped';
  readonly reason?: Reason;
  /** Of stitched ads. */
  readonly creative?: CreativeUse;
  /** ISO 8601. */
  readonly startsAt?: string;
  /** What the ad server said of it, for the feeds; only of stitched ads. */
  readonly vast?: VastAd;
  /** The media file that was chosen, for tracking URLs with [ASSETURI]; only of stitched ads. */
  readonly assetUrl?: string;
};

/** `url` without secrets, `error` a plain sentence. */
export type TracedRequest = {
  readonly url: string;
  readonly status?: number;
  readonly ms: number;
  readonly error?: string;
};

export type BreakRecord = {
  readonly id: string;
  /** ISO 8601. */
  readonly startsAt: string;
  /** Seconds. */
  readonly duration: number;
  readonly status: 'filled' | 'partial' | 'empty';
  readonly reason?: Reason;
  readonly request?: TracedRequest;
  readonly response?: { readonly version?: string; readonly bytes: number; readonly raw: string };
  /** What was asked on the way to the ads, in the order of the answers. */
  readonly wrappers?: readonly TracedRequest[];
  readonly warnings: readonly string[];
  readonly ads: readonly AdRecord[];
  /** What wants to be told of the break itself: VMAP's `breakStart` and `breakEnd`. */
  readonly tracking?: readonly TrackingEvent[];
  /** Seconds of slate. */
  readonly slate: number;
  /** Seconds of intro and outro; absent when there are none. */
  readonly bumpers?: number;
};
