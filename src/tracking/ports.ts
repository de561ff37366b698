// What tracking needs of the world: a place for what was delivered, one for beacons, and somebody who sends them.
import type { Asked } from '../ads/delivery.ts';
import type { Millis } from '../time/units.ts';

/** Segments of one ad that one viewer asked for at once. */
export type Mark = {
  readonly sessionId: string;
  readonly adId: string;
  /** Where the segments of its grid end, in milliseconds: kept, so that the bits can be read without the media. */
  readonly ends: readonly number[];
  readonly kind: keyof Asked;
  readonly segments: readonly number[];
  readonly at: Millis;
};

export type Marked = {
  /** Just before this mark and just after it: of many who mark at once, each segment is new to one. */
  readonly before: Asked;
  readonly after: Asked;
  /** When the first segment of the ad was asked for, whichever it was. */
  readonly firstAt: Millis;
};

export type Delivered = { readonly adId: string; readonly ends: readonly number[]; readonly asked: Asked };

export type DeliveryStore = {
  /** On disk when it resolves. */
  mark(mark: Mark): Promise<Marked>;
  /** What a session was given. */
  ofSession(sessionId: string): Promise<Delivered[]>;
  /** Forgets ads of which nothing was asked for since `before`, at most a few thousand at a time. Returns how many. */
  forget(before: Millis): Promise<number>;
};
