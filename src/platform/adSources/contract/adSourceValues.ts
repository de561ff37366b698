// SPDX-License-Identifier: Apache-2.0
// Limits and defaults of ad sources, for their schema and for the form of the console. Plain values: the console imports this module.
export const adSourceLimits = {
  maxPerSecond: { minimum: 1, maximum: 100_000 },
  floor: { minimum: 0, maximum: 1_000_000 },
  /** Exclusive of 0. */
  weight: { maximum: 1000, default: 1 },
} as const;

export const MAX_CREATIVES = 500;
export const DEFAULT_CURRENCY = 'USD';
