// What the rooms need of the records that an operator writes. Reads never wait for anything but the store.
import type { Millis } from '../time/units.ts';
import type { Asset } from '../timeline/asset.ts';
import type { Channel } from './channel.ts';
import type { Playlist } from './playlist.ts';

export type Page = { readonly offset: number; readonly limit: number };

/** A record as it is stored: `version` counts its changes, from 0. */
export type Versioned<Row> = Row & { readonly version: number };

/** Playlists are named per tenant: two tenants may use the same id and never learn of each other. */
export type PlaylistStore = {
  /** Stored as version 0; false when the tenant has one with this id. */
  insert(playlist: Playlist): Promise<boolean>;
  find(tenant: string, id: string): Promise<Versioned<Playlist> | undefined>;
  /** Newest first. */
  list(tenant: string, page: Page): Promise<{ total: number; items: Versioned<Playlist>[] }>;
  /** `version` is the one that was read and is counted up; false when the record changed or went meanwhile. */
  replace(playlist: Versioned<Playlist>): Promise<boolean>;
  /** With a version only that one; false when there was none. */
  remove(tenant: string, id: string, version?: number): Promise<boolean>;
};

/**
 * Channels are named per tenant, too. Live URLs name them by id and key, so no two channels, of whichever tenants, have
 * the same of both (decision 19).
 */
export type ChannelStore = {
  /** Stored as version 0. */
  insert(channel: Channel): Promise<'stored' | 'idTaken' | 'keyTaken'>;
  find(tenant: string, id: string): Promise<Versioned<Channel> | undefined>;
  /** Every tenant's channels with this id. */
  named(id: string): Promise<Versioned<Channel>[]>;
  list(tenant: string, page: Page): Promise<{ total: number; items: Versioned<Channel>[] }>;
  /** Every tenant's, for the planner. */
  enabled(): Promise<Versioned<Channel>[]>;
  /** The tenant's channels that play a playlist. */
  playing(tenant: string, playlistId: string): Promise<Versioned<Channel>[]>;
  /** `changed`: the record is not of this version any more. */
  replace(channel: Versioned<Channel>): Promise<'stored' | 'changed' | 'keyTaken'>;
  remove(tenant: string, id: string, version?: number): Promise<boolean>;
};

/** Imported assets by key; a key names their very content, so what it names never changes. */
export type AssetStore = {
  /** Keeps what was imported from a URL. @returns its key */
  put(url: string, asset: Asset, importedAt: Millis): Promise<string>;
  find(key: string): Promise<Asset | undefined>;
  /** What the URL was when it was imported last. Notes that it is used. */
  latest(url: string, now: Millis): Promise<{ key: string; asset: Asset; importedAt: Millis } | undefined>;
  /**
   * Forgets imports that no channel on air shows: those not used since `before`, the longest unused beyond `most`, and
   * assets that no URL stands for any more.
   */
  forgetUnused(before: Millis, most: number, now: Millis): Promise<void>;
};
