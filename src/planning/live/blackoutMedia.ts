// SPDX-License-Identifier: Apache-2.0
// The media of blackouts: made for the ladder of each feed like its slate. Until they are ready, the slate of the feed is shown.
import { LRUCache } from 'lru-cache';
import type { CreativeLibrary, CreativeState } from '../../ads/creative/creative.ts';
import type { InsertedBreak } from '../../channels/inserted/breakOrder.ts';
import type { LiveFeed } from '../../live/feed.ts';
import type { Millis } from '../../time/units.ts';

export type BlackoutMediaDeps = {
  readonly library: Pick<CreativeLibrary, 'slate'>;
  readonly now: () => Millis;
  /** Called when media have become ready. */
  readonly onReady: () => void;
};

export type BlackoutMedia = {
  /** The media that a feed shows in a blackout, once they are ready. Making them is started. */
  of(order: InsertedBreak, feed: LiveFeed): string | undefined;
  /** Undefined for a blackout without an asset. Making it is started. */
  stateOf(order: InsertedBreak, feed: LiveFeed): AssetState | undefined;
};

export type AssetState =
  | { readonly state: 'preparing' | 'ready' }
  | { readonly state: 'failed'; readonly reason: string };

type Made = { readonly state?: CreativeState; readonly at: Millis };

const MAX_MADE = 1000;
/** Milliseconds. The library decides whether a failure is retried. */
const RETRY_MS = 30_000;

export function createBlackoutMedia({ library, now, onReady }: BlackoutMediaDeps): BlackoutMedia {
  const made = new LRUCache<string, Made>({ max: MAX_MADE });

  function lookUp({ assetUrl, tenant, channelId }: InsertedBreak, { ladder, life }: LiveFeed): Made | undefined {
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
    of(order, feed) {
      const state = lookUp(order, feed)?.state;
      return state?.state === 'ready' ? state.media.id : undefined;
    },
    stateOf(order, feed) {
      const found = lookUp(order, feed);
      if (found === undefined) return undefined;
      const { state } = found;
      if (state?.state === 'failed') return { state: 'failed', reason: state.reason };
      return { state: state?.state === 'ready' ? 'ready' : 'preparing' };
    },
  };
}
