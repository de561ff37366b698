// SPDX-License-Identifier: Apache-2.0
// The health of a store that consists of parts, such as the nodes of a cluster: viewers of the other parts are not affected when
// one of them fails. The log states the first part that is unavailable, and when all of them are available again.
import type { Timers } from '../../time/clock.ts';
import { createStoreHealth, type StoreHealth, type StoreName } from './storeHealth.ts';

export type PartedHealth = StoreHealth & {
  /** Calls those parts that are unavailable, so that their end of an outage is noticed without viewers. */
  retry(): Promise<void>;
};

/**
 * @param partOf identifies the part that a session belongs to
 * @param probe resolves if a part responds
 */
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
