// SPDX-License-Identifier: Apache-2.0
// What a live channel has shown so far, as its log says it. A pure fold over entries: every node that has read the same entries
// has the same state (law 8).
import type { Millis } from '../../time/units.ts';
import { after, clockAt, type Instant } from '../../timeline/programme/span.ts';
import { addEntryBreaks, type BreakList } from '../breaks/breakList.ts';
import type { LiveFeed } from '../feed.ts';
import type { LiveAnchor, LiveCheckpoint, LiveEntry, LiveRules, Slot } from '../slot.ts';
import { between } from './between.ts';
import { stretchOrigin } from './contentClip.ts';
import { type Chunk, type ContentRun, type Run, SLOTS_PER_CHUNK } from './run.ts';
import { closeSection, type Section, type SectionMedia } from './section.ts';
import { sectionAt } from './sectionAt.ts';
import { sharesStretch, sharesTrack } from './sharesTrack.ts';

export type LiveState = {
  readonly feed: LiveFeed;
  readonly media: SectionMedia;
  /** Absent before the first entry. */
  readonly anchor?: LiveAnchor;
  readonly rules?: LiveRules;
  /** The number of the entry that follows. */
  readonly nextEntry: number;
  /** The end of the last slot. */
  readonly edge?: Instant;
  /** When each of the last edges was shown first. */
  readonly listed: readonly { readonly edge: Millis; readonly at: Millis }[];
  /** Oldest first; consecutive in time. */
  readonly runs: readonly Run[];
  readonly sections: readonly Section[];
  readonly breaks: BreakList | undefined;
  /** What the next slot has. */
  readonly next: { readonly numbers: readonly number[]; readonly discontinuity: number };
  /** Grows when a section starts or ends, or its content grows. */
  readonly revision: number;
  /** Milliseconds of the timeline that are kept. */
  readonly keep: number;
};

/** Sections are small, and old decisions of viewers refer to them. */
const MAX_SECTIONS = 2000;
const MAX_LISTED = 64;

export const initialState = (feed: LiveFeed, media: SectionMedia, keep: number): LiveState => ({
  ...{ feed, media, keep, nextEntry: 0, listed: [], runs: [], sections: [], breaks: undefined, revision: 0 },
  next: { numbers: [], discontinuity: 0 },
});

const countOf = (slot: Slot, rung: number): number => slot.segments[rung]?.length ?? 0;

/** The section that is on air at the end of the timeline. */
export function openSection({ sections }: Pick<LiveState, 'sections'>): Section | undefined {
  const last = sections.at(-1);
  return last?.isClosed === false ? last : undefined;
}

const replaceLast = <Value>(all: readonly Value[], value: Value): Value[] => [...all.slice(0, -1), value];

/** Closes the open section at an instant. */
function close(state: LiveState, at: Instant): LiveState {
  const open = openSection(state);
  if (open === undefined) return state;
  const closed = closeSection(open, between(open.start, at), state.media);
  const end = closed.fill === 'slate' ? closed.junctions.at(-1)! : undefined;
  return {
    ...state,
    sections: replaceLast(state.sections, closed),
    next: end === undefined ? state.next : { numbers: end.numbers, discontinuity: end.discontinuity },
    revision: state.revision + 1,
  };
}

function open(state: LiveState, section: Omit<Section, 'head' | 'junctions' | 'isClosed'>): LiveState {
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
  const continues = end !== undefined && !slot.isNewStretch && sharesStretch(end, slot);
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
    ...state,
    runs: [...(isSame ? state.runs.slice(0, -1) : state.runs), { ...run, chunks }],
    next: {
      numbers: numbers.map((number, rung) => number + countOf(slot, rung)),
      discontinuity: isSame ? discontinuity : discontinuity + 1,
    },
  };
}

/** With content, ads may end at each border. */
function addJunction(state: LiveState, end: Instant): LiveState {
  const section = openSection(state);
  if (section?.fill !== 'content') return state;
  const junction = { at: between(section.start, end), ...state.next };
  return {
    ...state,
    sections: replaceLast(state.sections, { ...section, junctions: [...section.junctions, junction] }),
    revision: state.revision + 1,
  };
}

/** After time that was not read, what came before it is not listed any more: a playlist cannot have a hole. */
function skipMissed(state: LiveState, slot: Slot): LiveState {
  if (!slot.missed) return state;
  const { missed } = slot;
  const closed = close(state, slot.start);
  const { numbers, discontinuity } = closed.next;
  return {
    ...closed,
    runs: [],
    next: { numbers: numbers.map((number) => number + missed), discontinuity },
    revision: closed.revision + 1,
  };
}

function addSlot(state: LiveState, slot: Slot): LiveState {
  let now = skipMissed(state, slot);
  if (now.next.numbers.length === 0) {
    const numbers = slot.segments.map(([first]) => Math.max(0, first?.number ?? 0));
    now = { ...now, next: { numbers, discontinuity: 0 } };
  }
  const before = openSection(now);
  const { sections, breaks, rules } = now;
  const wanted = rules && sectionAt({ sections, breaks, rules }, before, slot);
  if (before !== undefined && wanted?.id !== before.id) now = close(now, slot.start);
  if (wanted !== undefined && wanted.id !== before?.id) now = open(now, wanted);
  const current = openSection(now);
  const changed = current?.id !== before?.id;
  const end = after(slot.start, slot.duration);
  if (current?.fill === 'slate') return { ...now, edge: end };
  return addJunction({ ...addContent(now, slot, changed, current?.id), edge: end }, end);
}

const endOfRun = (state: LiveState, index: number): Millis => {
  const next = state.runs[index + 1];
  if (next === undefined) return Number.POSITIVE_INFINITY as Millis;
  return clockAt(next.kind === 'slate' ? next.start : next.stretch.start, 0);
};

/** Forgets what ended before the kept time. */
function trim(state: LiveState): LiveState {
  if (state.edge === undefined) return state;
  const oldest = clockAt(state.edge, 0) - state.keep;
  const first = state.runs.findIndex((_, index) => endOfRun(state, index) > oldest);
  const kept = state.runs.slice(Math.max(0, first));
  const [run, ...rest] = kept;
  if (run?.kind !== 'content' || run.chunks.length < 2) return first > 0 ? { ...state, runs: kept } : state;
  const from = run.chunks.findIndex((_, index) => {
    const next = run.chunks[index + 1]?.slots[0];
    return next === undefined || clockAt(next.start, 0) > oldest;
  });
  if (from <= 0) return first > 0 ? { ...state, runs: kept } : state;
  return { ...state, runs: [{ ...run, chunks: run.chunks.slice(from) }, ...rest] };
}

export function checkpointOf(state: LiveState): LiveCheckpoint | undefined {
  const { numbers, discontinuity } = state.next;
  const section = openSection(state);
  return numbers.length === 0 ? undefined : { numbers, discontinuity, ...(section && { section }) };
}

const isSame = (one: LiveCheckpoint | undefined, other: LiveCheckpoint): boolean =>
  one !== undefined &&
  one.discontinuity === other.discontinuity &&
  one.section?.id === other.section?.id &&
  one.numbers.every((number, rung) => number === other.numbers[rung]);

const hasOtherNumbers = ({ next }: LiveState, { numbers }: LiveCheckpoint): boolean =>
  numbers.some((number, rung) => number !== next.numbers[rung]);

/**
 * The checkpoint of an entry decides. It differs from a node's own where the node has read only the end of the log, which may
 * begin within a break.
 */
function adopt(state: LiveState, { checkpoint, slots }: LiveEntry): LiveState {
  if (checkpoint === undefined || isSame(checkpointOf(state), checkpoint)) return state;
  const { section, numbers, discontinuity } = checkpoint;
  const known = section !== undefined && state.sections.some(({ id }) => id === section.id);
  const settled = state.sections.map((one) =>
    one.id === section?.id ? section : one.isClosed ? one : { ...one, isClosed: true },
  );
  const start = slots[0]?.start ?? section?.start;
  const isNew = section !== undefined && !known;
  const run: Run[] =
    isNew && section.fill === 'slate' && start !== undefined
      ? [{ kind: 'slate', sectionId: section.id, start: section.start }]
      : [];
  return {
    ...state,
    sections: isNew ? [...settled, section] : settled,
    runs: state.next.numbers.length === 0 || hasOtherNumbers(state, checkpoint) ? run : [...state.runs, ...run],
    next: { numbers, discontinuity },
    revision: state.revision + 1,
  };
}

/** @param entry the next one of the log */
export function applyEntry(state: LiveState, entry: LiveEntry): LiveState {
  const before = adopt(state, entry);
  let next: LiveState = {
    ...before,
    anchor: before.anchor ?? entry.anchor,
    rules: entry.rules,
    nextEntry: entry.number + 1,
    breaks: addEntryBreaks(before.breaks, entry),
  };
  // A break that is announced or changed ahead of the edge changes what comes.
  if (entry.signals.length > 0) next = { ...next, revision: next.revision + 1 };
  for (const slot of entry.slots) next = addSlot(next, slot);
  if (next.edge === undefined) return next;
  const listed = [...next.listed, { edge: clockAt(next.edge, 0), at: entry.visibleAt }].slice(-MAX_LISTED);
  return trim({ ...next, listed });
}
