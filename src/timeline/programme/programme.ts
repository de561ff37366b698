// SPDX-License-Identifier: Apache-2.0
// What a channel plays. Playback uses only this type, so it works with any kind of channel: the schedule of a vod2live channel
// is one implementation (channels/schedule/scheduleProgramme.ts); a live origin or a VoD presentation could be others.
import type { Flicks, Millis } from '../../time/units.ts';
import type { BreakSpan, Instant, PeriodStart, Span } from './span.ts';

/**
 * A change of the programme. For display only; playback does not use it.
 * `edit`: an edited playlist goes on air. `insertion`: a break or blackout was inserted. `cycle`: after one of these, the list
 * starts again with its first item. Absent for the start of the life of a channel.
 */
export type ProgrammeChange = {
  readonly number: number;
  readonly from: Millis;
  readonly kind?: 'edit' | 'insertion' | 'cycle';
};

/** A part of continuous content, from and to borders of its segments; without a limit, to the ends of the span. */
export type ContentPart = {
  readonly from?: Instant;
  readonly to?: Instant;
  /** The start of the Period that the part belongs to, if that is not the Period of the span (ISO/IEC 23009-1 5.3.2). */
  readonly period?: PeriodStart;
};

export type LastBreak = {
  readonly id: string;
  /** Its length as announced; as it was, if it was not announced. */
  readonly seconds: number;
  /** When its end was listed, by the clock; absent while it is on air. */
  readonly endedAt?: Millis;
};

/** The same on every node that has loaded the same revision. */
export type Programme = {
  /** The first instant: MPD@availabilityStartTime (ISO/IEC 23009-1 5.3.1.2). */
  readonly startedAt: Millis;
  /** Spans before this instant are discarded: of a break that started earlier, only its effect on the numbers remains. */
  readonly historyFrom: Millis;
  /**
   * Grows within one life of the channel whenever spans or breaks that were already returned may have changed. Time that
   * passes, and spans that are added at the end, do not change it.
   */
  readonly revision: number;
  /** Live: windows list nothing that ends before this instant. */
  readonly listedFrom?: Millis;
  readonly changes: readonly ProgrammeChange[];
  /**
   * The instant up to which the timeline can be listed at an instant of the clock. On a schedule both are the same; the edge
   * of a live origin is the end of what was read of it.
   */
  edgeAt(now: Millis): Millis;
  /** Live: the last borders of slots, exactly; the first one is the edge (`openEdge`). */
  readonly borders?: readonly Instant[];
  /**
   * When the time that follows an instant of the timeline is listed first, by the clock: the past as it was, the future as
   * predicted. On a schedule both are the same.
   */
  listedAt(instant: Millis): Millis;
  /** How much later the clock is than the timeline, in milliseconds: 0 on a schedule, the latency of a live origin. */
  readonly lag: number;
  /**
   * The consecutive spans that touch the time between `from` and `to`, in order. Spans are values, and manifests keep what
   * they derive from them: one that is published never changes (law 1), and one that grows is returned as a new value.
   */
  spansBetween(from: Millis, to: Millis): Span[];
  /**
   * False for a break that was removed before it started: a decision for it moves no numbers. True also for a break that
   * this revision does not contain yet.
   */
  isOnSchedule(breakId: string): boolean;
  /** The span of a break, as long as the programme knows it. @param startsAt as its decision has it */
  breakSpan(breakId: string, startsAt: Millis): BreakSpan | undefined;
  /** Live: the break of a viewer who joins, from a border of content on; undefined while the content there is not kept. */
  joinBreak?(start: Instant, length: Flicks, maxAds?: number): BreakSpan | undefined;
  /** Live: the part of a span; undefined when it is empty. */
  partOf?(span: Span, part: ContentPart): Span | undefined;
  /** Live: the media times of content that starts at a border within a stretch; undefined if they are not known, or not kept. */
  mediaTimesAt?(border: Instant): PeriodStart['mediaTimes'];
  /** Live: the last border of content at or before an instant of the timeline, within what is kept; undefined in a break. */
  borderBefore?(instant: Millis): Instant | undefined;
  /** Live: what was listed before a hole, as long as nothing may be listed after it. */
  before?(): Programme | undefined;
  /** Live: the newest break that has started, as long as the programme knows it. */
  lastBreak?(): LastBreak | undefined;
};
