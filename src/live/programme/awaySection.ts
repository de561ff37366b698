// SPDX-License-Identifier: Apache-2.0
// Slate while the origin is away: sections that are no breaks, one after the other until content is back.
import { secondsToFlicks } from '../../time/units.ts';
import type { Slot } from '../slot.ts';
import { between } from './between.ts';
import type { Section, SectionStart } from './section.ts';

/** How much slate is laid out at once. */
const PLANNED = secondsToFlicks(120);

const startAt = (breakId: string, number: number, { start, number: slot }: Slot): SectionStart => ({
  ...{ id: `${breakId}-${number}`, breakId, start, slot, planned: PLANNED, fill: 'slate', kind: 'away' },
});

/** @param slot the first one without content */
export const awaySection = (slot: Slot): SectionStart => startAt(`a${slot.number}`, 0, slot);

/** The section of a further slot without content: the open one, or the next when it is over. */
export function continuedAway(open: Section, slot: Slot): Section | SectionStart {
  if (between(open.start, slot.start) < open.planned) return open;
  const number = Number(open.id.slice(open.id.lastIndexOf('-') + 1));
  return startAt(open.breakId, number + 1, slot);
}
