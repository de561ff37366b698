// SPDX-License-Identifier: Apache-2.0
// The texts from which cards write media playlists (mediaCard.ts): the lines of consecutive segments of one rung, as one string and one
// array of numbers, so that a request touches few objects.

import { ownMemo } from '../cache/memo.ts';
import { flat } from '../cache/sharedText.ts';
import type { NonEmpty } from '../invariant.ts';
import type { Millis } from '../time/units.ts';
import { listedCell } from '../timeline/asset/listedCell.ts';
import { ofRung, type Span, spanEnd, spanStart } from '../timeline/programme/span.ts';
import type { Strip } from '../timeline/programme/strip.ts';
import { countEndedAt, endAt, everyRung } from '../timeline/programme/window.ts';
import { announceSpan, newRanges } from './announce.ts';
import { DISCONTINUITY, headLines, headOf, writeCell } from './segmentLines.ts';

/** The lines of consecutive segments of one rung: of a viewer's whole break, or of a part of a span of the channel. */
export type MediaText = {
  /** The first span. */
  readonly span: Span;
  /**
   * The lines as they follow other media, then those that precede each span at the top of a playlist, unless they are within the
   * former.
   */
  readonly text: string;
  /** Whether the lines are long, and many viewers share them; and then their bytes, once they were listed as a whole. */
  readonly isLong: boolean;
  bytes: Uint8Array | undefined;
  /** What precedes its segments after encrypted media, once that was needed. */
  nextAfterKeys: string | undefined;
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
export const LINES_END = 0;
export const FROM = 1;
export const UNTIL = 2;
export const SEGMENT_FIELDS = 3;

/** Fields of a span: its first segment, where the lines of it begin, … */
export const FIRST = 0;
export const BEGIN = 1;
/** … its numbers without the viewer's shift, and the lines that precede it at the top of a playlist. */
export const NUMBER = 2;
export const DISCONTINUITIES = 3;
export const TOP_BEGIN = 4;
export const TOP_END = 5;
export const SPAN_FIELDS = 6;

export const at = (marks: readonly number[], index: number): number => marks[index] ?? 0;

type Kind = { readonly rung: number; readonly announces: boolean };

/** What precedes the first segment of a span after other media. @param before the span before it, in the same text */
function headOfSpan(span: Span, before: Span | undefined, { rung, announces }: Kind, wasEncrypted: boolean): string {
  const head = headOf(listedCell(span.placed.clip, rung).track);
  return DISCONTINUITY + headLines(head, wasEncrypted) + (announces ? announceSpan(span, before, newRanges) : '');
}

/** What precedes the segments of a text after encrypted media; nothing if it continues a span. */
export function headAfterKeys(one: MediaText, kind: Kind): string {
  one.nextAfterKeys ??= one.begin === 0 ? '' : flat(headOfSpan(one.span, undefined, kind, true));
  return one.nextAfterKeys;
}

/** Segments `first` to `end − 1` of a span, counted from its first. */
type SpanPart = { readonly span: Span; readonly first: number; readonly end: number };

function writeText(parts: NonEmpty<SpanPart>, rung: number, announces: boolean, isShared: boolean): MediaText {
  const [{ span }] = parts;
  const seconds = Math.floor(spanStart(span) / 1000);
  const after = (time: number): number => time - 1000 * seconds;
  const [segments, spans, tops]: [number[], number[], string[]] = [[], [], []];
  let [text, isEncrypted] = ['', false];
  let before: Span | undefined;
  for (const { span, first, end } of parts) {
    const { placed, numbers, discontinuity } = span;
    const cell = listedCell(placed.clip, rung);
    const head = headOf(cell.track);
    if (first === 0) text += headOfSpan(span, before, { rung, announces }, isEncrypted);
    spans.push(segments.length / SEGMENT_FIELDS, text.length, ofRung(numbers, rung) + first, discontinuity, 0, 0);
    const piece = writeCell(placed, cell, cell.first + first, cell.first + end);
    // Every rung lists a segment of a span, or none does (law 5).
    const { from, until } = everyRung(span);
    piece.ends.forEach((stop, index) => {
      const endsAt = endAt(placed, rung, first + index);
      segments.push(text.length + stop, after(Math.max(from, endsAt)), after(Math.min(until, endsAt)));
    });
    text += piece.text;
    tops.push(headLines(head, false) + (announces ? announceSpan(span, undefined, newRanges) : ''));
    isEncrypted = head.isEncrypted;
    before = span;
  }
  const begin = at(spans, BEGIN);
  const isLong = isShared && text.length - begin >= LONG;
  tops.forEach((top, index) => {
    const isWithin = index === 0 && begin > 0;
    spans[index * SPAN_FIELDS + TOP_BEGIN] = isWithin ? DISCONTINUITY.length : text.length;
    if (!isWithin) text += top;
    spans[index * SPAN_FIELDS + TOP_END] = isWithin ? begin : text.length;
  });
  const count = segments.length / SEGMENT_FIELDS;
  const marks = [...segments, ...spans];
  return {
    span,
    text: flat(text),
    isLong,
    bytes: undefined,
    nextAfterKeys: undefined,
    isEncryptedAtEnd: isEncrypted,
    seconds,
    count,
    begin,
    marks,
    first: 0,
    end: 0,
  };
}

/** For each rung, a result without and one with announcements. */
const keyOf = (rung: number, announces: boolean): number => 2 * rung + (announces ? 1 : 0);

const breakTexts = ownMemo((_: Strip): (MediaText | undefined)[] => []);

/** What a viewer is shown in a break. Few viewers share it. */
export function breakText(strip: Strip, rung: number, announces: boolean): MediaText {
  const texts = breakTexts(strip);
  const key = keyOf(rung, announces);
  const known = texts[key];
  if (known !== undefined) return known;
  const [first, ...others] = strip.spans;
  const whole = (span: Span): SpanPart => ({ span, first: 0, end: lengthOf(span, rung) });
  const made = writeText([whole(first), ...others.map(whole)], rung, announces, false);
  texts[key] = made;
  return made;
}

/** Called when the break has left the window of a viewer: it leaves those of others at nearly the same time. */
export function forgetBreak(strip: Strip, rung: number, announces: boolean): void {
  breakTexts(strip)[keyOf(rung, announces)] = undefined;
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
export const sizeFor = (depth: number): number => (depth < 600_000 ? SIZES[0] : SIZES[1]);

type SizedKind = Kind & { readonly size: number };

const spanTexts = ownMemo((_: Span): (MediaText | undefined)[][] => []);

/** The texts of a span, by their place in it, as far as they are written. */
function textsOf(span: Span, { rung, announces, size }: SizedKind): (MediaText | undefined)[] {
  const texts = spanTexts(span);
  const key = 2 * keyOf(rung, announces) + (size === SIZES[0] ? 0 : 1);
  texts[key] ??= [];
  return texts[key];
}

/** The texts of a strip with segments that end after `from` and start before `until`. */
export function sharedTexts({ spans }: Strip, kind: SizedKind, from: Millis, until: number): MediaText[] {
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
