// SPDX-License-Identifier: Apache-2.0
// Demand: where the ads of a channel come from. Ad sources are records that any number of channels use; a channel lists them in
// steps, and has rules and hooks of its own.
import type { Written } from './written.ts';

/** The short form: one ad server of one channel. */
export type AdSource = {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Also labels of the channels that use it. */
  readonly labels?: readonly string[];
};

/** A certificate that Midroll presents to a server (mutual TLS). PEM. */
export type ClientCertificate = {
  readonly certificate: string;
  readonly key: string;
  /** Lower-case hosts that receive it besides that of the source, such as those of its beacons: `host` or `*.domain`. */
  readonly hosts?: readonly string[];
};

type Requested = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds; DEFAULT_TIMEOUT_MS when absent. The step may leave less. */
  readonly timeoutMs?: number;
  /** Requests a second, over all processes; no limit when absent. */
  readonly maxPerSecond?: number;
  readonly clientCertificate?: ClientCertificate;
};

/** An ad server that returns VAST or VMAP. */
export type VastSource = Requested & Pick<AdSource, 'method' | 'params'> & { readonly type: 'vast' };

/** A bidder or an exchange (OpenRTB 2.6). */
export type OpenRtbSource = Requested & {
  readonly type: 'openrtb';
  /** Merged into the bid request: a JSON object whose strings may contain macros. */
  readonly template?: Readonly<Record<string, unknown>>;
  /** Whether the body of requests is compressed, which the bidder must agree to (OpenRTB 2.6 §2.4). */
  readonly gzip?: boolean;
  /** ISO 4217; `USD` when absent. */
  readonly currency?: string;
  /** The least price of a thousand impressions, in units of `currency`. */
  readonly floor?: number;
  /** The same for each second of the ad. */
  readonly floorPerSecond?: number;
};

/** A video of the operator's own. */
export type HouseCreative = {
  readonly url: string;
  readonly title: string;
  /** How often it is chosen in relation to others; 1 when absent. */
  readonly weight?: number;
  /** ISO 8601; shown from then on, and until then. */
  readonly from?: string;
  readonly to?: string;
};

/** A list of videos that needs no request. */
export type HouseSource = { readonly type: 'house'; readonly creatives: readonly HouseCreative[] };

export type AdSourceSettings = VastSource | OpenRtbSource | HouseSource;

/** An ad source, as it is stored. `id` is unique in the tenant. */
export type AdSourceRecord = Written & {
  readonly name?: string;
  readonly labels?: readonly string[];
} & AdSourceSettings;

/** Sources that are requested at once. */
export type AdStep = {
  /** Ids of ad sources. */
  readonly sources: readonly string[];
  /** Percent of the time budget that the step may use; an equal part of what is left when absent. */
  readonly timeShare?: number;
  /** What is requested: the whole break, or the seconds and ads that earlier steps left free; `rest` when absent. */
  readonly request?: 'break' | 'rest';
};

/** Whether ads with a trait in common may be shown in one break: not next to each other, or not at all. */
export type Separation = 'adjacent' | 'break';

/** At most so many ads for one viewer in so many hours. */
export type FrequencyCap = {
  readonly per: 'creative' | 'advertiser';
  readonly max: number;
  readonly hours: number;
};

export type AdRules = {
  readonly separateAdvertisers?: Separation;
  readonly separateCategories?: Separation;
  /** Ads of an advertiser in one break. */
  readonly maxPerAdvertiser?: number;
  readonly frequencyCaps?: readonly FrequencyCap[];
  /** The query parameter that identifies a viewer over sessions; the session when absent, or when a viewer does not send it. */
  readonly viewerParameter?: string;
  readonly blockedAdvertisers?: readonly string[];
  readonly blockedCategories?: readonly string[];
  readonly blockedCreatives?: readonly string[];
  readonly blockedLanguages?: readonly string[];
};

/** URLs of the operator whose responses may change requests and ads. */
export type AdHooks = {
  /** Before each request to an ad source. */
  readonly requestUrl?: string;
  /** After the responses of all steps, before ads are chosen. */
  readonly adsUrl?: string;
  /** Milliseconds for each; 300 when absent. */
  readonly timeoutMs?: number;
  /** Signs requests, as that of a webhook does. */
  readonly secret?: string;
};

/** The fields of a channel that determine its demand. Without `adSteps`, its `adSource` is its only source. */
export type ChannelDemand = {
  readonly adSource?: AdSource;
  readonly adSteps?: readonly AdStep[];
  /** Milliseconds for all steps; DEFAULT_TIMEOUT_MS when absent. */
  readonly adBudgetMs?: number;
  readonly adRules?: AdRules;
  readonly adHooks?: AdHooks;
};
