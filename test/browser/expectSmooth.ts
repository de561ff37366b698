import { expect } from 'vitest';
import { isExcused } from './machineLoad.ts';
import type { PlayReport } from './players.ts';

/**
 * The picture went on from the first frame to the last, without a hole in what was buffered. What a player stumbled over
 * while the machine had no time for it is not held against the stream; a hole, and an error that ended it, always is.
 */
export function expectSmooth({ errors, stalls, seeks, busy, mostRanges, ...report }: PlayReport): void {
  const judged = {
    errors: errors.filter(({ fatal, wall }) => fatal || !isExcused(busy, wall)),
    stalls: stalls.filter(({ wall, length }) => !isExcused(busy, wall, 1000 * length)),
    seeks: seeks.filter(({ wall }) => !isExcused(busy, wall)),
  };
  expect({ ...judged, mostRanges }).toEqual({ errors: [], stalls: [], seeks: [], mostRanges: 1 });
  const busySeconds = busy.reduce((sum, { from, to }) => sum + to - from, 0) / 1000;
  const least = report.watched - report.clockLost - busySeconds - 1;
  expect(report.to - report.from!).toBeGreaterThan(least);
}
