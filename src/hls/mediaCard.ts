// SPDX-License-Identifier: Apache-2.0
// The media playlists of a schedule's viewer from strips: a strip is the content between two breaks, or a break. A card has
// what the playlists of one viewer in one rung consist of while only time passes, so that a request touches few objects. The
// text is that of the same window in writeMedia.ts.

import { ownMemo } from '../cache/memo.ts';
import { flat, type Parts, type SharedText } from '../cache/sharedText.ts';
import { defined, invariant, isNonEmpty, lastOf, type NonEmpty } from '../invariant.ts';
import type { Millis } from '../time/units.ts';
import type { Span } from '../timeline/programme/span.ts';
import type { Shifts, Strip } from '../timeline/programme/strip.ts';
import {
  endAt,
  everyRung,
  firstNumber,
  isWithin,
  type Limits,
  movingRows,
  noLimits,
  type Row,
} from '../timeline/programme/window.ts';
import { announceSpan } from './announce.ts';
import { cellText, DISCONTINUITY, headLines, headOf, ofRung, rowText, writeCell } from './segmentLines.ts';
import { type MediaFrame, type PlaylistFrame, playlistFrame, playlistHead, writeRows } from './writeMedia.ts';

export type MediaCard = {
  readonly rung: number;
  readonly frame: PlaylistFrame;
  readonly shifts: Shifts;
  readonly strips: readonly Strip[];
  readonly announces: boolean;
  /** One for each strip; undefined until it is listed first. */
  readonly pieces: (BreakText | SharedCut | undefined)[];
  /** The strip with which the last playlist began, and how far the viewer's decisions have moved its numbers. */
  top: number;
  segments: number;
  discontinuities: number;
};

const NO_STRIP = -1;

const startOf = ({ spans }: Strip): Millis => defined(spans[0], 'a strip has a span').placed.startsAt;

export function mediaCard(strips: readonly Strip[], rung: number, shifts: Shifts, media: MediaFrame): MediaCard {
  const announces = media.announces !== false;
  const pieces = strips.map(() => undefined);
  const frame = playlistFrame(media);
  return { rung, announces, frame, shifts, strips, pieces, top: NO_STRIP, segments: 0, discontinuities: 0 };
}

function pieceOf({ strips, rung, announces, pieces }: MediaCard, index: number, to: Millis) {
  const strip = defined(strips[index], 'there is a strip for each piece');
  if (startOf(strip) >= to) return undefined;
  const piece = (strip.isOwn ? breakText : sharedCut)(strip, rung, announces);
  pieces[index] = piece;
  return piece;
}

/** A playlist while it is written. */
type Draft = {
  readonly card: MediaCard;
  readonly from: Millis;
  readonly to: Millis;
  text: string;
  /** The text before `text`, if it contains long texts. */
  parts: (string | SharedText)[] | undefined;
  /** The index of the next strip. */
  index: number;
  /** What was written before it. */
  last: BreakText | SharedCut | undefined;
};

/**
 * The media playlist that lists every segment that ends after `from` and not after `to`.
 * @returns parts if the playlist contains long texts that all viewers of the channel share
 */
export function writeMediaCard(card: MediaCard, from: Millis, to: Millis): string | Parts {
  const draft: Draft = { card, from, to, text: '', parts: undefined, index: 0, last: undefined };
  for (const known of card.pieces) {
    const piece = known ?? pieceOf(card, draft.index, to);
    if (piece === undefined) break;
    if (piece.kind === 'own') addOwn(draft, piece);
    else addShared(draft, piece);
    draft.index += 1;
  }
  const { text, parts, last } = draft;
  if (last === undefined) return playlistHead(card.frame, 0, 0);
  if (parts === undefined) return text;
  return text === '' ? parts : [...parts, text];
}

/** The lines before the first segment, with the numbers as the viewer's earlier decisions have moved them. */
function headBefore({ card, index }: Draft, number: number, discontinuity: number): string {
  if (card.top !== index) moveTop(card, index);
  return playlistHead(card.frame, number + card.segments, discontinuity + card.discontinuities);
}

function moveTop(card: MediaCard, index: number): void {
  const { strips, rung } = card;
  const { odometer, decided } = card.shifts;
  const strip = defined(strips[index], 'there is a strip for each piece');
  const startsAt = startOf(strip);
  card.top = index;
  card.segments = ofRung(odometer.segments, rung);
  card.discontinuities = odometer.discontinuities;
  for (const one of decided) {
    if (one.startsAt > startsAt || one.strip === strip) continue;
    card.segments += ofRung(one.shift.segments, rung);
    card.discontinuities += one.shift.discontinuities;
  }
}

/** For each rung, a result without and one with announcements. */
const keyOf = (rung: number, announces: boolean): number => 2 * rung + (announces ? 1 : 0);

// The channel's strips: all viewers of a channel share what is listed of one, until a segment ends or leaves the window.

type SharedCut = Limits & {
  readonly kind: 'shared';
  readonly strip: Strip;
  readonly rung: number;
  readonly announces: boolean;
  /** DISCONTINUITY, what else precedes its first segment, and the lines of its segments; empty if none is listed. */
  text: string;
  /** Where the lines of its segments begin. */
  lines: number;
  /** The lines of its segments, if they are long. */
  long: SharedText | undefined;
  /** What precedes its first segment after encrypted media, if that differs. */
  nextAfterKeys: string | undefined;
  /** The numbers of its first segment, without the viewer's shift. */
  number: number;
  discontinuity: number;
  isEncryptedAtEnd: boolean;
};

const sharedCuts = ownMemo((_: Strip): (SharedCut | undefined)[] => []);

function sharedCut(strip: Strip, rung: number, announces: boolean): SharedCut {
  const cuts = sharedCuts(strip);
  const key = keyOf(rung, announces);
  const { seconds, fromSince, fromUntil, toSince, toUntil } = noLimits(strip);
  cuts[key] ??= {
    ...{ kind: 'shared', strip, rung, announces },
    ...{ seconds, fromSince, fromUntil, toSince, toUntil },
    ...{ text: '', lines: 0, long: undefined, nextAfterKeys: undefined },
    ...{ number: 0, discontinuity: 0, isEncryptedAtEnd: false },
  };
  return cuts[key];
}

/** The length from which on a text is sent as bytes of its own. */
const LONG = 16_384;

function cutAgain(cut: SharedCut, from: Millis, to: Millis): void {
  const { strip, rung, announces } = cut;
  const rows = movingRows(cut, strip, from, to);
  if (isNonEmpty(rows)) writeCut(cut, rows, rung, announces);
  else cut.text = '';
}

function writeCut(cut: SharedCut, rows: NonEmpty<Row>, rung: number, announces: boolean): void {
  const [first, ...others] = rows;
  const { span } = first;
  const texts = cellText(span, rung);
  const announced = announces ? announceSpan(span, undefined) : '';
  const lines = rowText(first, rung, texts) + writeRows(others, first, rung, announces);
  const next = texts.next + announced;
  cut.text = flat(next + lines);
  cut.lines = next.length;
  cut.long = lines.length < LONG ? undefined : { text: flat(lines) };
  cut.nextAfterKeys = texts.nextAfterKeys === texts.next ? undefined : texts.nextAfterKeys + announced;
  cut.number = firstNumber(first, rung);
  cut.discontinuity = span.discontinuity;
  cut.isEncryptedAtEnd = cellText(lastOf(rows).span, rung).head.isEncrypted;
}

function addShared(draft: Draft, cut: SharedCut): void {
  if (!isWithin(cut, draft.from, draft.to)) cutAgain(cut, draft.from, draft.to);
  const { text, lines, long, nextAfterKeys } = cut;
  if (text === '') return;
  const end = long === undefined ? text.length : lines;
  if (draft.last === undefined)
    draft.text = headBefore(draft, cut.number, cut.discontinuity) + text.slice(DISCONTINUITY.length, end);
  else if (draft.last.isEncryptedAtEnd && nextAfterKeys !== undefined)
    draft.text += nextAfterKeys + text.slice(lines, end);
  else draft.text += text.slice(0, end);
  draft.last = cut;
  if (long === undefined) return;
  draft.parts ??= [];
  draft.parts.push(draft.text, long);
  draft.text = '';
}

// What one viewer is shown in a break: written once, whole, and sliced for each playlist. Few viewers share it, so it is one text
// and one array of numbers.

/** The text of a whole break of a viewer, in one rung. */
type BreakText = {
  readonly kind: 'own';
  /**
   * The lines of the break as they follow other media, then the lines that precede each of its spans at the top of a playlist: for the
   * first span, those are within the lines of the break.
   */
  readonly text: string;
  /** What precedes the segments of the first span after encrypted media, if that differs. */
  readonly nextAfterKeys: string | undefined;
  readonly isEncryptedAtEnd: boolean;
  /** The fields below; those of each span; where the lines of each segment end; and when each segment ends. */
  readonly marks: readonly number[];
};

/** Fields of `marks`. Times in it are milliseconds after `SECONDS`, which are seconds since 1970. */
const SECONDS = 0;
const SEGMENTS = 1;
const SPANS = 2;
const FIELDS = 3;

/** Fields of a span: its first segment and the first one after it, where the lines of its first segment begin, … */
const FIRST = 0;
const END = 1;
const BEGIN = 2;
/** … the live edge from which on it is listed, and the window's start until which it is, … */
const FROM = 3;
const UNTIL = 4;
/** … the numbers of its first segment without the viewer's shift, and the lines that precede it at the top of a playlist. */
const NUMBER = 5;
const DISCONTINUITIES = 6;
const TOP_BEGIN = 7;
const TOP_END = 8;
const SPAN_FIELDS = 9;

const at = (marks: readonly number[], index: number): number => marks[index] ?? 0;

const breakTexts = ownMemo((_: Strip): (BreakText | undefined)[] => []);

function breakText(strip: Strip, rung: number, announces: boolean): BreakText {
  const texts = breakTexts(strip);
  const key = keyOf(rung, announces);
  texts[key] ??= writeBreak(strip, rung, announces);
  return texts[key];
}

function writeBreak({ spans }: Strip, rung: number, announces: boolean): BreakText {
  invariant(isNonEmpty(spans), 'a strip has a span');
  const seconds = Math.floor(spans[0].placed.startsAt / 1000);
  const after = (time: number): number => time - 1000 * seconds;
  const [ends, times, fields, tops]: [number[], number[], number[], string[]] = [[], [], [], []];
  let [text, nextAfterKeys, isEncrypted]: [string, string | undefined, boolean] = ['', undefined, false];
  let before: Span | undefined;
  for (const span of spans) {
    const { placed, numbers, discontinuity } = span;
    const cell = ofRung(placed.clip.cells, rung);
    const head = headOf(cell.track);
    const announced = announces ? announceSpan(span, before) : '';
    text += DISCONTINUITY + headLines(head, isEncrypted) + announced;
    if (before === undefined) {
      const afterKeys = DISCONTINUITY + headLines(head, true) + announced;
      if (afterKeys !== text) nextAfterKeys = afterKeys;
    }
    const [first, begin] = [ends.length, text.length];
    const piece = writeCell(placed, cell, cell.first, cell.end);
    piece.ends.forEach((end, index) => {
      ends.push(begin + end);
      times.push(after(endAt(placed, rung, index)));
    });
    text += piece.text;
    const { from, until } = everyRung(span);
    fields.push(first, ends.length, begin, after(from), after(until), ofRung(numbers, rung), discontinuity, 0, 0);
    tops.push(headLines(head, false) + (announces ? announceSpan(span, undefined) : ''));
    isEncrypted = head.isEncrypted;
    before = span;
  }
  fields[TOP_BEGIN] = DISCONTINUITY.length;
  fields[TOP_END] = fields[BEGIN] ?? 0;
  tops.forEach((top, index) => {
    if (index === 0) return;
    fields[index * SPAN_FIELDS + TOP_BEGIN] = text.length;
    text += top;
    fields[index * SPAN_FIELDS + TOP_END] = text.length;
  });
  const marks = [seconds, ends.length, spans.length, ...fields, ...ends, ...times];
  return { kind: 'own', text: flat(text), nextAfterKeys, isEncryptedAtEnd: isEncrypted, marks };
}

/** The fields of the span of a segment. */
function spanOf(marks: readonly number[], segment: number): number {
  let span = FIELDS + SPAN_FIELDS * (at(marks, SPANS) - 1);
  while (at(marks, span + FIRST) > segment) span -= SPAN_FIELDS;
  return span;
}

/** How many segments have ended. @param times where `marks` states them. @param time after SECONDS */
function countEnded(marks: readonly number[], times: number, time: number): number {
  let low = 0;
  let high = at(marks, SEGMENTS);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(marks, times + middle) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function addOwn(draft: Draft, own: BreakText): void {
  const { text, marks, nextAfterKeys } = own;
  const zero = 1000 * at(marks, SECONDS);
  const [from, to] = [draft.from - zero, draft.to - zero];
  const ends = FIELDS + SPAN_FIELDS * at(marks, SPANS);
  const times = ends + at(marks, SEGMENTS);
  let first = countEnded(marks, times, from);
  let end = countEnded(marks, times, to);
  if (end <= first) return;
  const lastSpan = spanOf(marks, end - 1);
  if (to < at(marks, lastSpan + FROM)) end = at(marks, lastSpan + FIRST);
  let span = spanOf(marks, first);
  if (from >= at(marks, span + UNTIL)) {
    first = at(marks, span + END);
    span = spanOf(marks, first);
  }
  if (end <= first) return;
  const { last } = draft;
  const firstOfSpan = at(marks, span + FIRST);
  const begin = first === firstOfSpan ? at(marks, span + BEGIN) : at(marks, ends + first - 1);
  const stop = at(marks, ends + end - 1);
  if (last === undefined) {
    const number = at(marks, span + NUMBER) + first - firstOfSpan;
    draft.text =
      headBefore(draft, number, at(marks, span + DISCONTINUITIES)) +
      joined(text, at(marks, span + TOP_BEGIN), at(marks, span + TOP_END), begin, stop);
  } else if (last.isEncryptedAtEnd && nextAfterKeys !== undefined)
    draft.text += nextAfterKeys + text.slice(begin, stop);
  else draft.text += joined(text, 0, at(marks, FIELDS + BEGIN), begin, stop);
  draft.last = own;
}

/** Two parts of a text. */
const joined = (text: string, begin: number, end: number, nextBegin: number, nextEnd: number): string =>
  end === nextBegin ? text.slice(begin, nextEnd) : text.slice(begin, end) + text.slice(nextBegin, nextEnd);
