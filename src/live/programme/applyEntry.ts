// SPDX-License-Identifier: Apache-2.0
// Folds the entries of a log into the state of a channel. Every node that has read the same entries has the same state
// (law 8).
import type { Millis } from '../../time/units.ts';
import { after, clockAt, type Instant, type Junction } from '../../timeline/programme/span.ts';
import { minWindowSeconds, withBorder } from '../../timeline/programme/window.ts';
import type { BreakFact } from '../breaks/breakFact.ts';
import { addEntryBreaks } from '../breaks/breakList.ts';
import { type LiveEntry, type Slot, segmentsOf } from '../slot.ts';
import { between } from './between.ts';
import { adoptCheckpoint } from './checkpoint.ts';
import { sharesStretch, sharesTrack, stretchOrigin } from './contentClip.ts';
import type { LiveState } from './liveState.ts';
import { type Chunk, type ContentRun, type Run, SLOTS_PER_CHUNK, startOfRun } from './run.ts';
import { closeSection, openSection, type Section, type SectionStart } from './section.ts';
import { MIN_SECTION, sectionAt } from './sectionAt.ts';

/** Sections are small, and old decisions of viewers refer to them. */
const MAX_SECTIONS = 2000;
const MAX_LISTED = 64;

const replaceLast = <Value>(all: readonly Value[], value: Value): Value[] => [...all.slice(0, -1), value];

function close(state: LiveState, at: Instant): LiveState {
  const now = openSection(state.sections)?.fill === 'content' ? renumberLast(state) : state;
  const open = openSection(now.sections);
  if (open === undefined) return state;
  const closed = closeSection(open, between(open.start, at), state.media);
  const end = closed.fill === 'slate' ? closed.junctions.at(-1) : undefined;
  return {
    ...state,
    sections: replaceLast(now.sections, closed),
    next: end === undefined ? state.next : { numbers: end.numbers, discontinuity: end.discontinuity },
    revision: state.revision + 1,
  };
}

function open(state: LiveState, section: SectionStart): LiveState {
  const { numbers, discontinuity } = state.next;
  const started: Section = { ...section, head: { numbers, discontinuity }, junctions: [], isClosed: false };
  const run: Run[] = section.fill === 'slate' ? [{ kind: 'slate', sectionId: section.id, start: section.start }] : [];
  return {
    ...state,
    sections: [...state.sections, started].slice(-MAX_SECTIONS),
    runs: [...state.runs, ...run],
    revision: state.revision + 1,
  };
}

/** Appends a slot to the content, in the run and the chunk where it belongs. */
function addContent(state: LiveState, slot: Slot, startsRun: boolean, sectionId: string | undefined): LiveState {
  const { numbers, discontinuity } = state.next;
  const last = state.runs.at(-1);
  const end = last?.kind === 'content' ? last.chunks.at(-1)?.slots.at(-1) : undefined;
  // A run without slots is one that another node wrote: only it knew the slot before.
  const continues = !slot.isNewStretch && (end === undefined || sharesStretch(end, slot));
  const isSame = last?.kind === 'content' && last.sectionId === sectionId && !startsRun && continues;
  const run: ContentRun = isSame
    ? last
    : {
        kind: 'content',
        stretch: { id: `s${slot.number}`, start: slot.start },
        origin: stretchOrigin(state.feed, slot),
        discontinuity,
        chunks: [],
        ...(sectionId === undefined ? {} : { sectionId }),
      };
  const chunk = run.chunks.at(-1);
  const previous = chunk?.slots.at(-1);
  const grows =
    chunk !== undefined && previous !== undefined && slot.number % SLOTS_PER_CHUNK !== 0 && sharesTrack(previous, slot);
  const grown: Chunk = grows ? { ...chunk, slots: [...chunk.slots, slot] } : { slots: [slot], numbers };
  const chunks = grows ? replaceLast(run.chunks, grown) : [...run.chunks, grown];
  return {
    ...(isSame ? state : renumberLast(state)),
    runs: [...(isSame ? state.runs.slice(0, -1) : state.runs), { ...run, chunks }],
    next: {
      numbers: numbers.map((number, rung) => number + segmentsOf(slot, rung).length),
      discontinuity: isSame ? discontinuity : discontinuity + 1,
    },
  };
}

const withJunctions = (state: LiveState, section: Section, junctions: readonly Junction[]): LiveState => ({
  ...state,
  sections: replaceLast(state.sections, { ...section, junctions }),
  revision: state.revision + 1,
});

/** In a break that shows content, ads may end at each border. */
function addJunction(state: LiveState, end: Instant): LiveState {
  const section = openSection(state.sections);
  const run = state.runs.at(-1);
  if (section?.fill !== 'content' || run?.kind !== 'content') return state;
  const { numbers } = state.next;
  const junction: Junction = { at: between(section.start, end), numbers, discontinuity: run.discontinuity };
  return withJunctions(state, section, [...section.junctions, junction]);
}

/** Other content starts at the last border: it has the next discontinuity number. */
function renumberLast(state: LiveState): LiveState {
  const section = openSection(state.sections);
  const last = section?.junctions.at(-1);
  if (section?.fill !== 'content' || last === undefined) return state;
  const { discontinuity } = state.next;
  return withJunctions(state, section, replaceLast(section.junctions, { ...last, discontinuity }));
}

/** After time that was not read, earlier content is not listed any more: a playlist cannot have a hole. */
function skipMissed(state: LiveState, slot: Slot): LiveState {
  if (!slot.missed) return state;
  const { missed } = slot;
  const section = openSection(state.sections);
  const closed = close(state, section?.kind === undefined ? slot.start : awayEnd(section, state.edge));
  const { numbers, discontinuity } = closed.next;
  return {
    ...closed,
    runs: [],
    next: { numbers: numbers.map((number) => number + missed), discontinuity },
    revision: closed.revision + 1,
  };
}

/** Slate of hours is not made for a section that is not listed any more. */
function awayEnd({ start }: Section, edge: Instant | undefined): Instant {
  const shortest = after(start, MIN_SECTION);
  return edge !== undefined && between(shortest, edge) > 0 ? edge : shortest;
}

/** The tags at the start of a break are the section's, whether it shows ads or content. */
const withoutTags = ({ tags: _, ...slot }: Slot): Slot => slot;

/** Whether a slot is listed already: after an outage of the store, the log may repeat what was shown during it. */
function isRepeated({ runs }: LiveState, { tags, segments: [own] }: Slot): boolean {
  const url = own?.[0]?.media.url;
  if (tags === undefined || url === undefined) return false;
  const listed = runs.slice(-RUNS_COMPARED).flatMap((run) => (run.kind === 'content' ? run.chunks.slice(-1) : []));
  return listed.some(({ slots }) => slots.some(({ segments: [other] }) => other?.[0]?.media.url === url));
}

/** One was listed before an outage, one during it, and one begins after it. */
const RUNS_COMPARED = 3;

function addSlot(state: LiveState, slot: Slot): LiveState {
  let now = skipMissed(state, slot);
  if (now.next.numbers.length === 0) {
    const numbers = slot.segments.map(([first]) => Math.max(0, first?.number ?? 0));
    now = { ...now, next: { numbers, discontinuity: 0 } };
  }
  const before = openSection(now.sections);
  const { sections, breaks, rules, borders } = now;
  const wanted = rules && sectionAt({ sections, breaks, rules, borders }, before, slot);
  if (before !== undefined && wanted?.id !== before.id) now = close(now, slot.start);
  if (wanted !== undefined && wanted.id !== before?.id) now = open(now, wanted);
  const current = openSection(now.sections);
  const changed = current?.id !== before?.id;
  const end = after(slot.start, slot.duration);
  now = { ...now, edge: end, borders: withBorder(now.borders, end) };
  // Within a break that shows slate, only the markers at its start are listed.
  if (current?.fill === 'slate') return now;
  const isMarked = changed && current?.tags !== undefined;
  const content = isMarked || isRepeated(now, slot) ? withoutTags(slot) : slot;
  return addJunction(addContent(now, content, changed, current?.id), end);
}

const endOfRun = (state: LiveState, index: number): Millis => {
  const next = state.runs[index + 1];
  return next === undefined ? (Number.POSITIVE_INFINITY as Millis) : startOfRun(next);
};

/** Forgets what ended before the kept time. */
function trim(state: LiveState): LiveState {
  if (state.edge === undefined) return state;
  const oldest = clockAt(state.edge, 0) - state.keep;
  const first = state.runs.findIndex((_, index) => endOfRun(state, index) > oldest);
  const kept = state.runs.slice(Math.max(0, first));
  const [run, ...rest] = kept;
  if (run?.kind === 'content') {
    const from = run.chunks.findIndex((_, index) => {
      const next = run.chunks[index + 1]?.slots[0];
      return next === undefined || clockAt(next.start, 0) > oldest;
    });
    if (from > 0) return { ...state, runs: [{ ...run, chunks: run.chunks.slice(from) }, ...rest] };
  }
  return first > 0 ? { ...state, runs: kept } : state;
}

/** Milliseconds in which a player has read a playlist again, if a request of it was lost. */
const READ_AGAIN = 12_000;

/**
 * Windows end where the origin's ends, because it may have deleted what it does not list. They are not shorter than players
 * need: an origin keeps a segment for some time after it has left its playlist (RFC 8216 §6.2.2). After an edge that stood still,
 * they begin with what players have not read.
 */
function listedFrom({ edge, feed, listed, listedFrom: before }: LiveState, { window, visibleAt }: LiveEntry): Millis {
  if (edge === undefined || window === undefined) return before;
  const length = Math.max(window, 1000 * minWindowSeconds(feed.ladder));
  const read = listed.findLast(({ at }) => at <= visibleAt - READ_AGAIN) ?? listed[0];
  const unread = read === undefined ? edge.millis : read.edge - 1000 * feed.ladder.targetDuration;
  return Math.max(before, Math.min(clockAt(edge, 0) - length, unread)) as Millis;
}

/** A break that did not start where it was announced is not on the schedule any more. @param from the edge before */
function withRevision(state: LiveState, from: Instant | undefined): LiveState {
  const { breaks, edge, revision } = state;
  const isPassed =
    from !== undefined && edge !== undefined && breaks !== undefined && hasPassedBreak(breaks.breaks, from, edge);
  return isPassed ? { ...state, revision: revision + 1 } : state;
}

/** @param entry the next one of the log */
export function applyEntry(state: LiveState, entry: LiveEntry): LiveState {
  const before = adoptCheckpoint(state, entry);
  const hasHole = before.runs !== state.runs || entry.slots.some(({ missed }) => missed);
  let next: LiveState = {
    ...before,
    anchor: before.anchor ?? entry.anchor,
    rules: entry.rules,
    ...(entry.slots.some(({ isAway }) => !isAway) && { target: entry.target }),
    nextEntry: entry.number + 1,
    breaks: addEntryBreaks(before.breaks, entry),
  };
  // A break that is announced or changed ahead of the edge changes what comes.
  if (entry.signals.length > 0) next = { ...next, revision: next.revision + 1 };
  for (const slot of entry.slots) next = withRevision(addSlot(next, slot), next.edge);
  // A run that was adopted may have got no slot.
  const runs = next.runs.filter((run) => run.kind === 'slate' || run.chunks.length > 0);
  if (runs.length < next.runs.length) next = { ...next, runs };
  if (next.edge === undefined) return next;
  const listed = [...next.listed, { edge: clockAt(next.edge, 0), at: entry.visibleAt }].slice(-MAX_LISTED);
  return keepBefore(state, trim({ ...next, listed, listedFrom: listedFrom(next, entry) }), hasHole);
}

// Announced breaks that the timeline has passed. Viewers' ads are placed in a break that is announced; one that has not started
// when the timeline reaches it (slate without ads is on air, or a border is not near) is not announced any more.

/** Whether a break was announced for `from` or later, and not for `to` or later. @param breaks in the order of their starts */
export function hasPassedBreak(breaks: readonly BreakFact[], from: Instant, to: Instant): boolean {
  const last = breaks.findLast(({ startsAt }) => between(startsAt, to) > 0);
  return last !== undefined && between(from, last.startsAt) >= 0;
}

// After a hole, what came before it is not listed any more. Until something after it can be listed, viewers are shown what they were
// shown before: a manifest is never empty (law 5).

/** The most states that are kept when holes follow each other closely. */
const MAX_STATES = 3;

/**
 * @param before the state before an entry
 * @param state after it
 * @param hasHole nothing of what came before the entry is listed
 */
function keepBefore(before: LiveState, state: LiveState, hasHole: boolean): LiveState {
  const isShown = before.edge !== undefined && before.runs.length > 0;
  if (hasHole && isShown) return { ...state, before: limited(before, MAX_STATES - 1) };
  const [first] = state.runs;
  if (state.before === undefined || first === undefined || state.edge === undefined) return state;
  const isLong = clockAt(state.edge, 0) - startOfRun(first) >= 1000 * minWindowSeconds(state.feed.ladder);
  if (!isLong) return state;
  const { before: _, ...rest } = state;
  return rest;
}

function limited({ before, ...state }: LiveState, count: number): LiveState {
  return before === undefined || count <= 1 ? state : { ...state, before: limited(before, count - 1) };
}
