// SPDX-License-Identifier: Apache-2.0
// What the markers of a live origin state about one break. This folder turns the signals of a feed into breaks. It does not
// decide what is shown in them, which is left to `programme`.
import type { Flicks, Millis } from '../../time/units.ts';
import { after, compareInstants, type Instant } from '../../timeline/programme/span.ts';

export type BreakFact = {
  /** The id has digits only. It stays the same while start, length and end change, and is the same on all nodes. */
  readonly id: string;
  readonly startsAt: Instant;
  /** The announced length; absent if it is unknown. */
  readonly duration?: Flicks;
  /** The end that a marker states explicitly. It is valid even if `duration` states another one. */
  readonly endsAt?: Instant;
  /** The last instant at which a marker stated that the break was on air; may be after its announced end. */
  readonly continuesUntil?: Instant;
  /** When its first signal was read. */
  readonly announcedAt: Millis;
  /** The name of the tag, or the scheme of the event. */
  readonly source: string;
  readonly raw: string;
  /** The line in the manifest that announced the break. */
  readonly line: number;
  readonly upid?: string;
  /** The id of the break in the scheme of its source, e.g. a splice_event_id or the ID of an EXT-X-DATERANGE. */
  readonly sourceId?: string;
  /** `continued`: the timeline begins within it, or its start was not marked. */
  readonly start: 'marked' | 'continued' | 'unknown';
  /** The kind of a break that an operator has inserted. */
  readonly inserted?: 'ads' | 'blackout';
  /** The media that a blackout shows; the slate of the feed when absent. */
  readonly slateId?: string;
  /** The place of the last signal that stated an inserted break. */
  readonly statedAt?: Instant;
  /** True if the break replaces nothing. */
  readonly isInsertionPoint?: true;
};

/** Where markers state that a break ends; undefined if they do not. */
export const endOfFact = ({ startsAt, endsAt, duration }: BreakFact): Instant | undefined =>
  endsAt ?? (duration === undefined ? undefined : after(startsAt, duration));

/** For sorting. */
export const byStart = (one: BreakFact, other: BreakFact): number => compareInstants(one.startsAt, other.startsAt);

/** A marker that was not used as written. */
export type BreakWarning = {
  readonly line: number;
  readonly text: string;
  /** When it was read. */
  readonly at: Millis;
};
