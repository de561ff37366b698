// Breaks that viewers were shown as slate because the store did not respond when they had to be decided. They are kept on
// this machine's disk and recorded once the store responds again, by this process or the next. A break of which that gets
// lost is slate all the same: one that nothing was recorded for in time is never filled (docs/decisions/017).
import type { SessionStore, ShownBreak } from '../../sessions/ports.ts';

/** Parcels of breaks, each on disk when `keep` resolves. */
export type ShownBreakSpool = {
  keep(shown: ShownBreak): Promise<void>;
  /** Parcels that nothing is added to any more. */
  close(): Promise<readonly string[]>;
  read(parcel: string): Promise<readonly ShownBreak[]>;
  remove(parcel: string): Promise<void>;
};

export type ShownDeps = {
  readonly spool: ShownBreakSpool;
  readonly sessions: Pick<SessionStore, 'recordShown'>;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

export type ShownBreaks = {
  /** @param onFirst called when it was recorded, unless another node had recorded the same */
  keep(shown: ShownBreak, onFirst: () => void): void;
  /** Records what waits; what cannot be recorded stays. */
  record(): Promise<void>;
};

const AT_ONCE = 100;
/** Breaks whose `onFirst` is remembered, and that wait in memory where the disk takes nothing. */
const MOST = 20_000;

const keyOf = ({ sessionId, decision }: ShownBreak): string => `${sessionId} ${decision.breakId}`;

export function createShownBreaks({ spool, sessions, log }: ShownDeps): ShownBreaks {
  const onFirst = new Map<string, () => void>();
  let inMemory: ShownBreak[] = [];

  async function recordAll(all: readonly ShownBreak[]): Promise<void> {
    for (let from = 0; from < all.length; from += AT_ONCE) {
      const some = all.slice(from, from + AT_ONCE);
      const isFirst = await sessions.recordShown(some);
      some.forEach((one, index) => {
        if (isFirst[index]) onFirst.get(keyOf(one))?.();
        onFirst.delete(keyOf(one));
      });
    }
  }

  return {
    keep(shown, first) {
      if (onFirst.size < MOST) onFirst.set(keyOf(shown), first);
      spool.keep(shown).catch((error: unknown) => {
        if (inMemory.length === 0) log('breaks shown as slate wait in memory: the disk does not take them', { error });
        if (inMemory.length < MOST) inMemory.push(shown);
      });
    },
    async record() {
      const parcels = await spool.close();
      for (const parcel of parcels) {
        await recordAll(await spool.read(parcel));
        await spool.remove(parcel);
      }
      const waiting = inMemory;
      if (waiting.length === 0) return;
      await recordAll(waiting);
      inMemory = inMemory.filter((one) => !waiting.includes(one));
    },
  };
}
