// SPDX-License-Identifier: Apache-2.0
// The timeline of a channel between two instants, for the console and the API.
import { flicksToSeconds, type Millis } from '../../time/units.ts';
import type { Programme } from '../../timeline/programme/programme.ts';
import { type Span, spanStart } from '../../timeline/programme/span.ts';

export type TimelineEntry = {
  readonly kind: 'content' | 'break' | 'slate';
  readonly startsAt: string;
  /** Seconds. */
  readonly duration: number;
  readonly url?: string;
  readonly maxAds?: number;
  readonly breakId?: string;
  /** The id of the break or blackout that an operator has inserted. */
  readonly insertedId?: string;
};

function entry(span: Span): TimelineEntry {
  const { clip } = span.placed;
  const common = {
    startsAt: new Date(spanStart(span)).toISOString(),
    duration: Math.round(flicksToSeconds(clip.duration) * 1e6) / 1e6,
    ...(span.insertedId === undefined ? {} : { insertedId: span.insertedId }),
  };
  if (span.break !== undefined) {
    const { id, maxAds } = span.break;
    return { kind: 'break', ...common, breakId: id, ...(maxAds === undefined ? {} : { maxAds }) };
  }
  if (clip.kind === 'slate') return { kind: 'slate', ...common };
  return { kind: 'content', ...common, url: clip.asset.url };
}

export const entriesBetween = (programme: Programme, from: Millis, to: Millis): TimelineEntry[] =>
  programme.spansBetween(from, to).map(entry);

/** Changes of the schedule that take effect between two instants. */
export const changesBetween = ({ changes }: Programme, from: Millis, to: Millis) =>
  changes
    .filter((change) => change.from >= from && change.from < to)
    .map((change) => ({ number: change.number, startsAt: new Date(change.from).toISOString() }));
