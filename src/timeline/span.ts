// A span: a clip placed on the channel's clock and numbered. Everything a manifest says of it follows from here.
import { FLICKS_PER_MILLI, type Flicks, flicks, flicksToMillis, type Millis, millis } from '../time/units.ts';
import type { Clip } from './clip.ts';

/** An instant that is exact below the millisecond: `millis` and then `rest` flicks, fewer than a millisecond's. */
export type Instant = { readonly millis: Millis; readonly rest: Flicks };

/** A clip on the clock. Viewers who see the same at the same instant share it, and with it what was written of it. */
export type Placed = {
  readonly clip: Clip;
  readonly start: Instant;
  /** On the wall clock, each rounded once. */
  readonly startsAt: Millis;
  readonly endsAt: Millis;
  /** What was worked out of it, by whom: kept beside it, and gone when it goes. A WeakMap of many costs the collector. */
  readonly kept: { ends?: unknown; rows?: unknown; hls?: unknown; hlsMarks?: unknown; dashMarks?: unknown };
};

export const place = (clip: Clip, start: Instant): Placed => ({
  clip,
  start,
  startsAt: clockAt(start, 0),
  endsAt: clockAt(start, clip.duration),
  kept: { ends: undefined, rows: undefined, hls: undefined, hlsMarks: undefined, dashMarks: undefined },
});

/** How far a viewer's numbers are away from the channel's. */
export type Shift = {
  /** Added to media sequence numbers, for each rung. */
  readonly segments: readonly number[];
  /** Added to discontinuity sequence numbers. */
  readonly discontinuities: number;
};

export type Span = {
  /** Unique in the channel's life; the Period@id (ISO/IEC 23009-1 5.3.2.2). */
  readonly id: string;
  readonly placed: Placed;
  /** The media sequence number of its first segment, for each rung (RFC 8216 §4.3.3.2). */
  readonly numbers: readonly number[];
  /** Its discontinuity sequence number, the same in every rung (RFC 8216 §6.2.2). */
  readonly discontinuity: number;
  /** Set where the span is a break of the channel: what a viewer's decision replaces. */
  readonly break?: Break | undefined;
  /** Set where it is a viewer's ad. */
  readonly adId?: string | undefined;
  /** Set where it stands in place of a break, or of a part of one. */
  readonly within?: BreakPlace | undefined;
};

/** Where a break lies on the channel, whatever a viewer is shown in it. */
export type BreakPlace = { readonly id: string; readonly startsAt: Millis; readonly duration: Flicks };

/** A break on the channel: a fixed number of frames whose default is slate. */
export type Break = {
  readonly id: string;
  readonly frames: number;
  readonly maxAds?: number;
  /** The media of its slate. */
  readonly slateId: string;
};

/** The instant `length` after another; lengths are added exactly and rounded only when told. */
export function after(instant: Instant, length: number): Instant {
  const total = instant.rest + length;
  const whole = Math.floor(total / FLICKS_PER_MILLI);
  return { millis: millis(instant.millis + whole), rest: flicks(total - whole * FLICKS_PER_MILLI) };
}

/** The wall clock `length` after an instant, rounded once from the running total. */
export const clockAt = (instant: Instant, length: number): Millis =>
  (instant.millis + flicksToMillis(instant.rest + length)) as Millis;

export const spanStart = ({ placed }: Span): Millis => placed.startsAt;
export const spanEnd = ({ placed }: Span): Millis => placed.endsAt;

/** The break that a span is, or stands in. */
export const breakOf = ({ break: own, within, placed }: Span): BreakPlace | undefined =>
  own === undefined ? within : { id: own.id, startsAt: placed.startsAt, duration: placed.clip.duration };
