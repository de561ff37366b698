// SPDX-License-Identifier: Apache-2.0
// Writes the media playlist of a schedule's viewer from strips: a strip is the content between two breaks, or a break, and a playlist
// is the listed part of each in turn. The text is that of the same window in writeMedia.ts.

import { ownMemo } from '../cache/memo.ts';
import { flat, type Parts, type SharedText } from '../cache/sharedText.ts';
import { defined, invariant, isNonEmpty, lastOf, type NonEmpty } from '../invariant.ts';
import { countWhile } from '../time/search.ts';
import type { Millis } from '../time/units.ts';
import type { Span } from '../timeline/programme/span.ts';
import type { ListedStrips, Shifts, Strip } from '../timeline/programme/strip.ts';
import type { Limits } from '../timeline/programme/window.ts';
import { endAt, everyRung, firstNumber, isWithin, movingRows, type Row } from '../timeline/programme/window.ts';
import { announceSpan } from './announce.ts';
import { cellText, DISCONTINUITY, headLines, headOf, ofRung, rowText, writeCell } from './segmentLines.ts';
import { type MediaFrame, playlistHead, writeRows } from './writeMedia.ts';

/** The part of a strip that a playlist lists. */
type ListedText = {
  /** The lines of its segments, and what precedes them: at the top of a playlist, after other media, and after encrypted media. */
  readonly text: string;
  /** The text, if it is long and all viewers of the channel share it. */
  readonly long?: SharedText;
  readonly top: string;
  readonly next: string;
  readonly nextAfterKeys: string;
  /** The media sequence number of its first segment, without the viewer's shift. */
  readonly number: number;
  readonly discontinuity: number;
  /** When the span of its first segment starts. */
  readonly startsAt: Millis;
  readonly isEncryptedAtEnd: boolean;
};

/**
 * The media playlist of one rung.
 * @returns parts if the playlist contains long texts that all viewers of the channel share
 */
export function writeStrips(
  { strips, from, to }: ListedStrips,
  rung: number,
  shifts: Shifts,
  frame: MediaFrame,
): string | Parts {
  const announces = frame.announces !== false;
  const parts: (string | SharedText)[] = [];
  let text = '';
  let last: ListedText | undefined;
  for (const strip of strips) {
    const listed = strip.isOwn
      ? listViewersBreak(strip, rung, announces, from, to)
      : listShared(strip, rung, announces, from, to);
    if (listed === undefined) continue;
    if (last === undefined) text = headBefore(listed, strip, rung, shifts, frame) + listed.top;
    else text += last.isEncryptedAtEnd ? listed.nextAfterKeys : listed.next;
    if (listed.long === undefined) text += listed.text;
    else {
      parts.push(text, listed.long);
      text = '';
    }
    last = listed;
  }
  if (last === undefined) return playlistHead(frame.ladder, 0, 0, frame.form);
  return parts.length === 0 ? text : text === '' ? parts : [...parts, text];
}

/** The lines before the first segment, with the numbers as the viewer's earlier decisions have moved them. */
function headBefore(
  { number, discontinuity, startsAt }: ListedText,
  top: Strip,
  rung: number,
  { odometer, decided }: Shifts,
  { ladder, form }: MediaFrame,
): string {
  let segments = number + ofRung(odometer.segments, rung);
  let discontinuities = discontinuity + odometer.discontinuities;
  for (const one of decided) {
    if (one.startsAt > startsAt || one.strip === top) continue;
    segments += ofRung(one.shift.segments, rung);
    discontinuities += one.shift.discontinuities;
  }
  return playlistHead(ladder, segments, discontinuities, form);
}

/** For each rung, a result without and one with announcements. */
const keyOf = (rung: number, announces: boolean): number => 2 * rung + (announces ? 1 : 0);

// The channel's strips: all viewers of a channel share what is listed of one, until a segment ends or leaves the window.

type Shared = { readonly listed: ListedText | undefined; readonly limits: Limits };

const sharedTexts = ownMemo((_: Strip): (Shared | undefined)[] => []);

/** @returns undefined if no segment of the strip is listed */
function listShared(strip: Strip, rung: number, announces: boolean, from: Millis, to: Millis): ListedText | undefined {
  const known = sharedTexts(strip);
  const key = keyOf(rung, announces);
  const last = known[key];
  if (last !== undefined && isWithin(last.limits, from, to)) return last.listed;
  const { rows, limits } = movingRows(strip, from, to);
  const listed = isNonEmpty(rows) ? listRows(rows, rung, announces) : undefined;
  known[key] = { listed, limits };
  return listed;
}

/** The length from which on a text is sent as bytes of its own. */
const LONG = 16_384;

function listRows(rows: NonEmpty<Row>, rung: number, announces: boolean): ListedText {
  const [first, ...others] = rows;
  const { span } = first;
  const texts = cellText(span, rung);
  const announced = announces ? announceSpan(span, undefined) : '';
  const text = rowText(first, rung, texts) + writeRows(others, first, rung, announces);
  return {
    text: flat(text),
    ...(text.length < LONG ? {} : { long: { text } }),
    top: flat(texts.first + announced),
    next: flat(texts.next + announced),
    nextAfterKeys: texts.nextAfterKeys + announced,
    number: firstNumber(first, rung),
    discontinuity: span.discontinuity,
    startsAt: span.placed.startsAt,
    isEncryptedAtEnd: cellText(lastOf(rows).span, rung).head.isEncrypted,
  };
}

// What one viewer is shown in a break: written once, whole, and sliced for each playlist. Few viewers share it, so a playlist
// must not touch more of it than the text and two numbers.

/** The text of a whole break of a viewer, in one rung. */
type BreakText = Pick<ListedText, 'text' | 'next' | 'nextAfterKeys' | 'isEncryptedAtEnd'> & {
  /** Where the lines of each segment end. */
  readonly ends: readonly number[];
  /** When each segment ends. */
  readonly times: readonly number[];
  readonly spans: NonEmpty<SpanText>;
};

/** A span of a break, with what a playlist has that starts with it. */
type SpanText = Pick<ListedText, 'top' | 'number' | 'discontinuity' | 'startsAt'> & {
  /** The first segment of the span, where its lines begin, and the first segment after the span. */
  readonly first: number;
  readonly begin: number;
  readonly end: number;
  /** The live edge from which on it is listed, and the window's start until which it is. */
  readonly from: number;
  readonly until: number;
};

function writeBreak(strip: Strip, rung: number, announces: boolean): BreakText {
  const [ends, times]: [number[], number[]] = [[], []];
  const spans: SpanText[] = [];
  let [text, next, nextAfterKeys, isEncrypted] = ['', '', '', false];
  let before: Span | undefined;
  for (const span of strip.spans) {
    const { placed, numbers, discontinuity } = span;
    const cell = ofRung(placed.clip.cells, rung);
    const head = headOf(cell.track);
    const announced = announces ? announceSpan(span, before) : '';
    const after = (wasEncrypted: boolean) => DISCONTINUITY + headLines(head, wasEncrypted) + announced;
    if (before === undefined) [next, nextAfterKeys] = [after(false), after(true)];
    else text += after(isEncrypted);
    const [first, begin] = [ends.length, text.length];
    const piece = writeCell(placed, cell, cell.first, cell.end);
    piece.ends.forEach((end, index) => {
      ends.push(begin + end);
      times.push(endAt(placed, rung, index));
    });
    text += piece.text;
    const { from, until } = everyRung(span);
    spans.push({
      first,
      begin,
      end: ends.length,
      from,
      until,
      top: flat(headLines(head, false) + (announces ? announceSpan(span, undefined) : '')),
      number: ofRung(numbers, rung),
      discontinuity,
      startsAt: placed.startsAt,
    });
    isEncrypted = head.isEncrypted;
    before = span;
  }
  invariant(isNonEmpty(spans), 'a strip has a span');
  return { text: flat(text), ends, times, spans, next, nextAfterKeys, isEncryptedAtEnd: isEncrypted };
}

const breakTexts = ownMemo((_: Strip): (BreakText | undefined)[] => []);

function breakText(strip: Strip, rung: number, announces: boolean): BreakText {
  const texts = breakTexts(strip);
  const key = keyOf(rung, announces);
  texts[key] ??= writeBreak(strip, rung, announces);
  return texts[key];
}

/** The span of a segment. */
function spanOf(spans: NonEmpty<SpanText>, segment: number): SpanText {
  let [found] = spans;
  for (const span of spans) if (span.first <= segment) found = span;
  return found;
}

/** How many segments have ended at a time. */
const countEnded = (times: readonly number[], at: Millis): number =>
  countWhile(times.length, (index) => defined(times[index], 'each segment has an end') <= at);

/** @returns undefined if no segment of the strip is listed */
function listViewersBreak(
  strip: Strip,
  rung: number,
  announces: boolean,
  from: Millis,
  to: Millis,
): ListedText | undefined {
  const { text, ends, times, spans, next, nextAfterKeys, isEncryptedAtEnd } = breakText(strip, rung, announces);
  let first = countEnded(times, from);
  let end = countEnded(times, to);
  if (end <= first) return undefined;
  const last = spanOf(spans, end - 1);
  if (to < last.from) end = last.first;
  let span = spanOf(spans, first);
  if (from >= span.until) {
    first = span.end;
    span = spanOf(spans, first);
  }
  if (end <= first) return undefined;
  const { top, number, discontinuity, startsAt } = span;
  return {
    text: text.slice(first === span.first ? span.begin : ends[first - 1], ends[end - 1]),
    top,
    next,
    nextAfterKeys,
    number: number + first - span.first,
    discontinuity,
    startsAt,
    isEncryptedAtEnd,
  };
}
