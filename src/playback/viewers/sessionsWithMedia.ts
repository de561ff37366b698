// SPDX-License-Identifier: Apache-2.0
// Stores of sessions on a node that shares no disk with the others. What they return may show creatives that only other nodes
// have used so far: these are made known first, so that every node shows the same.
import type { LoadMedia } from '../../ads/placement/breakClips.ts';
import type { Decision } from '../../ads/placement/decision.ts';
import { AppError } from '../../errors.ts';
import type { FrozenStore, SessionStore } from '../../sessions/ports.ts';

type Shown = Pick<Decision, 'ads' | 'intro' | 'outro'>;

const mediaOf = ({ ads, intro, outro }: Shown): string[] =>
  [...ads, intro, outro].flatMap((one) => (one === undefined ? [] : [one.mediaId]));

/** @throws {AppError} UNAVAILABLE if that is not possible now. A viewer in memory is then served from memory. */
async function makeKnown(shown: readonly Shown[], loadMedia: LoadMedia): Promise<void> {
  if (await loadMedia(shown.flatMap(mediaOf))) return;
  throw new AppError('UNAVAILABLE', 'The ads of this session cannot be read at the moment. Retry soon.', {
    part: 'media',
    retryAfter: 2,
  });
}

export const sessionsWithMedia = (store: SessionStore, loadMedia: LoadMedia): SessionStore => ({
  ...store,
  async find(id) {
    const state = await store.find(id);
    if (state !== undefined) await makeKnown(state.decisions, loadMedia);
    return state;
  },
  async recorded(sessionIds, since) {
    const read = await store.recorded(sessionIds, since);
    if (await loadMedia(read.decisions.flatMap(({ decision }) => mediaOf(decision)))) return read;
    // The decisions are read with the next requests of their viewers.
    return { ...read, decisions: [] };
  },
  async decide(state, decision, record, foldBefore, mayWaitMs) {
    const decided = await store.decide(state, decision, record, foldBefore, mayWaitMs);
    if (decided === undefined) return undefined;
    try {
      await makeKnown(decided.state.decisions, loadMedia);
    } catch (error) {
      if (!decided.isFirst) throw error;
      // This decision is recorded and is to be counted. Decisions of other nodes are read with the next request.
      return { state: { ...state, decisions: [...state.decisions, decision] }, isFirst: true };
    }
    return decided;
  },
});

export const frozenWithMedia = (store: FrozenStore, loadMedia: LoadMedia): FrozenStore => ({
  async freeze(sessionId, frozen, records) {
    const stored = await store.freeze(sessionId, frozen, records);
    // This node has chosen from what it knows.
    if (stored !== undefined && !stored.isFirst) await makeKnown(stored.frozen.breaks, loadMedia);
    return stored;
  },
  async findFrozen(sessionId) {
    const frozen = await store.findFrozen(sessionId);
    if (frozen !== undefined) await makeKnown(frozen.breaks, loadMedia);
    return frozen;
  },
});
