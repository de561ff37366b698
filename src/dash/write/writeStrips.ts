// SPDX-License-Identifier: Apache-2.0
// Writes the MPD of a schedule's viewer from strips. The text is that of the same window in writeMpd.ts.
import { flat } from '../../cache/flat.ts';
import { ownMemo } from '../../cache/ownMemo.ts';
import type { Millis } from '../../time/units.ts';
import type { ListedStrips, Strip } from '../../timeline/programme/strip.ts';
import { movingRow } from '../../timeline/programme/window.ts';
import { type PeriodFrame, writePeriods } from './periods.ts';
import { cutReel } from './reel.ts';
import { type MpdFrame, mpdAround } from './writeMpd.ts';

/** The Periods of a strip that all viewers of a channel share, valid while both ends of the window move within their limits. */
type SharedPeriods = {
  readonly text: string;
  readonly from: Millis;
  readonly to: Millis;
  readonly fromUntil: number;
  readonly toUntil: number;
};

function newPeriods({ spans }: Strip, frame: PeriodFrame, from: Millis, to: Millis): SharedPeriods {
  const moving = spans.map((span) => movingRow(span, from, to));
  const rows = moving.flatMap(({ row }) => row ?? []);
  return {
    text: flat(writePeriods(rows, frame)),
    ...{ from, to },
    fromUntil: Math.min(...moving.map(({ fromUntil }) => fromUntil)),
    toUntil: Math.min(...moving.map(({ toUntil }) => toUntil)),
  };
}

/** Without and with announcements. */
const sharedPeriods = ownMemo((_: Strip): (SharedPeriods | undefined)[] => []);

function periodsOf(strip: Strip, frame: PeriodFrame, from: Millis, to: Millis): string {
  const known = sharedPeriods(strip);
  const key = frame.announces === false ? 0 : 1;
  const last = known[key];
  const isValid =
    last !== undefined && from >= last.from && to >= last.to && from < last.fromUntil && to < last.toUntil;
  if (isValid) return last.text;
  const periods = newPeriods(strip, frame, from, to);
  known[key] = periods;
  return periods.text;
}

/** @returns the bytes of the text (utf8Bytes.ts) */
export function writeStripsMpd({ strips, from, to }: ListedStrips, frame: MpdFrame): string {
  let text = '';
  for (const strip of strips) {
    const periods = strip.isOwn ? cutReel(strip, frame, from, to) : periodsOf(strip, frame, from, to);
    if (periods !== '') text += text === '' ? periods : `\n${periods}`;
  }
  return mpdAround(text, frame);
}
