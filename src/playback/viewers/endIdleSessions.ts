// SPDX-License-Identifier: Apache-2.0
import type { EndedSession, SessionStore } from '../../sessions/ports.ts';
import { type Millis, millis } from '../../time/units.ts';
import { unwatchedBefore } from './watchStarts.ts';

/** How long a VoD session is kept that has not been watched: a player may be prepared well before it starts. */
const VOD_UNWATCHED_TTL_MS = 3_600_000;

type Deps = {
  readonly sessions: Pick<SessionStore, 'expire'>;
  readonly ttlMs: number;
  readonly now: () => Millis;
  readonly onEnded: (session: EndedSession) => void;
};

/** @returns deletes expired sessions, and reports those that it has ended */
export function createIdleSessionEnd({ sessions, ttlMs, now, onEnded }: Deps): () => Promise<void> {
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
