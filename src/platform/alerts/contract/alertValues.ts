// SPDX-License-Identifier: Apache-2.0
// Defaults of alert rules. Plain values: the console imports this module.

/** The threshold fields of each kind, with their defaults. */
export const thresholds = {
  fill: { belowPercent: 80 },
  'ad-server': { abovePercent: 20, outcome: 'failed', minRequests: 10 },
  'off-air': {},
  origin: { when: 'failing' },
  creative: { minFailures: 1 },
  beacons: { abovePercent: 20, minBeacons: 10, olderMinutes: 15 },
} as const;

export const DEFAULT_FOR_MINUTES = 5;
