// SPDX-License-Identifier: Apache-2.0
// Labels group channels and playlists. They are compared without regard to case, and kept as they were written.
import { type FieldError, fieldError } from '../errors.ts';
import type { Channel } from './channel.ts';

export const MAX_LABELS = 20;
export const MAX_LABEL = 40;

/** No comma, because queries separate labels by commas. */
const label = /^[\p{L}\p{M}\p{N}\-_.:/](?:[\p{L}\p{M}\p{N}\-_.:/ ]*[\p{L}\p{M}\p{N}\-_.:/])?$/u;

/** What two labels are compared by. Keyboards write a letter with an accent as one character or as two. */
export const labelKey = (text: string): string => text.normalize('NFC').toLowerCase();

/** In characters, as the schema counts. */
const isTooLong = (text: string): boolean => Array.from(text.slice(0, 2 * MAX_LABEL + 1)).length > MAX_LABEL;

/** @param labels of any type @param path of the list */
export function labelFaults(labels: unknown, path: string): FieldError[] {
  const known = new Set<string>();
  return (Array.isArray(labels) ? labels.slice(0, MAX_LABELS) : []).flatMap((text, index) => {
    // The schema reports other types and lengths.
    if (typeof text !== 'string' || text === '' || isTooLong(text)) return [];
    const at = `${path}/${index}`;
    if (!label.test(text)) {
      const expected = 'must consist of letters, digits, spaces and -_.:/, without spaces at its ends';
      return [fieldError('label', at, `${expected}; got ${JSON.stringify(text)}`)];
    }
    const isKnown = known.has(labelKey(text));
    known.add(labelKey(text));
    return isKnown ? [fieldError('unique', at, `must not be repeated; got ${JSON.stringify(text)} twice`)] : [];
  });
}

/** The labels without repetitions, each as it is written first. */
function distinct(labels: readonly string[]): string[] {
  const known = new Map<string, string>();
  for (const text of labels) if (!known.has(labelKey(text))) known.set(labelKey(text), text);
  return [...known.values()];
}

export const labelsOf = ({ labels = [], adSource }: Pick<Channel, 'labels' | 'adSource'>): string[] =>
  distinct([...labels, ...(adSource?.labels ?? [])]);

export function haveSameLabels(some: readonly string[], others: readonly string[]): boolean {
  const keys = new Set(some.map(labelKey));
  return keys.size === new Set(others.map(labelKey)).size && others.every((text) => keys.has(labelKey(text)));
}
