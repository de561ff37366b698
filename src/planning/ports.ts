// SPDX-License-Identifier: Apache-2.0
// What planning needs from outside: assets by URL, and stores that all nodes share.
import type { ChannelRef } from '../channels/channelKey.ts';
import type { Flicks, Millis } from '../time/units.ts';
import type { Asset } from '../timeline/asset/asset.ts';
import type { ChannelStatus } from './status.ts';

export type Imported =
  | { readonly ok: true; readonly key: string; readonly asset: Asset }
  | { readonly ok: false; readonly reason: string };

export type AssetSource = {
  /** The import of a URL. @param freshAfter milliseconds; an import before this instant is repeated */
  find(url: string, freshAfter: number): Promise<Imported>;
};

export type KnownAssets = AssetSource & {
  /** `find` without an import. @returns undefined if the asset has to be imported */
  known(url: string, freshAfter: number): Promise<Imported | undefined>;
  /** Repeats an import. If that fails, the stored import stays in use. */
  refresh(url: string): Promise<Imported>;
};

/** An asset that is excluded because its media is unavailable. */
type ExcludedAsset = {
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

/**
 * Stores what a channel has aired. Call it before editions are removed.
 * @param endsAt when its life ends, unless the channel was switched off before
 * @returns false if that failed, which it has logged
 */
export type RecordAsRun = (channel: ChannelRef, endsAt?: Millis) => Promise<boolean>;

type StoredStatus = {
  readonly channel: ChannelRef;
  readonly at: Millis;
  /** Whether the channel was still being prepared. */
  readonly isPreparing: boolean;
  /** Whether an item, or an origin of a live channel, has failed. */
  readonly hasFailed: boolean;
  /** When more of its schedule has to be laid out. */
  readonly planAt?: Millis;
};

/** Channel statuses, written by the node that plans the channel, so that all nodes return the same. */
export type ChannelStatusStore = {
  find(channel: ChannelRef): Promise<ChannelStatus | undefined>;
  /** A channel may have many items. */
  findWithoutItems(channel: ChannelRef): Promise<Omit<ChannelStatus, 'items'> | undefined>;
  /** The same of several channels; default: of all that have a status. */
  withoutItems(
    channels?: readonly ChannelRef[],
  ): Promise<readonly { readonly channel: ChannelRef; readonly status: Omit<ChannelStatus, 'items'> }[]>;
  /** Keeps the newest status, in whatever order the calls arrive. */
  put(channel: ChannelRef, status: ChannelStatus, at: Millis): Promise<void>;
  /** Marks the status of a channel that is being prepared as old, unless it is newer than `at`. */
  release(channel: ChannelRef, at: Millis): Promise<void>;
  remove(channel: ChannelRef): Promise<void>;
  all(): Promise<readonly StoredStatus[]>;
};

/** The import of a title that `?content=` named. */
export type TitleImport = {
  readonly url: string;
  readonly state: 'importing' | 'ready' | 'failed';
  /** Only if it failed. */
  readonly reason?: string;
  /** The key of the asset, and its duration; only if it is ready. */
  readonly asset?: string;
  readonly duration?: Flicks;
  readonly startedAt: Millis;
  readonly updatedAt: Millis;
};

/** Imports of titles, for all nodes and for operators. They are removed with their channel. */
export type TitleStore = {
  /** Stores the state of an import, unless a newer state of the URL is stored or the channel does not exist. */
  put(channel: ChannelRef, title: TitleImport): Promise<void>;
  /** Newest first, by `startedAt`. Only the newest imports of a channel are kept. */
  list(channel: ChannelRef, most: number): Promise<readonly TitleImport[]>;
};
