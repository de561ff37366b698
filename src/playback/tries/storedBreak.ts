// SPDX-License-Identifier: Apache-2.0
// A past break as a replay needs it, and the port that supplies it. The session store has the breaks of current sessions; a
// history of ended ones can supply theirs in the same way.
import { seenBefore } from '../../ads/pod/recentAds.ts';
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';

export type StoredBreak = {
  readonly session: Pick<Session, 'id' | 'channelId' | 'tenant' | 'format' | 'parameters' | 'viewer'>;
  readonly record: BreakRecord;
  /** What the viewer saw in earlier breaks (ads/pod/recentAds.ts); absent if that is not stored. */
  readonly seen?: string;
};

/** @returns undefined if the tenant has no such session, or the session no such break */
export type FindStoredBreak = (sessionId: string, breakId: string, tenant: string) => Promise<StoredBreak | undefined>;

export const findInSessions =
  (sessions: Pick<SessionStore, 'find' | 'findBreak'>): FindStoredBreak =>
  async (sessionId, breakId, tenant) => {
    const state = await sessions.find(sessionId);
    if (state === undefined || state.session.tenant !== tenant) return undefined;
    const record = await sessions.findBreak(sessionId, breakId);
    if (record === undefined) return undefined;
    const { session, decisions } = state;
    // The decisions of a VoD session are not stored one by one, and those of breaks long ago are folded.
    const own = decisions.find((one) => one.breakId === breakId);
    return { session, record, ...(own === undefined ? {} : { seen: seenBefore(decisions, own.startsAt) }) };
  };
