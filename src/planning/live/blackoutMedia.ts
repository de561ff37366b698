// SPDX-License-Identifier: Apache-2.0
// The media of blackouts, and the slates of distributors: made for the ladder of each feed or schedule like its slate, which is shown
// until they are ready.
import { LRUCache } from 'lru-cache';
import type { ConditionedMedia, CreativeLibrary, CreativeState } from '../../ads/creative/creative.ts';
import type { InsertedBreak } from '../../channels/inserted/breakOrder.ts';
import type { Millis } from '../../time/units.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';

export type BlackoutMediaDeps = {
  readonly library: Pick<CreativeLibrary, 'slate'>;
  readonly now: () => Millis;
  /** Called when media have become ready. */
  readonly onReady: () => void;
};

/** A life of a channel, which has one ladder: a live feed or a schedule. */
export type LadderLife = { readonly life: string; readonly ladder: Ladder };

export type BlackoutMedia = ReturnType<typeof createBlackoutMedia>;

export type AssetState =
  | { readonly state: 'preparing' | 'ready' }
  | { readonly state: 'failed'; readonly reason: string };

type Wanted = Pick<InsertedBreak, 'assetUrl' | 'tenant' | 'channelId'>;
type Made = { readonly state?: CreativeState; readonly at: Millis };

const MAX_MADE = 1000;
/** Milliseconds. The library decides whether a failure is retried. */
const RETRY_MS = 30_000;

export function createBlackoutMedia({ library, now, onReady }: BlackoutMediaDeps) {
  const made = new LRUCache<string, Made>({ max: MAX_MADE });

  function lookUp({ assetUrl, tenant, channelId }: Wanted, { ladder, life }: LadderLife): Made | undefined {
    if (assetUrl === undefined) return undefined;
    const key = `${life} ${assetUrl}`;
    const known = made.get(key);
    const isFailed = known?.state !== undefined && known.state.state !== 'ready';
    if (known !== undefined && !(isFailed && now() - known.at >= RETRY_MS)) return known;
    const started: Made = { at: now() };
    made.set(key, started);
    library.slate(ladder, { url: assetUrl, mimeType: '' }, { tenant, channelId }).then(
      (state) => {
        made.set(key, { state, at: now() });
        if (state.state === 'ready') onReady();
      },
      () => made.delete(key),
    );
    return started;
  }

  return {
    /** The media that are shown in a blackout, once they are ready. Making them is started. */
    of(order: Wanted, life: LadderLife): ConditionedMedia | undefined {
      const state = lookUp(order, life)?.state;
      return state?.state === 'ready' ? state.media : undefined;
    },
    /** Undefined for a blackout without an asset. Making it is started. */
    stateOf(order: InsertedBreak, life: LadderLife): AssetState | undefined {
      const found = lookUp(order, life);
      if (found === undefined) return undefined;
      const { state } = found;
      if (state?.state === 'failed') return { state: 'failed', reason: state.reason };
      return { state: state?.state === 'ready' ? 'ready' : 'preparing' };
    },
  };
}
