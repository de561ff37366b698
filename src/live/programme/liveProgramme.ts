// SPDX-License-Identifier: Apache-2.0
// The programme of a live channel: what its state lists, and the breaks that are announced ahead of it.

import { memo, noMemos } from '../../cache/memo.ts';
import { defined } from '../../invariant.ts';
import { countWhile } from '../../time/search.ts';
import { FLICKS_PER_SECOND, flicksToSeconds, type Millis, millis, millisToFlicks } from '../../time/units.ts';
import type { LastBreak, Programme } from '../../timeline/programme/programme.ts';
import {
  after,
  type BreakSpan,
  clockAt,
  type Instant,
  isBreakSpan,
  place,
  type Span,
  spanEnd,
  spanStart,
} from '../../timeline/programme/span.ts';
import { lengthOf, segmentsOf } from '../slot.ts';
import { between } from './between.ts';
import { JOIN_BREAK_ID, joinBreak } from './joinBreak.ts';
import type { LiveState } from './liveState.ts';
import { type ContentRun, isPlain, type Run, startOfChunk, startOfRun } from './run.ts';
import { breakOfSection, type Section, startedBreaks } from './section.ts';
import { canShowAds, isAnnouncedLength, isBlackedOut, lengthFrom, MIN_SECTION } from './sectionAt.ts';
import { breakContent, chunkSpan, mediaTimesAt, partOf, slateSpans } from './spans.ts';

/** Breaks further ahead may still change. */
const MAX_AHEAD_MS = 600_000;

const sectionOf = ({ sections }: LiveState, id: string): Section | undefined =>
  sections.findLast((one) => one.id === id);

/** The index of the last one that starts at or before `time`, or 0; starts ascend. */
function lastStarting<Value>(all: readonly Value[], startOf: (one: Value) => number, time: number): number {
  const isStarted = (one: Value | undefined): boolean => one !== undefined && startOf(one) <= time;
  return Math.max(0, countWhile(all.length, (index) => isStarted(all[index])) - 1);
}

function spansOfContent(state: LiveState, run: ContentRun, from: number, to: number): Span[] {
  const section = run.sectionId === undefined ? undefined : sectionOf(state, run.sectionId);
  const spans: Span[] = [];
  const { chunks } = run;
  for (let index = lastStarting(chunks, startOfChunk, from); index < chunks.length; index += 1) {
    const chunk = chunks[index];
    if (chunk === undefined || startOfChunk(chunk) >= to) break;
    const span = chunkSpan(state.feed, run, chunk);
    spans.push(section === undefined ? span : breakContent(span)(section)(state.media));
  }
  return spans;
}

function spansOfRun(state: LiveState, run: Run, from: number, to: number): readonly Span[] {
  if (run.kind === 'content') return spansOfContent(state, run, from, to);
  const section = sectionOf(state, run.sectionId);
  return section === undefined ? [] : slateSpans(section)(state.media);
}

/** The section that a break ahead of the edge will be, as far as it is known. */
function announced(state: LiveState): Section[] {
  const { edge, breaks, rules, sections, next } = state;
  if (edge === undefined || rules === undefined) return [];
  const facts = breaks?.breaks ?? [];
  return facts.flatMap((fact): Section[] => {
    const ahead = between(edge, fact.startsAt);
    if (ahead < 0 || ahead > millisToFlicks(MAX_AHEAD_MS) || !canShowAds(fact)) return [];
    if (startedBreaks(sections).has(fact.id) || isBlackedOut(facts, fact.startsAt)) return [];
    const planned = lengthFrom(fact, fact.startsAt, rules);
    if (planned < MIN_SECTION) return [];
    const common = { breakId: fact.id, start: fact.startsAt, slot: -1, planned, fill: rules.fill };
    const isAnnounced = isAnnouncedLength(fact) && { isAnnounced: true as const };
    return [{ id: `${fact.id}-0`, ...common, ...isAnnounced, head: next, junctions: [], isClosed: false }];
  });
}

/** A break that is not on air yet, as a span of slate. Manifests never list it as it is. */
function spanAhead(state: LiveState, section: Section): BreakSpan {
  const own = breakOfSection(section)(state.media);
  return {
    id: section.id,
    placed: place(state.media.clips.slate(own.slateId, own.frames), section.start),
    numbers: section.head.numbers,
    discontinuity: section.head.discontinuity,
    break: own,
    open: { announcedEnd: undefined },
    memos: noMemos(),
  };
}

/** When an edge at or after the time that follows `instant` is shown first. */
function listedAt({ listed }: LiveState, lag: number, typical: number, instant: Millis): Millis {
  const known = listed.find(({ edge }) => edge > instant);
  if (known !== undefined) return listed[0] === known ? millis(Math.min(known.at, instant + typical + lag)) : known.at;
  const last = listed.at(-1);
  if (last === undefined) return instant;
  return millis(last.at + Math.max(0, instant - last.edge) + typical);
}

function typicalSlot({ listed }: LiveState): number {
  const first = listed[0];
  const last = listed.at(-1);
  if (first === undefined || last === undefined || listed.length < 2) return 2000;
  return Math.round(Math.min(10_000, Math.max(500, (last.edge - first.edge) / (listed.length - 1))));
}

/** @param state with at least one slot */
export function liveProgramme(state: LiveState): Programme {
  const { runs, revision } = state;
  const edge = defined(state.edge, 'a programme has a slot');
  const { start, lag } = defined(state.anchor, 'a programme has an entry');
  const edgeMillis = clockAt(edge, 0);
  const typical = typicalSlot(state);
  const ahead = announced(state).map((section) => spanAhead(state, section));
  const [first] = runs;
  const [chunk] = first?.kind === 'content' ? first.chunks : [];
  const historyFrom = chunk !== undefined ? startOfChunk(chunk) : first !== undefined ? startOfRun(first) : edgeMillis;
  return {
    startedAt: clockAt(start, 0),
    lag,
    historyFrom,
    listedFrom: state.listedFrom,
    revision,
    changes: [],
    edgeAt: () => edgeMillis,
    borders: state.borders,
    listedAt: (instant) => listedAt(state, lag, typical, instant),
    spansBetween(from, to) {
      const spans: Span[] = [];
      for (let index = lastStarting(runs, startOfRun, from); index < runs.length; index += 1) {
        const run = runs[index];
        if (run === undefined || startOfRun(run) >= to) break;
        for (const span of spansOfRun(state, run, from, to)) {
          if (spanEnd(span) > from && spanStart(span) < to) spans.push(span);
        }
      }
      for (const span of ahead) if (spanStart(span) < to && spanEnd(span) > from) spans.push(span);
      return spans;
    },
    isOnSchedule(breakId) {
      if (breakId === JOIN_BREAK_ID) return true;
      if (sectionOf(state, breakId) !== undefined || ahead.some(({ id }) => id === breakId)) return true;
      const [own, number] = breakId.split('-');
      const fact = state.breaks?.breaks.find(({ id }) => id === own);
      // Facts and sections of long ago are forgotten; their decisions stay.
      return fact === undefined
        ? Number(own) < oldestKnown(state)
        : number !== '0' || between(edge, fact.startsAt) >= 0;
    },
    breakSpan(breakId) {
      const section = sectionOf(state, breakId);
      if (section === undefined) return ahead.find(({ id }) => id === breakId);
      const span = headSpan(state, section);
      return isBreakSpan(span) ? span : undefined;
    },
    joinBreak: (start, length, maxAds) => joinBreak(state, start, length, maxAds),
    partOf: (span, part) => partOf(state, span, part),
    mediaTimesAt: (border) => mediaTimesAt(state, border),
    borderBefore: (instant) => borderBefore(state, instant),
    before: () => state.before && programmeOf(state.before),
    lastBreak: () => lastBreak(state, (instant) => listedAt(state, lag, typical, instant)),
  };
}

export const programmeOf = memo(liveProgramme);

/** Milliseconds before the edge: more than the shortest windows have. */
const LISTED_MS = 120_000;

/** Makes the spans at the edge, which all viewers share. @throws {InvariantError} if the state is not one of a timeline */
export function listEdge(state: LiveState): void {
  if (state.edge === undefined) return;
  const edge = clockAt(state.edge, 0);
  programmeOf(state).spansBetween(millis(edge - LISTED_MS), millis(edge + 1));
}

/** Facts have ascending numbers, but a blackout may be older than what a node has read. */
function oldestKnown({ breaks }: LiveState): number {
  const known = (breaks?.breaks ?? []).filter(({ inserted }) => inserted !== 'blackout');
  return known.reduce((least, { id }) => Math.min(least, Number(id)), Number.POSITIVE_INFINITY);
}

/** The span that is the break of a section; made of slate when its content is not kept any more. */
function headSpan(state: LiveState, section: Section): Span {
  if (section.fill === 'slate') return defined(slateSpans(section)(state.media)[0], 'slate has a clip');
  const run = state.runs.find((one): one is ContentRun => one.kind === 'content' && one.sectionId === section.id);
  const head = run?.chunks[0];
  if (run === undefined || head?.slots[0].number !== section.slot) return spanAhead(state, section);
  return breakContent(chunkSpan(state.feed, run, head))(section)(state.media);
}

/** The last border of content at or before an instant; undefined when a break is on air there. */
function borderBefore({ runs, edge }: LiveState, instant: Millis): Instant | undefined {
  if (edge !== undefined && instant >= clockAt(edge, 0)) {
    const last = runs.at(-1);
    return isPlain(last) ? edge : undefined;
  }
  const run = runs[lastStarting(runs, startOfRun, instant)];
  if (!isPlain(run)) return undefined;
  const starts = run.chunks.flatMap(({ slots }) => slots.map(({ start }) => start));
  return starts.findLast((start) => clockAt(start, 0) <= instant) ?? starts[0];
}

/** The newest break that has started. @param listedAt when an instant of the timeline was listed, by the clock */
export function lastBreak(
  { sections, breaks }: Pick<LiveState, 'sections' | 'breaks'>,
  listedAt: (instant: Millis) => Millis,
): LastBreak | undefined {
  // Slate while the origin is away is no break, and a blackout has no ads.
  const index = sections.findLastIndex(({ kind }) => kind === undefined);
  const last = sections[index];
  if (last === undefined) return undefined;
  const id = last.breakId;
  const other = sections.findLastIndex(({ breakId }, at) => at < index && breakId !== id);
  const { start } = sections[other + 1] ?? last;
  const end = after(last.start, last.isClosed ? (last.junctions.at(-1)?.at ?? last.planned) : last.planned);
  const announced = breaks?.breaks.findLast((fact) => fact.id === id)?.duration;
  const seconds = flicksToSeconds(announced ?? between(start, end));
  return { id, seconds, ...(last.isClosed ? { endedAt: listedAt(clockAt(end, 0)) } : {}) };
}

/** Windows contain so many target durations. Larger ones result from mistakes of the origin, and players would be too far behind. */
const WINDOW = 5;

type Listed = Pick<LiveState, 'runs' | 'target' | 'keep'> & { readonly feed: Pick<LiveState['feed'], 'rungs'> };

/**
 * The target duration, in seconds, of a session that is opened now: that of the origin, or of the audio and video that is
 * listed, because origins list segments that are longer than they state.
 */
export function targetToOpen({ runs, target = 0, keep, feed: { rungs } }: Listed): number {
  const slots = runs.flatMap((run) => (run.kind === 'content' ? run.chunks.flatMap((chunk) => chunk.slots) : []));
  let longest = 0;
  for (const slot of slots) {
    for (const [rung, { kind }] of rungs.entries()) {
      if (kind === 'text') continue;
      const own = segmentsOf(slot, rung);
      const total = lengthOf(own);
      // A rendition with fewer segments in a slot than another, or shorter ones, is listed as long as the slot.
      const stretch = total === 0 ? 1 : Math.max(1, slot.duration / total);
      for (const { duration } of own) longest = Math.max(longest, duration * stretch);
    }
  }
  const most = keep / 1000 / WINDOW;
  return Math.max(0, ...[target, Math.round(longest / FLICKS_PER_SECOND)].filter((seconds) => seconds <= most));
}
