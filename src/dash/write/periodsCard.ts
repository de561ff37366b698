// SPDX-License-Identifier: Apache-2.0
// The Periods of a schedule's viewer from strips: a strip is the content between two breaks, or a break. A card has what the
// Periods of one viewer consist of while only time passes, so that a request touches few objects: texts around forms
// (periodForm.ts). The text is that of the same window in periods.ts.

import { bytesOf, type Parts } from '../../cache/sharedText.ts';
import { defined, lastOf } from '../../invariant.ts';
import type { Millis } from '../../time/units.ts';
import { spanEnd, spanStart } from '../../timeline/programme/span.ts';
import type { Reach, Strip } from '../../timeline/programme/strip.ts';
import { joinPeriods, NO_PERIODS, type PeriodFrame, type Periods } from './periods.ts';
import { breakTexts, forgetBreak, hasLeft, isWhole, listTexts, type PeriodTexts, spanTexts } from './periodTexts.ts';
import { type Around, mpdAroundParts } from './writeMpd.ts';

export type PeriodsCard = {
  readonly frame: PeriodFrame;
  /** In the order of time; undefined for a viewer's break until it is listed first. */
  readonly texts: (PeriodTexts | undefined)[];
  /** The strip of each of them that is a viewer's break. */
  readonly own: readonly (Strip | undefined)[];
  /** The first of them that is listed. Those before it have left the window. */
  first: number;
};

export type MpdCard = PeriodsCard & {
  readonly kind: 'mpd';
  readonly around: Around;
  readonly baseUrl: string;
};

export const periodsCard = (reach: Reach, frame: PeriodFrame): PeriodsCard => ({
  frame,
  ...listedTexts(reach, frame),
  first: 0,
});

/** @param frame the same object for all viewers of a channel. @param baseUrl as in MpdFrame */
export function mpdCard(reach: Reach, frame: PeriodFrame, around: Around, baseUrl: string): MpdCard {
  const { texts, own } = listedTexts(reach, frame);
  return { kind: 'mpd', frame, texts, own, first: 0, around, baseUrl };
}

/** The MPD that lists every segment that ends after `from` and not after `to`. */
export const writeMpdCard = (card: MpdCard, from: Millis, to: Millis, now: Millis): string | Parts =>
  mpdAroundParts(writePeriodParts(card, from, to), card.around, { now, baseUrl: card.baseUrl });

function listedTexts({ strips, from, until }: Reach, frame: PeriodFrame): Pick<PeriodsCard, 'texts' | 'own'> {
  const texts: (PeriodTexts | undefined)[] = [];
  const own: (Strip | undefined)[] = [];
  for (const strip of strips) {
    if (strip.isOwn && spanEnd(lastOf(strip.spans)) > from) {
      texts.push(undefined);
      own.push(strip);
    }
    for (const span of strip.isOwn ? [] : strip.spans) {
      if (spanEnd(span) <= from || spanStart(span) >= until) continue;
      texts.push(spanTexts(span, frame));
      own.push(undefined);
    }
  }
  // The copies have room for no more than that.
  return { texts: texts.slice(), own: own.slice() };
}

/** The Periods of a viewer's break; undefined if it starts later. */
function ownTexts({ own, texts, frame }: PeriodsCard, index: number, to: Millis): PeriodTexts | undefined {
  const strip = defined(own[index], 'each text is shared, or of a strip');
  if (spanStart(strip.spans[0]) >= to) return undefined;
  const made = breakTexts(strip, frame);
  texts[index] = made;
  return made;
}

/** The Periods of every segment that ends after `from` and not after `to`. */
export const writePeriodsCard = (card: PeriodsCard, from: Millis, to: Millis): Periods =>
  listPeriods(card, from, to, undefined);

/** From so many texts on, most ads of a window are listed as a whole. */
const MANY = 8;

/** The same as a text, or in parts for windows with many breaks. */
function writePeriodParts(card: PeriodsCard, from: Millis, to: Millis): string | Parts {
  if (card.texts.length < MANY) return writePeriodsCard(card, from, to).text;
  const parts: (string | Uint8Array)[] = [];
  const { text } = listPeriods(card, from, to, parts);
  parts.push(text);
  return parts;
}

/** @param parts receives the breaks that are listed whole, and what is before them, which is not returned then */
function listPeriods(card: PeriodsCard, from: Millis, to: Millis, parts: (string | Uint8Array)[] | undefined): Periods {
  const { texts, frame } = card;
  let periods = NO_PERIODS;
  for (let index = card.first; index < texts.length; index += 1) {
    const one = texts[index] ?? ownTexts(card, index, to);
    if (one === undefined || 1000 * one.seconds >= to) break;
    const [since, until] = [from - 1000 * one.seconds, to - 1000 * one.seconds];
    if (parts !== undefined && isWhole(one, since, until)) {
      one.bytes ??= bytesOf(listTexts(one, frame, since, until).text);
      if (periods !== NO_PERIODS) parts.push(`${periods.text}\n`);
      parts.push(one.bytes);
      periods = AFTER_BREAK;
      continue;
    }
    const next = listTexts(one, frame, since, until);
    if (index === card.first && hasLeft(one, since)) leave(card);
    periods = joinPeriods(periods, next);
  }
  return periods;
}

/** A viewer's break is not listed again. */
function leave(card: PeriodsCard): void {
  const strip = card.own[card.first];
  if (strip !== undefined) forgetBreak(strip, card.frame);
  card.texts[card.first] = undefined;
  card.first += 1;
}

/** Only the line break before the next Period is missing. */
const AFTER_BREAK: Periods = { text: '', last: '', hasLists: false };
