// SPDX-License-Identifier: Apache-2.0
// Two days of a second Midroll, whose viewers poll as rarely as a break allows.
import { expect, test } from 'vitest';
import { fileStage } from '../fileStage.ts';
import { playSecondMidroll } from './secondMidroll.ts';

const HOURS = Number(process.env.SECOND_MIDROLL_HOURS ?? 48);
const stage = await fileStage();

test(
  `a live channel finds every break of a marked view for ${HOURS} hours, with its start and its length`,
  async () => {
    const breaks = [
      { spliceTime: 160, maxDuration: 20 },
      { spliceTime: 304, maxDuration: 30.2 },
      { spliceTime: -1, maxDuration: 12 },
    ];
    const count = await playSecondMidroll(stage, {
      minutes: 60 * HOURS,
      // Long segments: the origin is read every half of one.
      film: { seconds: 600, framesPerSegment: 400 },
      breaks,
      // A feed without requests of viewers for a minute is not read any more.
      how: { dash: false, fetches: false, pollAfter: () => 45_000, onListed: () => {} },
    });
    expect(count).toBeGreaterThan(12 * HOURS);
  },
  2 * 3_600_000,
);
