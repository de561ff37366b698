// SPDX-License-Identifier: Apache-2.0
import { expect } from 'vitest';
import { isExcused } from './machineLoad.ts';
import type { PlayReport } from './players.ts';

/** Seconds. A shorter hole is between two segments; a longer one is a segment that has not arrived yet. */
const SHORT = 1;

/** hls.js waits ten seconds for a playlist, three times. */
const TIMEOUT_MS = 30_000;

/** A timeout is fatal, although playback can go on: that of subtitles, for example. Another fatal error is never excused. */
const isExcusedError = ({ fatal, what, wall }: PlayReport['errors'][number], busy: PlayReport['busy']): boolean =>
  fatal ? what.endsWith('TimeOut') && isExcused(busy, wall, TIMEOUT_MS) : isExcused(busy, wall);

/** Errors that a busy machine cannot have caused. */
export const unexcusedErrors = ({ errors, busy }: Pick<PlayReport, 'errors' | 'busy'>): PlayReport['errors'] =>
  errors.filter((error) => !isExcusedError(error, busy));

/**
 * Expects playback without interruption from the first frame to the last. Stalls, non-fatal errors and timeouts while the machine was
 * busy are ignored. A skipped hole between segments and other fatal errors never are.
 */
export function expectSmoothPlayback({ errors, stalls, seeks, holes, busy, ...report }: PlayReport): void {
  const judged = {
    errors: unexcusedErrors({ errors, busy }),
    stalls: stalls.filter(({ wall, length }) => !isExcused(busy, wall, 1000 * length)),
    seeks: seeks.filter(({ wall, hole }) => (hole > 0.001 && hole < SHORT) || !isExcused(busy, wall)),
    holes: holes.filter(({ wall }) => !isExcused(busy, wall)),
  };
  expect(judged).toEqual({ errors: [], stalls: [], seeks: [], holes: [] });
  // A presentation that has ended was played whole.
  if (report.ended) return;
  const busySeconds = busy.reduce((sum, { from, to }) => sum + to - from, 0) / 1000;
  const least = report.watched - report.clockLost - busySeconds - 1;
  expect(report.to - report.from!).toBeGreaterThan(least);
}
