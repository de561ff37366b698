// SPDX-License-Identifier: Apache-2.0
// Access to the records that an operator writes. Reads wait for the store only.

import type { Millis } from '../time/units.ts';
import type { Asset } from '../timeline/asset/asset.ts';
import type { Channel } from './channel.ts';
import type { AdSourceRecord } from './demand.ts';
import type { Playlist } from './playlist.ts';

export type Page = { readonly offset: number; readonly limit: number };

/** A stored record. `version` counts its changes, starting at 0. */
export type Versioned<Row> = Row & { readonly version: number };

export type SortField = 'createdAt' | 'modifiedAt' | 'name';

/** The position of the last item of a page. */
export type ListCursor = {
  /** What the list is sorted by; null for the order of creation. */
  readonly key: string | null;
  readonly seq: number;
};

export type Listing = {
  readonly offset: number;
  readonly limit: number;
  /** Default: newest first. */
  readonly sort?: { readonly field: SortField; readonly isDescending: boolean };
  /** The record after which the list continues, in place of `offset`. */
  readonly after?: ListCursor;
  /** A part of the id or the name; case-insensitive. */
  readonly search?: string | undefined;
  readonly type?: string | undefined;
  /** The status of a playlist, or the stored state of a channel. */
  readonly status?: string | undefined;
  readonly playlistId?: string | undefined;
  /** Only channels whose steps list this ad source. */
  readonly adSource?: string | undefined;
  /** Only records with one of these labels; without any, all. */
  readonly labels?: readonly string[] | undefined;
  /** Only these records. */
  readonly ids?: readonly string[] | undefined;
};

export type Listed<Item> = {
  /** The number of records on all pages. */
  readonly total: number;
  readonly items: readonly Item[];
  /** Undefined if the page is not full. */
  readonly next?: ListCursor | undefined;
};

/** The ad sources of a tenant by id. Unknown ids are absent. Of playback: the same objects, until a source changes. */
export type FindAdSources = (tenant: string, ids: readonly string[]) => Promise<ReadonlyMap<string, AdSourceRecord>>;

/** A label as it is written in one of the records, and how many have it. */
export type LabelCount = { readonly label: string; readonly count: number };

/** The name of a record, by its id. */
export type RecordNames = ReadonlyMap<string, string>;

/**
 * @template Entry what a store can write in the transaction of a change, such as an entry of the audit log
 * Playlist ids are unique per tenant: two tenants may use the same id without noticing each other.
 */
export type PlaylistStore<Entry = unknown> = {
  /** Stores version 0; false when the tenant already has a playlist with this id. */
  insert(playlist: Playlist, entry?: Entry): Promise<boolean>;
  find(tenant: string, id: string): Promise<Versioned<Playlist> | undefined>;
  /** By default, newest first. */
  list(tenant: string, listing: Listing): Promise<Listed<Versioned<Playlist>>>;
  names(tenant: string, ids: readonly string[]): Promise<RecordNames>;
  labels(tenant: string): Promise<LabelCount[]>;
  /** `version` is the one that was read and is incremented; false when the record was changed or removed since. */
  replace(playlist: Versioned<Playlist>, entry?: Entry): Promise<boolean>;
  /** With `version`, removes only that version; false when there was none. */
  remove(tenant: string, id: string, version?: number, entry?: Entry): Promise<boolean>;
};

/**
 * Channel ids are unique per tenant, too. Playback URLs identify a channel by its id and key, so no two channels of any
 * tenants share both (decision 3).
 * @template Entry as for playlists
 */
export type ChannelStore<Entry = unknown> = {
  /** Stores version 0. */
  insert(channel: Channel, entry?: Entry): Promise<'stored' | 'idTaken' | 'keyTaken'>;
  find(tenant: string, id: string): Promise<Versioned<Channel> | undefined>;
  list(tenant: string, listing: Listing): Promise<Listed<Versioned<Channel>>>;
  names(tenant: string, ids: readonly string[]): Promise<RecordNames>;
  /** Those of ad sources are labels of their channels. @param ids of the only channels that count */
  labels(tenant: string, ids?: readonly string[]): Promise<LabelCount[]>;
  labelled(tenant: string, labels: readonly string[]): Promise<string[]>;
  enabled(): Promise<Versioned<Channel>[]>;
  playing(tenant: string, playlistId: string): Promise<Versioned<Channel>[]>;
  /** The ids of those that play one of these playlists. */
  idsPlaying(tenant: string, playlistIds: readonly string[]): Promise<string[]>;
  /** `changed`: the record no longer has this version. */
  replace(channel: Versioned<Channel>, entry?: Entry): Promise<'stored' | 'changed' | 'keyTaken'>;
  remove(tenant: string, id: string, version?: number, entry?: Entry): Promise<boolean>;
};

/** `index` of the change. `changed`: a record has changed since it was read. `taken`: a unique value is in use. */
export type BatchConflict = { readonly index: number; readonly reason: 'changed' | 'taken' };

export type AtomicBatch = {
  /** What follows belongs to the change with this index. */
  begin(index: number): void;
  /** Stores all changes in one transaction. @returns what has prevented it */
  write(): Promise<BatchConflict | undefined>;
};

/** The changes of records that `work` makes are gathered. They are not stored before `write`. */
export type GatherChanges = <Result>(work: (batch: AtomicBatch) => Promise<Result>) => Promise<Result>;

/** Imported assets by key. A key is derived from the content, so the asset of a key never changes. */
export type AssetStore = {
  /** Stores the asset imported from a URL. @returns its key */
  put(url: string, asset: Asset, importedAt: Millis): Promise<string>;
  find(key: string): Promise<Asset | undefined>;
  /** The latest import of a URL. Records that it is in use. */
  latest(url: string, now: Millis): Promise<{ key: string; asset: Asset; importedAt: Millis } | undefined>;
  /** Records that a tenant has checked a URL. */
  markChecked(tenant: string, url: string, key: string, now: Millis): Promise<void>;
  /** Whether the tenant has checked the URL, or plays its latest import: what others have imported is not shown. */
  isUsedBy(tenant: string, url: string): Promise<boolean>;
  /**
   * Removes imports that no channel on air uses: those not used since `before`, the least recently used beyond `most`, and
   * assets that no URL refers to any more and no VoD session may need.
   */
  forgetUnused(before: Millis, most: number, now: Millis): Promise<void>;
};
