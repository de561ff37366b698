// SPDX-License-Identifier: Apache-2.0
// Writes the Periods of a schedule's viewer from strips. The text is that of the same window in periods.ts.
import { flat } from '../../cache/flat.ts';
import { ownMemo } from '../../cache/ownMemo.ts';
import type { Millis } from '../../time/units.ts';
import { isWithin, type Limits, movingRows } from '../../timeline/programme/movingRows.ts';
import type { ListedStrips, Strip } from '../../timeline/programme/strip.ts';
import { joinPeriods, NO_PERIODS, type PeriodFrame, type Periods, writePeriods } from './periods.ts';
import { cutReel } from './reel.ts';

/** The Periods of a strip that all viewers of a channel share. */
type SharedPeriods = { readonly periods: Periods; readonly limits: Limits };

/** Without and with announcements. */
const sharedPeriods = ownMemo((_: Strip): (SharedPeriods | undefined)[] => []);

function periodsOf(strip: Strip, frame: PeriodFrame, from: Millis, to: Millis): Periods {
  const known = sharedPeriods(strip);
  const key = frame.announces === false ? 0 : 1;
  const last = known[key];
  if (last !== undefined && isWithin(last.limits, from, to)) return last.periods;
  const { rows, limits } = movingRows(strip, from, to);
  const periods = writePeriods(rows, frame);
  flat(periods.text);
  known[key] = { periods, limits };
  return periods;
}

export function writeStripPeriods({ strips, from, to }: ListedStrips, frame: PeriodFrame): Periods {
  let periods = NO_PERIODS;
  for (const strip of strips) {
    const next = strip.isOwn ? cutReel(strip, frame, from, to) : periodsOf(strip, frame, from, to);
    periods = joinPeriods(periods, next);
  }
  return periods;
}
