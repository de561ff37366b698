// SPDX-License-Identifier: Apache-2.0
// The record of one viewer's break: the ad request, the response, and a reason for every ad that was not shown. It is stored
// with the decision, and changes only when a live break ends early (cutRecord.ts). Manifests do not need it.
import type { TrackingEvent, VastAd } from '../../vast/response.ts';
import type { CreativeFault } from '../creative/creativeFault.ts';

export type Reason = {
  readonly code: string;
  readonly text: string;
  /** Only if the creative failed. */
  readonly fault?: CreativeFault;
};

/** Whether an ad's own segments are used as they are, or the ad was conditioned. */
export type CreativeUse = {
  readonly use: 'asIs' | 'conditioned';
  /** Why its own segments are not used as they are. */
  readonly reason?: string;
};

export type AdRecord = {
  readonly adId: string;
  readonly creativeId?: string;
  readonly title?: string;
  /** Seconds: as shown here, or as in the VAST of an ad that was skipped. */
  readonly duration: number;
  /** Seconds, if a live break ended before the ad did (cutRecord.ts). */
  readonly shown?: number;
  readonly outcome: 'stitched' | 'skipped';
  readonly reason?: Reason;
  /** Only for stitched ads. */
  readonly creative?: CreativeUse;
  /** ISO 8601. */
  readonly startsAt?: string;
  /** For the feeds; only for stitched ads. */
  readonly vast?: VastAd;
  /** The chosen media file, for tracking URLs with [ASSETURI]; only for stitched ads. */
  readonly assetUrl?: string;
};

/** A request in the trace. `url` contains no secrets; `error` is for people. */
export type TracedRequest = {
  readonly url: string;
  readonly status?: number;
  readonly ms: number;
  readonly error?: string;
  /** Of an ad request: only what differs from a GET with the viewer's headers. */
  readonly method?: 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of a wrapper: the start of a response that could not be used. */
  readonly response?: FailedResponse;
};

export type FailedResponse = { readonly contentType: string; readonly raw: string };

/** What limited the ads of a break: the seconds that ads and bumpers could fill, and their number. */
export type BreakLimits = { readonly duration: number; readonly maxAds?: number };

/** Where a break of a VoD presentation is. In seconds. */
export type BreakPosition = {
  readonly kind: 'pre' | 'mid' | 'post';
  /** In the content, before the position was moved to a cut point. */
  readonly requested: number;
  /** Content before the break: no ads, and no stretches that ads replace. */
  readonly contentTime: number;
  /** From the requested position to that of the break. */
  readonly movedBy: number;
  readonly origin: 'cuePoint' | 'marker' | 'vmap';
  /** The length of the content that the ads replace. */
  readonly replaced?: number;
};

export type BreakRecord = {
  readonly id: string;
  /** ISO 8601. */
  readonly startsAt: string;
  /** Seconds. */
  readonly duration: number;
  readonly status: 'filled' | 'partial' | 'empty';
  readonly reason?: Reason;
  /** Only for breaks of VoD presentations. */
  readonly position?: BreakPosition;
  readonly request?: TracedRequest;
  /** The ads were requested before the break was known; `requestedAt`, ISO 8601, is present only then. */
  readonly prefetched?: true;
  readonly requestedAt?: string;
  readonly response?: {
    readonly version?: string;
    readonly bytes: number;
    readonly raw: string;
    /** Only of a response that could not be used. */
    readonly contentType?: string;
  };
  /** Requests for wrappers, in the order of their responses. */
  readonly wrappers?: readonly TracedRequest[];
  readonly warnings: readonly string[];
  readonly ads: readonly AdRecord[];
  /** Absent if no ads were requested, and in records of older versions. */
  readonly limits?: BreakLimits;
  /** Tracking events of the break itself: VMAP's `breakStart` and `breakEnd`. */
  readonly tracking?: readonly TrackingEvent[];
  /** Seconds of slate. */
  readonly slate: number;
  /** Seconds without ads of a break that shows the origin's content instead of slate; absent when there are none. */
  readonly content?: number;
  /** Seconds of intro and outro; absent when there are none. */
  readonly bumpers?: number;
};
