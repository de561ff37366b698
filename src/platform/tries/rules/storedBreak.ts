// SPDX-License-Identifier: Apache-2.0
// A past break as a replay needs it, and the port that supplies it. The session store has the latest breaks of current sessions; the
// history has their older ones, and those of ended sessions.
import { seenBefore } from '../../../ads/pod/recentAds.ts';
import type { BreakRecord } from '../../../ads/record/breakRecord.ts';
import type { FrozenStore, SessionState, SessionStore } from '../../../sessions/ports.ts';
import type { Session } from '../../../sessions/session.ts';

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

type LivingBreaks = Pick<SessionStore, 'find' | 'findBreak'> & Partial<Pick<FrozenStore, 'findFrozen'>>;

/** The decisions of a linear or live session, without those that were folded, or the breaks of a VoD session. */
async function seenBy(
  { session, decisions }: SessionState,
  breakId: string,
  { findFrozen }: LivingBreaks,
): Promise<Pick<StoredBreak, 'seen'>> {
  const frozen = session.kind === 'film' ? await findFrozen?.(session.id) : undefined;
  if (frozen !== undefined) {
    const inOrder = frozen.breaks.map(({ id, ads }, index) => ({ id, ads, startsAt: index }));
    const place = inOrder.findIndex(({ id }) => id === breakId);
    const withAds = inOrder.filter(({ ads }) => ads.length > 0);
    return place < 0 ? {} : { seen: seenBefore(withAds, place) };
  }
  const own = decisions.find((one) => one.breakId === breakId);
  return own === undefined ? {} : { seen: seenBefore(decisions, own.startsAt) };
}

/** @param past absent without a history */
export const findStoredBreak =
  (sessions: LivingBreaks, past?: PastBreaks): FindStoredBreak =>
  async (sessionId, breakId, tenant) => {
    const state = await sessions.find(sessionId);
    const session = state?.session ?? (await past?.find(sessionId, tenant))?.session;
    if (session === undefined || session.tenant !== tenant) return undefined;
    // A session that has just ended is in the history before its breaks are.
    const record = (await sessions.findBreak(sessionId, breakId)) ?? (await past?.findBreak(sessionId, breakId));
    if (record === undefined) return undefined;
    return { session, record, ...(state === undefined ? {} : await seenBy(state, breakId, sessions)) };
  };
