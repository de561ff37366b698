// SPDX-License-Identifier: Apache-2.0
// A span: a clip at a place on the channel's clock, with its numbers. Everything that a manifest contains about it follows
// from these values.
import { type Memos, memo } from '../../cache/memo.ts';
import { defined } from '../../invariant.ts';
import { FLICKS_PER_MILLI, type Flicks, flicks, flicksToMillis, type Millis, millis } from '../../time/units.ts';
import type { Clip } from '../asset/clip.ts';

/** An instant more exact than a millisecond: `millis`, plus `rest` flicks (less than a millisecond). */
export type Instant = { readonly millis: Millis; readonly rest: Flicks };

export type Placed = {
  readonly clip: Clip;
  readonly start: Instant;
  /** Start and end, each rounded once to a millisecond. */
  readonly startsAt: Millis;
  readonly endsAt: Millis;
};

export const place = (clip: Clip, start: Instant): Placed => ({
  clip,
  start,
  startsAt: clockAt(start, 0),
  endsAt: clockAt(start, clip.duration),
});

/** The value of a rung, from a list that has one for each. @throws {InvariantError} */
export const ofRung = <Value>(values: readonly Value[], rung: number): NonNullable<Value> =>
  defined(values[rung], 'each rung has a value');

/** The difference between a viewer's sequence numbers and the channel's. */
export type Shift = {
  /** Added to media sequence numbers, for each rung. */
  readonly segments: readonly number[];
  /** Added to discontinuity sequence numbers. */
  readonly discontinuities: number;
};

type ListedSpan = {
  /** Unique in the channel's life; the Period@id (ISO/IEC 23009-1 5.3.2.2). */
  readonly id: string;
  readonly placed: Placed;
  /** The media sequence number of its first segment, for each rung (RFC 8216 §4.3.3.2). */
  readonly numbers: readonly number[];
  /** Its discontinuity sequence number, the same in every rung (RFC 8216 §6.2.2). */
  readonly discontinuity: number;
  /** Set for a piece of live content: consecutive spans of one stretch are continuous, and one Period. */
  readonly stretch?: Stretch | undefined;
  /** Set for a break or a blackout that an operator has inserted: its id. */
  readonly insertedId?: string | undefined;
  /** Set while the end of its break is not known (`openEdge`). */
  readonly open?: Open | undefined;
  /** The last place, at its start or before, where an entry of a schedule has ended or started. */
  readonly border?: EntryBorder | undefined;
  memos: Memos;
};

/** `announcedEnd`: of the break, if it was announced and slate follows its ads. */
export type Open = { readonly announcedEnd: Instant | undefined };

/** Content outside of breaks, or a blackout. */
export type PlainSpan = ListedSpan & {
  readonly break?: undefined;
  readonly within?: undefined;
  readonly adId?: undefined;
};

/** A break of the channel, which a viewer's decision replaces. */
export type BreakSpan = ListedSpan & {
  readonly break: Break;
  readonly within?: undefined;
  readonly adId?: undefined;
};

/** Replaces a break or part of one, or follows its start. */
type InnerSpan = ListedSpan & {
  readonly break?: undefined;
  readonly within: BreakPlace;
  /** Set when it is a viewer's ad. */
  readonly adId?: string | undefined;
};

/** Viewers who see the same span share this value, and the manifest text that is derived from it. */
export type Span = PlainSpan | BreakSpan | InnerSpan;

export const isBreakSpan = (span: Span | undefined): span is BreakSpan => span?.break !== undefined;

/** Continuous content that is listed in several spans, so that no span grows for long. */
export type Stretch = {
  /** The Period@id. */
  readonly id: string;
  /** The Period's start. The clips of its spans count `from` from here. */
  readonly start: Instant;
};

/** The place of a break on the channel; it does not depend on what a viewer sees in it. */
export type BreakPlace = {
  readonly id: string;
  readonly startsAt: Millis;
  readonly duration: Flicks;
  /** Live: marker tags of the origin before its first segment. */
  readonly tags?: readonly string[];
  /** Live: its end was not announced; `duration` is as long as it may last. */
  readonly isOpenEnded?: true;
  /** Live: the segmentation_upid of its marker. */
  readonly upid?: string;
};

/** What identifies a programme for others (ANSI/SCTE 35 §10.3.3.1, table 22). */
export type Upid = { readonly type: 'adId' | 'adi' | 'ads' | 'eidr' | 'uri' | 'uuid'; readonly value: string };

/** An entry of a schedule, from where it starts on the channel. */
export type EntryPlace = { readonly id: string; readonly startsAt: Millis; readonly upid?: Upid };

export type EntryBorder = {
  readonly at: Millis;
  readonly ended?: EntryPlace | undefined;
  readonly started?: EntryPlace | undefined;
};

/** A break on the channel: a number of frames, filled with slate by default. */
export type Break = FixedBreak | MovingBreak;

/** URLs of the clips before the first and after the last ad of a break; none when empty. */
export type BumperUrls = { readonly intro?: string; readonly outro?: string };

/** Of an entry of a schedule. */
export type EntryBumpers = BumperUrls & { readonly entryId: string };

type AnyBreak = {
  readonly id: string;
  readonly frames: number;
  readonly maxAds?: number;
  readonly slateId: string;
  /** Those of the channel when absent. */
  readonly bumpers?: EntryBumpers;
};

/** A break on a schedule: as long as its span. */
export type FixedBreak = AnyBreak & { readonly place?: undefined; readonly live?: undefined };

/** `frames` is its announced length, and `place` where and how long it was announced to be. */
export type MovingBreak = AnyBreak & { readonly place: BreakPlace; readonly live: LiveBreak };

/** A break whose end becomes known while it is on air. */
export type LiveBreak = {
  readonly fill: 'slate' | 'content';
  /** Where ads may start and end, ascending: with slate, only its end; with content, each border of the content. */
  readonly junctions: readonly Junction[];
  /** Whether the last junction is its end. */
  readonly isClosed: boolean;
  readonly head: Omit<Junction, 'at'>;
  /** After the start of the break: its announced end, if it was announced and slate follows its ads. */
  readonly announced?: Flicks;
  /** On a schedule: an operator has ended it. Until then it is a break of fixed length. */
  readonly isScheduled?: true;
};

/** Content that a viewer's ads replace; `until` is absent while its end is not known. */
export type Region = {
  readonly from: Instant;
  readonly until?: Instant;
  /** The media times of the content at `until`: see `PeriodStart`. */
  readonly mediaTimes?: PeriodStart['mediaTimes'];
};

/** Where a Period starts within a stretch, after a viewer's ads. */
export type PeriodStart = {
  readonly at: Instant;
  /**
   * By rung, in ticks; null where it is not known. A Period outlives the segment with which it starts, and its presentationTimeOffset
   * must not change (law 7). Absent: they are computed from those of the stretch.
   */
  readonly mediaTimes?: readonly (number | null)[];
};

/** A point of the channel's timeline. */
export type Junction = {
  /** After the start of the break. */
  readonly at: Flicks;
  /** The media sequence number of the next segment, for each rung. */
  readonly numbers: readonly number[];
  /** The discontinuity sequence number of the next span. */
  readonly discontinuity: number;
};

/** The instant `length` flicks after another, without rounding. */
export function after(instant: Instant, length: number): Instant {
  const total = instant.rest + length;
  const whole = Math.floor(total / FLICKS_PER_MILLI);
  return { millis: millis(instant.millis + whole), rest: flicks(total - whole * FLICKS_PER_MILLI) };
}

/** The time from one instant to another, which must be less than 147 days, the range of flicks. */
export const flicksBetween = (from: Instant, to: Instant): Flicks =>
  flicks((to.millis - from.millis) * FLICKS_PER_MILLI + to.rest - from.rest);

/** For sorting. */
export const compareInstants = (one: Instant, other: Instant): number =>
  one.millis - other.millis || one.rest - other.rest;

/** The wall clock `length` flicks after an instant, rounded once from the sum. */
export const clockAt = (instant: Instant, length: number): Millis =>
  (instant.millis + flicksToMillis(instant.rest + length)) as Millis;

/**
 * Borders that differ by less are the same one. After an outage of the store, a process follows slots of the log that start up
 * to half a frame before the end of what it has shown (playback/live/continueAfter.ts).
 */
export const SAME_BORDER_MS = 20;

export const spanStart = ({ placed }: Span): Millis => placed.startsAt;
export const spanEnd = ({ placed }: Span): Millis => placed.endsAt;

export const placeOf = (span: BreakSpan): BreakPlace => span.break.place ?? placeOfFixed(span);

const placeOfFixed = memo(
  ({ break: { id }, placed: { startsAt, clip } }: BreakSpan): BreakPlace => ({ id, startsAt, duration: clip.duration }),
);

/** Undefined if the end of the break was not announced. */
export const announcedLength = ({ duration, isOpenEnded }: BreakPlace): Flicks | undefined =>
  isOpenEnded ? undefined : duration;

export const breakOf = (span: Span): BreakPlace | undefined => (span.break === undefined ? span.within : placeOf(span));

/**
 * The announced end of a break is rounded to half a frame, and its last filler may end up to a frame later
 * (ads/placement/placeLiveBreak.ts).
 */
const ROUNDING_MS = 100;

/**
 * Whether a span is filler of a live break that lasts longer than announced. Such filler is not announced. An ad is,
 * although it may be longer than what is left of the break, until it is cut at its end.
 */
export function isPast(span: Span): boolean {
  const place = span.adId === undefined ? breakOf(span) : undefined;
  return place !== undefined && span.placed.endsAt > place.startsAt + flicksToMillis(place.duration) + ROUNDING_MS;
}
