// SPDX-License-Identifier: Apache-2.0
// A section: the part of the timeline that one decision of a viewer fills. A break is one section; if it lasts longer than
// announced, further sections follow, so that further ads can be requested.

import { type BreakClip, breakClips, type ClipMaker } from '../../ads/placement/breakClips.ts';
import { fillerOf, fitToEnd } from '../../ads/placement/placeLiveBreak.ts';
import { memo } from '../../cache/memo.ts';
import { FLICKS_PER_SECOND, type Flicks, type FrameRate } from '../../time/units.ts';
import type { Clip } from '../../timeline/asset/clip.ts';
import { minSlateFrames } from '../../timeline/asset/frameGrid.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import {
  after,
  clockAt,
  type Instant,
  type Junction,
  type MovingBreak,
  ofRung,
} from '../../timeline/programme/span.ts';

export type Section = {
  /** Not a break with ads: `away` is slate while the origin is away. Its spans have no break that a viewer decides. */
  readonly kind?: 'away' | 'blackout';
  /** `<break>-<n>`, as the ids of ads require it. */
  readonly id: string;
  readonly breakId: string;
  readonly start: Instant;
  readonly slot: number;
  readonly planned: Flicks;
  /** Whether `planned` was announced; otherwise it is as long as a break may last. */
  readonly isAnnounced?: true;
  readonly fill: 'slate' | 'content';
  readonly head: Omit<Junction, 'at'>;
  /** With content: the borders of its slots after its start. With slate: its end, once it is known. */
  readonly junctions: readonly Junction[];
  readonly isClosed: boolean;
  /** The origin's marker tags at the start of the break. */
  readonly tags?: readonly string[];
  /** The segmentation_upid of the break. */
  readonly upid?: string;
  /** The media of a blackout; the slate of the feed when absent. */
  readonly slateId?: string;
};

/** A section before anything of it is on air. */
export type SectionStart = Omit<Section, 'head' | 'junctions' | 'isClosed'>;

/** The section that is on air at the end of the timeline. */
export function openSection(sections: readonly Section[]): Section | undefined {
  const last = sections.at(-1);
  return last?.isClosed === false ? last : undefined;
}

/** The breaks that have had a section. */
export const startedBreaks = memo(
  (sections: readonly Section[]): ReadonlySet<string> => new Set(sections.map(({ breakId }) => breakId)),
);

/**
 * Where a section with slate is announced to end. One with content is not listed at its edge (`openEdge`): after a segment of
 * less than half a second, it may have no content to continue with.
 */
export const announcedEnd = ({ start, planned, fill, isAnnounced }: SectionStart): Instant | undefined =>
  isAnnounced && fill === 'slate' ? after(start, planned) : undefined;

export type SectionMedia = { readonly ladder: Ladder; readonly slateId: string; readonly clips: ClipMaker };

export const framesOf = (length: Flicks, { n, d }: FrameRate): number =>
  Math.round((length * n) / (d * FLICKS_PER_SECOND));

/** The break that playback decides. */
export const breakOfSection = memo((section: Section) =>
  memo((media: SectionMedia): MovingBreak => {
    const { id, start, planned, fill, head, junctions, isClosed, tags, upid, isAnnounced } = section;
    const rate = media.ladder.frameRate;
    const facts = { ...(tags && { tags }), ...(upid && { upid }), ...(!isAnnounced && { isOpenEnded: true as const }) };
    return {
      id,
      frames: Math.max(minSlateFrames(rate), framesOf(planned, rate)),
      slateId: section.slateId ?? media.slateId,
      place: { id, startsAt: clockAt(start, 0), duration: planned, ...facts },
      live: { fill, head, junctions, isClosed, ...(announcedEnd(section) && { announced: planned }) },
    };
  }),
);

const NO_ADS = { ads: [], joined: 0 } as const;

/** What a section with slate shows without ads. */
export function slateClips(section: Section, media: SectionMedia): BreakClip[] {
  const own = breakOfSection(section)(media);
  const all = breakClips({ ...NO_ADS, breakId: own.id, startsAt: 0 }, own, media.clips);
  const end = section.isClosed ? section.junctions.at(-1) : undefined;
  return end === undefined ? all : fitToEnd(all, end.at, media.ladder.frameRate, fillerOf(own.slateId, media.clips));
}

export const numbersAfter = (numbers: readonly number[], clips: readonly Clip[]): readonly number[] =>
  numbers.map((number, rung) =>
    clips.reduce((sum, { ends, firsts }) => sum + ofRung(ends, rung) - ofRung(firsts, rung), number),
  );

/** Closes a section. With slate, the numbers continue after its slate. */
export function closeSection(section: Section, at: Flicks, media: SectionMedia): Section {
  if (section.fill === 'content') return { ...section, isClosed: true };
  const open: Section = { ...section, isClosed: true, junctions: [{ at, ...section.head }] };
  const clips = slateClips(open, media);
  const numbers = numbersAfter(
    section.head.numbers,
    clips.map(({ clip }) => clip),
  );
  return { ...open, junctions: [{ at, numbers, discontinuity: section.head.discontinuity + clips.length }] };
}
