// SPDX-License-Identifier: Apache-2.0
// Limits and defaults of channels, for their schemas and for the form of the console. Plain values: the console imports this module.

/** Limits and defaults of numbers. */
export const channelLimits = {
  fillThreshold: { minimum: 0, maximum: 60, default: 1 },
  playlistSize: { minimum: 10, maximum: 3600, default: 60 },
  timeShiftWindow: { minimum: 0, maximum: 86_400, default: 0 },
  markersOutAhead: { minimum: 0, maximum: 30, default: 4 },
  breakDuration: { minimum: 0.5, maximum: 3600, default: 30 },
  maxBreakDuration: { minimum: 1, maximum: 3600, default: 180 },
  vodBudgetMs: { minimum: 500, maximum: 20_000, default: 3000 },
  timeoutMs: { minimum: 100, maximum: 10_000, default: 2000 },
  adBudgetMs: { minimum: 100, maximum: 10_000, default: 2000 },
} as const;

/** Limits and defaults of steps, rules and hooks, of which a channel has several or none. */
export const demandLimits = {
  timeShare: { minimum: 1, maximum: 100 },
  maxPerAdvertiser: { minimum: 1, maximum: 50 },
  capMax: { minimum: 1, maximum: 1000 },
  capHours: { minimum: 0.1, maximum: 720 },
  hookTimeoutMs: { minimum: 50, maximum: 2000, default: 300 },
} as const;
export const MAX_STEPS = 5;
export const MAX_SOURCES_OF_STEP = 10;
export const MAX_FREQUENCY_CAPS = 10;
export const MAX_BLOCKED = 1000;

/** Defaults of settings that are one of several values. */
export const channelDefaults = {
  type: 'vod2live',
  method: 'GET',
  stepRequest: 'rest',
  repeats: 'inPods',
  tracking: 'server',
  announceAds: true,
  markersOut: 'none',
  insertion: 'stitched',
  confirmations: false,
  breakSource: 'auto',
  resumePolicy: 'play',
  breakFill: 'slate',
  markers: 'strip',
  prefetch: 'off',
} as const;

export const MAX_PAGE_SIZE = 100;
export const MAX_BEACONS = 1000;
