// SPDX-License-Identifier: Apache-2.0
// Instants as ISO 8601 text. A manifest of a film has a hundred of them for each viewer, and with toISOString they take most of
// the time of writing it.
import type { Millis } from './units.ts';

const MILLIS_PER_MINUTE = 60_000;

const SECONDS = Array.from({ length: 60 }, (_, value) => `${value}.`.padStart(3, '0'));
const MILLIS = Array.from({ length: 1000 }, (_, value) => `${value}Z`.padStart(4, '0'));

/** `2026-03-01T00:00:`, by minutes since 1970. */
const beginnings = new Map<number, string>();
const MAX_BEGINNINGS = 10_000;

function beginningOf(minute: number): string {
  const text = new Date(minute * MILLIS_PER_MINUTE).toISOString().slice(0, -7);
  if (beginnings.size >= MAX_BEGINNINGS) beginnings.clear();
  beginnings.set(minute, text);
  return text;
}

/** Like `Date.prototype.toISOString`. */
export function isoText(at: Millis): string {
  const minute = Math.floor(at / MILLIS_PER_MINUTE);
  const rest = at - minute * MILLIS_PER_MINUTE;
  const second = Math.floor(rest / 1000);
  return (
    (beginnings.get(minute) ?? beginningOf(minute)) + ((SECONDS[second] ?? '') + (MILLIS[rest - 1000 * second] ?? ''))
  );
}
