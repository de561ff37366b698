// A channel as its operator describes it. What it is doing on air is the airing's to know (airing.ts).

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
  /** What the live routes' `api-key` must be. */
  readonly apiKey: string;
  /** What addresses that open sessions must be signed with; absent where they need no signature. */
  readonly signingSecret?: string;
  readonly playlistId?: string;
  readonly adSlateManifestUrl?: string;
  readonly adSource?: AdSource;
  /** URLs of clips that stand before the first and after the last ad of a break. */
  readonly bumpers?: { readonly intro?: string; readonly outro?: string };
  /** Seconds: a shorter rest of a break, once there is an ad in it, is left to slate. */
  readonly fillThreshold?: number;
  /** Whether a creative may be shown twice in a break; `inPods` when absent. */
  readonly repeats?: 'allow' | 'inPods' | 'drop';
  /** Seconds that a manifest lists. */
  readonly playlistSize: number;
  /** Seconds that `?start=` may reach back. */
  readonly timeShiftWindow: number;
  readonly tracking: 'server' | 'client';
  /** Whether manifests announce breaks and ads; they do unless it is false. */
  readonly announceAds?: boolean;
  /** Whether players may say what they have shown. */
  readonly confirmations?: boolean;
  readonly systemId?: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly modifiedBy?: string;
  readonly modifiedAt?: string;
};
