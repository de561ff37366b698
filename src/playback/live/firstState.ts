// SPDX-License-Identifier: Apache-2.0
// The viewers who wait for a feed that has just been woken: all of them for one result.
import { AppError } from '../../errors.ts';
import type { Timer, Timers } from '../../time/clock.ts';
import type { Refusal } from './feedStatus.ts';

/** The longest wait of a viewer, in milliseconds. */
const PATIENCE_MS = 5000;
/** Seconds. */
const RETRY_AFTER = 2;

const LATE: Refusal = {
  sentence: 'The origin of this channel has not listed a complete segment yet. Retry soon.',
  part: 'origin',
};

const unavailable = ({ sentence, part }: Refusal) =>
  new AppError('UNAVAILABLE', sentence, { part, retryAfter: RETRY_AFTER });

type Waiting<State> = {
  readonly resolve: (state: State) => void;
  readonly reject: (error: AppError) => void;
  readonly timer: Timer;
};

export function createFirstState<State>(timers: Timers) {
  let waiting: Waiting<State> | undefined;
  let promise: Promise<State> | undefined;

  function end(): Waiting<State> | undefined {
    const ended = waiting;
    waiting = undefined;
    promise = undefined;
    ended?.timer.cancel();
    return ended;
  }

  const rejectAll = (refusal: Refusal): void => end()?.reject(unavailable(refusal));

  return {
    /**
     * @param onTimeout may resolve with what there is; returns why there is nothing, if that is known
     * @throws {AppError} UNAVAILABLE, as a rejection
     */
    wait(onTimeout: () => Refusal | undefined): Promise<State> {
      if (promise !== undefined) return promise;
      const timer = timers.after(PATIENCE_MS, () => rejectAll(onTimeout() ?? LATE));
      promise = new Promise<State>((resolve, reject) => {
        waiting = { resolve, reject, timer };
      });
      return promise;
    },
    resolve: (state: State): void => end()?.resolve(state),
    reject: rejectAll,
    refuse: (refusal: Refusal): Promise<never> => Promise.reject(unavailable(refusal)),
  };
}

export type FirstState<State> = ReturnType<typeof createFirstState<State>>;
