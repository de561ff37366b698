// SPDX-License-Identifier: Apache-2.0
// What a live channel has shown so far, as its log says it. A value.
import { FLICKS_PER_MILLI, type Millis } from '../../time/units.ts';
import type { Instant } from '../../timeline/programme/span.ts';
import type { BreakList } from '../breaks/breakList.ts';
import type { LiveFeed } from '../feed.ts';
import type { LiveAnchor, LiveRules } from '../slot.ts';
import { between } from './between.ts';
import type { Run } from './run.ts';
import { openSection, type Section, type SectionMedia } from './section.ts';

export type LiveState = {
  readonly feed: LiveFeed;
  readonly media: SectionMedia;
  /** Absent before the first entry. */
  readonly anchor?: LiveAnchor;
  readonly rules?: LiveRules;
  readonly nextEntry: number;
  readonly edge?: Instant;
  /** The ends of the last slots, latest first (`openEdge`). */
  readonly borders: readonly Instant[];
  /** When each of the last edges was shown first. */
  readonly listed: readonly { readonly edge: Millis; readonly at: Millis }[];
  /** The target duration of the origin in seconds, if it is longer than that of the feed. */
  readonly target?: number | undefined;
  /** The origin lists nothing that ends before this time, which never decreases. */
  readonly listedFrom: Millis;
  /** Oldest first; consecutive in time. */
  readonly runs: readonly Run[];
  readonly sections: readonly Section[];
  readonly breaks: BreakList | undefined;
  /** What the next slot has. */
  readonly next: { readonly numbers: readonly number[]; readonly discontinuity: number };
  /** Grows when a section starts or ends, or its content grows. */
  readonly revision: number;
  /** What was shown before a hole, as long as little is listed after it. */
  readonly before?: LiveState;
  /** Milliseconds of the timeline that are kept. */
  readonly keep: number;
};

export const initialState = (feed: LiveFeed, media: SectionMedia, keep: number): LiveState => ({
  feed,
  media,
  keep,
  nextEntry: 0,
  listed: [],
  listedFrom: 0 as Millis,
  borders: [],
  runs: [],
  sections: [],
  breaks: undefined,
  revision: 0,
  next: { numbers: [], discontinuity: 0 },
});

/** For how many milliseconds the break at the end of a timeline has been on air, in all of its sections; 0 without one. */
export function breakMillis({ sections, edge }: LiveState): number {
  const open = openSection(sections);
  // What shows no ads needs no markers.
  if (open === undefined || edge === undefined || open.kind !== undefined) return 0;
  const first = sections.find(({ breakId }) => breakId === open.breakId) ?? open;
  return Math.max(0, between(first.start, edge) / FLICKS_PER_MILLI);
}
