// SPDX-License-Identifier: Apache-2.0
// What becomes the state of a job after an attempt: ready, failed, or waiting for the next attempt.
import { type Millis, millis } from '../../time/units.ts';
import { type Failure, isFailure } from '../condition/fetch/conditionFailure.ts';
import type { PackagedMedia } from '../package/packagedMedia.ts';
import type { JobOutcome, TakenJob } from './creativeJobs.ts';
import { summarizeMedia } from './summarizeMedia.ts';

/** Milliseconds after a failure during which new requests do not retry the job. */
const RETRY_AFTER_MS = { transient: 3_600_000, permanent: 6 * 3_600_000 };

/** @param backoff milliseconds from each transient failure to the next attempt */
export function outcomeOf(
  made: PackagedMedia | Failure,
  { order, attempts }: TakenJob,
  backoff: readonly number[],
  at: Millis,
): JobOutcome {
  if (!isFailure(made)) return { state: 'ready', made: summarizeMedia(made, order.ladder) };
  const { fault, failed: reason } = made;
  const wait = made.isPermanent ? undefined : backoff[attempts - 1];
  if (wait === undefined) {
    const retryAfter = made.isPermanent ? RETRY_AFTER_MS.permanent : RETRY_AFTER_MS.transient;
    return { state: 'failed', fault, reason, dueAt: millis(at + retryAfter) };
  }
  // Randomized, so that creatives of one failing origin are not all retried at the same moment.
  return { state: 'waiting', fault, reason, dueAt: millis(at + Math.round(wait * (0.8 + Math.random() * 0.4))) };
}
