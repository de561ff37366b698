// SPDX-License-Identifier: Apache-2.0
// What planning needs from outside: assets by URL, and stores that all nodes share.
import type { ChannelRef } from '../channels/channelKey.ts';
import type { Millis } from '../time/units.ts';
import type { Asset } from '../timeline/asset/asset.ts';
import type { ChannelStatus } from './status.ts';

export type Imported =
  | { readonly ok: true; readonly key: string; readonly asset: Asset }
  | { readonly ok: false; readonly reason: string };

export type AssetSource = {
  /**
   * The asset of a URL: the stored import, or a new one.
   * @param freshAfter an import before this instant (milliseconds) is repeated
   */
  find(url: string, freshAfter: number): Promise<Imported>;
};

/** An asset that is excluded because its media is unavailable. */
export type ExcludedAsset = {
  /** Listed with its items. */
  readonly reason: string;
  /** No attempt is made before this instant. */
  readonly until: Millis;
  /** How many times in a row it was excluded. */
  readonly times: number;
  /** Whether it has been imported since. */
  readonly isImported: boolean;
};

/** Shared, so that all nodes exclude the same assets. */
export type ExcludedAssetStore = {
  find(url: string): Promise<ExcludedAsset | undefined>;
  /** @param forgetBefore exclusions with `until` before this instant are removed */
  put(url: string, excluded: ExcludedAsset, forgetBefore: Millis): Promise<void>;
  /** Records that the asset was imported, if it is excluded. */
  markImported(url: string): Promise<void>;
};

export type StoredStatus = {
  readonly channel: ChannelRef;
  /** When it was stored. */
  readonly at: Millis;
  /** Whether the channel was still being prepared. */
  readonly isPreparing: boolean;
  /** Whether an item has failed. */
  readonly hasFailed: boolean;
};

/** Channel statuses, written by the node that plans the channel, so that all nodes return the same. */
export type ChannelStatusStore = {
  find(channel: ChannelRef): Promise<ChannelStatus | undefined>;
  /** A channel may have many items. */
  findWithoutItems(channel: ChannelRef): Promise<Omit<ChannelStatus, 'items'> | undefined>;
  /** Keeps the newest status, in whatever order the calls arrive. */
  put(channel: ChannelRef, status: ChannelStatus, at: Millis): Promise<void>;
  remove(channel: ChannelRef): Promise<void>;
  all(): Promise<readonly StoredStatus[]>;
};
