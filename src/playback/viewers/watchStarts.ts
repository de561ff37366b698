// SPDX-License-Identifier: Apache-2.0
// Records which sessions are watched. A session that has not been watched expires a minute after it was opened, so the store is
// updated within seconds of the first manifest that lists media. If that request comes later, the store confirms the session
// before the response, because it may be expiring at that moment.
import type { EndedSession, SessionStore } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { StoreHealth } from './storeHealth.ts';

/** How long a session is kept whose player has not requested a manifest that lists media. */
const UNWATCHED_TTL_MS = 60_000;
/** How long the store may lag behind. */
const GRACE_MS = 15_000;

/** Sessions opened before the returned instant that have not been watched may expire. */
export const unwatchedBefore = (now: Millis): Millis => millis(Math.max(0, now - UNWATCHED_TTL_MS - GRACE_MS));

type NewViewer = { readonly session: Session; isUnwatched?: boolean };

export function createWatchStarts(
  store: Pick<SessionStore, 'seen'>,
  { isUnavailable }: Pick<StoreHealth, 'isUnavailable'>,
) {
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
      // During an outage no session expires; the viewer is recorded when the store is available again.
      return begin(viewer);
    }
  }

  return {
    /** Records a request for a manifest that lists media. @returns false if the session has expired */
    watch(viewer: NewViewer, now: Millis): true | Promise<boolean> {
      if (!viewer.isUnwatched) return true;
      const isInTime = now - viewer.session.openedAt < UNWATCHED_TTL_MS;
      return isInTime || isUnavailable(viewer.session.id) ? begin(viewer) : confirm(viewer, now);
    },
    /** Writes to the store which sessions have been watched for the first time since the last call. */
    async flushStarted(now: Millis) {
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

/** How long a VoD session is kept that has not been watched: a player may be prepared well before it starts. */
const VOD_UNWATCHED_TTL_MS = 3_600_000;

type EndDeps = {
  readonly sessions: Pick<SessionStore, 'expire'>;
  readonly ttlMs: number;
  readonly now: () => Millis;
  readonly onEnded: (session: EndedSession) => void;
};

/** @returns deletes expired sessions, and reports those that it has ended */
export function createIdleSessionEnd({ sessions, ttlMs, now, onEnded }: EndDeps): () => Promise<void> {
  /** Whether the last call reached the store. */
  let wasAvailable = false;
  return async () => {
    // After an outage, sessions that started shortly before it are not stored as watched yet.
    const isUpToDate = wasAvailable;
    wasAvailable = false;
    const idleBefore = millis(now() - ttlMs);
    const ended = await sessions.expire(idleBefore, isUpToDate ? unwatchedBefore(now()) : idleBefore, {
      now: now(),
      unwatchedBefore: isUpToDate ? millis(now() - VOD_UNWATCHED_TTL_MS) : millis(0),
    });
    wasAvailable = true;
    ended.forEach(onEnded);
  };
}
