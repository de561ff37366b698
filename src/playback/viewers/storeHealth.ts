// SPDX-License-Identifier: Apache-2.0
// Tracks whether the session store is available, from the calls that are made anyway. Manifests of viewers in memory do not wait
// for an unavailable store; they are built from what is in memory.
import { AppError } from '../../errors.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import { type Timers, within } from '../../time/clock.ts';

/** Methods that take the id of a session concern the part of the store that the session belongs to. */
export type StoreHealth = {
  /** Makes a call and records its result. */
  track<Value>(call: () => Promise<Value>, sessionId?: string): Promise<Value>;
  /** The last call failed, or a call has been waiting for RESPONSE_TIMEOUT_MS and none has completed since it was made. */
  isUnavailable(sessionId?: string): boolean;
  /** The store's message for a failure within the last seconds, even if other calls succeed: a full disk fails only writes. */
  failureReason(sessionId?: string): string | undefined;
  /** For how long it has been available without interruption, in milliseconds. */
  availableFor(): number;
  /** The result of `work` if the store is available and it resolves within `ms`; otherwise undefined. `work` is not cancelled. */
  whenAvailable<Value>(ms: number, work: () => Promise<Value>, sessionId?: string): Promise<Value | undefined>;
};

type StoreName = 'database' | 'session store';

/** What the log states at the begin and at the end of an outage. */
const messages: Readonly<Record<StoreName, readonly [begin: string, end: string]>> = {
  database: ['the database is unavailable; known viewers are served from memory', 'the database is available again'],
  'session store': [
    'the session store is unavailable; known viewers are served from memory',
    'the session store is available again',
  ],
};

/** A call that takes longer makes the store count as unavailable. */
export const RESPONSE_TIMEOUT_MS = 500;
/** The minimum time between two log lines about failures. With a full disk, calls fail and succeed in turn. */
const LOG_INTERVAL_MS = 10_000;
/** How long the reason of a failure is reported. */
const REASON_TTL_MS = 10_000;

/**
 * @param log called when the store becomes unavailable, and when it is available again
 * @param name of the store in the log
 */
export function createStoreHealth(
  timers: Timers,
  log: (message: string, facts: Record<string, unknown>) => void,
  name: StoreName = 'database',
): StoreHealth {
  const [beginMessage, endMessage] = messages[name];
  /** When each pending call was made, oldest first. */
  const pending = new Map<symbol, number>();
  let respondedAt = Number.NEGATIVE_INFINITY;
  let hasFailed = false;
  let failure: { readonly reason: string; readonly at: number } | undefined;
  let unavailableSince: number | undefined;
  let loggedAt = Number.NEGATIVE_INFINITY;
  let isLogged = false;
  let availableSince = timers.elapsed();
  let probe: { readonly madeAt: number; isOver: boolean } | undefined;

  function isUnavailable(): boolean {
    if (hasFailed) return true;
    const [oldest] = pending.values();
    return oldest !== undefined && oldest >= respondedAt && timers.elapsed() - oldest > RESPONSE_TIMEOUT_MS;
  }

  function recordResult(error?: unknown): void {
    if (error !== undefined) {
      unavailableSince ??= timers.elapsed();
      if (error instanceof AppError) failure = { reason: error.message, at: timers.elapsed() };
      if (!hasFailed && timers.elapsed() - loggedAt >= LOG_INTERVAL_MS) {
        loggedAt = timers.elapsed();
        isLogged = true;
        log(beginMessage, { error });
      }
      hasFailed = true;
      return;
    }
    const wasUnavailable = isUnavailable();
    respondedAt = timers.elapsed();
    hasFailed = false;
    if (wasUnavailable) availableSince = respondedAt;
    const unavailableMs = Math.round(respondedAt - (unavailableSince ?? respondedAt));
    if (isLogged) log(endMessage, { unavailableMs });
    isLogged = false;
    unavailableSince = undefined;
  }

  /** During an outage, one call at a time probes the store. Nothing waits for it. */
  function attempt(work: () => Promise<unknown>): void {
    const isEarly = probe !== undefined && timers.elapsed() - probe.madeAt < RESPONSE_TIMEOUT_MS;
    if (isEarly || probe?.isOver === false) return;
    const current = { madeAt: timers.elapsed(), isOver: false };
    probe = current;
    const end = () => {
      current.isOver = true;
    };
    work().then(end, end);
  }

  return {
    isUnavailable,
    failureReason: () =>
      failure !== undefined && timers.elapsed() - failure.at < REASON_TTL_MS ? failure.reason : undefined,
    availableFor: () => (isUnavailable() ? 0 : timers.elapsed() - availableSince),
    async track(call) {
      const mark = Symbol();
      pending.set(mark, timers.elapsed());
      try {
        const value = await call();
        pending.delete(mark);
        recordResult();
        return value;
      } catch (error) {
        pending.delete(mark);
        recordResult(error);
        throw error;
      }
    },
    async whenAvailable(ms, work) {
      if (!isUnavailable()) return within(timers, ms, work());
      attempt(work);
      return undefined;
    },
  };
}

/** A session store whose health is tracked by the calls that viewers wait for. */
export const monitoredSessions = (store: SessionStore, { track }: StoreHealth): SessionStore => ({
  ...store,
  create: (session, odometer) => track(() => store.create(session, odometer), session.id),
  find: (id) => track(() => store.find(id), id),
  decide: (state, decision, record, foldBefore, mayWaitMs) =>
    track(() => store.decide(state, decision, record, foldBefore, mayWaitMs), state.session.id),
  recorded: (sessionIds, since) => track(() => store.recorded(sessionIds, since)),
  claim: (claim) => track(() => store.claim(claim), claim.sessionId),
  takeResponse: (claim) => track(() => store.takeResponse(claim), claim.sessionId),
  recordShown: (shown) => track(() => store.recordShown(shown)),
  seen: (ids, at) => track(() => store.seen(ids, at)),
});

// The health of a store that consists of parts, such as the nodes of a cluster: viewers of the other parts are not affected when
// one of them fails. The log states the first part that is unavailable, and when all of them are available again.

type PartedHealth = StoreHealth & {
  /** Calls those parts that are unavailable, so that their end of an outage is noticed without viewers. */
  retry(): Promise<void>;
};

/** @param partOf identifies the part that a session belongs to @param probe resolves if a part responds */
export function createPartedHealth(
  partOf: (sessionId: string) => string,
  timers: Timers,
  log: (message: string, facts: Record<string, unknown>) => void,
  name: StoreName,
  probe: (part: string) => Promise<unknown>,
): PartedHealth {
  const parts = new Map<string, StoreHealth>();
  const unavailable = new Set<string>();

  function logOf(part: string): typeof log {
    return (message, facts) => {
      const isAvailable = 'unavailableMs' in facts;
      const wasAvailable = unavailable.size === 0;
      if (isAvailable) unavailable.delete(part);
      else unavailable.add(part);
      if (isAvailable ? unavailable.size === 0 : wasAvailable) log(message, facts);
    };
  }

  function healthOf(sessionId: string): StoreHealth {
    const part = partOf(sessionId);
    const known = parts.get(part);
    if (known !== undefined) return known;
    const created = createStoreHealth(timers, logOf(part), name);
    parts.set(part, created);
    return created;
  }

  async function retry(): Promise<void> {
    const failing = [...parts].filter(([, health]) => health.isUnavailable());
    await Promise.allSettled(failing.map(([part, { track }]) => track(() => probe(part))));
  }

  const all = () => [...parts.values()];
  return {
    track: (call, sessionId) => (sessionId === undefined ? call() : healthOf(sessionId).track(call)),
    isUnavailable: (sessionId) =>
      sessionId === undefined ? all().some((part) => part.isUnavailable()) : healthOf(sessionId).isUnavailable(),
    failureReason: (sessionId) =>
      sessionId === undefined
        ? all().flatMap((part) => part.failureReason() ?? [])[0]
        : healthOf(sessionId).failureReason(),
    availableFor: () => Math.min(...all().map((part) => part.availableFor()), Number.POSITIVE_INFINITY),
    retry,
    whenAvailable: (ms, work, sessionId = '') => healthOf(sessionId).whenAvailable(ms, work),
  };
}
