// SPDX-License-Identifier: Apache-2.0
// The Periods of a schedule's viewer from strips: a strip is the content between two breaks, or a break. A card has what the
// Periods of one viewer consist of while only time passes, so that a request touches few objects: texts around forms
// (periodForm.ts). The text is that of the same window in periods.ts.

import type { Parts } from '../../cache/sharedText.ts';
import { defined, lastOf } from '../../invariant.ts';
import type { Millis } from '../../time/units.ts';
import { spanEnd, spanStart } from '../../timeline/programme/span.ts';
import type { Reach, Strip } from '../../timeline/programme/strip.ts';
import { joinPeriods, NO_PERIODS, type PeriodFrame, type Periods } from './periods.ts';
import { breakTexts, forgetBreak, hasLeft, keptBytes, listTexts, type PeriodTexts, spanTexts } from './periodTexts.ts';
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

/** The next text from `index` on whose Periods may be listed. */
function textAt(card: PeriodsCard, index: number, to: Millis): PeriodTexts | undefined {
  if (index >= card.texts.length) return undefined;
  const one = card.texts[index] ?? ownTexts(card, index, to);
  return one === undefined || 1000 * one.seconds >= to ? undefined : one;
}

/** The Periods of every segment that ends after `from` and not after `to`. */
export function writePeriodsCard(card: PeriodsCard, from: Millis, to: Millis): Periods {
  let periods = NO_PERIODS;
  let index = card.first;
  for (let one = textAt(card, index, to); one !== undefined; one = textAt(card, index, to)) {
    periods = joinPeriods(periods, listTexts(one, card.frame, from, to));
    if (index === card.first && hasLeft(one, from)) leave(card);
    index += 1;
  }
  return periods;
}

/** From so many texts on, most of them are listed as in the MPD before. */
const MANY = 8;

/** The same, each after a line break. In windows with many breaks, Periods that many MPDs list are bytes. */
function writePeriodParts(card: PeriodsCard, from: Millis, to: Millis): string | Parts {
  if (card.texts.length < MANY) {
    const { text } = writePeriodsCard(card, from, to);
    return text === '' ? '' : `\n${text}`;
  }
  const parts: (string | Uint8Array)[] = [];
  let text = '';
  let index = card.first;
  for (let one = textAt(card, index, to); one !== undefined; one = textAt(card, index, to)) {
    const bytes = keptBytes(one, card.frame, from, to);
    if (bytes === undefined) {
      const listed = listTexts(one, card.frame, from, to, true);
      if (listed !== NO_PERIODS) text += `\n${listed.text}`;
    } else {
      if (text !== '') parts.push(text);
      parts.push(bytes);
      text = '';
    }
    if (index === card.first && hasLeft(one, from)) leave(card);
    index += 1;
  }
  if (text !== '') parts.push(text);
  return parts;
}

/** A viewer's break is not listed again. */
function leave(card: PeriodsCard): void {
  const strip = card.own[card.first];
  if (strip !== undefined) forgetBreak(strip, card.frame);
  card.texts[card.first] = undefined;
  card.first += 1;
}
