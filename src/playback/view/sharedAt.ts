// SPDX-License-Identifier: Apache-2.0
// What all viewers of a channel share for some time; computed once.
import { memo } from '../../cache/memo.ts';
import type { Millis } from '../../time/units.ts';
import type { Programme } from '../../timeline/programme/programme.ts';
import { type Span, spanStart } from '../../timeline/programme/span.ts';
import { type ChannelStrip, stripsOf } from '../../timeline/programme/strip.ts';
import { LOOKAHEAD_MS } from '../viewers/breaks.ts';

export type Shared = {
  /** Valid from here on and before `until`, on the timeline. */
  readonly since: number;
  readonly until: number;
  readonly spans: readonly Span[];
  readonly breaks: readonly Span[];
  /** Undefined if manifests of the channel are written row by row. */
  readonly strips: readonly ChannelStrip[] | undefined;
};

/** A schedule is known ahead; the spans of a live timeline change with every slot, and the depth of a window that grows with time. */
const SCHEDULE_BLOCK_MS = 60_000;
const SHORT_BLOCK_MS = 1000;
const MAX_DEPTHS = 64;

/**
 * What viewers share, by depth. Depths chosen with `?start=` have a cache of their own, so that they evict only each
 * other. `last` is what the last request got, and `depth` its depth.
 */
type ByDepth = {
  depth: number;
  last: Shared | undefined;
  readonly standard: Map<number, Shared>;
  readonly chosen: Map<number, Shared>;
};

const sharedByDepth = memo(
  (_: Programme): ByDepth => ({
    depth: 0,
    last: undefined,
    standard: new Map(),
    chosen: new Map(),
  }),
);

/** Strips hold text, so they are kept for as long as their spans are the same. */
function stripsFor(spans: readonly Span[], last: Shared | undefined): readonly ChannelStrip[] | undefined {
  const isSame =
    last !== undefined && last.spans.length === spans.length && last.spans.every((span, at) => span === spans[at]);
  return isSame ? last.strips : stripsOf(spans);
}

function sharedFrom(
  programme: Programme,
  depth: number,
  since: number,
  length: number,
  last: Shared | undefined,
): Shared {
  const until = since + length;
  const ahead = programme.spansBetween((since - depth) as Millis, (until + LOOKAHEAD_MS) as Millis);
  const spans = ahead.filter((span) => spanStart(span) < until);
  const strips = programme.partOf === undefined ? stripsFor(spans, last) : undefined;
  return { since, until, spans, breaks: breaksIn(ahead, programme), strips };
}

/**
 * Blocks of different channels end at different times. All begin with a whole second: no step of a live edge (`stepOf`) within a
 * block is before it.
 */
function blockStart({ startedAt }: Programme, now: Millis, length: number): number {
  const zero = startedAt - (startedAt % 1000);
  return zero + length * Math.floor((now - zero) / length);
}

/** Each depth in use is kept anew with each block, so the first one is the oldest. An empty LRU cache takes more memory than viewers. */
function keep(cache: Map<number, Shared>, depth: number, shared: Shared): void {
  cache.delete(depth);
  for (const oldest of cache.keys()) {
    if (cache.size < MAX_DEPTHS) break;
    cache.delete(oldest);
  }
  cache.set(depth, shared);
}

const isValidAt = (shared: Shared | undefined, now: Millis): shared is Shared =>
  shared !== undefined && now >= shared.since && now < shared.until;

/** @param isStandard whether most viewers have this depth. @param now on the timeline */
export function sharedAt(programme: Programme, depth: number, isStandard: boolean, now: Millis): Shared {
  const byDepth = sharedByDepth(programme);
  if (byDepth.depth === depth && isValidAt(byDepth.last, now)) return byDepth.last;
  const cache = isStandard ? byDepth.standard : byDepth.chosen;
  const last = cache.get(depth);
  const length = programme.partOf === undefined && isStandard ? SCHEDULE_BLOCK_MS : SHORT_BLOCK_MS;
  const since = blockStart(programme, now, length);
  const shared = isValidAt(last, now) ? last : sharedFrom(programme, depth, since, length, last);
  if (shared !== last) keep(cache, depth, shared);
  byDepth.depth = depth;
  byDepth.last = shared;
  return shared;
}

/** The breaks of spans. The start of a long live break may have left the window; a viewer who joins it has ads in the rest. */
function breaksIn(spans: readonly Span[], { breakSpan }: Pick<Programme, 'breakSpan'>): readonly Span[] {
  const found = new Map<string, Span>();
  for (const span of spans) {
    const { break: shown, within } = span;
    const id = shown?.id ?? within?.id;
    if (id === undefined || found.has(id)) continue;
    const own = shown === undefined && within !== undefined ? breakSpan(id, within.startsAt) : span;
    if (own?.break !== undefined) found.set(id, own);
  }
  return [...found.values()];
}
