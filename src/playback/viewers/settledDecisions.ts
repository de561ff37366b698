// SPDX-License-Identifier: Apache-2.0
// Decisions of live breaks whose end has become known. Each is stored once more, with what the break has shown; its record is
// changed if an early return cut ads. All nodes compute the same.
import { type Choices, decidedFor } from '../../ads/placement/personalise.ts';
import { cutRecord } from '../../ads/record/cutRecord.ts';
import type { SessionState, SessionStore, SettledDecision, StoredDecision } from '../../sessions/ports.ts';

/** How a live break moves the numbers is known at its end. From then on the decision contains it. */
export function settle(state: SessionState, { decided }: Choices): SessionState {
  if (!decided.some(({ isSettled }) => isSettled)) return state;
  const decisions = state.decisions.map((one) => {
    if (one.settled !== undefined) return one;
    const own = decidedFor(decided, one.breakId);
    if (!own?.isSettled) return one;
    const { region, shift, shown } = own;
    return { ...one, shift, settled: { ...(region && { region }), ...(shown && { shown }) } };
  });
  return decisions.some((one, index) => one !== state.decisions[index]) ? { ...state, decisions } : state;
}

/** Records read at once: each may have 64 KB and more. */
const READ_AT_ONCE = 50;

type Store = Pick<SessionStore, 'settle' | 'findBreak'>;

async function withRecord({ findBreak }: Store, sessionId: string, decision: StoredDecision): Promise<SettledDecision> {
  const shown = decision.settled?.shown;
  const record = shown && (await findBreak(sessionId, decision.breakId));
  if (shown === undefined || record === undefined) return { sessionId, decision };
  return { sessionId, decision, record: cutRecord(record, decision.ads, shown) };
}

export function createSettledDecisions(store: Store) {
  /** To be stored, by session and break. */
  const waiting = new Map<string, { readonly sessionId: string; readonly decision: StoredDecision }>();
  return {
    /** Adds the decisions of a state that `settle` has changed. */
    add(before: SessionState, { session: { id }, decisions }: SessionState): void {
      for (const [index, decision] of decisions.entries()) {
        if (decision === before.decisions[index]) continue;
        waiting.set(`${id} ${decision.breakId}`, { sessionId: id, decision });
      }
    },
    /** Those that cannot be stored are kept for the next call. */
    async flush(): Promise<void> {
      const all = [...waiting];
      for (let from = 0; from < all.length; from += READ_AT_ONCE) {
        const some = all.slice(from, from + READ_AT_ONCE);
        const settled = some.map(([, { sessionId, decision }]) => withRecord(store, sessionId, decision));
        await store.settle(await Promise.all(settled));
        for (const [key, one] of some) if (waiting.get(key) === one) waiting.delete(key);
      }
    },
  };
}
