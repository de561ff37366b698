// SPDX-License-Identifier: Apache-2.0
// Breaks shown as slate because the store was unavailable when their decision was due. They are spooled on the local disk and
// recorded when the store is available again, by this process or the next one. If a spooled break is lost, it is slate
// nevertheless: a break for which nothing was recorded in time is never filled (docs/decisions/017-store-outages.md).
import type { SessionStore, ShownBreak } from '../../sessions/ports.ts';

/** Entries of breaks. Resolves `keep` once the break is on disk. */
export type ShownBreakSpool = {
  keep(shown: ShownBreak): Promise<void>;
  /** Completes the current entry. @returns all complete entries */
  close(): Promise<readonly string[]>;
  read(entry: string): Promise<readonly ShownBreak[]>;
  remove(entry: string): Promise<void>;
};

type ShownDeps = {
  readonly spool: ShownBreakSpool;
  readonly sessions: Pick<SessionStore, 'recordShown'>;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

const BATCH_SIZE = 100;
/** Callbacks kept, and breaks kept in memory while the disk cannot be written. */
const MAX_PENDING = 20_000;

const keyOf = ({ sessionId, decision }: ShownBreak): string => `${sessionId} ${decision.breakId}`;

export function createShownBreaks({ spool, sessions, log }: ShownDeps) {
  const onFirst = new Map<string, () => void>();
  let inMemory: ShownBreak[] = [];

  async function recordAll(all: readonly ShownBreak[]): Promise<void> {
    for (let from = 0; from < all.length; from += BATCH_SIZE) {
      const some = all.slice(from, from + BATCH_SIZE);
      const isFirst = await sessions.recordShown(some);
      some.forEach((one, index) => {
        if (isFirst[index]) onFirst.get(keyOf(one))?.();
        onFirst.delete(keyOf(one));
      });
    }
  }

  return {
    /** @param onFirst called once it is recorded, unless another node had recorded the same break */
    keep(shown: ShownBreak, callback: () => void): void {
      if (onFirst.size < MAX_PENDING) onFirst.set(keyOf(shown), callback);
      spool.keep(shown).catch((error: unknown) => {
        if (inMemory.length === 0) log('failed to spool breaks shown as slate; keeping them in memory', { error });
        if (inMemory.length < MAX_PENDING) inMemory.push(shown);
      });
    },
    /** Records all spooled breaks; those that cannot be recorded stay. */
    async record() {
      const entries = await spool.close();
      for (const entry of entries) {
        await recordAll(await spool.read(entry));
        await spool.remove(entry);
      }
      const waiting = inMemory;
      if (waiting.length === 0) return;
      await recordAll(waiting);
      inMemory = inMemory.filter((one) => !waiting.includes(one));
    },
  };
}

export type ShownBreaks = ReturnType<typeof createShownBreaks>;
