// SPDX-License-Identifier: Apache-2.0
// The record of one viewer's break: the ad request, the response, and a reason for every ad that was not shown. It is stored
// with the decision, and changes only when a live break ends early (`cutRecord`). Manifests do not need it.
import type { Millis } from '../../time/units.ts';
import type { MacroValues } from '../../vast/macros.ts';
import type { InLineAd, TrackingEvent, VastAd } from '../../vast/response.ts';
import type { CreativeFault } from '../creative/creative.ts';
import type { FallbackPath, Skip } from '../pod/adOutcome.ts';
import type { TracedParts } from '../request/buildAdRequest.ts';
import type { Offer } from './offer.ts';

export type Reason = {
  readonly code: string;
  readonly text: string;
  /** Only if the creative failed. */
  readonly fault?: CreativeFault;
  /** Only of NO_BID: the bidder's code (OpenRTB 3.0, "No-Bid Reason Codes"). */
  readonly nbr?: number;
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
  /** Seconds, if a live break ended before the ad did (`cutRecord`). */
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
  /** Only if the channel has steps. */
  readonly offer?: Offer;
};

export type StitchedAd = AdRecord & { readonly startsAt: string; readonly vast: InLineAd };

export const stitchedAds = ({ ads }: Pick<BreakRecord, 'ads'>): StitchedAd[] =>
  ads.filter((ad): ad is StitchedAd => ad.outcome === 'stitched' && ad.vast !== undefined);

/** A request in the trace. `url` contains no secrets; `error` is for people. */
export type TracedRequest = TracedParts & {
  readonly url: string;
  readonly status?: number;
  readonly ms: number;
  readonly error?: string;
  /** Only for a wrapper: the start of a response that could not be used. */
  readonly response?: FailedResponse;
};

type TracedResponse = {
  /** As written; empty if the document has none. */
  readonly version?: string;
  readonly bytes: number;
  /** The first 64 KB of it; less if the exchange failed. */
  readonly raw: string;
  /** Only of a response that could not be used. */
  readonly contentType?: string;
};

export type FailedResponse = { readonly contentType: string; readonly raw: string };

/** A call of an operator's hook, for the trace. */
export type TracedHook = {
  readonly hook: 'request' | 'ads';
  readonly ms: number;
  readonly status?: number;
  /** Why it was ignored. */
  readonly error?: string;
  /** What it changed, as sentences; empty if nothing. */
  readonly changes: readonly string[];
};

/** A source of a channel that has steps, in their order, by how it was requested. */
export type AskedSource = (SourceOfStep & (NotAsked | AskedHouse)) | AskedServer;

type AdSourceType = 'vast' | 'openrtb' | 'house';

type SourceOfStep = {
  /** From 0. */
  readonly step: number;
  /** The id of the ad source. */
  readonly source: string;
  readonly name?: string;
};

type Exchange = {
  /** Milliseconds for which the request waited because of the source's rate. */
  readonly waitedMs?: number;
  readonly hooks?: readonly TracedHook[];
  readonly request: TracedRequest;
  readonly response?: TracedResponse;
  readonly wrappers?: readonly TracedRequest[];
};

type Without<Fields> = { readonly [name in keyof Fields]?: never };

/** The break was full, or the source was over its rate, for example. */
type NotAsked = Without<Exchange> & {
  readonly type: AdSourceType;
  readonly asked?: never;
  readonly offered: 0;
  readonly reason: Reason;
};

/** `asked`: the time and the places that it was to fill. `offered`: a number of ads. `reason`: why there are none. */
type Answer = { readonly asked: BreakLimits; readonly offered: number; readonly reason?: Reason };

type AskedHouse = Answer & Without<Exchange> & { readonly type: 'house' };

export type AskedServer = SourceOfStep & Answer & Exchange & { readonly type: Exclude<AdSourceType, 'house'> };

/** What limited the ads of a break: the seconds that ads and bumpers could fill, and their number. */
export type BreakLimits = { readonly duration: number; readonly maxAds?: number };

/** Where a break of a VoD presentation is. In seconds. */
export type BreakPosition = {
  readonly kind: 'pre' | 'mid' | 'post';
  /** In the content, before the position was moved to a cut point. */
  readonly requested: number;
  /** Content before the break: no ads, and no ranges that ads replace. */
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
  readonly response?: TracedResponse;
  /** Requests for wrappers, in the order of their responses. */
  readonly wrappers?: readonly TracedRequest[];
  /** Only if the channel has steps; `request`, `response` and `wrappers` are then absent. */
  readonly sources?: readonly AskedSource[];
  /** The hook after all responses. */
  readonly adsHook?: TracedHook;
  readonly warnings: readonly string[];
  readonly ads: readonly AdRecord[];
  /** Absent if no ads were requested. */
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

/** An ad that can be shown, with the tracking of its wrappers merged into it. */
export type ResolvedAd = {
  readonly ad: InLineAd;
  /** Position from 1 over the whole response, the same for alternatives; absent for a stand-alone ad. */
  readonly sequence?: number;
  /** Absent unless it is one of several alternatives. */
  readonly fallback?: FallbackPath;
  /** Tracking events of its VMAP break: the same array for all ads of that break. */
  readonly breakTracking?: readonly TrackingEvent[];
  /** Absent if the channel has one ad server. */
  readonly offer?: Offer;
  /** It may be shown again in the same break where nothing else is left. */
  readonly isFiller?: true;
};

/** An ad that was skipped before its creative was considered. */
export type DroppedAd = {
  /** The ad server's id of the wrapper or ad; empty if it has none. */
  readonly id: string;
  readonly title?: string;
  readonly skip: Skip;
  /** Absent if the channel has one ad server. */
  readonly offer?: Offer;
};

/** An Error URL with unfilled macros, and the VAST error code to report (VAST 4.2 §2.3.6.3). */
export type ErrorBeacon = {
  readonly url: string;
  readonly code: number;
  /** Only for an alternative, whose URL is not called if an earlier alternative is shown. */
  readonly fallback?: FallbackPath;
};

export type NoAdsReason = Pick<Reason, 'text' | 'nbr'> & {
  readonly code:
    | 'AD_SERVER_TIMEOUT'
    | 'AD_SERVER_FAILED'
    | 'AD_SERVER_NOT_ASKED'
    | 'RATE_REACHED'
    | 'VAST_UNREADABLE'
    | 'BIDS_UNREADABLE'
    | 'NO_ADS'
    | 'NO_BID'
    | 'HOOK_SKIPPED'
    | 'NO_AD_SHOWN';
};

export type BreakOutcome = {
  /** Requests for wrappers, in the order of their responses. */
  readonly wrappers?: readonly TracedRequest[];
  readonly variables?: MacroValues;
  readonly warnings: readonly string[];
  /** In playing order: the pod, then stand-alone ads. */
  readonly ads: readonly ResolvedAd[];
  readonly dropped: readonly DroppedAd[];
  readonly errors: readonly ErrorBeacon[];
  /** Present if and only if there are no ads. */
  readonly reason?: NoAdsReason;
};

/** What one ad server returned for a break. */
export type ServerOutcome = BreakOutcome & {
  readonly request: TracedRequest;
  readonly response?: TracedResponse;
};

/** What the sources of a channel with steps offered for a break; the requests are in `sources`. */
export type StepsOutcome = BreakOutcome & {
  readonly sources: readonly AskedSource[];
  readonly adsHook?: TracedHook;
};

/**
 * The outcome of requesting a break's ads. Failures are outcomes, too; nothing is thrown. `prefetchedAt` is set if they were requested
 * before the break was known.
 */
export type AdRequestOutcome = (ServerOutcome | StepsOutcome) & { readonly prefetchedAt?: Millis };
