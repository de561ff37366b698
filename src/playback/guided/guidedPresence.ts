// SPDX-License-Identifier: Apache-2.0
// Guided viewers on air request their playlists from caches, so Midroll sees them at breaks only. They are taken to watch for ten
// minutes after their last request. The counts of viewers are estimates by as much.
import { LRUCache } from 'lru-cache';
import type { SessionStore } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';

/** How long a guided viewer counts as watching after a request. */
export const PRESUMED_MS = 600_000;
/** How often each node calls `flush`. Reports take a viewer to watch between two calls that are hardly further apart. */
export const PRESENCE_INTERVAL_MS = 20_000;
const MAX_VIEWERS = 200_000;

type Deps = {
  readonly sessions: Pick<SessionStore, 'seen'>;
  readonly watched: (session: Session, now: Millis) => void;
  /** Requests the ads of the viewer's next break, where the channel has them requested ahead. */
  readonly ahead: (session: Session, now: Millis) => void;
};

export type GuidedPresence = ReturnType<typeof createGuidedPresence>;

export function createGuidedPresence({ sessions, watched, ahead }: Deps) {
  const present = new LRUCache<string, { readonly session: Session; readonly at: Millis }>({
    maxSize: MAX_VIEWERS,
    sizeCalculation: () => 1,
  });
  return {
    /** The player of a session has requested something. Stitched ones and those of films are known by other requests. */
    note(session: Session, at: Millis): void {
      if (session.guided !== undefined && session.kind !== 'film') present.set(session.id, { session, at });
    },
    /** Records who is taken to watch, in the store and for reports; their ads are requested ahead. */
    async flush(now: Millis): Promise<void> {
      const ids: string[] = [];
      for (const [id, { session, at }] of present) {
        if (now - at > PRESUMED_MS) present.delete(id);
        else {
          ids.push(id);
          watched(session, now);
          ahead(session, now);
        }
      }
      if (ids.length > 0) await sessions.seen(ids, now);
    },
  };
}
