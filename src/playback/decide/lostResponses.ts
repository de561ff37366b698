// SPDX-License-Identifier: Apache-2.0
// Decisions whose recording failed: the store did not respond, or no replica confirmed the change in time. The store may have them
// nevertheless. Each is looked up for a while, so that this process counts it if it was the first.
import type { SessionState, SessionStore, StoredDecision } from '../../sessions/ports.ts';
import { sleep, type Timers } from '../../time/clock.ts';
import type { StoreHealth } from '../viewers/storeHealth.ts';

export type LostResponsesDeps = {
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly health: Pick<StoreHealth, 'isUnavailable'>;
  readonly timers: Timers;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

export type LostResponses = {
  /**
   * @param decision with its `writer`
   * @param onStored called once if the store has this decision for its break, and no other
   */
  watch(sessionId: string, decision: StoredDecision, onStored: (state: SessionState) => void): void;
};

const LOOK_UP_INTERVAL_MS = 5000;
/** Redis drops a replica that has not responded for a minute; from then on it confirms changes again. */
const WATCHED_MS = 90_000;
const MAX_WATCHED = 20_000;

export function createLostResponses({ sessions, health, timers, log }: LostResponsesDeps): LostResponses {
  let watched = 0;

  /** @returns undefined if the store does not respond */
  async function find(sessionId: string): Promise<SessionState | undefined> {
    if (health.isUnavailable(sessionId)) return undefined;
    return sessions.find(sessionId).catch(() => undefined);
  }

  async function lookUp(
    sessionId: string,
    { breakId, writer }: StoredDecision,
    onStored: (state: SessionState) => void,
  ): Promise<void> {
    const until = timers.elapsed() + WATCHED_MS;
    while (timers.elapsed() < until) {
      // The decisions of an outage are many, and do not arrive at the store at once.
      await sleep(timers, LOOK_UP_INTERVAL_MS * (0.5 + Math.random() / 2));
      const state = await find(sessionId);
      const found = state?.decisions.find((one) => one.breakId === breakId);
      if (state === undefined || found === undefined) continue;
      if (found.writer === writer) onStored(state);
      return;
    }
  }

  return {
    watch(sessionId, decision, onStored) {
      if (watched >= MAX_WATCHED) return;
      watched += 1;
      lookUp(sessionId, decision, onStored)
        .catch((error: unknown) => {
          log('failed to count a stored decision', { sessionId, breakId: decision.breakId, error });
        })
        .finally(() => {
          watched -= 1;
        });
    },
  };
}
