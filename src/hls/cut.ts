// SPDX-License-Identifier: Apache-2.0
// The part of a strip that a media playlist lists. A playlist is the text of its cuts in turn.
import { flat } from '../cache/flat.ts';
import { ownMemo } from '../cache/ownMemo.ts';
import type { SharedText } from '../cache/sharedText.ts';
import type { Millis } from '../time/units.ts';
import { isWithin, type Limits, movingRows } from '../timeline/programme/movingRows.ts';
import type { Strip } from '../timeline/programme/strip.ts';
import { firstNumber, type Row } from '../timeline/programme/window.ts';
import { announceSpan } from './announce.ts';
import { cellText, rowText } from './cellText.ts';
import { writeRows } from './writeMedia.ts';

export type Cut = {
  /** The lines of its segments, and what precedes them: at the top of a playlist, after other media, and after encrypted media. */
  readonly text: string;
  /** The text, if it is long and all viewers of the channel share it. */
  readonly long?: SharedText;
  readonly top: string;
  readonly next: string;
  readonly nextAfterKeys: string;
  /** Of its first segment, without the viewer's shift. */
  readonly number: number;
  readonly discontinuity: number;
  /** When the span of its first segment starts. */
  readonly startsAt: Millis;
  readonly isEncryptedAtEnd: boolean;
};

/** A cut of a strip that all viewers of a channel share. */
type SharedCut = { readonly cut: Cut | undefined; readonly limits: Limits };

/** The length from which on a text is sent as bytes of its own. */
const LONG = 16_384;

function cutOfRows(rows: readonly [Row, ...Row[]], rung: number, announces: boolean): Cut {
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
    isEncryptedAtEnd: cellText(rows.at(-1)!.span, rung).head.isEncrypted,
  };
}

function newCut(strip: Strip, rung: number, announces: boolean, from: Millis, to: Millis): SharedCut {
  const { rows, limits } = movingRows(strip, from, to);
  const [first, ...others] = rows;
  return { cut: first && cutOfRows([first, ...others], rung, announces), limits };
}

/** By rung, without and with announcements. */
const sharedCuts = ownMemo((_: Strip): (SharedCut | undefined)[] => []);

/** @returns undefined if no segment of the strip is listed */
export function cutStrip(strip: Strip, rung: number, announces: boolean, from: Millis, to: Millis): Cut | undefined {
  const cuts = sharedCuts(strip);
  const key = 2 * rung + (announces ? 1 : 0);
  const known = cuts[key];
  if (known !== undefined && isWithin(known.limits, from, to)) return known.cut;
  const cut = newCut(strip, rung, announces, from, to);
  cuts[key] = cut;
  return cut.cut;
}
