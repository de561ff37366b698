// SPDX-License-Identifier: Apache-2.0
// Recognises an MPD for low latency, whose segments can be requested in chunks while they are written. Chunks are not used.
import type { XmlElement } from '../../../xml/element.ts';

/** Elements with many children, none of which states anything about latency. */
const SKIPPED = new Set(['SegmentTimeline', 'EventStream', 'ContentProtection']);

/** ISO/IEC 23009-1 5.3.9.5.3: availabilityTimeComplete="false" on a BaseURL or a SegmentTemplate, or a Resync element. */
const hasChunks = ({ local, attributes }: XmlElement): boolean =>
  attributes.availabilityTimeComplete?.trim() === 'false' || local === 'Resync';

function findChunks(element: XmlElement): XmlElement | undefined {
  if (hasChunks(element)) return element;
  for (const child of element.children) {
    const found = SKIPPED.has(child.local) ? undefined : findChunks(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @returns a warning with its line; undefined if the MPD does not announce chunks */
export function lowLatencyWarning(root: XmlElement): string | undefined {
  const found = findChunks(root);
  if (found === undefined) return undefined;
  const stated = found.local === 'Resync' ? 'Resync' : `availabilityTimeComplete="false" of ${found.local}`;
  return `line ${found.line}: ${stated} announces low-latency chunks, which are not used: viewers get whole segments, with the latency of these`;
}
