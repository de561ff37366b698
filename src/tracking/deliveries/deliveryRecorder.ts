// SPDX-License-Identifier: Apache-2.0
// Records the deliveries that the journal holds. The serving thread waits for none of this.
import { LRUCache } from 'lru-cache';
import type { Session } from '../../sessions/session.ts';
import type { Delivery, WaitingDelivery } from './delivery.ts';
import type { DeliveryEntries, DeliveryRecorder } from './ports.ts';
import { createReplay } from './replayEntries.ts';
import type { DeliveryWriter, Unwritten } from './writeDeliveries.ts';

export type DeliveryRecorderDeps = {
  readonly entries: DeliveryEntries;
  readonly writer: DeliveryWriter;
  /** Reads a session from the store. */
  readonly findSession: (id: string) => Promise<Session | undefined>;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  /** Called when an entry was quarantined because it cannot be recorded. */
  readonly onQuarantine: () => void;
};

type Found = { readonly session?: Session; readonly error?: unknown };

/** What a session contains never changes. */
const MAX_SESSIONS = 20_000;

export function createDeliveryRecorder(deps: DeliveryRecorderDeps): DeliveryRecorder {
  const { entries, writer, findSession, log, onQuarantine } = deps;
  const sessions = new LRUCache<string, Session>({ max: MAX_SESSIONS });
  /** Deliveries that the store has accepted. */
  let written = 0;
  let expired = 0;

  async function record(deliveries: readonly Delivery[]): Promise<void> {
    written += await writer.write(deliveries);
  }

  async function find(id: string): Promise<Found> {
    try {
      const session = sessions.get(id) ?? (await findSession(id));
      if (session === undefined) return {};
      sessions.set(id, session);
      return { session };
    } catch (error) {
      return { error };
    }
  }

  /** If a store does not respond for some viewers, the deliveries of the others are recorded. */
  async function write(waiting: readonly WaitingDelivery[]): Promise<Unwritten<WaitingDelivery>> {
    const ids = [...new Set(waiting.map(({ sessionId }) => sessionId))];
    const all = await Promise.all(ids.map(find));
    const found = new Map(ids.map((id, index) => [id, all[index]!]));
    const failed: WaitingDelivery[] = [];
    const known = new Map<Delivery, WaitingDelivery>();
    let gone = 0;
    for (const one of waiting) {
      const { sessionId, ...delivery } = one;
      const { session, error } = found.get(sessionId)!;
      if (error !== undefined) failed.push(one);
      else if (session === undefined) gone += 1;
      else known.set({ ...delivery, session }, one);
    }
    const unprepared = await writer.prepare([...known.keys()]);
    for (const delivery of unprepared.failed) {
      failed.push(known.get(delivery)!);
      known.delete(delivery);
    }
    await record([...known.keys()]);
    expired += gone;
    const error = unprepared.error ?? all.find((one) => one.error !== undefined)?.error;
    return failed.length === 0 ? { failed } : { failed, error };
  }

  const replay = createReplay({ entries, write, written: () => written, log, onQuarantine });

  return {
    record,
    async replay(lastComplete, isRetry) {
      const outage = await replay(lastComplete, isRetry);
      if (expired > 0) log('deliveries discarded: their sessions have expired', { deliveries: expired });
      expired = 0;
      const bytes = await entries.size();
      return outage === undefined ? { bytes } : { outage, bytes };
    },
  };
}
