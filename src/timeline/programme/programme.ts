// What a channel plays, whatever kind of channel it is. Playback knows channels through this type alone: the schedule of a
// vod2live channel is one implementation (channels/schedule/scheduleProgramme.ts), a live origin or a VoD presentation would be others.
import type { Millis } from '../../time/units.ts';
import type { Span } from './span.ts';

/** A change of what was planned, such as an edit on air; for people, playback does not use it. */
export type ProgrammeChange = { readonly number: number; readonly from: Millis };

/** The same on every node that has loaded the same revision. */
export type Programme = {
  /** The first instant: MPD@availabilityStartTime (ISO/IEC 23009-1 5.3.1.2). */
  readonly startedAt: Millis;
  /** Spans before this instant are forgotten: of a break that started earlier, only the numbers are left. */
  readonly historyFrom: Millis;
  /**
   * Grows within one life of the channel whenever spans or breaks that were already returned may have changed. Time that
   * passes, and spans that are added at the end, do not change it.
   */
  readonly revision: number;
  readonly changes: readonly ProgrammeChange[];
  /**
   * The consecutive spans that touch the time between `from` and `to`, in order. Spans are values, and manifests keep what
   * they derive from them: one that is published never changes (law 1), and one that grows is returned as a new value.
   */
  spansBetween(from: Millis, to: Millis): Span[];
  /**
   * False for a break that was taken off before it started: a decision for it moves no numbers. True also for a break that
   * this revision does not know yet.
   */
  isOnSchedule(breakId: string): boolean;
};
