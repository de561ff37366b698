// What became of the question for a break's ads. Every way in which it can go is one of these: nothing is thrown.

import type { MacroValues } from '../../vast/macros.ts';
import type { InLineAd, TrackingEvent } from '../../vast/response.ts';
import type { Skip } from '../pod/adOutcome.ts';
import type { TracedRequest } from './breakRecord.ts';

/** An ad that may be shown: its wrappers' tracking is merged into it. */
export type ResolvedAd = {
  readonly ad: InLineAd;
  /** Counted from 1 over the whole answer; a stand-alone ad has none. */
  readonly sequence?: number;
  /** Tracking events of the VMAP break that it stands in: one list for all ads of the break. */
  readonly breakTracking?: readonly TrackingEvent[];
};

/** An ad that was lost before its creative was looked at. */
export type DroppedAd = {
  /** The ad server's, of the wrapper or of the ad; empty when it gave none. */
  readonly id: string;
  readonly title?: string;
  readonly skip: Skip;
};

/** An Error URL with macros in it, and the code that it is to be told (VAST 4.2 §2.3.6.3). */
export type ErrorBeacon = { readonly url: string; readonly code: number };

/** Why there are no ads at all. */
export type NoAdsReason = {
  readonly code:
    | 'AD_SERVER_TIMEOUT'
    | 'AD_SERVER_FAILED'
    | 'AD_SERVER_NOT_ASKED'
    | 'VAST_UNREADABLE'
    | 'NO_ADS'
    | 'NO_AD_SHOWN';
  readonly text: string;
};

export type AdRequestOutcome = {
  readonly request: TracedRequest;
  readonly response?: {
    /** As written; empty when the document does not say. */
    readonly version: string;
    readonly bytes: number;
    /** The first 64 KB of it. */
    readonly raw: string;
  };
  readonly wrappers?: readonly TracedRequest[];
  /** What macros say that stand in the answer. */
  readonly variables?: MacroValues;
  readonly warnings: readonly string[];
  /** In playing order: the pod, then stand-alone ads. */
  readonly ads: readonly ResolvedAd[];
  readonly dropped: readonly DroppedAd[];
  readonly errors: readonly ErrorBeacon[];
  /** Present exactly when there are no ads. */
  readonly reason?: NoAdsReason;
};
