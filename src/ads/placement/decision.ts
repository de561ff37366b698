// A decision: what one viewer gets in one break. It is final, and small: everything else that is known of the break
// stands in its record (breakRecord.ts), which manifests never need.

import type { Shift } from '../../timeline/span.ts';

/** An ad as it is stitched: which media, for how many frames. */
export type StitchedAd = {
  /** Unique in the session; stands in manifests and feeds. */
  readonly adId: string;
  readonly mediaId: string;
  /** As long as it plays here: the last ad of a pod may be trimmed or held by a few frames. */
  readonly frames: number;
};

/** The channel's own clip before or after the ads of a break; nobody is told of it. */
export type Bumper = { readonly mediaId: string; readonly frames: number };

export type Decision = {
  readonly breakId: string;
  /** When the break starts on the channel, milliseconds since 1970; orders decisions. */
  readonly startsAt: number;
  /** Frames of the break that had passed (as slate) when a late joiner's ads begin; 0 for everybody else. */
  readonly joined: number;
  /** In playing order; none means that the whole break stays slate. What they leave of the break is slate. */
  readonly ads: readonly StitchedAd[];
  /** Only around ads: before the first of them, and at the very end of the break. */
  readonly intro?: Bumper;
  readonly outro?: Bumper;
};

/**
 * How far a viewer's numbers have moved away from the channel's by decisions that have left every window and are
 * forgotten one by one: the sums of their shifts.
 */
export type Odometer = Shift;

export const freshOdometer = (rungs: number): Odometer => ({
  segments: new Array<number>(rungs).fill(0),
  discontinuities: 0,
});

export const addShift = (a: Shift, b: Shift): Shift => ({
  segments: a.segments.map((count, rung) => count + b.segments[rung]!),
  discontinuities: a.discontinuities + b.discontinuities,
});
