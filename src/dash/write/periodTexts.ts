// SPDX-License-Identifier: Apache-2.0
// The texts from which cards write Periods (periodsCard.ts): the Periods of a viewer's break, or of a span of the channel, as one
// string and one array of numbers around forms (periodForm.ts), so that a request touches few objects.

import { createKeptBytes } from '../../cache/keptBytes.ts';
import { ownMemo } from '../../cache/memo.ts';
import { bytesOf, flat } from '../../cache/sharedText.ts';
import { defined, type NonEmpty } from '../../invariant.ts';
import { countWhile } from '../../time/search.ts';
import { type Flicks, flicksToMillis, type Millis } from '../../time/units.ts';
import { type Span, spanStart } from '../../timeline/programme/span.ts';
import type { Strip } from '../../timeline/programme/strip.ts';
import { everyRung, windowAt } from '../../timeline/programme/window.ts';
import { utf8Bytes } from '../../xml/write.ts';
import { fillForm, newPeriodForm, type PeriodForm, periodForm } from './periodForm.ts';
import { joinPeriods, NO_PERIODS, type PeriodFrame, type Periods, periodHead, writePeriods } from './periods.ts';

export type PeriodTexts = {
  readonly isOwn: boolean;
  /** Seconds since 1970. Times in `marks` and `cut` are milliseconds after it: V8 stores small integers in the array itself. */
  readonly seconds: number;
  /** The last Period of a span of the channel. */
  cut: Cut | undefined;
  /** Of each span, its Period up to the AdaptationSets, and the id of its ad. */
  readonly heads: string;
  /** The fields of each span. */
  readonly marks: readonly number[];
  /** The Periods of whole spans, while a part of a viewer's break is listed in a window with many breaks. */
  filled: (Periods | undefined)[] | undefined;
  /** Of each span; undefined if its Period is written from rows. */
  readonly forms: readonly (PeriodForm | undefined)[];
  readonly spans: readonly Span[];
};

/** A Period, and the ends of the windows that list it. */
type Cut = Periods & {
  readonly fromSince: number;
  readonly fromUntil: number;
  readonly toSince: number;
  readonly toUntil: number;
  /** The Period after a line break, once it was listed again in a window with many breaks. */
  bytes: Uint8Array | undefined;
};

/** Later than any end of a window. */
const NEVER = 2 ** 30;

/** Fields of a span: when it starts and ends, … */
const STARTS = 0;
const ENDS = 1;
/** … its exact start in milliseconds and flicks, … */
const START = 2;
const REST = 3;
/** … the live edge from which on it is listed, the window's start until which it is, and where its head and the id of its ad end. */
const FROM = 4;
const UNTIL = 5;
const HEAD_END = 6;
const AD_END = 7;
const SPAN_FIELDS = 8;

const at = (marks: readonly number[], index: number): number => marks[index] ?? 0;

type FormOf = typeof periodForm;

function newTexts(spans: NonEmpty<Span>, frame: PeriodFrame, formOf: FormOf, isOwn: boolean): PeriodTexts {
  const seconds = Math.floor(spanStart(spans[0]) / 1000);
  const after = (time: number): number => time - 1000 * seconds;
  const marks: number[] = [];
  let heads = '';
  for (const span of spans) {
    heads += utf8Bytes(periodHead([{ span }], frame));
    const headEnd = heads.length;
    heads += span.adId ?? '';
    const { startsAt, endsAt, start } = span.placed;
    const { from, until } = everyRung(span);
    marks.push(
      after(startsAt),
      after(endsAt),
      after(start.millis),
      start.rest,
      after(from),
      after(until),
      headEnd,
      heads.length,
    );
  }
  return {
    isOwn,
    seconds,
    cut: undefined,
    filled: undefined,
    heads: flat(heads),
    marks,
    forms: spans.map((span) => formOf(span, frame.ladder)),
    spans,
  };
}

/** Results without and with announcements; a span belongs to one channel, so the rest of the frame is the same. */
const keyOf = ({ announces }: PeriodFrame): number => (announces === false ? 0 : 1);

const textsOfBreaks = ownMemo((_: Strip): (PeriodTexts | undefined)[] => []);

/** What a viewer is shown in a break. Few viewers share it, but many share the forms of its clips. */
export function breakTexts(strip: Strip, frame: PeriodFrame): PeriodTexts {
  const known = textsOfBreaks(strip);
  const key = keyOf(frame);
  known[key] ??= newTexts(strip.spans, frame, periodForm, true);
  return known[key];
}

/** Called when the break has left the window of a viewer: it leaves those of others at nearly the same time. */
export function forgetBreak(strip: Strip, frame: PeriodFrame): void {
  const known = textsOfBreaks(strip);
  const key = keyOf(frame);
  if (known[key] !== undefined) wholeBreaks.forget(known[key]);
  known[key] = undefined;
}

const textsOfSpans = ownMemo((_: Span): (PeriodTexts | undefined)[] => []);

/** A span of the channel, which all of its viewers share. */
export function spanTexts(span: Span, frame: PeriodFrame): PeriodTexts {
  const known = textsOfSpans(span);
  const key = keyOf(frame);
  known[key] ??= newTexts([span], frame, newPeriodForm, false);
  return known[key];
}

/** Whether the window has left texts behind. */
export function hasLeft({ marks, seconds }: PeriodTexts, from: Millis): boolean {
  const last = marks.length - SPAN_FIELDS;
  return from - 1000 * seconds >= Math.min(at(marks, last + ENDS), at(marks, last + UNTIL));
}

/** Breaks that were listed whole, each of one viewer. */
const wholeBreaks = createKeptBytes<PeriodTexts>(256 * 2 ** 20, 60_000);

/** Whether spans are listed whole. @param since the ends of the window, after `seconds`. @param last the last one of them */
const isWhole = (marks: readonly number[], first: number, last: number, since: number, until: number): boolean =>
  at(marks, SPAN_FIELDS * first + STARTS) >= since && at(marks, SPAN_FIELDS * last + ENDS) <= until;

/** The Periods of texts, after a line break, if they are kept: most MPDs with a window of hours list the same. */
export function keptBytes(one: PeriodTexts, frame: PeriodFrame, from: Millis, to: Millis): Uint8Array | undefined {
  const { cut, isOwn, marks, seconds } = one;
  const [since, until] = [from - 1000 * seconds, to - 1000 * seconds];
  if (!isOwn) {
    if (cut === undefined || !isWithin(cut, since, until)) return undefined;
    cut.bytes ??= bytesOf(`\n${cut.text}`);
    return cut.bytes;
  }
  if (!isWhole(marks, 0, marks.length / SPAN_FIELDS - 1, since, until)) return undefined;
  return (
    wholeBreaks.get(one) ??
    wholeBreaks.keep(one, () => {
      one.filled = undefined;
      return `\n${listTexts(one, frame, from, to).text}`;
    })
  );
}

/** The Periods of texts that are listed. @param isKept whether those of whole spans of a viewer's break are kept */
export function listTexts(one: PeriodTexts, frame: PeriodFrame, from: Millis, to: Millis, isKept = false): Periods {
  const { cut, marks, seconds } = one;
  const [since, until] = [from - 1000 * seconds, to - 1000 * seconds];
  if (cut !== undefined && isWithin(cut, since, until)) return cut;
  let periods = NO_PERIODS;
  for (let fields = 0; fields < marks.length; fields += SPAN_FIELDS) {
    const isListed =
      at(marks, fields + ENDS) > since &&
      at(marks, fields + STARTS) < until &&
      until >= at(marks, fields + FROM) &&
      since < at(marks, fields + UNTIL);
    if (!isListed) continue;
    const index = fields / SPAN_FIELDS;
    const form = one.forms[index];
    let next: Periods;
    if (form === undefined) next = writePeriods(windowAt(one.spans.slice(index, index + 1), from, to).rows, frame);
    else if (!one.isOwn) next = sharedPeriod(one, form, since, until);
    else if (isKept && isWhole(marks, index, index, since, until)) next = wholePeriod(one, form, index);
    else next = fillPeriod(one, form, index, since, until);
    periods = joinPeriods(periods, next);
  }
  return periods;
}

const period = (text: string): Periods => ({ text, last: text, hasLists: false });

/** What is listed of a set: segments `first` to `end − 1`, counted from the first of the clip. */
type Listed = { readonly first: number; readonly end: number };

function listedOf(
  { ends }: PeriodForm[number],
  marks: readonly number[],
  fields: number,
  since: number,
  until: number,
): Listed {
  const first = at(marks, fields + STARTS) >= since ? 0 : countEnded(ends, marks, fields, since);
  const end = at(marks, fields + ENDS) <= until ? ends.length : countEnded(ends, marks, fields, until);
  return { first, end };
}

/** The Period of a span. @param since the ends of the window, after `seconds` */
function fillPeriod(one: PeriodTexts, form: PeriodForm, index: number, since: number, until: number): Periods {
  const { heads, marks } = one;
  const fields = SPAN_FIELDS * index;
  const headEnd = at(marks, fields + HEAD_END);
  const adId = heads.slice(headEnd, at(marks, fields + AD_END));
  let text = heads.slice(index === 0 ? 0 : at(marks, fields - SPAN_FIELDS + AD_END), headEnd);
  for (const set of form) {
    const { first, end } = listedOf(set, marks, fields, since, until);
    text += `\n${fillForm(set, adId, first, end)}`;
  }
  return period(`${text}\n</Period>`);
}

/** The whole Period of a span of a viewer's break. */
function wholePeriod(one: PeriodTexts, form: PeriodForm, index: number): Periods {
  one.filled ??= [];
  one.filled[index] ??= period(flat(fillPeriod(one, form, index, -NEVER, NEVER).text));
  return one.filled[index];
}

const isWithin = (cut: Cut, since: number, until: number): boolean =>
  since >= cut.fromSince && since < cut.fromUntil && until >= cut.toSince && until < cut.toUntil;

/** The Period of a span of the channel: it is the same until a segment ends or leaves the window. */
function sharedPeriod(one: PeriodTexts, form: PeriodForm, since: number, until: number): Periods {
  const { marks } = one;
  const text = flat(fillPeriod(one, form, 0, since, until).text);
  let [fromSince, fromUntil, toSince, toUntil] = [-NEVER, NEVER, -NEVER, NEVER];
  for (const set of form) {
    const { ends } = set;
    const { first, end } = listedOf(set, marks, 0, since, until);
    if (first > 0) fromSince = Math.max(fromSince, endAt(ends, marks, 0, first - 1));
    fromUntil = Math.min(fromUntil, endAt(ends, marks, 0, first));
    toSince = Math.max(toSince, endAt(ends, marks, 0, end - 1));
    if (end < ends.length) toUntil = Math.min(toUntil, endAt(ends, marks, 0, end));
  }
  one.cut = { text, last: text, hasLists: false, fromSince, fromUntil, toSince, toUntil, bytes: undefined };
  return one.cut;
}

/** When a segment of a span ends, after `seconds`. @param ends flicks after its start */
function endAt(ends: readonly Flicks[], marks: readonly number[], fields: number, index: number): number {
  const end = at(marks, fields + REST) + defined(ends[index], 'each segment has an end');
  return at(marks, fields + START) + flicksToMillis(end);
}

/** How many segments of a span have ended. */
const countEnded = (ends: readonly Flicks[], marks: readonly number[], fields: number, time: number): number =>
  countWhile(ends.length, (index) => endAt(ends, marks, fields, index) <= time);
