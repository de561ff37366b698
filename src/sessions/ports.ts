// SPDX-License-Identifier: Apache-2.0
// What is stored of viewers. A session is on disk before its first manifest, a decision before a manifest shows it.

import type { Decision, Odometer } from '../ads/placement/decision.ts';
import type { ShownFrames } from '../ads/placement/shownFrames.ts';
import type { BreakRecord } from '../ads/record/breakRecord.ts';
import type { Millis } from '../time/units.ts';
import type { Region } from '../timeline/programme/span.ts';
import type { Frozen } from '../vod/layOut.ts';
import type { Session } from './session.ts';

/** A decision with the shift that it causes, so that it can be folded into the odometer without its break. */
export type StoredDecision = Decision & {
  readonly shift: Odometer;
  /** What the viewer saw in earlier breaks, newest first: prefixes of media ids (ads/pod/recentAds.ts). */
  readonly before?: string;
  /** Slate that a viewer was shown while the store was unavailable. It overrides what the store has. */
  readonly isShown?: boolean;
  /**
   * Live: set when the end of the break is known. From then on `shift` and what the ads replaced are fixed, and do not depend
   * on how much of the timeline a node still has. `shown` is absent if the break was shown as decided.
   */
  readonly settled?: { readonly region?: Region; readonly shown?: ShownFrames };
  /** Identifies the attempt to record it, so that a process recognises its own decision after a call that failed. */
  readonly writer?: string;
  /** Set in memory when the break was taken off the schedule: no viewer saw it, so it moves no numbers. */
  readonly isVoid?: boolean;
};

export type SessionState = {
  readonly session: Session;
  readonly decisions: readonly StoredDecision[];
  readonly odometer: Odometer;
  /** Decisions for breaks that started before this are in the odometer. */
  readonly foldedBefore: Millis;
  /** True until the session requests a manifest that lists media, as far as the store knows. */
  readonly isUnwatched?: boolean;
};

/** `isFirst`: this call recorded the decision; no other node had recorded one. */
type Decided = { readonly state: SessionState; readonly isFirst: boolean };

/** The right to request the ads of a break, as a node claims it. */
export type Claim = {
  readonly sessionId: string;
  readonly breakId: string;
  readonly startsAt: number;
  /** Identifies the process. */
  readonly holder: string;
  readonly at: Millis;
  /** The end of the lease. From then on another holder may take over. */
  readonly until: Millis;
};

/** What a store has recorded of a session, as a summary: a process that has as much in memory need not read it. */
export type Recorded = { readonly decisions: number; readonly foldedBefore: Millis };

/**
 * `response`: the ad response kept by an earlier holder that ended before it recorded a decision.
 * `recorded`: after the claim, if the store reports it.
 */
export type Claimed =
  | { readonly isOurs: false }
  | { readonly isOurs: true; readonly response?: string; readonly recorded?: Recorded };

/** `record`: what the record of the break is from now on, if that changes. */
export type SettledDecision = {
  readonly sessionId: string;
  readonly decision: StoredDecision;
  readonly record?: BreakRecord;
};

/** A decision, with its record, that a viewer was shown before it was stored. */
export type ShownBreak = {
  readonly sessionId: string;
  /** The life of the channel to which the session belongs. */
  readonly life: string;
  readonly decision: StoredDecision;
  readonly record: BreakRecord;
};

/** Up to when decisions were read, by the parts of the store and their clocks. */
export type RecordedUntil = ReadonlyMap<string, number>;

type RecentDecisions = {
  /** Some were also in an earlier reading. */
  readonly decisions: readonly { readonly sessionId: string; readonly decision: StoredDecision }[];
  readonly until: RecordedUntil;
  /** False if the part of the store that has the session did not respond. */
  isRead(sessionId: string): boolean;
};

export type EndedSession = { readonly channelId: string; readonly tenant: string; readonly seenAt: Millis };

/** When VoD sessions are removed. */
export type VodExpiry = {
  /** Sessions whose `keepUntil` is earlier are removed: a day later if they were seen recently, else at once. */
  readonly now: Millis;
  /** Sessions opened before this and never watched are removed. */
  readonly unwatchedBefore: Millis;
};

/**
 * How many viewers' ads have been decided for breaks of a life, and how many of them got ads, by the id of the break. Breaks
 * without viewers are absent.
 * @param idsOf whether the ids are those of breaks of a feed, which may have several sections, or those of spans of a schedule
 */
export type BreakViewers = (
  life: string,
  breakIds: readonly string[],
  idsOf?: 'feed' | 'schedule',
) => Promise<ReadonlyMap<string, { readonly decided: number; readonly withAds: number }>>;

export type OwnedChannel = { readonly id: string; readonly tenant: string };

export type SessionStore = {
  create(session: Session, odometer: Odometer): Promise<void>;
  find(id: string): Promise<SessionState | undefined>;
  /**
   * Records a decision unless the break has one: the first writer wins. Decisions in `state` for breaks that started before
   * `foldBefore` are folded into the odometer.
   * @param mayWaitMs how long the write may wait for others (`writeDelay`)
   * @returns the session as it is now, whichever writer won; undefined when it no longer exists
   */
  decide(
    state: SessionState,
    decision: StoredDecision,
    record: BreakRecord,
    foldBefore: Millis,
    mayWaitMs?: number,
  ): Promise<Decided | undefined>;
  /**
   * Decisions for these sessions that any process has recorded within the last seconds, and after an earlier reading.
   * @param sessionIds those that this process knows
   */
  recorded(
    sessionIds: { has(id: string): boolean; keys(): Iterable<string>; readonly size: number },
    since: RecordedUntil,
  ): Promise<RecentDecisions>;
  /** Claims the right to request a break's ads, or extends it. One holder has it until the lease ends. */
  claim(claim: Claim): Promise<Claimed>;
  /**
   * Stores the ad response for the node that decides the break: another one, if this process ends first.
   * @param claim `until`: the end of the lease from now on, if that changes
   * @param response undefined removes a response that was stored before
   */
  storeResponse(
    claim: Pick<Claim, 'sessionId' | 'breakId' | 'holder'> & { readonly until?: Millis },
    response: string | undefined,
  ): Promise<void>;
  /** Ends a claim that has a response, unless its lease is over. @returns the response; of several calls, one gets it */
  takeResponse(claim: Pick<Claim, 'sessionId' | 'breakId' | 'at'>): Promise<string | undefined>;
  /** Records what viewers were shown, replacing any other decision. @returns for each whether the store had not known it */
  recordShown(shown: readonly ShownBreak[]): Promise<readonly boolean[]>;
  /**
   * Live: stores decisions that are settled now. All nodes compute the same.
   * @returns for each whether its record was changed by this call, not by an earlier one of any node
   */
  settle(decisions: readonly SettledDecision[]): Promise<readonly boolean[]>;
  /** Records that these sessions are watched, which postpones their expiry. @returns how many of them exist */
  seen(ids: readonly string[], at: Millis): Promise<number>;
  /**
   * Removes sessions last seen before `before`, and those opened before `unwatchedBefore` and never watched, with all their
   * records, except where the channel is switched off or was so until after that instant.
   * @param unwatchedBefore defaults to `before`
   * @param vod limits for VoD sessions; by default, they stay
   * @returns the sessions that this call removed, not those that another node removed
   */
  expire(before: Millis, unwatchedBefore?: Millis, vod?: VodExpiry): Promise<readonly EndedSession[]>;
  /** Newest first. Excludes sessions of a tenant that had a channel with this id before. */
  list(channel: OwnedChannel, page: { offset: number; limit: number }): Promise<{ total: number; items: Session[] }>;
  /** The number of sessions of each of a tenant's channels watched since `since`; channels without any are absent. */
  watching(tenant: string, channelIds: readonly string[], since: Millis): Promise<Map<string, number>>;
  findBreak(sessionId: string, breakId: string): Promise<BreakRecord | undefined>;
  /** The latest breaks of a session, oldest first. */
  breaks(sessionId: string, most: number): Promise<BreakRecord[]>;
};

/** What VoD sessions show. */
export type FrozenStore = {
  /**
   * Stores what a session shows, with the records of its breaks, unless that is stored already: the first writer wins.
   * @returns what is stored, whichever writer won; undefined when the session no longer exists
   */
  freeze(
    sessionId: string,
    frozen: Frozen,
    records: readonly BreakRecord[],
  ): Promise<{ readonly frozen: Frozen; readonly isFirst: boolean } | undefined>;
  findFrozen(sessionId: string): Promise<Frozen | undefined>;
};

/** Whom frequency caps count for. `key` is opaque and has at most 64 characters. */
export type ViewerKey = { readonly tenant: string; readonly key: string };

/** What viewers were shown, for frequency caps: for each viewer an opaque text of some 32 KB at most, without zero bytes. */
export type ShownAdsStore = {
  /** May return what is no longer kept, until it is removed. */
  read(viewer: ViewerKey): Promise<{ readonly text: string; readonly version: number } | undefined>;
  /**
   * Replaces the text that was read. Versions of a viewer grow, also after a removal, so that none is mistaken for an older one.
   * @param version 0 if nothing was stored
   * @param keepUntil the text is kept until then, or until what an earlier write has set, if that is later
   * @returns false if the text has changed since it was read: nothing is stored
   */
  write(viewer: ViewerKey, text: string, version: number, keepUntil: Millis): Promise<boolean>;
  /** Removes some of the texts that are no longer kept, in one statement. @returns whether there may be more */
  expire(now: Millis): Promise<boolean>;
};

/** An ad source whose rate is limited. `maxPerSecond`: its requests a second, of all processes together. */
export type RatedSource = { readonly tenant: string; readonly id: string; readonly maxPerSecond: number };

/** Microseconds since 1970. Slot n is at `first` + n / maxPerSecond seconds. */
export type ReservedSlots = {
  /** The time of the reservation, by the clock that all processes share. */
  readonly clock: number;
  /** The first slot, or if none was reserved, the next one that is free. */
  readonly first: number;
  readonly count: number;
};

/** The instants at which ad sources may be requested: slots, 1 / maxPerSecond apart over all processes. */
export type SourceRates = {
  /**
   * Reserves the next slots of a source.
   * @param limits microseconds, descending. So many slots are reserved as there are limits that the wait for the first slot does
   * not exceed
   * @param at the clock of this process. A store on another machine uses its own, because the clocks of nodes differ
   */
  reserve(source: RatedSource, limits: readonly number[], at: Millis): Promise<ReservedSlots>;
};
