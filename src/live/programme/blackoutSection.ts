// SPDX-License-Identifier: Apache-2.0
// Blackouts: sections that show slate, or media of their own, in place of the content and its breaks. They are no breaks: no viewer
// gets ads in them.
import { FLICKS_PER_SECOND, flicks, secondsToFlicks } from '../../time/units.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import type { BreakFact } from '../breaks/breakFact.ts';
import type { Slot } from '../slot.ts';
import { between } from './between.ts';
import type { Section, SectionStart } from './section.ts';

/** How much of it is laid out at once. */
const PLANNED = secondsToFlicks(120);
/** Players fail on shorter intervals between discontinuities. */
const SHORTEST = flicks(FLICKS_PER_SECOND / 2);

/** Where a blackout ends; undefined if that is not known. */
const endOf = ({ startsAt, endsAt, duration }: BreakFact): Instant | undefined =>
  endsAt ?? (duration === undefined ? undefined : after(startsAt, duration));

/** Whether an instant is within a blackout that is known. */
export const isBlackedOut = (breaks: readonly BreakFact[], instant: Instant): boolean =>
  breaks.some((fact) => {
    if (fact.inserted !== 'blackout' || between(fact.startsAt, instant) < 0) return false;
    const end = endOf(fact);
    return end === undefined || between(instant, end) > 0;
  });

const isReached = (instant: Instant, { start, duration }: Slot): boolean => 2 * between(start, instant) < duration;

/** @returns the section of the blackout that a slot belongs to: the open one, or one that starts here */
export function blackoutAt(
  sections: readonly Section[],
  breaks: readonly BreakFact[],
  open: Section | undefined,
  slot: Slot,
): Section | SectionStart | undefined {
  // A shorter section cannot be filled.
  if (open !== undefined && between(open.start, slot.start) < SHORTEST)
    return open.kind === 'blackout' ? open : undefined;
  const fact = breaks.findLast(
    (one) => one.inserted === 'blackout' && isReached(one.startsAt, slot) && isOnAirAt(one, open, slot),
  );
  if (fact === undefined) return undefined;
  const isSame = open?.breakId === fact.id && open.slateId === fact.slateId;
  if (isSame && between(open.start, slot.start) < open.planned) return open;
  const { id: breakId, slateId } = fact;
  const number = sections
    .filter((one) => one.breakId === breakId)
    .reduce((most, one) => Math.max(most, nextNumber(one)), 0);
  return {
    ...{ id: `${breakId}-${number}`, breakId, start: slot.start, slot: slot.number, planned: plannedFrom(fact, slot) },
    ...{ fill: 'slate', kind: 'blackout' },
    ...(slateId === undefined ? {} : { slateId }),
  };
}

const nextNumber = ({ id }: Section): number => Number(id.slice(id.lastIndexOf('-') + 1)) + 1;

/** What is too short to be filled is not begun. */
function isOnAirAt(fact: BreakFact, open: Section | undefined, slot: Slot): boolean {
  const end = endOf(fact);
  if (end === undefined) return true;
  if (isReached(end, slot)) return false;
  return open?.breakId === fact.id || between(slot.start, end) >= SHORTEST;
}

function plannedFrom(fact: BreakFact, { start }: Slot) {
  const end = endOf(fact);
  const rest = end === undefined ? PLANNED : Math.min(PLANNED, between(start, end));
  return flicks(Math.max(rest, SHORTEST));
}
