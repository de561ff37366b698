// SPDX-License-Identifier: Apache-2.0
import { type PeriodFrame, type Periods, writePeriods } from '../../../dash/write/periods.ts';
import { writeStripPeriods } from '../../../dash/write/writeStripPeriods.ts';
import { type View, windowOf } from '../../../playback/view/view.ts';

const periodFrameOf = ({ airing: { ladder, programme, channel } }: View): PeriodFrame => ({
  ladder,
  availabilityStart: programme.startedAt,
  announces: channel.announceAds !== false,
});

/** The Periods of a viewer's MPD. */
export function periodsOf(view: View, frame = periodFrameOf(view)): Periods {
  const { strips, from, to } = view;
  return strips === undefined
    ? writePeriods(windowOf(view).rows, frame)
    : writeStripPeriods({ strips, from, to }, frame);
}
