// SPDX-License-Identifier: Apache-2.0
// What a viewer's stored decisions show on the programme as it is now. Viewers with the same ads share the result, to save memory.

import { addShift, freshOdometer } from '../../ads/placement/decision.ts';
import type { Choices, DecidedBreak, Placement } from '../../ads/placement/personalise.ts';
import { isSameShown } from '../../ads/placement/shownFrames.ts';
import { memo } from '../../cache/memo.ts';
import { isNonEmpty } from '../../invariant.ts';
import type { SessionState, StoredDecision } from '../../sessions/ports.ts';
import { prerollOf, type Session } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';
import { type BreakSpan, clockAt, placeOf, type Region, type Shift, type Span } from '../../timeline/programme/span.ts';
import { isFixed, ownStrip } from '../../timeline/programme/strip.ts';
import { type Airing, placeDecision } from '../onAir/airing.ts';

/** @returns undefined if the programme has forgotten the break */
export function spanOf(
  { programme }: Airing,
  session: Session,
  { breakId, startsAt }: StoredDecision,
): BreakSpan | undefined {
  const preroll = prerollOf(session);
  const own = preroll && programme.joinBreak?.(preroll.start, preroll.duration);
  return own?.break?.id === breakId ? own : programme.breakSpan(breakId, startsAt as Millis);
}

/**
 * Marks decisions for breaks that were removed from the schedule, by an edit or because a live origin cancelled them: they do
 * not change sequence numbers.
 */
export const markVoidDecisions = ({ programme }: Airing, state: SessionState): SessionState => ({
  ...state,
  decisions: state.decisions.map((one) => {
    const isVoid = !programme.isOnSchedule(one.breakId);
    return (one.isVoid ?? false) === isVoid ? one : { ...one, isVoid };
  }),
});

/** A pod with a creative that is no longer stored, which happens only to old ones, is shown as slate. */
function placedOrSlate(airing: Airing, span: BreakSpan, decision: StoredDecision): Placement {
  const ids = decision.ads.map(({ mediaId }) => mediaId);
  if (ids.every(airing.hasMedia)) return placeDecision(airing, span, decision);
  return { spans: span.break.live === undefined ? [span] : [], shift: decision.shift };
}

const isSameShift = (one: Shift, other: Shift): boolean =>
  one.discontinuities === other.discontinuities && one.segments.every((count, rung) => count === other.segments[rung]);

/** The placed break that ends with a span; viewers with the same ads have the same last span. */
const placedBreaks = memo((_: Span): { latest?: DecidedBreak } => ({}));

/** Returns the object that viewers with the same ads share, to save memory. */
function sharedBreak(own: DecidedBreak): DecidedBreak {
  const last = own.spans.at(-1);
  if (last === undefined) return own;
  const shared = placedBreaks(last);
  const known = shared.latest;
  const isKnown =
    known?.breakId === own.breakId &&
    known.startsAt === own.startsAt &&
    known.decidedAt === own.decidedAt &&
    known.spans.length === own.spans.length &&
    isSameShown(known.shown, own.shown) &&
    isSameShift(known.shift, own.shift);
  if (isKnown) return known;
  shared.latest = own;
  return own;
}

const isZero = ({ segments, discontinuities }: Shift): boolean =>
  discontinuities === 0 && segments.every((count) => count === 0);

/** The choices of viewers for whom this is the first decided break. New viewers share them. */
const firstChoices = memo(
  (first: DecidedBreak): Choices => ({ decided: [first], odometer: freshOdometer(first.shift.segments.length) }),
);

function sharedChoices(own: Choices): Choices {
  const [first, second] = own.decided;
  if (first === undefined || second !== undefined || !isZero(own.odometer)) return own;
  return firstChoices(first);
}

/** What a settled decision shows after the programme has forgotten its break: nothing, but its effect on what follows. */
function forgotten({ breakId, shift, settled }: StoredDecision): DecidedBreak | undefined {
  const region = settled?.region;
  if (region === undefined) return undefined;
  return { breakId, startsAt: clockAt(region.from, 0), spans: [], shift, region, isSettled: true };
}

const stripOf = ({ spans }: Placement) => (isNonEmpty(spans) && spans.every(isFixed) ? { strip: ownStrip(spans) } : {});

/** Adds media times while the programme has the content there. From then on, the settled decision has them. */
function withMediaTimes({ programme }: Airing, region: Region | undefined): Region | undefined {
  const mediaTimes = region?.until && programme.mediaTimesAt?.(region.until);
  return region && mediaTimes ? { ...region, mediaTimes } : region;
}

function placed(airing: Airing, span: BreakSpan, decision: StoredDecision): DecidedBreak {
  const { breakId, startsAt, shift, settled } = decision;
  const own = placedOrSlate(airing, span, decision);
  if (span.break.live === undefined) return { breakId, startsAt, spans: own.spans, shift, ...stripOf(own) };
  const { region: shown, ...rest } = own;
  const region = settled?.region ?? withMediaTimes(airing, shown);
  const from = region === undefined ? placeOf(span).startsAt : clockAt(region.from, 0);
  const one = {
    breakId,
    ...rest,
    startsAt: from,
    shift: settled === undefined ? own.shift : shift,
    ...(from === startsAt ? {} : { decidedAt: startsAt }),
  };
  return region === undefined ? { region, ...one, ...stripOf(own) } : { region, ...one };
}

export function choicesOf(airing: Airing, state: SessionState): Choices {
  const decided: DecidedBreak[] = [];
  let { odometer } = state;
  for (const decision of state.decisions) {
    if (decision.isVoid) continue;
    const { startsAt, shift } = decision;
    const span = spanOf(airing, state.session, decision);
    const one = span === undefined ? forgotten(decision) : sharedBreak(placed(airing, span, decision));
    if (one !== undefined) decided.push(one);
    // The programme has discarded the break: only its effect on sequence numbers remains.
    if (startsAt < airing.programme.historyFrom && !countsItself(one)) odometer = addShift(odometer, shift);
  }
  // The copy has room for no more than that.
  return sharedChoices({ decided: decided.slice(), odometer });
}

/** Breaks of a schedule before its history have no spans; live breaks that are known add their own shift. */
const countsItself = (one: DecidedBreak | undefined): boolean => one?.isSettled !== undefined;
