// SPDX-License-Identifier: Apache-2.0
// The outcome of requesting a break's ads. Failures are outcomes too; nothing is thrown.

import type { Millis } from '../../time/units.ts';
import type { MacroValues } from '../../vast/macros.ts';
import type { InLineAd, TrackingEvent } from '../../vast/response.ts';
import type { Skip } from '../pod/adOutcome.ts';
import type { FallbackPath } from '../pod/fallback.ts';
import type { TracedRequest } from './breakRecord.ts';

/** An ad that can be shown, with the tracking of its wrappers merged into it. */
export type ResolvedAd = {
  readonly ad: InLineAd;
  /** Position from 1 over the whole response, the same for alternatives; absent for a stand-alone ad. */
  readonly sequence?: number;
  /** Absent unless it is one of several alternatives. */
  readonly fallback?: FallbackPath;
  /** Tracking events of its VMAP break: the same array for all ads of that break. */
  readonly breakTracking?: readonly TrackingEvent[];
};

/** An ad that was skipped before its creative was considered. */
export type DroppedAd = {
  /** The ad server's id of the wrapper or ad; empty if it has none. */
  readonly id: string;
  readonly title?: string;
  readonly skip: Skip;
};

/** An Error URL with unfilled macros, and the VAST error code to report (VAST 4.2 §2.3.6.3). */
export type ErrorBeacon = {
  readonly url: string;
  readonly code: number;
  /** Of an alternative: it is not called if an earlier one is shown. */
  readonly fallback?: FallbackPath;
};

/** Why there are no ads. */
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

/** What a response has for one break. */
export type BreakOutcome = {
  /** Requests for wrappers, in the order of their responses. */
  readonly wrappers?: readonly TracedRequest[];
  /** Values for macros in the response. */
  readonly variables?: MacroValues;
  readonly warnings: readonly string[];
  /** In playing order: the pod, then stand-alone ads. */
  readonly ads: readonly ResolvedAd[];
  readonly dropped: readonly DroppedAd[];
  readonly errors: readonly ErrorBeacon[];
  /** Present if and only if there are no ads. */
  readonly reason?: NoAdsReason;
};

export type AdRequestOutcome = BreakOutcome & {
  readonly request: TracedRequest;
  /** Set if it was requested before the break was known (prefetch). */
  readonly prefetchedAt?: Millis;
  readonly response?: {
    /** As written; empty if the document has none. */
    readonly version: string;
    readonly bytes: number;
    /** The first 64 KB of it; less if the exchange failed. */
    readonly raw: string;
    /** Only of a response that could not be used. */
    readonly contentType?: string;
  };
};
