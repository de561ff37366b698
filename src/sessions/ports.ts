// What is kept of viewers. A session is on disk before its first manifest, a decision before a manifest shows it.

import type { Decision, Odometer } from '../ads/placement/decision.ts';
import type { BreakRecord } from '../ads/record/breakRecord.ts';
import type { Millis } from '../time/units.ts';
import type { Session } from './session.ts';

/** A decision with the shift that it causes, so that it can be forgotten without being understood. */
export type StoredDecision = Decision & {
  readonly shift: Odometer;
  /** What the viewer saw in breaks before this one, newest first: the beginnings of media ids (ads/recentAds.ts). */
  readonly before?: string;
  /** Slate that a viewer was shown while the store did not respond: it is what counts, whatever the store has. */
  readonly isShown?: boolean;
  /** Set in memory where an edit has taken the break off the schedule: nobody saw it, so it moves nothing. */
  readonly isVoid?: boolean;
};

export type SessionState = {
  readonly session: Session;
  readonly decisions: readonly StoredDecision[];
  readonly odometer: Odometer;
  /** Decisions of breaks that started before this are in the odometer. */
  readonly foldedBefore: Millis;
  /** As far as the store knows, it has not requested a manifest that lists media yet. */
  readonly isUnwatched?: boolean;
};

/** `isFirst`: the decision was recorded now, and not somebody else's before. */
export type Decided = { readonly state: SessionState; readonly isFirst: boolean };

/** A node's request for the right to request the ads of a break. */
export type Claim = {
  readonly sessionId: string;
  readonly breakId: string;
  readonly startsAt: number;
  /** Names the process. */
  readonly holder: string;
  readonly at: Millis;
  /** The lease: another holder may take over from here on. */
  readonly until: Millis;
};

/** `answer`: what an earlier holder kept, who did not live to record a decision. */
export type Claimed = { readonly isOurs: false } | { readonly isOurs: true; readonly answer?: string };

/** A decision with its story, that a viewer was shown before the store had it. */
export type ShownBreak = {
  readonly sessionId: string;
  readonly decision: StoredDecision;
  readonly record: BreakRecord;
};

export type EndedSession = { readonly channelId: string; readonly tenant: string; readonly seenAt: Millis };

export type OwnedChannel = { readonly id: string; readonly tenant: string };

export type SessionStore = {
  create(session: Session, odometer: Odometer): Promise<void>;
  find(id: string): Promise<SessionState | undefined>;
  /**
   * Records a decision unless the break has one: the first writer wins. Decisions in `state` of breaks that started
   * before `foldBefore` are folded into the odometer.
   * @returns the session as it is now, whoever won; undefined when it is gone
   */
  decide(
    state: SessionState,
    decision: StoredDecision,
    record: BreakRecord,
    foldBefore: Millis,
  ): Promise<Decided | undefined>;
  /** Takes the right to request a break's ads, or keeps it longer. Until its lease ends one holder has it. */
  claim(claim: Claim): Promise<Claimed>;
  /** Keeps what came back, for whoever decides the break should this process end before it has. */
  keepAnswer(claim: Pick<Claim, 'sessionId' | 'breakId' | 'holder'>, answer: string): Promise<void>;
  /** Records what viewers were shown, in place of any other decision. @returns for each whether that is new to the store */
  recordShown(shown: readonly ShownBreak[]): Promise<readonly boolean[]>;
  /** Notes that these sessions are watched; they may be forgotten a while after. @returns how many of them there are */
  seen(ids: readonly string[], at: Millis): Promise<number>;
  /**
   * Forgets sessions last seen before `before`, and those that were opened before `unwatchedBefore` and never watched, with
   * all their records, except where their channel is switched off or was so until after that instant.
   * @param unwatchedBefore as `before` unless given
   * @returns those that nobody else forgot
   */
  expire(before: Millis, unwatchedBefore?: Millis): Promise<readonly EndedSession[]>;
  /** Newest first. Not those of a tenant who had a channel of this id before. */
  list(channel: OwnedChannel, page: { offset: number; limit: number }): Promise<{ total: number; items: Session[] }>;
  /** How many sessions of each of a tenant's channels were watched since `since`; channels without any are missing. */
  watching(tenant: string, channelIds: readonly string[], since: Millis): Promise<Map<string, number>>;
  /** What is known of one break of a session. */
  findBreak(sessionId: string, breakId: string): Promise<BreakRecord | undefined>;
  /** The latest breaks of a session, oldest first. */
  breaks(sessionId: string, most: number): Promise<BreakRecord[]>;
};
