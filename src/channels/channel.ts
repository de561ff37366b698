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
  readonly playlistId?: string;
  readonly adSlateManifestUrl?: string;
  readonly adSource?: AdSource;
  /** Seconds that a manifest lists. */
  readonly playlistSize: number;
  /** Seconds that `?start=` may reach back. */
  readonly timeShiftWindow: number;
  readonly tracking: 'server' | 'client';
  readonly systemId?: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly modifiedBy?: string;
  readonly modifiedAt?: string;
};
