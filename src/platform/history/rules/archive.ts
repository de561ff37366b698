// SPDX-License-Identifier: Apache-2.0
// Stores in the history what a session store has set aside: the breaks with what was delivered of them. It may
// run on several nodes, and may be interrupted: what was not completed is set aside still, and is stored once.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { groupBy } from '../../../invariant.ts';
import { keepBreak, type Playback } from '../../../playback/view/trace.ts';
import { breakFillOf, isBreak } from '../../../sessions/history/breakFill.ts';
import type { AsideStore, KeptBreak, SessionHistory, SetAside } from '../../../sessions/history/ports.ts';
import { startOfRecord } from '../../../sessions/sessionRules.ts';
import type { DeliveryStore } from '../../../tracking/deliveries/ports.ts';
import type { ConfirmationStore } from '../../../tracking/feed/confirmations.ts';

export type ArchiveDeps = {
  readonly aside: AsideStore;
  readonly history: Pick<SessionHistory, 'add'>;
  readonly deliveries: Pick<DeliveryStore, 'ofSession'>;
  readonly confirmations: Pick<ConfirmationStore, 'ofSession'>;
  readonly compress: (value: unknown) => Promise<Uint8Array>;
  /** Whether there is a history. Without, what is set aside is removed. */
  readonly keepsTraces: boolean;
};

/** The most batches of a call, so that the end of the process does not wait for all of them. */
const MAX_BATCHES = 100;

/** @returns stores some of what is set aside */
export function createArchive({ aside, history, deliveries, confirmations, compress, keepsTraces }: ArchiveDeps) {
  async function keep({ record, ...about }: SetAside, playback: Playback): Promise<KeptBreak> {
    return {
      ...about,
      breakId: record.id,
      startsAt: startOfRecord(record),
      ...(isBreak(record) ? { fill: breakFillOf(record) } : {}),
      body: await compress(keepBreak(record, playback)),
    };
  }

  async function keepSession(sessionId: string, breaks: readonly SetAside[]): Promise<KeptBreak[]> {
    const [delivered, confirmed] = await Promise.all([
      deliveries.ofSession(sessionId),
      confirmations.ofSession(sessionId),
    ]);
    return Promise.all(breaks.map((one) => keep(one, { deliveries: delivered, confirmations: confirmed })));
  }

  return async (): Promise<void> => {
    for (let count = 0; count < MAX_BATCHES; count += 1) {
      const batch = await aside.take();
      if (batch === undefined) return;
      if (keepsTraces) {
        const groups = [...groupBy(batch.breaks, ({ sessionId }) => sessionId)];
        const kept = await Promise.all(groups.map(([sessionId, breaks]) => keepSession(sessionId, breaks)));
        await history.add(batch.sessions, kept.flat());
      }
      await batch.done();
      await nextTurn();
    }
  };
}
