// SPDX-License-Identifier: Apache-2.0
import type { XmlElement } from '../../../xml/element.ts';
import { childNamed } from '../../mpdFault.ts';

/** `video`, `audio`, `text` and others; empty if it is not stated. */
export const typeOf = (set: XmlElement): string => {
  const first = childNamed(set, 'Representation');
  const text = set.attributes.contentType ?? set.attributes.mimeType ?? first?.attributes.mimeType ?? '';
  return text.trim().toLowerCase().replace(/\/.*/s, '');
};

/**
 * A name for each AdaptationSet of a Period that stays the same whenever the MPD is read: @id, else its type and language,
 * and which of those it is.
 */
export function setNames(sets: readonly XmlElement[]): string[] {
  const counts = new Map<string, number>();
  return sets.map((set) => {
    const id = set.attributes.id?.trim();
    if (id) return id;
    const name = [typeOf(set), set.attributes.lang?.trim()].filter(Boolean).join('-');
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}-${count}`;
  });
}
