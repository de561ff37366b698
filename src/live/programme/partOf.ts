// SPDX-License-Identifier: Apache-2.0
// Parts of live content, before and after a viewer's ads that begin or end within it.
import { LRUCache } from 'lru-cache';
import { memo } from '../../cache/memo.ts';
import { weakValueCache } from '../../cache/weakValueCache.ts';
import { flicksToTicks } from '../../time/units.ts';
import type { ContentPart } from '../../timeline/programme/programme.ts';
import {
  clockAt,
  type Instant,
  type PlainSpan,
  SAME_BORDER_MS,
  type Span,
  type Stretch,
} from '../../timeline/programme/span.ts';
import type { LiveFeed } from '../feed.ts';
import { between } from './between.ts';
import { stretchOrigin } from './contentClip.ts';
import type { LiveState } from './liveState.ts';
import type { Chunk, ContentRun } from './run.ts';
import type { StretchOrigin } from './runHead.ts';
import { breakContent, listedSpan } from './spans.ts';

const shared = memo((_: LiveFeed) => weakValueCache<string, PlainSpan>());

function chunkOf({ runs }: LiveState, { placed, stretch }: Span): { run: ContentRun; chunk: Chunk } | undefined {
  for (const run of runs) {
    if (run.kind !== 'content' || run.stretch.id !== stretch?.id) continue;
    const chunk = run.chunks.find(({ slots }) => clockAt(slots[0]!.start, 0) === placed.startsAt);
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

/** Periods outlive the slots with which they started, and their presentationTimeOffset must not change (law 7). */
const origins = memo((_: LiveFeed) => new LRUCache<number, StretchOrigin>({ max: MAX_PERIODS }));
const MAX_PERIODS = 5000;

function periodOrigin(feed: LiveFeed, run: ContentRun, period: Instant): StretchOrigin {
  const known = origins(feed).get(clockAt(period, 0)) ?? makeOrigin(feed, run, period);
  origins(feed).set(clockAt(period, 0), known);
  return known;
}

/** Where the media of a Period start that begins within a stretch. */
function makeOrigin(feed: LiveFeed, { chunks, origin }: ContentRun, period: Instant): StretchOrigin {
  const time = clockAt(period, 0);
  const chunk = chunks.findLast(({ slots }) => clockAt(slots[0].start, 0) <= time);
  const slot = chunk?.slots.find(({ start }) => clockAt(start, 0) === time);
  if (slot !== undefined) return stretchOrigin(feed, slot);
  const passed = between(origin.start, period);
  const mediaTimes = origin.mediaTimes.map((start, rung) =>
    start === undefined ? undefined : start + flicksToTicks(passed, feed.rungs[rung]!.timescale),
  );
  return { start: period, mediaTimes };
}

/** @returns undefined when nothing of the span is in the part */
export function partOf(state: LiveState, span: Span, part: ContentPart): Span | undefined {
  const found = chunkOf(state, span);
  if (found === undefined) return span;
  const { run, chunk } = found;
  const { skipped, slots } = slotsWithin(chunk, part);
  if (slots.length === 0) return undefined;
  if (slots.length === chunk.slots.length && part.period === undefined) return span;
  const { period } = part;
  const starts = period && clockAt(period, 0);
  const stretch: Stretch = period === undefined ? run.stretch : { id: `p${starts}`, start: period };
  const [first, ...more] = slots;
  const origin = period === undefined ? run.origin : periodOrigin(state.feed, run, period);
  const listed = { slots: [first!, ...more] as const, stretch, origin };
  const key = `${run.discontinuity} ${starts} ${slots[0]!.number} ${slots.length}`;
  const numbers = chunk.numbers.map((number, rung) =>
    skipped.reduce((sum, { segments }) => sum + segments[rung]!.length, number),
  );
  const own = shared(state.feed)(key, () => listedSpan(state.feed, listed, numbers, run.discontinuity));
  const section = run.sectionId === undefined ? undefined : state.sections.find(({ id }) => id === run.sectionId);
  return section === undefined ? own : breakContent(own)(section)(state.media);
}
