// SPDX-License-Identifier: Apache-2.0
// The timeline of a channel between two instants, for the console and the API.
import { defined } from '../../invariant.ts';
import { flicks, flicksToSeconds, type Millis, millis } from '../../time/units.ts';
import type { Programme } from '../../timeline/programme/programme.ts';
import { type Span, spanEnd, spanStart } from '../../timeline/programme/span.ts';

export type TimelineEntry = {
  readonly kind: 'content' | 'break' | 'slate';
  readonly startsAt: string;
  /** Seconds. */
  readonly duration: number;
  readonly url?: string;
  /** Seconds of the content before this entry. */
  readonly offset?: number;
  readonly maxAds?: number;
  readonly breakId?: string;
  /** The id of the break or blackout that an operator has inserted. */
  readonly insertedId?: string;
};

export type TimelinePage = {
  readonly entries: readonly TimelineEntry[];
  /** The start of the first entry that was left out. */
  readonly next?: string;
};

/** Spans are made in steps, so that a page costs what it lists, however long its range is. */
const STEP_MS = 3_600_000;

const isoOf = (time: Millis): string => new Date(time).toISOString();
const rounded = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;

function entry(span: Span): TimelineEntry {
  const { clip } = span.placed;
  const common = {
    startsAt: isoOf(spanStart(span)),
    duration: rounded(flicksToSeconds(clip.duration)),
    ...(span.insertedId === undefined ? {} : { insertedId: span.insertedId }),
  };
  if (span.break !== undefined) {
    const { id, maxAds } = span.break;
    return { kind: 'break', ...common, breakId: id, ...(maxAds === undefined ? {} : { maxAds }) };
  }
  if (clip.kind === 'slate') return { kind: 'slate', ...common };
  const offset = flicks(
    defined(clip.asset.parts[clip.part], 'a clip of content is of a part of its asset').start + clip.from,
  );
  return { kind: 'content', ...common, url: clip.asset.url, offset: rounded(flicksToSeconds(offset)) };
}

/** @param limit the most entries */
export function entriesBetween(
  programme: Programme,
  from: Millis,
  to: Millis,
  limit = Number.POSITIVE_INFINITY,
): TimelinePage {
  const entries: TimelineEntry[] = [];
  let listedTo = from;
  for (let start = from; start < to; start = millis(start + STEP_MS)) {
    for (const span of programme.spansBetween(start, millis(Math.min(to, start + STEP_MS)))) {
      // A span that crosses the border of two steps is in both.
      if (spanEnd(span) <= listedTo) continue;
      if (entries.length >= limit) return { entries, next: isoOf(spanStart(span)) };
      entries.push(entry(span));
      listedTo = spanEnd(span);
    }
  }
  return { entries };
}

/** Changes of the schedule that take effect between two instants. */
export const changesBetween = ({ changes }: Programme, from: Millis, to: Millis) =>
  changes
    .filter((change) => change.from >= from && change.from < to)
    .map(({ number, from: startsAt, kind }) => ({
      number,
      startsAt: isoOf(startsAt),
      ...(kind === undefined ? {} : { kind }),
    }));
