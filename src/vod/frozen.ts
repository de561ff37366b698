// SPDX-License-Identifier: Apache-2.0
// What a VoD session shows in its breaks: decided once for the whole presentation, stored, and never changed.
import type { Decision } from '../ads/placement/decision.ts';
import type { Flicks } from '../time/units.ts';

/** Times are source times (title.ts). */
export type FrozenBreak = {
  readonly id: string;
  readonly at: Flicks;
  /** The end of the content that the ads replace. Without ads, that content is shown and counts as the break. */
  readonly until?: Flicks;
} & Pick<Decision, 'ads' | 'intro' | 'outro'>;

export type Frozen = {
  /** In the order of time: breaks with ads, and all breaks with `until`. */
  readonly breaks: readonly FrozenBreak[];
  /** The break with which a resumed session starts. */
  readonly resumeBreak?: string;
  /** Identifies who decided it, so that a process recognises its own presentation after a call that failed. */
  readonly writer?: string;
};
