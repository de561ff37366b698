// SPDX-License-Identifier: Apache-2.0
// The history of sessions: sessions that have ended, and breaks that the session store does not keep any longer. A session store
// sets aside what it removes; from there it is stored in the history, once, and then forgotten by the session store.
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import type { Millis } from '../../time/units.ts';
import type { Session } from '../session.ts';
import type { BreakFill } from './breakFill.ts';

/** What the history keeps of a session. */
export type PastSession = Pick<
  Session,
  'id' | 'channelId' | 'tenant' | 'format' | 'openedAt' | 'parameters' | 'viewer' | 'guided'
>;

export type Ended = {
  readonly session: PastSession;
  readonly seenAt: Millis;
  /** When it was removed from the session store: the retention counts from then. */
  readonly keptFrom: Millis;
};

/** The record of a break that a session store has set aside. */
export type SetAside = Pick<PastSession, 'tenant' | 'channelId'> & {
  readonly sessionId: string;
  readonly keptFrom: Millis;
  readonly record: BreakRecord;
};

export type Batch = {
  readonly sessions: readonly Ended[];
  readonly breaks: readonly SetAside[];
  /** Call when all of them are in the history: the session store forgets them. */
  done(): Promise<void>;
};

export type AsideStore = {
  /** @returns some of it, which stays set aside until `done`; undefined if there is nothing */
  take(): Promise<Batch | undefined>;
};

/** The position of a session in lists: newest first. */
export type Place = { readonly openedAt: number; readonly id: string };

/** Sessions that were opened before `to` and seen at `from` or later. */
type ActiveIn = { readonly from: number; readonly to: number };

export type SessionFilter = ActiveIn & {
  readonly tenant: string;
  readonly channelId?: string;
  /** Of which channels the session can be. */
  readonly channelIds?: readonly string[];
  readonly idPrefix?: string;
  readonly parameter?: { readonly name: string; readonly value: string };
  readonly address?: string;
  /** A part of it, in any case. */
  readonly userAgent?: string;
  /** Only sessions with a break that starts in the range, with this outcome and reason. */
  readonly breaks?: { readonly status?: BreakRecord['status']; readonly reason?: string };
};

export type FoundSession = { readonly session: PastSession; readonly seenAt: Millis; readonly hasEnded: boolean };

/** Part of a list. `until` is where it ends: what comes later was not read. Absent if nothing is left. */
export type Slice<Item, Until> = { readonly items: readonly Item[]; readonly until?: Until };

export type SessionHistory = {
  /** Adds what is not there yet. Sessions and breaks of tenants that do not exist are omitted. */
  add(sessions: readonly Ended[], breaks: readonly KeptBreak[]): Promise<void>;
  find(id: string, tenant: string): Promise<Ended | undefined>;
  breaks(sessionId: string, most: number): Promise<readonly Uint8Array[]>;
  findBreak(sessionId: string, breakId: string): Promise<Uint8Array | undefined>;
  fills(ids: readonly string[]): Promise<ReadonlyMap<string, readonly BreakFill[]>>;
  /** Newest first. Examines a limited number of sessions, so that it may return fewer than there are, also none. */
  search(filter: SessionFilter, after: Place | undefined, limit: number): Promise<Slice<FoundSession, Place>>;
  /**
   * Removes what was kept from before `before`, and the oldest until `maxBytes` are left, as far as a few batches go.
   * @returns whether there is more to remove
   */
  prune(before: Millis, maxBytes: number): Promise<boolean>;
};

export type KeptBreak = Omit<SetAside, 'record'> & {
  readonly breakId: string;
  readonly startsAt: number;
  /** Absent for a record that is not a break. */
  readonly fill?: BreakFill;
  /** The break (`keepBreak` in playback/view/trace.ts), compressed. */
  readonly body: Uint8Array;
};

/** Where the list of a session store was read to: `at` is for the store, `place` for the order in the whole list. */
export type LivingPlace = { readonly at: string; readonly place: Place };

/** What a session store lists of the sessions that it has. */
export type LivingSessions = {
  find(id: string): Promise<FoundSession | undefined>;
  /**
   * Newest first, as far as sessions of several nodes have an order. Examines a limited number of sessions.
   * @param of `channelIds`: some channels of the tenant instead of all
   * @param after `at` of the last session that was read
   */
  newest(
    of: { readonly tenant: string; readonly channelIds?: readonly string[]; readonly from: number },
    after: string | undefined,
    limit: number,
  ): Promise<Slice<FoundSession & { readonly at: string }, LivingPlace>>;
  fills(ids: readonly string[]): Promise<ReadonlyMap<string, readonly BreakFill[]>>;
};
