// SPDX-License-Identifier: Apache-2.0
// Writes the Periods of a schedule's viewer from strips: a strip is the content between two breaks, or a break. The text is
// that of the same window in periods.ts.

import { ownMemo } from '../../cache/memo.ts';
import { flat } from '../../cache/sharedText.ts';
import { defined } from '../../invariant.ts';
import { countWhile } from '../../time/search.ts';
import type { Flicks, Millis } from '../../time/units.ts';
import { clockAt, type Instant, type Span } from '../../timeline/programme/span.ts';
import type { ListedStrips, Strip } from '../../timeline/programme/strip.ts';
import { everyRung, isWithin, type Limits, movingRows, windowAt } from '../../timeline/programme/window.ts';
import { utf8Bytes } from '../../xml/write.ts';
import { fillForm, type PeriodForm, periodForm } from './periodForm.ts';
import { joinPeriods, NO_PERIODS, type PeriodFrame, type Periods, periodHead, writePeriods } from './periods.ts';

export function writeStripPeriods({ strips, from, to }: ListedStrips, frame: PeriodFrame): Periods {
  let periods = NO_PERIODS;
  for (const strip of strips) {
    const next = strip.isOwn ? listViewersBreak(strip, frame, from, to) : listShared(strip, frame, from, to);
    periods = joinPeriods(periods, next);
  }
  return periods;
}

/** Results without and with announcements; a strip belongs to one channel, so the rest of the frame is the same. */
const keyOf = ({ announces }: PeriodFrame): number => (announces === false ? 0 : 1);

/** The Periods of a strip that all viewers of a channel share. */
type SharedPeriods = { readonly periods: Periods; readonly limits: Limits };

const sharedPeriods = ownMemo((_: Strip): (SharedPeriods | undefined)[] => []);

function listShared(strip: Strip, frame: PeriodFrame, from: Millis, to: Millis): Periods {
  const known = sharedPeriods(strip);
  const key = keyOf(frame);
  const last = known[key];
  if (last !== undefined && isWithin(last.limits, from, to)) return last.periods;
  const { rows, limits } = movingRows(strip, from, to);
  const periods = writePeriods(rows, frame);
  flat(periods.text);
  known[key] = { periods, limits };
  return periods;
}

// What one viewer is shown in a break, as the text of its Periods. Few viewers share it, so a Period of which part is listed is
// written from a form (periodForm.ts).

/** A span of a break. */
type BreakPeriod = {
  readonly span: Span;
  /** The live edge from which on the span is listed, and the window's start until which it is. */
  readonly from: number;
  readonly until: number;
  /** The Period up to its AdaptationSets. */
  readonly head: string;
  /** Undefined if the Period is written from rows. */
  readonly form: PeriodForm | undefined;
};

function breakPeriod(span: Span, frame: PeriodFrame): BreakPeriod {
  const head = flat(utf8Bytes(periodHead(span, frame)));
  const { from, until } = everyRung(span);
  return { span, from, until, head, form: periodForm(span, frame.ladder) };
}

const breakPeriods = ownMemo((_: Strip): (readonly BreakPeriod[] | undefined)[] => []);

function listViewersBreak(strip: Strip, frame: PeriodFrame, from: Millis, to: Millis): Periods {
  const known = breakPeriods(strip);
  const key = keyOf(frame);
  known[key] ??= strip.spans.map((span) => breakPeriod(span, frame));
  let periods = NO_PERIODS;
  for (const period of known[key]) periods = joinPeriods(periods, listPeriod(period, frame, from, to));
  return periods;
}

/** How many segments have ended. */
const countEnded = (ends: readonly Flicks[], start: Instant, time: Millis): number =>
  countWhile(ends.length, (index) => clockAt(start, defined(ends[index], 'each segment has an end')) <= time);

function listPeriod(period: BreakPeriod, frame: PeriodFrame, from: Millis, to: Millis): Periods {
  const { span, form, head } = period;
  const { startsAt, endsAt, start } = span.placed;
  if (endsAt <= from || startsAt >= to || to < period.from || from >= period.until) return NO_PERIODS;
  if (form === undefined) return writePeriods(windowAt([span], from, to).rows, frame);
  let text = head;
  for (const set of form) {
    const { ends } = set;
    const first = startsAt >= from ? 0 : countEnded(ends, start, from);
    const end = endsAt <= to ? ends.length : countEnded(ends, start, to);
    text += `\n${fillForm(set, span.adId, first, end)}`;
  }
  text += '\n</Period>';
  return { text, last: text, hasLists: false };
}
