// SPDX-License-Identifier: Apache-2.0
// A decision: what one viewer is shown in one break. It is final and small. Everything else about the break is in its record
// (record/breakRecord.ts), which manifests do not need.
import { ofRung, type Shift } from '../../timeline/programme/span.ts';

/** A stitched ad: its media, and the number of frames that are shown. */
export type StitchedAd = {
  /** Unique in the session; used in manifests and feeds. */
  readonly adId: string;
  readonly mediaId: string;
  /** The length shown here: the last ad of a pod may be a few frames shorter or longer than its media. */
  readonly frames: number;
};

/** The channel's own clip before or after the ads of a break. It has no tracking. */
export type Bumper = { readonly mediaId: string; readonly frames: number };

export type Decision = {
  readonly breakId: string;
  /** When the break starts on the channel, milliseconds since 1970; orders decisions. */
  readonly startsAt: number;
  /** Frames of slate before the ads of a late joiner; 0 for other viewers. */
  readonly joined: number;
  /** In playing order. The rest of the break is slate, and all of it when there are no ads. */
  readonly ads: readonly StitchedAd[];
  /** Only around ads: before the first of them, and at the very end of the break. */
  readonly intro?: Bumper;
  readonly outro?: Bumper;
};

/** How far a viewer's sequence numbers have moved away from the channel's by all expired decisions. */
export type Odometer = Shift;

export const freshOdometer = (rungs: number): Odometer => ({
  segments: new Array<number>(rungs).fill(0),
  discontinuities: 0,
});

export const addShift = (a: Shift, b: Shift): Shift => ({
  segments: a.segments.map((count, rung) => count + ofRung(b.segments, rung)),
  discontinuities: a.discontinuities + b.discontinuities,
});

// The ids of what is placed in a break. Manifests, feeds, tracking URLs and stored records must agree on them, so they are
// assigned here and nowhere else.

/** The id of the clip at `index` of a decided break: its Period@id (ISO/IEC 23009-1 5.3.2.2) and, for an ad, its adId. */
export const clipIdOf = (breakId: string, index: number): string => `${breakId}-${index}`;

/** The id of an ad's clip, after a late joiner's slate and the intro. @param index of the ad in its pod, from 0 */
export const adIdOf = (breakId: string, { joined, intro }: Pick<Decision, 'joined' | 'intro'>, index: number): string =>
  clipIdOf(breakId, index + (joined > 0 ? 1 : 0) + (intro === undefined ? 0 : 1));
