// SPDX-License-Identifier: Apache-2.0
// A live origin on a clock that the test sets, closed when the test has finished.
import { millis } from '../../../src/time/units.ts';
import { realClock } from '../../clock/testClock.ts';
import { openedInTest } from '../../opened.ts';
import { type LiveOriginSetup, startLiveOrigin } from './liveOrigin.ts';

export async function startOriginOfTest(setup: Partial<LiveOriginSetup> = {}) {
  const manual = { ...realClock(), at: 1_790_000_000_000 };
  const clock = Object.assign(manual, { now: () => millis(manual.at) });
  return { clock, origin: await openedInTest(startLiveOrigin({ clock, ...setup })) };
}
