// SPDX-License-Identifier: Apache-2.0
import { memo, noMemos } from '../../cache/memo.ts';
import { weakValueCache } from '../../cache/weakValueCache.ts';
import { isNonEmpty } from '../../invariant.ts';
import { flicksToTicks, framesToFlicks } from '../../time/units.ts';
import type { ContentPart } from '../../timeline/programme/programme.ts';
import {
  after,
  clockAt,
  type Instant,
  type PeriodStart,
  type PlainSpan,
  place,
  SAME_BORDER_MS,
  type Span,
  type Stretch,
} from '../../timeline/programme/span.ts';
import type { LiveFeed, RungSource } from '../feed.ts';
import { type Slot, type StretchOrigin, segmentsOf } from '../slot.ts';
import { between } from './between.ts';
import { contentClip, stretchOrigin } from './contentClip.ts';
import type { LiveState } from './liveState.ts';
import { type Chunk, type ContentRun, startOfChunk, startOfRun } from './run.ts';
import { announcedEnd, breakOfSection, numbersAfter, type Section, type SectionMedia, slateClips } from './section.ts';

type Listed = {
  readonly slots: readonly [Slot, ...Slot[]];
  readonly stretch: Stretch;
  readonly origin: StretchOrigin;
};

const listedSpan = (
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
    numbers,
    discontinuity,
    stretch,
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
      const { id, placed, numbers, discontinuity, stretch } = span;
      const common = { id, placed, numbers, discontinuity, stretch, memos: noMemos() };
      return isHead ? { break: own, ...common } : { within: own.place, ...common };
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

/** Parts of live content, before and after a viewer's ads that begin or end within it. */
const shared = memo((_: LiveFeed) => weakValueCache<string, PlainSpan>());

function chunkOf({ runs }: LiveState, { placed, stretch }: Span): { run: ContentRun; chunk: Chunk } | undefined {
  for (const run of runs) {
    if (run.kind !== 'content' || run.stretch.id !== stretch?.id) continue;
    const chunk = run.chunks.find((one) => startOfChunk(one) === placed.startsAt);
    if (chunk !== undefined) return { run, chunk };
  }
  return undefined;
}

/** The slots of a chunk within a part, and how many come before them. */
function slotsWithin({ slots }: Chunk, { from, to }: ContentPart) {
  const startingAt = (border: Instant) =>
    slots.findIndex(({ start }) => clockAt(start, 0) >= clockAt(border, 0) - SAME_BORDER_MS);
  const begin = from === undefined ? 0 : startingAt(from);
  const end = to === undefined ? -1 : startingAt(to);
  return {
    skipped: slots.slice(0, Math.max(0, begin)),
    slots: begin < 0 ? [] : slots.slice(begin, end < 0 ? slots.length : end),
  };
}

/** Where the media of a Period start that begins within a stretch. */
function periodOrigin(feed: LiveFeed, { origin }: ContentRun, { at, mediaTimes }: PeriodStart): StretchOrigin {
  if (mediaTimes !== undefined) return { start: at, mediaTimes: mediaTimes.map((time) => time ?? undefined) };
  const passed = between(origin.start, at);
  const advance = ({ timescale }: RungSource) => flicksToTicks(passed, timescale);
  return { start: at, mediaTimes: feed.rungs.map((rung, index) => plus(origin.mediaTimes[index], advance(rung))) };
}

const plus = (time: number | undefined, ticks: number) => (time === undefined ? undefined : time + ticks);

/** @returns undefined when nothing of the span is in the part */
export function partOf(state: LiveState, span: Span, part: ContentPart): Span | undefined {
  const found = chunkOf(state, span);
  if (found === undefined) return span;
  const { run, chunk } = found;
  const { period } = part;
  const { skipped, slots } = slotsWithin(chunk, part);
  if (!isNonEmpty(slots)) return undefined;
  if (slots.length === chunk.slots.length && period === undefined) return span;
  const starts = period && clockAt(period.at, 0);
  const key = `${run.discontinuity} ${starts} ${slots[0].number} ${slots.length} ${period?.mediaTimes}`;
  const own = shared(state.feed)(key, () => {
    const stretch: Stretch = period === undefined ? run.stretch : { id: `p${starts}`, start: period.at };
    const origin = period === undefined ? run.origin : periodOrigin(state.feed, run, period);
    const before = (rung: number) => skipped.reduce((sum, slot) => sum + segmentsOf(slot, rung).length, 0);
    const numbers = chunk.numbers.map((number, rung) => number + before(rung));
    return listedSpan(state.feed, { slots, stretch, origin }, numbers, run.discontinuity);
  });
  const section = run.sectionId === undefined ? undefined : state.sections.find(({ id }) => id === run.sectionId);
  return section === undefined ? own : breakContent(own)(section)(state.media);
}

/** The media times of a Period that starts at a border within a stretch, for as long as its first slot is kept. */
export function mediaTimesAt({ feed, runs }: LiveState, border: Instant): PeriodStart['mediaTimes'] {
  const time = clockAt(border, 0);
  const run = runs.findLast((one) => startOfRun(one) < time);
  if (run?.kind !== 'content' || run.origin.mediaTimes.every((known) => known === undefined)) return undefined;
  const chunk = run.chunks.findLast((one) => startOfChunk(one) <= time);
  const slot = chunk?.slots.find(({ start }) => clockAt(start, 0) === time);
  return slot && stretchOrigin(feed, slot).mediaTimes.map((known) => known ?? null);
}
