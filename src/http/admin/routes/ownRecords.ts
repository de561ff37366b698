// SPDX-License-Identifier: Apache-2.0
// The channels of a caller and the playlists that they play. A caller who is restricted to channels has few, so they are read
// one by one.
import type { Channel } from '../../../channels/channel.ts';
import type { Playlist } from '../../../channels/playlist.ts';
import type { ChannelStore, Page, PlaylistStore, Versioned } from '../../../channels/ports.ts';
import type { Caller } from '../request/route.ts';

type Listed<Row> = { readonly total: number; readonly items: readonly Versioned<Row>[] };

async function found<Row>(reads: readonly Promise<Row | undefined>[]): Promise<Row[]> {
  return (await Promise.all(reads)).filter((row) => row !== undefined) as Row[];
}

function pageOf<Row extends { readonly createdAt: string }>(
  rows: readonly Versioned<Row>[],
  { offset, limit }: Page,
): Listed<Row> {
  const newestFirst = rows.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  return { total: rows.length, items: newestFirst.slice(offset, offset + limit) };
}

const restricted = (store: ChannelStore, tenant: string, ids: readonly string[]): Promise<Versioned<Channel>[]> =>
  found(ids.map((id) => store.find(tenant, id)));

export async function listOwnChannels(store: ChannelStore, caller: Caller, page: Page): Promise<Listed<Channel>> {
  if (caller.channels === undefined) return store.list(caller.tenant, page);
  return pageOf(await restricted(store, caller.tenant, caller.channels), page);
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
  page: Page,
): Promise<Listed<Playlist>> {
  const ids = await ownPlaylistIds(stores.channels, caller);
  if (ids === undefined) return stores.playlists.list(caller.tenant, page);
  return pageOf(await found([...ids].map((id) => stores.playlists.find(caller.tenant, id))), page);
}
