// SPDX-License-Identifier: Apache-2.0
// A past break as a replay needs it, and the port that supplies it. The session store has the latest breaks of current sessions; the
// history has their older ones, and those of ended sessions.
import { seenBefore } from '../../ads/pod/recentAds.ts';
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import type { SessionState, SessionStore } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';

type StoredSession = Pick<Session, 'id' | 'channelId' | 'tenant' | 'format' | 'parameters' | 'viewer'>;

export type StoredBreak = {
  readonly session: StoredSession;
  readonly record: BreakRecord;
  /** What the viewer saw in earlier breaks (ads/pod/recentAds.ts); absent if that is not stored. */
  readonly seen?: string;
};

/** @returns undefined if the tenant has no such session, or the session no such break */
export type FindStoredBreak = (sessionId: string, breakId: string, tenant: string) => Promise<StoredBreak | undefined>;

/** The history. */
export type PastBreaks = {
  find(id: string, tenant: string): Promise<{ readonly session: StoredSession } | undefined>;
  findBreak(sessionId: string, breakId: string): Promise<BreakRecord | undefined>;
};

// The decisions of a VoD session are not stored one by one, and those of breaks long ago are folded.
function seenBy({ decisions }: SessionState, breakId: string): Pick<StoredBreak, 'seen'> {
  const own = decisions.find((one) => one.breakId === breakId);
  return own === undefined ? {} : { seen: seenBefore(decisions, own.startsAt) };
}

/** @param past absent without a history */
export const findStoredBreak =
  (sessions: Pick<SessionStore, 'find' | 'findBreak'>, past?: PastBreaks): FindStoredBreak =>
  async (sessionId, breakId, tenant) => {
    const state = await sessions.find(sessionId);
    const session = state?.session ?? (await past?.find(sessionId, tenant))?.session;
    if (session === undefined || session.tenant !== tenant) return undefined;
    // A session that has just ended is in the history before its breaks are.
    const record = (await sessions.findBreak(sessionId, breakId)) ?? (await past?.findBreak(sessionId, breakId));
    if (record === undefined) return undefined;
    return { session, record, ...(state === undefined ? {} : seenBy(state, breakId)) };
  };
