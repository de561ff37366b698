// SPDX-License-Identifier: Apache-2.0
// The media playlists of a schedule's viewer from strips: a strip is the content between two breaks, or a break. A card has
// what the playlists of one viewer in one rung consist of while only time passes: texts that are written once, whole, and sliced
// for each playlist, so that a request touches few objects. The text is that of the same window in writeMedia.ts.

import { ownMemo } from '../cache/memo.ts';
import { flat, type Parts, type SharedText } from '../cache/sharedText.ts';
import { defined, invariant, isNonEmpty, lastOf, type NonEmpty } from '../invariant.ts';
import type { Millis } from '../time/units.ts';
import { listedCell } from '../timeline/asset/listedCell.ts';
import { type Span, spanEnd, spanStart } from '../timeline/programme/span.ts';
import type { Reach, Shifts, Strip } from '../timeline/programme/strip.ts';
import { countEndedAt, endAt, everyRung } from '../timeline/programme/window.ts';
import { announceSpanOnce } from './announce.ts';
import { DISCONTINUITY, headLines, headOf, ofRung, writeCell } from './segmentLines.ts';
import { type MediaFrame, type PlaylistFrame, playlistFrame, playlistHead } from './writeMedia.ts';

export type MediaCard = {
  readonly rung: number;
  readonly announces: boolean;
  readonly frame: PlaylistFrame;
  readonly shifts: Shifts;
  /** In the order of time; undefined for a viewer's break until it is listed first. */
  readonly texts: (MediaText | undefined)[];
  /** The strip of each text that is a viewer's break. */
  readonly own: readonly (Strip | undefined)[];
  /** The live edge up to which no further text is listed: whole seconds since 1970. */
  quietUntil: number;
  /** The first text that is listed. Those before it have left the window. */
  first: number;
  /** The text with which the last playlist began, and how far the viewer's decisions have moved its numbers. */
  top: number;
  segments: number;
  discontinuities: number;
};

const NO_TEXT = -1;

export function mediaCard(
  { strips, from, to, until }: Reach,
  rung: number,
  shifts: Shifts,
  media: MediaFrame,
): MediaCard {
  const announces = media.announces !== false;
  const size = sizeFor(to - from);
  const texts: (MediaText | undefined)[] = [];
  const own: (Strip | undefined)[] = [];
  for (const strip of strips) {
    if (strip.isOwn && spanEnd(lastOf(spansOf(strip))) <= from) continue;
    if (strip.isOwn) {
      texts.push(undefined);
      own.push(strip);
      continue;
    }
    for (const text of sharedTexts(strip, { rung, announces, size }, from, until)) {
      texts.push(text);
      own.push(undefined);
    }
  }
  const frame = playlistFrame(media);
  const state = { quietUntil: 0, first: 0, top: NO_TEXT, segments: 0, discontinuities: 0 };
  return { rung, announces, frame, shifts, texts, own, ...state };
}

/** The text of a viewer's break; undefined if it starts later. */
function ownText(card: MediaCard, index: number, to: Millis): MediaText | undefined {
  if (to < 1000 * card.quietUntil) return undefined;
  const strip = defined(card.own[index], 'each text is shared, or of a strip');
  const start = spanStart(spansOf(strip)[0]);
  card.quietUntil = Math.floor(start / 1000);
  if (start >= to) return undefined;
  const text = breakText(strip, card.rung, card.announces);
  card.texts[index] = text;
  return text;
}

function spansOf({ spans }: Strip): NonEmpty<Span> {
  invariant(isNonEmpty(spans), 'a strip has a span');
  return spans;
}

/** A playlist while it is written. */
type Draft = {
  readonly card: MediaCard;
  readonly from: Millis;
  readonly to: Millis;
  text: string;
  /** The text before `text`, if it contains long texts. */
  parts: (string | SharedText)[] | undefined;
  /** The index of the next text, and the text before it that is listed. */
  index: number;
  last: MediaText | undefined;
};

/**
 * The media playlist that lists every segment that ends after `from` and not after `to`.
 * @param from not earlier than in the last playlist
 * @returns parts if the playlist contains long texts that all viewers of the channel share
 */
export function writeMediaCard(card: MediaCard, from: Millis, to: Millis): string | Parts {
  const { texts, frame } = card;
  const draft: Draft = { card, from, to, text: '', parts: undefined, index: card.first, last: undefined };
  while (draft.index < texts.length) {
    const text = texts[draft.index] ?? ownText(card, draft.index, to);
    if (text === undefined) break;
    add(draft, text);
    draft.index += 1;
  }
  const { text, parts, last } = draft;
  if (last === undefined) return playlistHead(frame, 0, 0);
  if (parts === undefined) return text;
  return text === '' ? parts : [...parts, text];
}

/** The lines before the first segment, with the numbers as the viewer's earlier decisions have moved them. */
function headBefore({ card, index }: Draft, number: number, discontinuity: number): string {
  if (card.top !== index) moveTop(card, index);
  return playlistHead(card.frame, number + card.segments, discontinuity + card.discontinuities);
}

function moveTop(card: MediaCard, index: number): void {
  const { own, texts, rung } = card;
  const { odometer, decided } = card.shifts;
  const startsAt = spanStart(defined(texts[index], 'a playlist starts with a text').span);
  card.top = index;
  card.segments = ofRung(odometer.segments, rung);
  card.discontinuities = odometer.discontinuities;
  for (const one of decided) {
    if (one.startsAt > startsAt || (one.strip !== undefined && one.strip === own[index])) continue;
    card.segments += ofRung(one.shift.segments, rung);
    card.discontinuities += one.shift.discontinuities;
  }
}

// The texts. Each is one string and one array of numbers.

/** The lines of consecutive segments of one rung: of a viewer's whole break, or of a part of a span of the channel. */
type MediaText = {
  /** The first span. */
  readonly span: Span;
  /**
   * The lines as they follow other media, then those that precede each span at the top of a playlist, unless they are within the
   * former.
   */
  readonly text: string;
  /** The lines as bytes of their own, if they are long and shared. */
  readonly long: SharedText | undefined;
  /** What precedes the segments of the first span after encrypted media, if that differs. */
  readonly nextAfterKeys: string | undefined;
  readonly isEncryptedAtEnd: boolean;
  /** Seconds since 1970. Times in `marks` are milliseconds after it: V8 stores small integers in the array itself. */
  readonly seconds: number;
  /** How many segments it has. */
  readonly count: number;
  /** Where the lines of its first segment begin. */
  readonly begin: number;
  /** What was listed last: segments `first` to `end − 1`. */
  first: number;
  end: number;
  /** The fields of each segment, then those of each span. */
  readonly marks: readonly number[];
};

/** Fields of a segment: where its lines end, the live edge from which on it is listed, and the window's start until which it is. */
const LINES_END = 0;
const FROM = 1;
const UNTIL = 2;
const SEGMENT_FIELDS = 3;

/** Fields of a span: its first segment, where the lines of it begin, … */
const FIRST = 0;
const BEGIN = 1;
/** … its numbers without the viewer's shift, and the lines that precede it at the top of a playlist. */
const NUMBER = 2;
const DISCONTINUITIES = 3;
const TOP_BEGIN = 4;
const TOP_END = 5;
const SPAN_FIELDS = 6;

const at = (marks: readonly number[], index: number): number => marks[index] ?? 0;

/** Segments `first` to `end − 1` of a span, counted from its first. */
type SpanPart = { readonly span: Span; readonly first: number; readonly end: number };

function writeText(parts: NonEmpty<SpanPart>, rung: number, announces: boolean, isShared: boolean): MediaText {
  const [{ span }] = parts;
  const seconds = Math.floor(spanStart(span) / 1000);
  const after = (time: number): number => time - 1000 * seconds;
  const [segments, spans, tops]: [number[], number[], string[]] = [[], [], []];
  let [text, nextAfterKeys, isEncrypted]: [string, string | undefined, boolean] = ['', undefined, false];
  let before: Span | undefined;
  for (const { span, first, end } of parts) {
    const { placed, numbers, discontinuity } = span;
    const cell = listedCell(placed.clip, rung);
    const head = headOf(cell.track);
    if (first === 0) {
      const announced = announces ? announceSpanOnce(span, before) : '';
      const afterKeys = DISCONTINUITY + headLines(head, true) + announced;
      text += DISCONTINUITY + headLines(head, isEncrypted) + announced;
      if (before === undefined && afterKeys !== text) nextAfterKeys = afterKeys;
    }
    spans.push(segments.length / SEGMENT_FIELDS, text.length, ofRung(numbers, rung) + first, discontinuity, 0, 0);
    const piece = writeCell(placed, cell, cell.first + first, cell.first + end);
    // Every rung lists a segment of a span, or none does (law 5).
    const { from, until } = everyRung(span);
    piece.ends.forEach((stop, index) => {
      const endsAt = endAt(placed, rung, first + index);
      segments.push(text.length + stop, after(Math.max(from, endsAt)), after(Math.min(until, endsAt)));
    });
    text += piece.text;
    tops.push(headLines(head, false) + (announces ? announceSpanOnce(span, undefined) : ''));
    isEncrypted = head.isEncrypted;
    before = span;
  }
  const begin = at(spans, BEGIN);
  const long = isShared && text.length - begin >= LONG ? { text: flat(text.slice(begin)) } : undefined;
  tops.forEach((top, index) => {
    const isWithin = index === 0 && begin > 0;
    spans[index * SPAN_FIELDS + TOP_BEGIN] = isWithin ? DISCONTINUITY.length : text.length;
    if (!isWithin) text += top;
    spans[index * SPAN_FIELDS + TOP_END] = isWithin ? begin : text.length;
  });
  const count = segments.length / SEGMENT_FIELDS;
  const marks = [...segments, ...spans];
  const isEncryptedAtEnd = isEncrypted;
  const state = { first: 0, end: 0 };
  return { span, text: flat(text), long, nextAfterKeys, isEncryptedAtEnd, seconds, count, begin, marks, ...state };
}

/** For each rung, a result without and one with announcements. */
const keyOf = (rung: number, announces: boolean): number => 2 * rung + (announces ? 1 : 0);

const breakTexts = ownMemo((_: Strip): (MediaText | undefined)[] => []);

/** What a viewer is shown in a break. Few viewers share it. */
function breakText(strip: Strip, rung: number, announces: boolean): MediaText {
  const texts = breakTexts(strip);
  const key = keyOf(rung, announces);
  const known = texts[key];
  if (known !== undefined) return known;
  const [first, ...others] = spansOf(strip);
  const whole = (span: Span): SpanPart => ({ span, first: 0, end: lengthOf(span, rung) });
  const made = writeText([whole(first), ...others.map(whole)], rung, announces, false);
  texts[key] = made;
  return made;
}

/** How many segments a span has. */
function lengthOf({ placed }: Span, rung: number): number {
  const { first, end } = ofRung(placed.clip.cells, rung);
  return end - first;
}

// The channel's spans, which all of its viewers share, in texts of a number of segments each: a span may be hours long, a window
// is not.

/** The length from which on a text is sent as bytes of its own. */
const LONG = 16_384;

/** How many segments a text has, for a window of so many milliseconds. */
const SIZES = [32, 256] as const;
const sizeFor = (depth: number): number => (depth < 600_000 ? SIZES[0] : SIZES[1]);

type Kind = { readonly rung: number; readonly announces: boolean; readonly size: number };

const spanTexts = ownMemo((_: Span): (MediaText | undefined)[][] => []);

/** The texts of a span, by their place in it, as far as they are written. */
function textsOf(span: Span, { rung, announces, size }: Kind): (MediaText | undefined)[] {
  const texts = spanTexts(span);
  const key = 2 * keyOf(rung, announces) + (size === SIZES[0] ? 0 : 1);
  texts[key] ??= [];
  return texts[key];
}

/** The texts of a strip with segments that end after `from` and start before `until`. */
function sharedTexts({ spans }: Strip, kind: Kind, from: Millis, until: number): MediaText[] {
  const { rung, announces, size } = kind;
  return spans.flatMap((span) => {
    if (spanEnd(span) <= from || spanStart(span) >= until) return [];
    const texts = textsOf(span, kind);
    const length = lengthOf(span, rung);
    const found: MediaText[] = [];
    for (let first = size * Math.floor(countEndedAt(span.placed, rung, from) / size); first < length; first += size) {
      if (first > 0 && endAt(span.placed, rung, first - 1) >= until) break;
      const text =
        texts[first / size] ?? writeText([{ span, first, end: Math.min(length, first + size) }], rung, announces, true);
      texts[first / size] = text;
      found.push(text);
    }
    return found;
  });
}

/**
 * How many segments have a time in a field that is not after `time`. Viewers poll at nearly the same time, so few segments are read.
 * @param field FROM or UNTIL. @param last the last result
 */
function countUpTo({ marks, count }: MediaText, field: number, time: number, last: number): number {
  let found = last;
  while (found > 0 && at(marks, (found - 1) * SEGMENT_FIELDS + field) > time) found -= 1;
  while (found < count && at(marks, found * SEGMENT_FIELDS + field) <= time) found += 1;
  return found;
}

/** Adds the segments of a text that are listed. */
function add(draft: Draft, one: MediaText): void {
  const zero = 1000 * one.seconds;
  const first = countUpTo(one, UNTIL, draft.from - zero, one.first);
  const end = countUpTo(one, FROM, draft.to - zero, one.end);
  one.first = first;
  one.end = end;
  if (first === one.count && draft.index === draft.card.first) draft.card.first += 1;
  if (end > first) write(draft, one, first, end);
}

/** @param end the first segment that is not listed */
function write(draft: Draft, one: MediaText, first: number, end: number): void {
  const { text, marks, nextAfterKeys, long, count, begin } = one;
  const isLong = long !== undefined && first === 0 && end === count;
  const from = first === 0 ? begin : at(marks, (first - 1) * SEGMENT_FIELDS + LINES_END);
  const to = isLong ? begin : at(marks, (end - 1) * SEGMENT_FIELDS + LINES_END);
  if (draft.last === undefined) draft.text = topOf(draft, one, first, from, to);
  else if (draft.last.isEncryptedAtEnd && nextAfterKeys !== undefined)
    draft.text += nextAfterKeys + text.slice(from, to);
  else draft.text += joined(text, 0, begin, from, to);
  draft.last = one;
  if (!isLong) return;
  draft.parts ??= [];
  draft.parts.push(draft.text, long);
  draft.text = '';
}

/** The playlist up to the end of its first text. @param from the lines of the segments */
function topOf(draft: Draft, { text, marks }: MediaText, first: number, from: number, to: number): string {
  let span = marks.length - SPAN_FIELDS;
  while (at(marks, span + FIRST) > first) span -= SPAN_FIELDS;
  const after = first - at(marks, span + FIRST);
  const head = headBefore(draft, at(marks, span + NUMBER) + after, at(marks, span + DISCONTINUITIES));
  const begin = after === 0 ? at(marks, span + BEGIN) : from;
  return head + joined(text, at(marks, span + TOP_BEGIN), at(marks, span + TOP_END), begin, to);
}

/** Two parts of a text. */
const joined = (text: string, begin: number, end: number, nextBegin: number, nextEnd: number): string =>
  end === nextBegin ? text.slice(begin, nextEnd) : text.slice(begin, end) + text.slice(nextBegin, nextEnd);
