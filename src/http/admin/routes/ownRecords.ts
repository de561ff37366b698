// SPDX-License-Identifier: Apache-2.0
// The channels of a caller and the playlists that they play.
import { Type } from 'typebox';
import type { Channel } from '../../../channels/channel.ts';
import { sourceIdsOf } from '../../../channels/demandFaults.ts';
import type { Playlist } from '../../../channels/playlist.ts';
import type { ChannelStore, Listed, Listing, PlaylistStore, Versioned } from '../../../channels/ports.ts';
import { channelFilter } from '../../contract/listContract.ts';
import { readPlace } from '../request/readListing.ts';
import { pageQuery, type RawQuery, readQuery } from '../request/readQuery.ts';
import type { Caller } from '../request/route.ts';
import type { CoreApi } from './ports.ts';

export const channelListQuery = Type.Object({ ...pageQuery.properties, ...channelFilter });

export function readChannelListing(raw: RawQuery) {
  const { q, type, state, playlist, adSource, label, problem, ...given } = readQuery(channelListQuery, raw);
  const place = readPlace(given);
  const listing: Listing = { ...place, search: q, type, status: state, playlistId: playlist, adSource, labels: label };
  return { place, listing, problem };
}

type Wanted = Pick<ReturnType<typeof readChannelListing>, 'listing' | 'problem'>;

export async function listOwnChannels(
  { channels, problems }: Pick<CoreApi, 'channels' | 'problems'>,
  { tenant, channels: own }: Caller,
  { listing, problem }: Wanted,
): Promise<Listed<Versioned<Channel>>> {
  if (problem === undefined) return channels.list(tenant, { ...listing, ids: own });
  const found = [...(await problems.ofTenant(tenant))].filter(
    ([id, all]) =>
      (own === undefined || own.includes(id)) && (problem === 'any' || all.some(({ kind }) => kind === problem)),
  );
  return channels.list(tenant, { ...listing, ids: found.map(([id]) => id) });
}

/** What the channels of a caller refer to; undefined for all records. */
async function idsOfOwn(
  store: ChannelStore,
  { tenant, channels: ids }: Caller,
  idsOf: (channel: Channel) => readonly (string | undefined)[],
): Promise<string[] | undefined> {
  if (ids === undefined) return undefined;
  const { items } = await store.list(tenant, { offset: 0, limit: ids.length, ids });
  return [...new Set(items.flatMap(idsOf).filter((id) => id !== undefined))];
}

const ownPlaylistIds = (store: ChannelStore, caller: Caller) =>
  idsOfOwn(store, caller, ({ playlistId }) => [playlistId]);

/** The ad sources of the channels of a caller; undefined for all. */
export const ownSourceIds = (store: ChannelStore, caller: Caller) => idsOfOwn(store, caller, sourceIdsOf);

export async function isOwnPlaylist(store: ChannelStore, caller: Caller, id: string): Promise<boolean> {
  return (await ownPlaylistIds(store, caller))?.includes(id) ?? true;
}

export const listOwnPlaylists = async (
  stores: { readonly channels: ChannelStore; readonly playlists: PlaylistStore },
  caller: Caller,
  listing: Listing,
): Promise<Listed<Versioned<Playlist>>> =>
  stores.playlists.list(caller.tenant, { ...listing, ids: await ownPlaylistIds(stores.channels, caller) });
