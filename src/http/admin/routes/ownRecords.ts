// SPDX-License-Identifier: Apache-2.0
// The channels of a caller and the playlists that they play. A caller who is restricted to channels has few, so they are read
// one by one.
import type { Channel } from '../../../channels/channel.ts';
import type { Playlist } from '../../../channels/playlist.ts';
import type { ChannelStore, Listed, Listing, PlaylistStore, Versioned } from '../../../channels/ports.ts';
import type { ProblemKind } from '../../contract/statusContract.ts';
import type { Caller } from '../request/route.ts';
import type { Problems } from './ports.ts';

async function found<Row>(reads: readonly Promise<Row | undefined>[]): Promise<Row[]> {
  return (await Promise.all(reads)).filter((row) => row !== undefined) as Row[];
}

type Record = { readonly id: string; readonly name?: string; readonly createdAt: string; readonly modifiedAt?: string };

const keys = {
  createdAt: ({ createdAt }: Record) => createdAt,
  modifiedAt: ({ createdAt, modifiedAt }: Record) => modifiedAt ?? createdAt,
  name: ({ id, name }: Record) => (name || id).toLowerCase(),
};

/** As the store lists all records; without cursors, since there are few. */
function pageOf<Row extends Record & { readonly type?: string }>(
  rows: readonly Versioned<Row>[],
  { offset, limit, search, type, sort = { field: 'createdAt', isDescending: true } }: Listing,
): Listed<Versioned<Row>> {
  const text = search?.toLowerCase() ?? '';
  const matching = rows.filter(
    (row) =>
      (type === undefined || row.type === type) &&
      (keys.name(row).includes(text) || row.id.toLowerCase().includes(text)),
  );
  const keyOf = keys[sort.field];
  const sorted = matching.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
  const items = sort.isDescending ? sorted.toReversed() : sorted;
  return { total: items.length, items: items.slice(offset, offset + limit) };
}

const restricted = (store: ChannelStore, tenant: string, ids: readonly string[]): Promise<Versioned<Channel>[]> =>
  found(ids.map((id) => store.find(tenant, id)));

/** @param kind `any` for problems of any kind @returns ids, or undefined without a kind */
export async function channelsWith(
  problems: Problems,
  tenant: string,
  kind: ProblemKind | 'any' | undefined,
): Promise<string[] | undefined> {
  if (kind === undefined) return undefined;
  const all = [...(await problems.ofTenant(tenant))];
  return all.filter(([, own]) => kind === 'any' || own.some((one) => one.kind === kind)).map(([id]) => id);
}

export async function listOwnChannels(
  store: ChannelStore,
  caller: Caller,
  listing: Listing,
): Promise<Listed<Versioned<Channel>>> {
  if (caller.channels === undefined) return store.list(caller.tenant, listing);
  const { status, playlistId, ids } = listing;
  const own = (await restricted(store, caller.tenant, caller.channels)).filter(
    (channel) =>
      (status === undefined || channel.state === status) &&
      (ids === undefined || ids.includes(channel.id)) &&
      (playlistId === undefined || channel.playlistId === playlistId),
  );
  return pageOf(own, listing);
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
  const own = await found([...ids].map((id) => stores.playlists.find(caller.tenant, id)));
  const { status } = listing;
  return pageOf(status === undefined ? own : own.filter((one) => (one.status ?? 'disabled') === status), listing);
}
