// SPDX-License-Identifier: Apache-2.0
// A channel as its operator configures it. Its state on air is in schedule/airing.ts.

export type AdSource = {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
};

export type Channel = {
  readonly id: string;
  readonly tenant: string;
  readonly name?: string;
  readonly type: 'vod2live';
  readonly state: 'enabled' | 'disabled';
  /** The value of `api-key` that the live routes require. */
  readonly apiKey: string;
  /** The secret that signs playback URLs which open sessions; absent when no signature is required. */
  readonly signingSecret?: string;
  readonly playlistId?: string;
  readonly adSlateManifestUrl?: string;
  readonly adSource?: AdSource;
  /** URLs of the clips played before the first and after the last ad of a break. */
  readonly bumpers?: { readonly intro?: string; readonly outro?: string };
  /** Seconds. When a break already has an ad, a shorter remainder is filled with slate. */
  readonly fillThreshold?: number;
  /** Whether a creative may be shown twice in a break; `inPods` when absent. */
  readonly repeats?: 'allow' | 'inPods' | 'drop';
  /** The playlist window, in seconds. */
  readonly playlistSize: number;
  /** Seconds that `?start=` may reach back. */
  readonly timeShiftWindow: number;
  readonly tracking: 'server' | 'client';
  /** Whether manifests announce breaks and ads; true when absent. */
  readonly announceAds?: boolean;
  /** Whether the channel accepts player confirmations. */
  readonly confirmations?: boolean;
  readonly systemId?: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly modifiedBy?: string;
  readonly modifiedAt?: string;
};
