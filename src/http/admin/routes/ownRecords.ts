// SPDX-License-Identifier: Apache-2.0
// The channels of a caller and the playlists that they play.
import { Type } from 'typebox';
import type { Channel } from '../../../channels/channel.ts';
import type { Playlist } from '../../../channels/playlist.ts';
import type { ChannelStore, Listed, Listing, PlaylistStore, Versioned } from '../../../channels/ports.ts';
import { channelFilter } from '../../contract/listContract.ts';
import { readPlace } from '../request/readListing.ts';
import { pageQuery, type RawQuery, readQuery } from '../request/readQuery.ts';
import type { Caller } from '../request/route.ts';

export const channelListQuery = Type.Object({ ...pageQuery.properties, ...channelFilter });

export function readChannelListing(raw: RawQuery) {
  const { q, type, state, playlist, label, ...given } = readQuery(channelListQuery, raw);
  const place = readPlace(given);
  const listing: Listing = { ...place, search: q, type, status: state, playlistId: playlist, labels: label };
  return { place, listing };
}

export const listOwnChannels = (
  store: ChannelStore,
  { tenant, channels: ids }: Caller,
  listing: Listing,
): Promise<Listed<Versioned<Channel>>> => store.list(tenant, { ...listing, ids });

/** Undefined for all playlists. */
async function ownPlaylistIds(store: ChannelStore, { tenant, channels: ids }: Caller): Promise<string[] | undefined> {
  if (ids === undefined) return undefined;
  const { items } = await store.list(tenant, { offset: 0, limit: ids.length, ids });
  return [...new Set(items.map(({ playlistId }) => playlistId).filter((id) => id !== undefined))];
}

export async function isOwnPlaylist(store: ChannelStore, caller: Caller, id: string): Promise<boolean> {
  return (await ownPlaylistIds(store, caller))?.includes(id) ?? true;
}

export const listOwnPlaylists = async (
  stores: { readonly channels: ChannelStore; readonly playlists: PlaylistStore },
  caller: Caller,
  listing: Listing,
): Promise<Listed<Versioned<Playlist>>> =>
  stores.playlists.list(caller.tenant, { ...listing, ids: await ownPlaylistIds(stores.channels, caller) });
