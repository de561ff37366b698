// SPDX-License-Identifier: Apache-2.0
// Decisions of live breaks whose end has become known. Each is stored once more, with what the break has shown; its record is
// changed if an early return cut ads. All nodes compute the same.
import { type Choices, decidedFor } from '../../ads/placement/personalise.ts';
import type { ShownFrames } from '../../ads/placement/shownFrames.ts';
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import { cutRecord } from '../../ads/record/buildBreakRecord.ts';
import { isPreview } from '../../ads/request/preview.ts';
import type { SessionState, SessionStore, SettledDecision, StoredDecision } from '../../sessions/ports.ts';
import { flicks, millis } from '../../time/units.ts';
import type { Instant } from '../../timeline/programme/span.ts';
import type { Airing } from '../onAir/airing.ts';

/** How a live break moves the numbers is known at its end. From then on the decision contains it. */
export function settle(state: SessionState, { decided }: Choices): SessionState {
  if (!decided.some(({ isSettled }) => isSettled)) return state;
  const decisions = state.decisions.map((one) => {
    if (one.settled !== undefined) return one;
    const own = decidedFor(decided, one.breakId);
    if (!own?.isSettled) return one;
    const { region, shift, shown } = own;
    return { settled: { ...(region && { region }), ...(shown && { shown }) }, ...one, shift };
  });
  return decisions.some((one, index) => one !== state.decisions[index]) ? { ...state, decisions } : state;
}

/** A live break that was not shown as decided. `place`, `decision` and `record` are those of the decision. */
export type EndedBreak = {
  readonly airing: Airing;
  readonly place: { readonly start: Instant; readonly frames: number };
  readonly decision: StoredDecision;
  readonly record: BreakRecord;
  readonly shown: ShownFrames;
};

/** Records read at once: each may have 64 KB and more. */
const READ_AT_ONCE = 50;

type Store = Pick<SessionStore, 'settle' | 'findBreak'>;
type Waiting = {
  readonly sessionId: string;
  readonly decision: StoredDecision;
  readonly airing: Airing;
  readonly isPreview: boolean;
};
type Read = SettledDecision & { readonly ended?: EndedBreak };

async function withRecord({ findBreak }: Store, waiting: Waiting): Promise<Read> {
  const { sessionId, decision, airing } = waiting;
  const shown = decision.settled?.shown;
  const record = shown && (await findBreak(sessionId, decision.breakId));
  if (shown === undefined || record === undefined) return { sessionId, decision };
  const start: Instant = { millis: millis(Date.parse(record.startsAt) + airing.programme.lag), rest: flicks(0) };
  const { n, d } = airing.ladder.frameRate;
  const place = { start, frames: Math.round((record.duration * n) / d) };
  const settled = { sessionId, decision, record: cutRecord(record, decision.ads, shown) };
  return waiting.isPreview ? settled : { ...settled, ended: { airing, place, decision, record, shown } };
}

/** @param onEnded called by the node that stored the actual length first */
export function createSettledDecisions(store: Store, onEnded: (ended: EndedBreak) => void = () => {}) {
  /** The decisions to be stored, by session and break. */
  const waiting = new Map<string, Waiting>();
  return {
    add(airing: Airing, before: SessionState, { session, decisions }: SessionState): void {
      for (const [index, decision] of decisions.entries()) {
        if (decision === before.decisions[index]) continue;
        const { id } = session;
        waiting.set(`${id} ${decision.breakId}`, {
          sessionId: id,
          decision,
          airing,
          isPreview: isPreview(session),
        });
      }
    },
    /** Stores the waiting decisions. Decisions that cannot be stored wait for the next call. */
    async flush(): Promise<void> {
      const all = [...waiting];
      for (let from = 0; from < all.length; from += READ_AT_ONCE) {
        const some = all.slice(from, from + READ_AT_ONCE);
        const read = await Promise.all(some.map(([, one]) => withRecord(store, one)));
        const changed = await store.settle(read.map(({ ended: _, ...settled }) => settled));
        for (const [index, { ended }] of read.entries()) if (changed[index] && ended !== undefined) onEnded(ended);
        for (const [key, one] of some) if (waiting.get(key) === one) waiting.delete(key);
      }
    },
  };
}
