// SPDX-License-Identifier: Apache-2.0
// The timeline of a live channel as it is stored: slots, one after the other. Nodes agree because the first writer of an entry
// wins, whichever edge the origin shows to each of them.

import type { MarkerSignal } from '../markers/markerSignal.ts';
import type { Flicks, Millis } from '../time/units.ts';
import type { Instant, Stretch } from '../timeline/programme/span.ts';
import type { OriginSegment } from './origin.ts';
import type { Section } from './programme/section.ts';

/** A segment in a slot. What all segments of a slot share is in the slot. */
export type SlotSegment = Omit<OriginSegment, 'startsAt' | 'stretch'> & {
  /**
   * For the first segment of a rung in its slot: how much later than the slot its media start, where the origin states that
   * exactly (DASH); negative if they start earlier. 0 when absent. Audio is up to a frame away from video.
   */
  readonly late?: Flicks;
};

/**
 * The time between two consecutive instants at which all renditions have a segment border: the smallest unit that a viewer's
 * ads can replace. Mostly one segment of each rendition.
 */
export type Slot = {
  /** Counted from 0 in the life of the channel, without gaps. */
  readonly number: number;
  readonly start: Instant;
  /** On the timeline; the next slot starts `duration` later unless it starts a stretch. */
  readonly duration: Flicks;
  /** The media do not continue the slot before: discontinuity, Period, restart of the origin, or time that was not read. */
  readonly isNewStretch: boolean;
  /** The origin is away: slate is shown instead, or what the break on air shows. */
  readonly isAway?: true;
  /** How many slots of the origin are missing before it, because the channel was idle or the origin dropped them; 0 mostly. */
  readonly missed?: number;
  /** The date that the origin states for the start of its first segment in the first rung, to a millisecond. */
  readonly originDate?: Millis;
  /** `OriginSegment.stretch` of that segment. */
  readonly originStretch?: string;
  /** The origin's marker tags before its segments, if the channel passes them on: whole lines. */
  readonly tags?: readonly string[];
  /** By rung, in playing order; at least one each, none in an away slot. */
  readonly segments: readonly (readonly SlotSegment[])[];
};

const NONE: readonly SlotSegment[] = [];
export const segmentsOf = ({ segments }: Pick<Slot, 'segments'>, rung: number): readonly SlotSegment[] =>
  segments[rung] ?? NONE;

/** In flicks. */
export const lengthOf = (all: readonly { readonly duration: number }[]): number =>
  all.reduce((sum, { duration }) => sum + duration, 0);

/** A marker on the timeline. `at` is its exact place, which may be after the last slot. */
export type PlacedSignal = Omit<MarkerSignal, 'at' | 'segment'> & {
  readonly at: Instant;
  /** The inserted break that the signal states. */
  readonly inserted?: {
    readonly kind: 'ads' | 'blackout';
    /** The media that a blackout shows; the slate of the feed when absent. */
    readonly slateId?: string;
    /** The id and the start of the break on the timeline, if the signal repeats it. */
    readonly breakId?: string;
    readonly startsAt?: Instant;
  };
};

/** Fixed by the first entry of a life. */
export type LiveAnchor = {
  readonly start: Instant;
  /** Milliseconds by which the timeline was behind the clock when its first edge was shown. */
  readonly lag: number;
};

export type LiveRules = {
  readonly fill: 'slate' | 'content';
  /** The longest time that a break may last that never states its end. */
  readonly maxBreak: Flicks;
  /** Slots have the origin's marker tags. */
  readonly markers?: 'pass';
};

/** Where the media of a stretch start. A Period's start and its presentationTimeOffset follow from it (law 7). */
export type StretchOrigin = {
  readonly start: Instant;
  /** By rung: the media time at `start`, in ticks; undefined when it is not known (most HLS origins). */
  readonly mediaTimes: readonly (number | undefined)[];
};

/** A run of continuous content without its slots. */
export type RunHead = {
  readonly stretch: Stretch;
  readonly origin: StretchOrigin;
  readonly discontinuity: number;
  /** The id of the section that it is the content of, when breaks show content. */
  readonly sectionId?: string;
};

/** With a checkpoint, a node that reads only the end of a log continues with the same numbers. */
export type LiveCheckpoint = {
  /** The media sequence number of the next slot for each rung, and its discontinuity sequence number. */
  readonly numbers: readonly number[];
  readonly discontinuity: number;
  /** The borders of slots hardly before the entry, if any, besides its start; latest first. */
  readonly borders?: readonly Instant[];
  readonly section?: Section;
  /** The content that the next slot continues, without its slots. */
  readonly run?: RunHead;
};

/** What one reading added. Entries are numbered from 0; the first writer of a number wins, and all nodes apply the same. */
export type LiveEntry = {
  readonly number: number;
  /** When the entry was read, by the writer's clock. */
  readonly readAt: Millis;
  /** When every node starts to show the entry. */
  readonly visibleAt: Millis;
  /** The same in all entries of a life. */
  readonly anchor: LiveAnchor;
  /** The channel's rules for its slots and for breaks that start in them, as its writer knew them. */
  readonly rules: LiveRules;
  /** Where the channel was before the entry, as its writer knew it. */
  readonly checkpoint?: LiveCheckpoint;
  /** Why away slots begin with this entry: one sentence, without secrets. */
  readonly awayReason?: string;
  /** The entry was written while the log could not be read: its number is not the same on all nodes. */
  readonly isApart?: true;
  /** The URL of the backup origin that its slots are from; absent if they are from the feed's own URL. */
  readonly source?: string;
  /** Milliseconds that the origin lists, if that is less than what its readings contain at most. */
  readonly window?: number;
  /** The target duration of the origin in seconds, if it is longer than that of the feed. */
  readonly target?: number;
  readonly slots: readonly Slot[];
  /** Signals that were not in an earlier entry, in the order of their times. */
  readonly signals: readonly PlacedSignal[];
};

/** What the reader of an origin adds to its reading. */
export type EntryFrame = Pick<LiveEntry, 'readAt' | 'visibleAt' | 'rules' | 'checkpoint' | 'source'>;
