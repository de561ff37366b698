// SPDX-License-Identifier: Apache-2.0
// The model of an ad response: VAST 1.0 to 4.4, in the terms of VAST 4.2. Lists are empty and values absent where the
// document has none. URLs are absolute http(s) URLs with their macros unfilled; those of interactive files and static resources may
// contain the data (`data:`).
import type { Flicks } from '../time/units.ts';
import type { VastWarning } from './vastWarning.ts';

export type VastResponse = {
  /** As written, e.g. `4.2`; empty when the document has none. */
  readonly version: string;
  /** The ads in document order. Ads with a `sequence` are a pod. */
  readonly ads: readonly VastAd[];
  /** For a response without ads (VAST 4.2 §3.2.1). */
  readonly errorUrls: readonly string[];
  readonly warnings: readonly VastWarning[];
};

export type VastAd = InLineAd | WrapperAd;

export type AdBase = {
  readonly id?: string;
  /** Position in a pod; absent for a stand-alone ad (§3.3.1). Ads with the same position are alternatives. */
  readonly sequence?: number;
  /** `video`, `audio` or `hybrid`. */
  readonly adType?: string;
  readonly conditionalAd?: boolean;
  readonly adSystem?: { readonly name: string; readonly version?: string };
  readonly impressions: readonly IdentifiedUrl[];
  readonly errorUrls: readonly string[];
  readonly viewableImpression?: ViewableImpression;
  readonly pricing?: { readonly value: number; readonly model?: string; readonly currency?: string };
  readonly extensions: readonly VastExtension[];
  readonly verifications: readonly Verification[];
  readonly creatives: readonly Creative[];
};

export type InLineAd = AdBase & {
  readonly kind: 'inLine';
  /** Only for an Ad that contains neither InLine nor Wrapper: the names of its children. */
  readonly holdsInstead?: readonly string[];
  readonly adTitle?: string;
  readonly adServingId?: string;
  readonly description?: string;
  readonly advertiser?: string;
  readonly categories: readonly VastCategory[];
  readonly survey?: { readonly url: string; readonly type?: string };
  /** Seconds. */
  readonly expires?: number;
};

export type WrapperAd = AdBase & {
  readonly kind: 'wrapper';
  /** Absent when the wrapper has no valid URL. */
  readonly tagUrl?: string;
  /** The invalid URL of a wrapper without a `tagUrl`. */
  readonly malformedTagUrl?: string;
  readonly followAdditionalWrappers: boolean;
  readonly allowMultipleAds: boolean;
  readonly fallbackOnNoAd?: boolean;
  readonly blockedCategories: readonly VastCategory[];
};

export type IdentifiedUrl = { readonly id?: string; readonly url: string };
export type VastCategory = { readonly authority?: string; readonly value: string };
export type UniversalAdId = { readonly registry?: string; readonly value: string };

export type ViewableImpression = {
  readonly id?: string;
  readonly viewable: readonly string[];
  readonly notViewable: readonly string[];
  readonly viewUndetermined: readonly string[];
};

/** An Extension or CreativeExtension, passed on without being interpreted. */
export type VastExtension = {
  readonly type?: string;
  /** The attributes other than `type`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Its content as self-contained XML. */
  readonly content: string;
};

type VerificationCode = { readonly url: string; readonly apiFramework?: string };

export type Verification = {
  readonly vendor?: string;
  readonly javaScriptResources: readonly (VerificationCode & { readonly browserOptional?: boolean })[];
  readonly executableResources: readonly (VerificationCode & { readonly type?: string; readonly language?: string })[];
  readonly trackingEvents: readonly TrackingEvent[];
  readonly parameters?: string;
};

export type Creative = {
  readonly id?: string;
  readonly adId?: string;
  readonly sequence?: number;
  readonly apiFramework?: string;
  /** Without those whose value is `unknown`. */
  readonly universalAdIds: readonly UniversalAdId[];
  readonly linear?: Linear;
  readonly nonLinearAds?: NonLinearAds;
  readonly companionAds?: CompanionAds;
  readonly extensions: readonly VastExtension[];
};

/** A time after the start, or a percentage of the duration. */
export type VastOffset =
  | { readonly kind: 'time'; readonly at: Flicks }
  | { readonly kind: 'percent'; readonly percent: number };

export type TrackingEvent = {
  /** In VAST's spelling if VAST defines the event, else as written. */
  readonly event: string;
  readonly url: string;
  readonly offset?: VastOffset;
};

export type AdParameters = { readonly value: string; readonly xmlEncoded?: boolean };

export type Linear = {
  /** Whole milliseconds; absent in wrappers and when unknown. Only a hint, because media are measured. */
  readonly duration?: Flicks;
  readonly skipOffset?: VastOffset;
  readonly trackingEvents: readonly TrackingEvent[];
  readonly adParameters?: AdParameters;
  readonly mediaFiles: readonly MediaFile[];
  /** The invalid URLs of MediaFile and Mezzanine elements. */
  readonly malformedMedia?: readonly string[];
  readonly mezzanines: readonly MediaFile[];
  readonly interactiveFiles: readonly InteractiveFile[];
  readonly closedCaptions: readonly { readonly url: string; readonly type?: string; readonly language?: string }[];
  readonly clickThrough?: IdentifiedUrl;
  readonly clickTrackings: readonly IdentifiedUrl[];
  readonly customClicks: readonly IdentifiedUrl[];
  readonly icons: readonly Icon[];
};

/** The size of what is shown, in pixels. */
type Sized = { readonly width?: number; readonly height?: number };

export type MediaFile = Sized & {
  readonly url: string;
  readonly id?: string;
  /** Derived from the type when the document does not specify it. */
  readonly delivery: 'progressive' | 'streaming';
  /** MIME type; absent when unknown. */
  readonly type?: string;
  readonly codec?: string;
  /** kbit/s, also when the document uses bit/s. */
  readonly bitrate?: number;
  readonly minBitrate?: number;
  readonly maxBitrate?: number;
  readonly scalable?: boolean;
  readonly maintainAspectRatio?: boolean;
  /** Bytes. */
  readonly fileSize?: number;
  readonly mediaType?: string;
  readonly apiFramework?: string;
};

export type InteractiveFile = {
  readonly url: string;
  readonly type?: string;
  readonly apiFramework?: string;
  readonly variableDuration?: boolean;
};

/** The resources of a companion, an icon or a non-linear ad. */
export type Resources = {
  readonly staticResources: readonly { readonly url: string; readonly creativeType?: string }[];
  readonly iframeResources: readonly string[];
  readonly htmlResources: readonly string[];
};

export type Icon = Resources &
  Sized & {
    readonly program?: string;
    /** Pixels, or `left` and `right`, `top` and `bottom`. */
    readonly xPosition?: string;
    readonly yPosition?: string;
    readonly duration?: Flicks;
    readonly offset?: Flicks;
    readonly apiFramework?: string;
    readonly pxratio?: number;
    readonly clickThrough?: string;
    readonly clickTrackings: readonly IdentifiedUrl[];
    readonly fallbackImages: readonly (Sized & { readonly url?: string; readonly altText?: string })[];
    readonly viewTrackings: readonly string[];
  };

export type CompanionAds = {
  /** `all`, `any` or `none`. */
  readonly required?: string;
  readonly companions: readonly Companion[];
};

/** What Companion and NonLinear have in common. */
export type DisplayAd = Resources &
  Sized & {
    readonly id?: string;
    readonly expandedWidth?: number;
    readonly expandedHeight?: number;
    readonly apiFramework?: string;
    readonly adParameters?: AdParameters;
    readonly clickThrough?: string;
    readonly clickTrackings: readonly IdentifiedUrl[];
  };

export type Companion = DisplayAd & {
  readonly assetWidth?: number;
  readonly assetHeight?: number;
  readonly adSlotId?: string;
  readonly pxratio?: number;
  readonly renderingMode?: string;
  readonly altText?: string;
  readonly trackingEvents: readonly TrackingEvent[];
  readonly extensions: readonly VastExtension[];
};

export type NonLinearAds = {
  readonly trackingEvents: readonly TrackingEvent[];
  readonly nonLinears: readonly NonLinear[];
};

export type NonLinear = DisplayAd & {
  readonly scalable?: boolean;
  readonly maintainAspectRatio?: boolean;
  readonly minSuggestedDuration?: Flicks;
};

/** Position in a waterfall of Google Ad Manager: 0 is tried first. */
function fallbackIndexOf({ extensions }: VastAd): number | undefined {
  const waterfall = extensions.find(({ type }) => type?.toLowerCase() === 'waterfall');
  const entry = Object.entries(waterfall?.attributes ?? {}).find(([name]) => name.toLowerCase() === 'fallback_index');
  return entry !== undefined && /^\d{1,4}$/.test(entry[1].trim()) ? Number(entry[1]) : undefined;
}

const byIndex = (ads: readonly VastAd[]): VastAd[] =>
  ads.toSorted((a, b) => (fallbackIndexOf(a) ?? 0) - (fallbackIndexOf(b) ?? 0));

/** The waterfalls among stand-alone ads. An index that a waterfall has already starts the next one. */
function waterfalls(ads: readonly VastAd[]): VastAd[][] {
  const units: VastAd[][] = [];
  let current: { readonly unit: VastAd[]; readonly indexes: Set<number> } | undefined;
  for (const ad of ads) {
    const index = fallbackIndexOf(ad);
    if (index !== undefined && current !== undefined && !current.indexes.has(index)) {
      current.unit.push(ad);
      current.indexes.add(index);
      continue;
    }
    const unit = [ad];
    units.push(unit);
    if (index !== undefined) current = { unit, indexes: new Set([index]) };
  }
  return units;
}

/**
 * The pod in order of its sequence, then stand-alone ads in document order (VAST 4.2 §3.3.1). Ads with the same position, and
 * those of a waterfall, are alternatives: one unit, in the order in which they are tried.
 */
export function playingUnits(ads: readonly VastAd[]): VastAd[][] {
  const pod = new Map<number, VastAd[]>();
  for (const ad of ads) if (ad.sequence !== undefined) pod.set(ad.sequence, [...(pod.get(ad.sequence) ?? []), ad]);
  const inPod = [...pod].sort(([a], [b]) => a - b).map(([, unit]) => unit);
  return [...inPod, ...waterfalls(ads.filter(({ sequence }) => sequence === undefined))].map(byIndex);
}

export const inPlayingOrder = (ads: readonly VastAd[]): VastAd[] => playingUnits(ads).flat();
