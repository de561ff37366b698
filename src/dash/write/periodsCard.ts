// SPDX-License-Identifier: Apache-2.0
// The Periods of a schedule's viewer from strips: a strip is the content between two breaks, or a break. A card has what the
// Periods of one viewer consist of while only time passes, so that a request touches few objects. The text is that of the same
// window in periods.ts.

import { ownMemo } from '../../cache/memo.ts';
import { flat } from '../../cache/sharedText.ts';
import { defined } from '../../invariant.ts';
import { countWhile } from '../../time/search.ts';
import { type Flicks, flicksToMillis, type Millis } from '../../time/units.ts';
import type { Span } from '../../timeline/programme/span.ts';
import type { Strip } from '../../timeline/programme/strip.ts';
import { everyRung, isWithin, type Limits, movingRows, noLimits, windowAt } from '../../timeline/programme/window.ts';
import { utf8Bytes } from '../../xml/write.ts';
import { fillForm, type PeriodForm, periodForm } from './periodForm.ts';
import { joinPeriods, NO_PERIODS, type PeriodFrame, type Periods, periodHead, writePeriods } from './periods.ts';

export type PeriodsCard = {
  readonly frame: PeriodFrame;
  readonly strips: readonly Strip[];
  /** One for each strip; undefined until it is listed first. */
  readonly pieces: (BreakPeriods | SharedPeriods | undefined)[];
};

export const periodsCard = (strips: readonly Strip[], frame: PeriodFrame): PeriodsCard => ({
  frame,
  strips,
  pieces: strips.map(() => undefined),
});

function pieceOf({ strips, frame, pieces }: PeriodsCard, index: number, to: Millis) {
  const strip = defined(strips[index], 'there is a strip for each piece');
  if (defined(strip.spans[0], 'a strip has a span').placed.startsAt >= to) return undefined;
  const piece = (strip.isOwn ? breakPeriods : sharedPeriods)(strip, frame);
  pieces[index] = piece;
  return piece;
}

/** The Periods of every segment that ends after `from` and not after `to`. */
export function writePeriodsCard(card: PeriodsCard, from: Millis, to: Millis): Periods {
  const { pieces, frame } = card;
  let periods = NO_PERIODS;
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index] ?? pieceOf(card, index, to);
    if (piece === undefined) break;
    periods =
      piece.kind === 'own'
        ? listOwn(piece, frame, from, to, periods)
        : joinPeriods(periods, listShared(piece, frame, from, to));
  }
  return periods;
}

/** Results without and with announcements; a strip belongs to one channel, so the rest of the frame is the same. */
const keyOf = ({ announces }: PeriodFrame): number => (announces === false ? 0 : 1);

/** The Periods of a strip that all viewers of a channel share. */
type SharedPeriods = Limits & { readonly kind: 'shared'; readonly strip: Strip; periods: Periods };

const allShared = ownMemo((_: Strip): (SharedPeriods | undefined)[] => []);

function sharedPeriods(strip: Strip, frame: PeriodFrame): SharedPeriods {
  const known = allShared(strip);
  const key = keyOf(frame);
  known[key] ??= { kind: 'shared', strip, periods: NO_PERIODS, ...noLimits(strip) };
  return known[key];
}

function listShared(shared: SharedPeriods, frame: PeriodFrame, from: Millis, to: Millis): Periods {
  if (isWithin(shared, from, to)) return shared.periods;
  shared.periods = writePeriods(movingRows(shared, shared.strip, from, to), frame);
  flat(shared.periods.text);
  return shared.periods;
}

// What one viewer is shown in a break. Few viewers share it, so it is one text and one array of numbers, around the forms of its
// clips (periodForm.ts), which many viewers share.

type BreakPeriods = {
  readonly kind: 'own';
  readonly spans: readonly Span[];
  /** Of each span; undefined if its Period is written from rows. */
  readonly forms: readonly (PeriodForm | undefined)[];
  /** The Periods of all spans up to their AdaptationSets. */
  readonly heads: string;
  /** Milliseconds since 1970, after which times in `marks` count. */
  /** Seconds since 1970; then the fields of each span, with times in milliseconds after that. */
  readonly marks: readonly number[];
};

const FIELDS = 1;
/** Fields of a span: when it starts and ends, … */
const STARTS = 0;
const ENDS = 1;
/** … its exact start in milliseconds and flicks, … */
const START = 2;
const REST = 3;
/** … the live edge from which on it is listed, and the window's start until which it is, and where its head ends. */
const FROM = 4;
const UNTIL = 5;
const HEAD_END = 6;
const SPAN_FIELDS = 7;

const at = (marks: readonly number[], index: number): number => marks[index] ?? 0;

const allOwn = ownMemo((_: Strip): (BreakPeriods | undefined)[] => []);

function breakPeriods(strip: Strip, frame: PeriodFrame): BreakPeriods {
  const known = allOwn(strip);
  const key = keyOf(frame);
  known[key] ??= newBreakPeriods(strip, frame);
  return known[key];
}

function newBreakPeriods({ spans }: Strip, frame: PeriodFrame): BreakPeriods {
  const seconds = Math.floor((spans[0]?.placed.startsAt ?? 0) / 1000);
  const after = (time: number): number => time - 1000 * seconds;
  const marks = [seconds];
  let heads = '';
  for (const span of spans) {
    heads += utf8Bytes(periodHead(span, frame));
    const { startsAt, endsAt, start } = span.placed;
    const { from, until } = everyRung(span);
    marks.push(
      after(startsAt),
      after(endsAt),
      after(start.millis),
      start.rest,
      after(from),
      after(until),
      heads.length,
    );
  }
  const forms = spans.map((span) => periodForm(span, frame.ladder));
  return { kind: 'own', spans, forms, heads: flat(heads), marks };
}

/** How many segments have ended. @param start milliseconds @param rest flicks after `start` */
const countEnded = (ends: readonly Flicks[], start: number, rest: number, time: number): number =>
  countWhile(
    ends.length,
    (index) => start + flicksToMillis((rest + defined(ends[index], 'each segment has an end')) as Flicks) <= time,
  );

/** @returns the Periods before it, and those of the break that are listed */
function listOwn(own: BreakPeriods, frame: PeriodFrame, from: Millis, to: Millis, before: Periods): Periods {
  const { spans, forms, heads, marks } = own;
  const zero = 1000 * at(marks, 0);
  const [since, until] = [from - zero, to - zero];
  let periods = before;
  let head = 0;
  for (let index = 0; index < forms.length; index += 1) {
    const fields = FIELDS + SPAN_FIELDS * index;
    const [startsAt, endsAt] = [at(marks, fields + STARTS), at(marks, fields + ENDS)];
    const headEnd = at(marks, fields + HEAD_END);
    const isListed =
      endsAt > since && startsAt < until && until >= at(marks, fields + FROM) && since < at(marks, fields + UNTIL);
    if (isListed) {
      const span = defined(spans[index], 'each form is of a span');
      const form = forms[index];
      if (form === undefined) periods = joinPeriods(periods, writePeriods(windowAt([span], from, to).rows, frame));
      else {
        let text = heads.slice(head, headEnd);
        const [start, rest] = [at(marks, fields + START), at(marks, fields + REST)];
        for (const set of form) {
          const { ends } = set;
          const first = startsAt >= since ? 0 : countEnded(ends, start, rest, since);
          const end = endsAt <= until ? ends.length : countEnded(ends, start, rest, until);
          text += `\n${fillForm(set, span.adId, first, end)}`;
        }
        text += '\n</Period>';
        periods = joinPeriods(periods, { text, last: text, hasLists: false });
      }
    }
    head = headEnd;
  }
  return periods;
}
