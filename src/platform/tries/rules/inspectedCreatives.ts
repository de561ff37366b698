// SPDX-License-Identifier: Apache-2.0
// Creatives as a try or a replay looks them up: their states are those of now, and nothing is waited for. Nothing is requested
// either, unless the operator wants it.
import type { CreativeLookup, CreativeState } from '../../../ads/creative/creative.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';

/** Reads the state of a creative without requesting it. */
export type InspectCreative = (key: string, ladder: Ladder) => Promise<CreativeState>;

export type InspectedCreatives = CreativeLookup & {
  /** Reads states ahead, so that `prepare` returns them. */
  inspect(keys: readonly string[]): Promise<void>;
};

/**
 * For one ladder, because states are kept by key.
 * @param queue requests creatives; without it nothing is requested
 */
export function inspectCreatives(
  ladder: Ladder,
  inspect: InspectCreative,
  queue?: CreativeLookup['prepare'],
): InspectedCreatives {
  const known = new Map<string, CreativeState>();
  const queued = new Set<string>();

  async function read(key: string): Promise<CreativeState> {
    const state = known.get(key) ?? (await inspect(key, ladder));
    known.set(key, state);
    const isQueuedNow = state.state === 'preparing' && state.stage === 'absent' && queued.has(key);
    return isQueuedNow ? { state: 'preparing', stage: 'waiting' } : state;
  }

  return {
    prepare(key, source, _, owner) {
      if (queue !== undefined) {
        queue(key, source, ladder, owner, true);
        queued.add(key);
      }
      return known.get(key) ?? { state: 'preparing' };
    },
    settled: read,
    async inspect(keys) {
      await Promise.all(keys.map(read));
    },
  };
}
