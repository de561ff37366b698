// SPDX-License-Identifier: Apache-2.0
// Decides for each slot whether it is content or belongs to a break: the rules of starts and ends.
import { type Flicks, flicks, secondsToFlicks } from '../../time/units.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import { isListedAt } from '../../timeline/programme/window.ts';
import { type BreakFact, endOfFact } from '../breaks/breakFact.ts';
import type { LiveRules, Slot } from '../slot.ts';
import { between } from './between.ts';
import type { LiveState } from './liveState.ts';
import { announcedEnd, type Section, type SectionStart, startedBreaks } from './section.ts';

type SectionContext = Pick<LiveState, 'sections' | 'breaks' | 'borders'> & { readonly rules: LiveRules };

/** Players fail on shorter intervals between discontinuities. */
export const MIN_SECTION = secondsToFlicks(0.5);
/** An announced length may be this much longer than the segments that it names, because both are rounded. */
const TOLERANCE = secondsToFlicks(0.1);

/** How long a break lasts, seen from `start`: to its explicit end, its announced end, or as long as one may last. */
export function lengthFrom(fact: BreakFact, start: Instant, { maxBreak }: LiveRules): Flicks {
  const passed = between(fact.startsAt, start);
  if (fact.endsAt !== undefined) return between(start, fact.endsAt);
  const rest = (fact.duration ?? maxBreak) - passed;
  return flicks(rest);
}

/** Whether `lengthFrom` is what markers announce, and not how long a break may last. */
export const isAnnouncedLength = ({ duration, endsAt }: BreakFact): boolean =>
  endsAt !== undefined || duration !== undefined;

/** Whether an instant is at or before the border at the start of a slot: the nearest border counts. */
const isReached = (instant: Instant, { start, duration }: Slot): boolean => 2 * between(start, instant) < duration;

/** Whether the markers say that a break is over at a slot. */
function isOver(fact: BreakFact | undefined, section: Section, slot: Slot): boolean {
  // A node that was started during a long break does not know its markers, and keeps to the announced length.
  if (fact?.endsAt !== undefined && isReached(fact.endsAt, slot)) return true;
  return between(slot.start, after(section.start, section.planned)) <= TOLERANCE;
}

/** Whether a break that has reached its announced end goes on, by a later announcement or a continuation. */
function goesOn(fact: BreakFact | undefined, slot: Slot): boolean {
  if (fact === undefined) return false;
  if (fact.endsAt !== undefined) return between(slot.start, fact.endsAt) >= MIN_SECTION;
  const rest = fact.duration && between(slot.start, after(fact.startsAt, fact.duration));
  const announced = rest !== undefined && rest > slot.duration / 2;
  const continued = fact.continuesUntil !== undefined && between(slot.start, fact.continuesUntil) >= 0;
  return announced || continued;
}

const numberOf = ({ id }: Section): number => Number(id.slice(id.lastIndexOf('-') + 1));

/** A continuation states no new length, so ads are requested for as much again. */
function extension(fact: BreakFact, last: Section, slot: Slot, rules: LiveRules): SectionStart | undefined {
  const announced = lengthFrom(fact, slot.start, rules);
  const isStated = announced > TOLERANCE && isAnnouncedLength(fact);
  const whole = between(fact.startsAt, slot.start);
  const planned = isStated ? announced : flicks(Math.min(last.planned, rules.maxBreak - whole));
  if (planned < MIN_SECTION) return undefined;
  const id = `${fact.id}-${numberOf(last) + 1}`;
  const { fill, upid } = last;
  const common = { id, breakId: fact.id, start: slot.start, slot: slot.number, planned, fill, ...(upid && { upid }) };
  return isStated ? { ...common, isAnnounced: true } : common;
}

/** Whether a break has ads: a blackout has none, and an insertion point replaces nothing. */
export const canShowAds = ({ inserted, isInsertionPoint, start }: BreakFact): boolean =>
  inserted !== 'blackout' && !isInsertionPoint && start !== 'unknown';

/** Whether a blackout was the last thing on air, and cut the break: it goes on afterwards. */
function isInterrupted(sections: readonly Section[], fact: BreakFact): boolean {
  if (sections.at(-1)?.kind !== 'blackout') return false;
  const before = sections.findLast(({ kind }) => kind !== 'blackout');
  return before !== undefined && before.breakId === fact.id;
}

/** The break that starts at a slot, or has started before it without a section. */
function startingAt({ sections, breaks, rules }: SectionContext, slot: Slot): SectionStart | undefined {
  const facts = breaks?.breaks ?? [];
  for (let index = facts.length - 1; index >= 0; index -= 1) {
    const fact = facts[index];
    if (fact === undefined || !isReached(fact.startsAt, slot) || !canShowAds(fact)) continue;
    if (between(fact.startsAt, slot.start) > rules.maxBreak + secondsToFlicks(7200)) return undefined;
    const isResumed = isInterrupted(sections, fact);
    if (startedBreaks(sections).has(fact.id) && !isResumed) continue;
    // A marker within a segment counts from the nearest border.
    const isNear = 2 * Math.abs(between(fact.startsAt, slot.start)) < slot.duration;
    const from = isNear && fact.endsAt === undefined ? fact.startsAt : slot.start;
    const planned = lengthFrom(fact, from, rules);
    if (planned < Math.max(MIN_SECTION, slot.duration / 2)) continue;
    const { start, number, tags } = slot;
    const last = isResumed ? sections.findLast(({ breakId }) => breakId === fact.id) : undefined;
    const id = `${fact.id}-${last === undefined ? 0 : numberOf(last) + 1}`;
    return {
      id,
      breakId: fact.id,
      start,
      slot: number,
      planned,
      fill: rules.fill,
      ...(isAnnouncedLength(fact) && { isAnnounced: true }),
      ...(tags && { tags }),
      ...(fact.upid && { upid: fact.upid }),
    };
  }
  return undefined;
}

/**
 * Whether a section with slate cannot end at the start of a slot. What ends at a border less than half a second before it may be
 * listed (`isListedAt`), and the time between them is too short for filler. The slot after it is replaced too.
 */
function isUnfillable({ borders }: SectionContext, open: Section | undefined, slot: Slot): boolean {
  const end = open && announcedEnd(open);
  if (open === undefined || end === undefined || slot.missed) return false;
  return borders.some((border) => {
    const rest = between(border, slot.start);
    return rest > 0 && rest < MIN_SECTION && between(open.start, border) > 0 && isListedAt(end, border);
  });
}

/**
 * @param open the section on air before the slot
 * @returns the section that the slot belongs to: the open one, one that starts here, or none
 */
export function sectionAt(
  context: SectionContext,
  open: Section | undefined,
  slot: Slot,
): Section | SectionStart | undefined {
  if (isUnfillable(context, open, slot)) return open;
  const blackout = blackoutAt(context.sections, context.breaks?.breaks ?? [], open, slot);
  if (blackout !== undefined) return blackout;
  if (open?.kind === 'away') return sectionAfterSlate(context, open, slot);
  const section = breakAt(context, open, slot);
  // There is no content to show, and none for a decision of this section to return to.
  return slot.isAway && section?.fill !== 'slate' ? awaySection(slot) : section;
}

/** While the origin is away, breaks that were announced before start; content does when it is back. */
function sectionAfterSlate(context: SectionContext, open: Section, slot: Slot): Section | SectionStart | undefined {
  if (between(open.start, slot.start) < MIN_SECTION) return open;
  const section = startingAt(context, slot);
  if (!slot.isAway || section?.fill === 'slate') return section;
  return continuedAway(open, slot);
}

function breakAt(context: SectionContext, open: Section | undefined, slot: Slot): Section | SectionStart | undefined {
  if (open === undefined || open.kind === 'blackout') return startingAt(context, slot);
  const fact = context.breaks?.breaks.find(({ id }) => id === open.breakId);
  // A section shorter than half a second cannot be filled.
  const isTooShort = between(open.start, slot.start) < MIN_SECTION;
  if (isTooShort || !isOver(fact, open, slot)) return open;
  const further = fact !== undefined && goesOn(fact, slot) ? extension(fact, open, slot, context.rules) : undefined;
  return further ?? startingAt(context, slot);
}

/** How much slate is laid out at once while the origin is away, or in a blackout. */
const PLANNED = secondsToFlicks(120);

const startAt = (breakId: string, number: number, { start, number: slot }: Slot): SectionStart => ({
  id: `${breakId}-${number}`,
  breakId,
  start,
  slot,
  planned: PLANNED,
  fill: 'slate',
  kind: 'away',
});

/** @param slot the first one without content */
const awaySection = (slot: Slot): SectionStart => startAt(`a${slot.number}`, 0, slot);

/** The section of a further slot without content: the open one, or the next when it is over. */
function continuedAway(open: Section, slot: Slot): Section | SectionStart {
  if (between(open.start, slot.start) < open.planned) return open;
  return startAt(open.breakId, numberOf(open) + 1, slot);
}

/** Whether an instant is within a blackout that is known. */
export const isBlackedOut = (breaks: readonly BreakFact[], instant: Instant): boolean =>
  breaks.some((fact) => {
    if (fact.inserted !== 'blackout' || between(fact.startsAt, instant) < 0) return false;
    const end = endOfFact(fact);
    return end === undefined || between(instant, end) > 0;
  });

/** @returns the section of the blackout that a slot belongs to: the open one, or one that starts here */
function blackoutAt(
  sections: readonly Section[],
  breaks: readonly BreakFact[],
  open: Section | undefined,
  slot: Slot,
): Section | SectionStart | undefined {
  // A shorter section cannot be filled.
  if (open !== undefined && between(open.start, slot.start) < MIN_SECTION)
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
    .reduce((most, one) => Math.max(most, numberOf(one) + 1), 0);
  return {
    id: `${breakId}-${number}`,
    breakId,
    start: slot.start,
    slot: slot.number,
    planned: plannedFrom(fact, slot),
    fill: 'slate',
    kind: 'blackout',
    ...(slateId === undefined ? {} : { slateId }),
  };
}

/** What is too short to be filled is not begun. */
function isOnAirAt(fact: BreakFact, open: Section | undefined, slot: Slot): boolean {
  const end = endOfFact(fact);
  if (end === undefined) return true;
  if (isReached(end, slot)) return false;
  return open?.breakId === fact.id || between(slot.start, end) >= MIN_SECTION;
}

function plannedFrom(fact: BreakFact, { start }: Slot) {
  const end = endOfFact(fact);
  const rest = end === undefined ? PLANNED : Math.min(PLANNED, between(start, end));
  return flicks(Math.max(rest, MIN_SECTION));
}
