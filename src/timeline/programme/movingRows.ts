// SPDX-License-Identifier: Apache-2.0
// Rows of a moving window: they change when a segment ends, not with each request.
import type { Millis } from '../../time/units.ts';
import type { Span } from './span.ts';
import type { Strip } from './strip.ts';
import { endAt, lastRows, type Row, rowOf } from './window.ts';

/** A row, and how long it stays the same while both ends of the window move forward. */
type MovingRow = { readonly row: Row | undefined; readonly fromUntil: number; readonly toUntil: number };

const FOREVER = Number.POSITIVE_INFINITY;

/** The end of the first segment that ends: the window's start at which the whole of a span is no longer listed. */
const firstEnd = ({ placed }: Span): number =>
  placed.clip.firsts.reduce((least, _, rung) => Math.min(least, endAt(placed, rung, 0)), FOREVER);

function movingRow(span: Span, from: Millis, to: Millis): MovingRow {
  const { startsAt, endsAt } = span.placed;
  if (endsAt <= from) return { row: undefined, fromUntil: FOREVER, toUntil: FOREVER };
  if (startsAt >= to) return { row: undefined, fromUntil: FOREVER, toUntil: startsAt + 1 };
  const row = rowOf(span, from, to);
  const { whole, part } = lastRows(span);
  if (row !== undefined && row === whole) return { row, fromUntil: firstEnd(span), toUntil: FOREVER };
  return { row, fromUntil: part!.start.until, toUntil: part!.edge.until };
}

/** The window's start and the live edge: from where on, and before where, the same is listed. */
export type Limits = readonly [from: number, fromUntil: number, to: number, toUntil: number];

export const isWithin = ([since, fromUntil, toSince, toUntil]: Limits, from: Millis, to: Millis): boolean =>
  from >= since && from < fromUntil && to >= toSince && to < toUntil;

/** The rows of a strip, and for how long they are the same while both ends of the window move forward. */
export function movingRows(
  { spans }: Strip,
  from: Millis,
  to: Millis,
): { readonly rows: Row[]; readonly limits: Limits } {
  const moving = spans.map((span) => movingRow(span, from, to));
  const fromUntil = Math.min(...moving.map((one) => one.fromUntil));
  const toUntil = Math.min(...moving.map((one) => one.toUntil));
  return { rows: moving.flatMap(({ row }) => row ?? []), limits: [from, fromUntil, to, toUntil] };
}
