// SPDX-License-Identifier: Apache-2.0
/** How often pages request what changes without the operator. Milliseconds. */
export const POLL = {
  /** A channel that is coming on air or has a problem. */
  urgent: 3000,
  /** What is being processed or watched now. */
  active: 5000,
  normal: 10_000,
  slow: 15_000,
  minute: 60_000,
} as const;
