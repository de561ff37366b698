// SPDX-License-Identifier: Apache-2.0
// The spans of runs. Each is made once for each value of its chunk or section, so that windows and manifest text are shared.

import { type Millis } from '../../time/units.ts';
import { type Instant, type PlainSpan } from '../../timeline/programme/span.ts';
import { memo } from '../../cache/memo.ts';
import { noMemos } from '../../cache/ownMemo.ts';
import { framesToFlicks } from '../../time/units.ts';
import { after, clockAt, place, type Span, type Stretch } from '../../timeline/programme/span.ts';
import type { LiveFeed } from '../feed.ts';
import type { Slot } from '../slot.ts';
import { contentClip } from './contentClip.ts';
import type { Chunk, ContentRun } from './run.ts';
import type { StretchOrigin } from './runHead.ts';
import { announcedEnd, breakOfSection, numbersAfter, type Section, type SectionMedia, slateClips } from './section.ts';

type Listed = {
  readonly slots: readonly [Slot, ...Slot[]];
  readonly stretch: Stretch;
  readonly origin: StretchOrigin;
};

export const listedSpan = (
  feed: LiveFeed,
  { slots, stretch, origin }: Listed,
  numbers: readonly number[],
  discontinuity: number,
): PlainSpan => {
  const [first] = slots;
  const isHead = clockAt(first.start, 0) === clockAt(stretch.start, 0);
  return {
    id: isHead ? stretch.id : `${stretch.id}.${first.number}`,
    placed: place(contentClip(feed, slots, origin), first.start),
    ...{ numbers, discontinuity, stretch },
    memos: noMemos(),
  };
};

/** A run keeps its stretch and its discontinuity number, so a chunk has one span. */
const chunkSpans = memo((_: Chunk): { span?: PlainSpan } => ({}));

export function chunkSpan(feed: LiveFeed, { stretch, origin, discontinuity }: ContentRun, chunk: Chunk): PlainSpan {
  const made = chunkSpans(chunk);
  made.span ??= listedSpan(feed, { slots: chunk.slots, stretch, origin }, chunk.numbers, discontinuity);
  return made.span;
}

/** Content of a break: the span at its start is the break. */
export const breakContent = memo((span: PlainSpan) =>
  memo((section: Section) =>
    memo((media: SectionMedia): Span => {
      const own = breakOfSection(section)(media);
      const isHead = clockAt(section.start, 0) === span.placed.startsAt;
      return { ...span, ...(isHead ? { break: own } : { within: own.place }), memos: noMemos() };
    }),
  ),
);

/** The spans of a section with slate, as viewers without ads see it. */
export const slateSpans = memo((section: Section) =>
  memo((media: SectionMedia): readonly Span[] => {
    const own = breakOfSection(section)(media);
    const within = own.place;
    const placeOf = (index: number) => (index === 0 ? { break: own } : { within });
    let { numbers } = section.head;
    return slateClips(section, media).map(({ at, clip }, index): Span => {
      const span: Span = {
        id: index === 0 ? section.id : `${section.id}-${index}`,
        placed: place(clip, after(section.start, framesToFlicks(at, media.ladder.frameRate))),
        numbers,
        discontinuity: section.head.discontinuity + index,
        ...(section.kind === undefined ? placeOf(index) : {}),
        ...(section.isClosed ? {} : { open: { announcedEnd: announcedEnd(section) } }),
        memos: noMemos(),
      };
      numbers = numbersAfter(numbers, [clip]);
      return span;
    });
  }),
);
