// What planning needs of the world: assets by URL, and a place for what all nodes must know.
import type { ChannelRef } from '../channels/channelKey.ts';
import type { Millis } from '../time/units.ts';
import type { Asset } from '../timeline/asset.ts';
import type { ChannelStatus } from './status.ts';

export type Imported =
  | { readonly ok: true; readonly key: string; readonly asset: Asset }
  | { readonly ok: false; readonly reason: string };

export type AssetSource = {
  /**
   * The asset of a URL: as it was imported last, or imported now.
   * @param freshAfter import again what was imported before this (milliseconds)
   */
  find(url: string, freshAfter: number): Promise<Imported>;
};

/** An asset that is left aside because its media can't be had. */
export type ExcludedAsset = {
  /** The reason that its items are shown with. */
  readonly reason: string;
  /** It is not tried again before. */
  readonly until: Millis;
  /** How often it was left aside in a row. */
  readonly times: number;
  /** Whether it was imported since. */
  readonly isImported: boolean;
};

/** What one node has left aside the others leave aside, too. */
export type ExcludedAssetStore = {
  find(url: string): Promise<ExcludedAsset | undefined>;
  /** @param forgetBefore those that were to be tried again before are forgotten */
  put(url: string, aside: ExcludedAsset, forgetBefore: Millis): Promise<void>;
  /** Notes that it was imported, if it is left aside. */
  markImported(url: string): Promise<void>;
};

export type StoredStatus = {
  readonly channel: ChannelRef;
  /** When it was kept. */
  readonly at: Millis;
  /** Whether the channel was still being prepared. */
  readonly isPreparing: boolean;
  /** Whether an item had failed. */
  readonly hasFailed: boolean;
};

/** How channels are, as the node that planned each says, so that all nodes answer alike. */
export type ChannelStatusStore = {
  find(channel: ChannelRef): Promise<ChannelStatus | undefined>;
  /** The items of a channel may be many. */
  findWithoutItems(channel: ChannelRef): Promise<Omit<ChannelStatus, 'items'> | undefined>;
  /** Keeps what is the newest, whatever the order in which it comes. */
  put(channel: ChannelRef, status: ChannelStatus, at: Millis): Promise<void>;
  remove(channel: ChannelRef): Promise<void>;
  all(): Promise<readonly StoredStatus[]>;
};
