// SPDX-License-Identifier: Apache-2.0
// The viewers who wait for a feed that has just been woken: all of them for one result.
import { AppError } from '../../errors.ts';
import type { Timer, Timers } from '../../time/clock.ts';

export type FirstState<State> = {
  /**
   * @param onTimeout may resolve with what there is
   * @throws {AppError} UNAVAILABLE, as a rejection
   */
  wait(onTimeout: () => void): Promise<State>;
  resolve(state: State): void;
  /** @param sentence for the viewers */
  reject(sentence: string): void;
  refuse(sentence: string): Promise<never>;
};

/** The longest wait of a viewer, in milliseconds. */
const PATIENCE_MS = 5000;
/** Seconds. */
const RETRY_AFTER = 2;

const LATE = 'The origin of this channel has not listed a complete segment yet. Retry soon.';

const unavailable = (sentence: string) =>
  new AppError('UNAVAILABLE', sentence, { part: 'origin', retryAfter: RETRY_AFTER });

type Waiting<State> = {
  readonly promise: Promise<State>;
  readonly resolve: (state: State) => void;
  readonly reject: (error: AppError) => void;
  readonly timer: Timer;
};

export function createFirstState<State>(timers: Timers): FirstState<State> {
  let waiting: Waiting<State> | undefined;

  function end(): Waiting<State> | undefined {
    const ended = waiting;
    waiting = undefined;
    ended?.timer.cancel();
    return ended;
  }

  const rejectAll = (sentence: string): void => end()?.reject(unavailable(sentence));

  return {
    wait(onTimeout) {
      if (waiting !== undefined) return waiting.promise;
      const timer = timers.after(PATIENCE_MS, () => {
        onTimeout();
        rejectAll(LATE);
      });
      let settle: Pick<Waiting<State>, 'resolve' | 'reject'> | undefined;
      const promise = new Promise<State>((resolve, reject) => {
        settle = { resolve, reject };
      });
      waiting = { promise, timer, ...settle! };
      return promise;
    },
    resolve: (state) => end()?.resolve(state),
    reject: rejectAll,
    refuse: (sentence) => Promise.reject(unavailable(sentence)),
  };
}
