// SPDX-License-Identifier: Apache-2.0
// What schedules need from the store.
import type { ChannelRef } from '../channels/channelKey.ts';
import type { Millis } from '../time/units.ts';
import type { Entry, ScheduleSettings } from './schedule.ts';

/** An entry in its place. */
export type PlacedEntry = {
  readonly entry: Entry;
  /** When it starts, as far as the lengths of those before it are known. */
  readonly at: Millis;
  /** Of entries that start at the same time. */
  readonly order: number;
  /** Milliseconds, with its breaks; absent until its source has been read. */
  readonly length?: Millis;
};

/** An entry without its body. */
export type KnownEntry = Omit<PlacedEntry, 'entry'> & {
  readonly id: string;
  /** Whether it states its start. */
  readonly isFixed: boolean;
};

export type StoredSchedule = {
  readonly settings: ScheduleSettings;
  /** The number of changes, from 0. */
  readonly version: number;
  readonly createdAt: string;
  readonly modifiedAt: string;
  readonly modifiedBy?: string;
};

type Changed = {
  readonly settings: ScheduleSettings;
  /** What is stored in place of entries with the same ids. */
  readonly put: readonly PlacedEntry[];
  /** Entries whose place alone has changed. */
  readonly moved: readonly KnownEntry[];
  readonly removed: readonly string[];
};

/** What undoes a change. */
export type ScheduleBefore = Changed;

export type ScheduleChange = Changed & {
  readonly before: ScheduleBefore;
  readonly by: string;
  readonly at: string;
};

/** @template Audit what is written in the transaction of a change, such as an entry of the audit log */
export type ScheduleStore<Audit = unknown> = {
  /** The channels whose schedules name a playlist, or have named it. */
  naming(tenant: string, playlistId: string): Promise<ChannelRef[]>;
  find(channel: ChannelRef): Promise<StoredSchedule | undefined>;
  /** All entries, in order. */
  known(channel: ChannelRef): Promise<KnownEntry[]>;
  /** The entries that start in a range, and the one before them, in order. */
  entries(channel: ChannelRef, from: Millis, to: Millis): Promise<PlacedEntry[]>;
  byId(channel: ChannelRef, ids: readonly string[]): Promise<PlacedEntry[]>;
  /** The number of entries whose length is not known. */
  unread(channel: ChannelRef): Promise<number>;
  /** @param version of the schedule that was read; undefined if there was none. @returns false if it has changed since */
  change(channel: ChannelRef, version: number | undefined, change: ScheduleChange, audit?: Audit): Promise<boolean>;
  /** What undoes the change that has made a version; undefined if it is not kept any more. */
  before(channel: ChannelRef, version: number): Promise<ScheduleBefore | undefined>;
  /**
   * Stores lengths that were measured, and the places that follow from them. It is no new version.
   * @param read the version, and how many lengths were not known
   * @returns false if that is different by then
   */
  place(
    channel: ChannelRef,
    read: { readonly version: number; readonly unread: number },
    entries: readonly KnownEntry[],
  ): Promise<boolean>;
};
