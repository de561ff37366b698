// SPDX-License-Identifier: Apache-2.0
// What is known about how a feed is read: for viewers who wait for it, for its operator, and for the log. What Midroll itself
// does wrong is never shown as a fault of the origin.
import { AppError, type UnavailablePart } from '../../errors.ts';
import type { LiveFeed } from '../../live/feed.ts';
import type { Timer, Timers } from '../../time/clock.ts';
import type { Millis } from '../../time/units.ts';
import { advanced, failed, type LiveFeedHealth, stalled } from './origins/feedHealth.ts';
import { type SourceResult, UNREADABLE } from './origins/feedSources.ts';
import type { Stall } from './origins/stallWatch.ts';

type Log = (message: string, facts: Record<string, unknown>) => void;

export type LiveFeedStatusDeps = {
  readonly now: () => Millis;
  readonly warn: Log;
  /** Writes errors to the log: each is a defect of Midroll. */
  readonly error: Log;
  /** Adds to the defects of a feed; 0 when it begins to be read, because increases are counted from a known value. */
  readonly countDefects?: ((feed: LiveFeed, count: number) => void) | undefined;
};

/** Why viewers get no state, and what of the system that concerns. */
type Refusal = { readonly sentence: string; readonly part: UnavailablePart };

export const NOT_LOADED = {
  sentence: 'The timeline of this channel cannot be read from the database. Retry soon.',
  part: 'store',
} as const;
export const ENDED = { sentence: 'This channel starts again. Retry soon.', part: 'channel' } as const;
export const STOPPED = { sentence: 'This server is shutting down. Retry soon.', part: 'process' } as const;

export const DEFECT =
  'Midroll failed to process this channel: a defect of Midroll, not of its origin. The error is in its log; the channel continues.';
const NOTHING = 'The origin lists no new segments.';
/** Milliseconds for which operators are shown a defect. */
const SHOWN_MS = 10 * 60_000;

/** @param main the health of the feed's own URL */
export function createLiveFeedStatus(deps: LiveFeedStatusDeps, feed: LiveFeed, main: () => LiveFeedHealth) {
  const { now } = deps;
  const { tenant, channelId, life } = feed;
  const log = createLiveFeedLog(deps.warn, deps.error, { tenant, channelId, life }, now);
  let own: LiveFeedHealth = {};
  let refused: Refusal | undefined;
  let brokeAt = Number.NEGATIVE_INFINITY;
  let isBroken = false;

  deps.countDefects?.(feed, 0);

  const refusal = (): Refusal | undefined => {
    const { failure } = main();
    if (isBroken) return { sentence: DEFECT, part: 'other' };
    if (refused !== undefined || failure === undefined) return refused;
    return { sentence: failure.sentence, part: failure.sentence === UNREADABLE ? 'other' : 'origin' };
  };
  function defect(error: unknown): void {
    brokeAt = now();
    log.broke(error);
    deps.countDefects?.(feed, 1);
  }

  return {
    /** A reading begins. What the last one failed for may be over. */
    begin() {
      const { failure: _, ...rest } = own;
      [own, refused, isBroken] = [rest, undefined, false];
    },
    failed(given: Refusal, error?: unknown) {
      log.unavailable(given.sentence, error);
      refused = given;
      own = failed(own, now(), given.sentence);
    },
    /** A defect of Midroll. @param error what was thrown although nothing may be */
    defect,
    /** A defect because of which the reading adds less than it lists, or nothing. */
    broke(error: unknown) {
      isBroken = true;
      defect(error);
    },
    read: log.read,
    advanced(at: Millis) {
      own = advanced(own, at);
    },
    stalled(stall: Stall | undefined) {
      // What cannot be processed is not missing at the origin.
      own = stalled(own, isBroken || main().failure !== undefined ? undefined : stall);
      log.stalled(own.stall);
    },
    health(): LiveFeedHealth {
      const { advancedAt, stall, failure } = own;
      const { warnings, ...read } = main();
      const isShown = now() - brokeAt <= SHOWN_MS;
      return {
        ...read,
        ...((warnings || isShown) && { warnings: [...(isShown ? [DEFECT] : []), ...(warnings ?? [])] }),
        ...(advancedAt && { advancedAt }),
        ...(stall && { stall }),
        ...(failure && { failure }),
      };
    },
    refusal,
    /** Why slate is on air. */
    reason: (): string => refusal()?.sentence ?? own.stall?.reason ?? NOTHING,
  };
}

/** Milliseconds. An origin may fail at every second reading. */
const REPEATED_AFTER_MS = 10 * 60_000;
/** Reasons may contain numbers of lines. */
const MAX_REASONS = 20;

/** Logs each reason once in a while, not once for each reading. */
export function createLiveFeedLog(warn: Log, writeError: Log, facts: Record<string, unknown>, now: () => Millis) {
  const loggedAt = new Map<string, Millis>();
  let kind: Stall['kind'] | undefined;

  function isDue(reason: string): boolean {
    const at = loggedAt.get(reason);
    if (at !== undefined && now() - at < REPEATED_AFTER_MS) return false;
    const oldest = loggedAt.keys().next().value;
    if (loggedAt.size >= MAX_REASONS && oldest !== undefined) loggedAt.delete(oldest);
    loggedAt.delete(reason);
    loggedAt.set(reason, now());
    return true;
  }

  return {
    /** Why viewers get nothing, where the origin is not the cause. */
    unavailable(reason: string, error?: unknown) {
      if (isDue(reason))
        warn('a live channel is not available', { ...facts, reason, ...(error === undefined ? {} : { error }) });
    },
    /** The failure of a reading, or what it could not use. */
    read(result: SourceResult | undefined) {
      if (result === undefined) return;
      if ('sentence' in result) {
        const reason = result.sentence;
        // What was thrown is a defect, which is logged as such.
        if (!('error' in result) && isDue(reason)) warn('failed to read a live origin', { ...facts, reason });
        return;
      }
      for (const reason of result.reading?.warnings ?? []) {
        // A line is further up in each reading.
        if (isDue(reason.replace(/\d+/g, '#'))) warn('a part of a live origin is not used', { ...facts, reason });
      }
    },
    broke(error: unknown) {
      const reason = String(error);
      if (isDue(`defect ${reason}`)) writeError('failed to process a live channel', { ...facts, reason, error });
    },
    stalled(stall: Stall | undefined) {
      const isNew = stall !== undefined && stall.kind !== kind;
      kind = stall?.kind;
      if (!isNew || !isDue(stall.reason)) return;
      const message = kind === 'ended' ? 'a live origin has ended' : 'a live origin lists no new segments';
      warn(message, { ...facts, reason: stall.reason });
    },
  };
}

/** The longest wait of a viewer, in milliseconds. */
const MAX_FIRST_WAIT_MS = 5000;
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

/** The viewers who wait for a feed that has just been woken: all of them for one result. */
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
      const timer = timers.after(MAX_FIRST_WAIT_MS, () => rejectAll(onTimeout() ?? LATE));
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
