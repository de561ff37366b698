// Who begins to watch. A session that nobody watches is forgotten a minute after it was opened, so the store learns within
// seconds of each that is watched. Who comes later than that is shown nothing before the store has confirmed the session:
// it may be forgotten at this very moment.
import type { SessionStore } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { StoreHealth } from './storeHealth.ts';

/** Milliseconds for which a session is kept that has not requested a manifest that lists media. */
const UNWATCHED_KEPT = 60_000;
/** Milliseconds that the store may be late to learn of who came in time. */
const GRACE = 15_000;

/** Sessions that were opened before this instant, and not watched by then, may be forgotten. */
export const unwatchedBefore = (now: Millis): Millis => millis(Math.max(0, now - UNWATCHED_KEPT - GRACE));

/** What has to be known of a viewer for that. */
type NewViewer = { readonly session: Session; isUnwatched?: boolean };

export type WatchStarts = {
  /** Notes that a viewer requests a manifest that lists media. @returns false when the session is forgotten */
  watch(viewer: NewViewer, now: Millis): true | Promise<boolean>;
  /** Tells the store who has begun to watch since the last time. */
  flushStarted(now: Millis): Promise<void>;
};

export function createWatchStarts(
  store: Pick<SessionStore, 'seen'>,
  { isUnavailable }: Pick<StoreHealth, 'isUnavailable'>,
): WatchStarts {
  let waiting: string[] = [];

  function begin(viewer: NewViewer): true {
    viewer.isUnwatched = false;
    waiting.push(viewer.session.id);
    return true;
  }

  async function confirm(viewer: NewViewer, now: Millis): Promise<boolean> {
    try {
      if ((await store.seen([viewer.session.id], now)) === 0) return false;
      viewer.isUnwatched = false;
      return true;
    } catch {
      // A store that is away forgets nothing, and learns of the viewer when it is back.
      return begin(viewer);
    }
  }

  return {
    watch(viewer, now) {
      if (!viewer.isUnwatched) return true;
      const isInTime = now - viewer.session.openedAt < UNWATCHED_KEPT;
      return isInTime || isUnavailable() ? begin(viewer) : confirm(viewer, now);
    },
    async flushStarted(now) {
      if (waiting.length === 0) return;
      const ids = waiting;
      waiting = [];
      try {
        await store.seen(ids, now);
      } catch (error) {
        waiting.push(...ids);
        throw error;
      }
    },
  };
}
