// SPDX-License-Identifier: Apache-2.0
// The viewer whom the documentation calculates with (docs/scaling.md).

export type Profile = {
  /** Opened sessions an hour of viewing: visits of 45 minutes. */
  readonly opens: number;
  /** Manifests an hour: see DASH_EVERY in players.ts. */
  readonly manifests: number;
  readonly breaks: number;
  readonly adsPerBreak: number;
  readonly adSeconds: number;
  readonly trackingUrls: number;
};

/** Three of four viewers request two HLS playlists every 6 s, one an MPD every 2 s. Four breaks of four ads, seven tracking URLs. */
export const PROFILE: Profile = {
  opens: 60 / 45,
  manifests: 0.75 * 2 * 600 + 0.25 * 1800,
  ...{ breaks: 4, adsPerBreak: 4, adSeconds: 15, trackingUrls: 7 },
};
