// SPDX-License-Identifier: Apache-2.0
// Decisions of processes that share a store. Each process reads what the others have recorded, for all of its viewers and at the same
// instants of the clock. A decision counts once the store has responded to such a reading after it was recorded: by then the other
// processes have read it, too, so all of them have it if the store becomes unavailable (docs/decisions/017-store-outages.md).
import { AppError } from '../../errors.ts';
import type { RecordedUntil, SessionState, SessionStore } from '../../sessions/ports.ts';
import { type Clock, type Timer, within } from '../../time/clock.ts';
import { RESPONSE_TIMEOUT_MS } from './storeHealth.ts';
import type { Viewers } from './viewers.ts';

type SharedDecisions = {
  /** The store. What it returns of decisions, other processes have read. */
  readonly sessions: SessionStore;
  /** Reads periodically from now on. */
  start(): void;
  stop(): void;
};

type Deps = Clock & {
  readonly store: SessionStore;
  /** Other processes serve viewers from this store. */
  readonly isShared: boolean;
  readonly viewers: () => Pick<Viewers, 'known' | 'knows' | 'adopt'>;
};

type Waiting = { readonly sessionId: string; readonly confirm: () => void; readonly refuse: (error: AppError) => void };

/** Milliseconds: all processes read at the multiples of it. */
const READ_MS = 250;
/** Decisions of earlier breaks were read long ago. */
const RECENT_MS = 60_000;

const unconfirmed = () =>
  new AppError(
    'UNAVAILABLE',
    'The session store became unavailable before other processes could read the decision. Retry soon.',
    {
      part: 'store',
    },
  );

export function createSharedDecisions({ store, isShared, viewers, now, timers }: Deps): SharedDecisions {
  if (!isShared) return { sessions: store, start() {}, stop() {} };
  let since: RecordedUntil = new Map();
  let waiting: Waiting[] = [];
  let timer: Timer | undefined;
  let isStopped = false;

  const confirmed = (sessionId: string): Promise<void> =>
    new Promise((confirm, refuse) => {
      if (isStopped) confirm();
      else waiting.push({ sessionId, confirm, refuse });
    });

  async function read() {
    const { known, adopt } = viewers();
    const { decisions, until, isRead } = await store.recorded(known, since);
    since = until;
    for (const { sessionId, decision } of decisions) adopt(sessionId, decision);
    return isRead;
  }

  async function readOnce(): Promise<void> {
    const asked = waiting;
    waiting = [];
    if (asked.length === 0 && viewers().known.size === 0) return;
    const isRead = await within(timers, RESPONSE_TIMEOUT_MS, read()).catch(() => undefined);
    for (const { sessionId, confirm, refuse } of asked) isRead?.(sessionId) ? confirm() : refuse(unconfirmed());
  }

  function schedule(): void {
    if (isStopped) return;
    timer = timers.after(READ_MS - (now() % READ_MS), () => void readOnce().then(schedule));
  }

  const isRecent = ({ decisions }: SessionState): boolean =>
    decisions.some(({ startsAt }) => startsAt > now() - RECENT_MS);

  return {
    sessions: {
      ...store,
      async find(id) {
        const state = await store.find(id);
        const isNew = state !== undefined && isRecent(state) && !viewers().knows(id, state.decisions);
        if (isNew) await confirmed(id);
        return state;
      },
      async decide(state, decision, record, foldBefore, mayWaitMs) {
        const decided = await store.decide(state, decision, record, foldBefore, mayWaitMs);
        if (decided !== undefined) await confirmed(state.session.id);
        return decided;
      },
    },
    start: schedule,
    stop() {
      isStopped = true;
      timer?.cancel();
      for (const { confirm } of waiting.splice(0)) confirm();
    },
  };
}
