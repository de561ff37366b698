// SPDX-License-Identifier: Apache-2.0
// The channels of a caller and the playlists that they play. A caller who is restricted to channels has few, so they are read
// one by one.
import type { Channel } from '../../../channels/channel.ts';
import type { Listed, Listing } from '../../../channels/listing.ts';
import type { Playlist } from '../../../channels/playlist.ts';
import type { ChannelStore, PlaylistStore, Versioned } from '../../../channels/ports.ts';
import type { Caller } from '../request/route.ts';

type Listable = {
  readonly id: string;
  readonly name?: string;
  readonly createdAt: string;
  readonly modifiedAt?: string;
};
type Fields = {
  readonly type?: string;
  readonly state?: string;
  readonly status?: string;
  readonly playlistId?: string;
};

async function found<Row>(reads: readonly Promise<Row | undefined>[]): Promise<Row[]> {
  return (await Promise.all(reads)).filter((row) => row !== undefined) as Row[];
}

const includes = (text: string | undefined, search: string): boolean =>
  text?.toLowerCase().includes(search.toLowerCase()) ?? false;

/** Lists as the store does, with `offset` in place of cursors: a key has few channels. */
function pageOf<Row extends Listable & Fields>(
  rows: readonly Versioned<Row>[],
  listing: Listing,
): Listed<Versioned<Row>> {
  const { offset, limit, search, type, status, playlistId } = listing;
  const { field, isDescending } = listing.sort ?? { field: 'createdAt', isDescending: true };
  const matching = rows.filter(
    (row) =>
      (search === undefined || includes(row.id, search) || includes(row.name, search)) &&
      (type === undefined || row.type === type) &&
      (status === undefined || (row.status ?? row.state) === status) &&
      (playlistId === undefined || row.playlistId === playlistId),
  );
  const keyOf = (row: Row) => row[field] ?? row.createdAt;
  const sorted = matching.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)) * (isDescending ? -1 : 1));
  return { total: matching.length, items: sorted.slice(offset, offset + limit) };
}

const restricted = (store: ChannelStore, tenant: string, ids: readonly string[]): Promise<Versioned<Channel>[]> =>
  found(ids.map((id) => store.find(tenant, id)));

export async function listOwnChannels(
  store: ChannelStore,
  caller: Caller,
  listing: Listing,
): Promise<Listed<Versioned<Channel>>> {
  if (caller.channels === undefined) return store.list(caller.tenant, listing);
  return pageOf(await restricted(store, caller.tenant, caller.channels), listing);
}

/** Undefined for all playlists. */
async function ownPlaylistIds(store: ChannelStore, { tenant, channels }: Caller): Promise<Set<string> | undefined> {
  if (channels === undefined) return undefined;
  const ids = (await restricted(store, tenant, channels)).map(({ playlistId }) => playlistId);
  return new Set(ids.filter((id) => id !== undefined));
}

export async function isOwnPlaylist(store: ChannelStore, caller: Caller, id: string): Promise<boolean> {
  return (await ownPlaylistIds(store, caller))?.has(id) ?? true;
}

export async function listOwnPlaylists(
  stores: { readonly channels: ChannelStore; readonly playlists: PlaylistStore },
  caller: Caller,
  listing: Listing,
): Promise<Listed<Versioned<Playlist>>> {
  const ids = await ownPlaylistIds(stores.channels, caller);
  if (ids === undefined) return stores.playlists.list(caller.tenant, listing);
  return pageOf(await found([...ids].map((id) => stores.playlists.find(caller.tenant, id))), listing);
}
