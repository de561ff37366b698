// SPDX-License-Identifier: Apache-2.0
const decimal = /^\+?(?:\d{1,15}(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const clock = /^(?:(\d{1,4}):)?(\d{1,4}):(\d{1,2}(?:[.,]\d{1,9})?)$/;

/** Seconds, written as a number or as `HH:MM:SS` or `MM:SS` with an optional fraction; undefined for other text. */
export function readSeconds(text: string): number | undefined {
  const trimmed = text.trim();
  if (decimal.test(trimmed)) return Number(trimmed);
  const [, hours = '0', minutes = '0', rest] = clock.exec(trimmed) ?? [];
  if (rest === undefined) return undefined;
  const seconds = Number(rest.replace(',', '.'));
  return seconds < 60 ? Number(hours) * 3600 + Number(minutes) * 60 + seconds : undefined;
}
