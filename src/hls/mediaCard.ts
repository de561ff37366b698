// SPDX-License-Identifier: Apache-2.0
// The media playlists of a schedule's viewer from strips: a strip is the content between two breaks, or a break. A card has
// what the playlists of one viewer in one rung consist of while only time passes: texts that are written once, whole, and sliced
// for each playlist, so that a request touches few objects. The text is that of the same window in writeMedia.ts.

import { bytesOf, type Parts } from '../cache/sharedText.ts';
import { defined, lastOf } from '../invariant.ts';
import type { Millis } from '../time/units.ts';
import { ofRung, spanEnd, spanStart } from '../timeline/programme/span.ts';
import type { Reach, Shifts, Strip } from '../timeline/programme/strip.ts';
import {
  at,
  BEGIN,
  breakText,
  DISCONTINUITIES,
  FIRST,
  FROM,
  forgetBreak,
  headAfterKeys,
  LINES_END,
  type MediaText,
  NUMBER,
  SEGMENT_FIELDS,
  SPAN_FIELDS,
  sharedTexts,
  sizeFor,
  TOP_BEGIN,
  TOP_END,
  UNTIL,
} from './mediaText.ts';

import { type MediaFrame, type PlaylistFrame, playlistFrame, playlistHead } from './writeMedia.ts';

export type MediaCard = {
  readonly kind: 'media';
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
    if (strip.isOwn && spanEnd(lastOf(strip.spans)) <= from) continue;
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
  return {
    kind: 'media',
    rung,
    announces,
    frame,
    shifts,
    // The copies have room for no more than that.
    texts: texts.slice(),
    own: own.slice(),
    quietUntil: 0,
    first: 0,
    top: NO_TEXT,
    segments: 0,
    discontinuities: 0,
  };
}

/** The text of a viewer's break; undefined if it starts later. */
function ownText(card: MediaCard, index: number, to: Millis): MediaText | undefined {
  if (to < 1000 * card.quietUntil) return undefined;
  const strip = defined(card.own[index], 'each text is shared, or of a strip');
  const start = spanStart(strip.spans[0]);
  card.quietUntil = Math.floor(start / 1000);
  if (start >= to) return undefined;
  const text = breakText(strip, card.rung, card.announces);
  card.texts[index] = text;
  return text;
}

/** A playlist while it is written. */
type Draft = {
  readonly card: MediaCard;
  readonly from: Millis;
  readonly to: Millis;
  text: string;
  /** The text before `text`, if it contains long texts. */
  parts: (string | Uint8Array)[] | undefined;
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
    if (text === undefined || 1000 * text.seconds >= to) break;
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

/** A text that has left the window is not listed again. */
function leave(card: MediaCard): void {
  const strip = card.own[card.first];
  if (strip !== undefined) forgetBreak(strip, card.rung, card.announces);
  card.texts[card.first] = undefined;
  card.first += 1;
}

/** Adds the segments of a text that are listed. */
function add(draft: Draft, one: MediaText): void {
  const zero = 1000 * one.seconds;
  const first = countUpTo(one, UNTIL, draft.from - zero, one.first);
  const end = countUpTo(one, FROM, draft.to - zero, one.end);
  one.first = first;
  one.end = end;
  if (first === one.count && draft.index === draft.card.first) leave(draft.card);
  if (end > first) write(draft, one, first, end);
}

/** @param end the first segment that is not listed */
function write(draft: Draft, one: MediaText, first: number, end: number): void {
  const { text, marks, count, begin } = one;
  const isLong = one.isLong && first === 0 && end === count;
  const from = first === 0 ? begin : at(marks, (first - 1) * SEGMENT_FIELDS + LINES_END);
  const to = isLong ? begin : at(marks, (end - 1) * SEGMENT_FIELDS + LINES_END);
  if (draft.last === undefined) draft.text = topOf(draft, one, first, from, to);
  else if (draft.last.isEncryptedAtEnd) draft.text += headAfterKeys(one, draft.card) + text.slice(from, to);
  else draft.text += joined(text, 0, begin, from, to);
  draft.last = one;
  if (!isLong) return;
  draft.parts ??= [];
  one.bytes ??= bytesOf(text.slice(begin, at(marks, (count - 1) * SEGMENT_FIELDS + LINES_END)));
  draft.parts.push(draft.text, one.bytes);
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
