// SPDX-License-Identifier: Apache-2.0
// Playlists: create, read as JSON or MRSS, update, delete and list; the status of their items.
import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { type ContentItem, fillPlaceholders, type Playlist } from '../../../channels/playlist.ts';
import { playlistFaults } from '../../../channels/playlistFaults.ts';
import type { Versioned } from '../../../channels/ports.ts';
import { urlFaults } from '../../../channels/urlFaults.ts';
import { isRecordId, readOnlyFields, text } from '../../contract/commonContract.ts';
import { playlistFilter } from '../../contract/listContract.ts';
import { type PlaylistBody, playlistBody, playlistResponse } from '../../contract/playlistContract.ts';
import { itemStatus } from '../../contract/statusContract.ts';
import { entityTag, isKnown } from '../request/entityTag.ts';
import { pageHeaderDocs, pageHeaders, readPlace } from '../request/readListing.ts';
import { pageQuery, readQuery, rejectQuery } from '../request/readQuery.ts';
import { type AdminRequest, type KeyedRoute, ok, tagged, type UntaggedRoute } from '../request/route.ts';
import { affectedHeaders, countViewers, viewersHeader } from './affectedViewers.ts';
import { crudRoutes, type Kind } from './crud.ts';
import { chooseFormat, feedRequest, feedResponse, feedTypes, formatQuery, MRSS } from './feed.ts';
import { isOwnPlaylist, listOwnPlaylists } from './ownRecords.ts';
import type { CoreApi } from './ports.ts';
import { recordNotFound, restoreHeader, showRecord } from './record.ts';

const item = {
  sourceType: 'url',
  url: 'https://media.example.com/film/master.m3u8',
  duration: 600,
  spliceType: 'seconds',
  cuePoints: [
    { spliceTime: 0, maxDuration: 15, maxAds: 1 },
    { spliceTime: 300, maxDuration: 60, maxAds: 4 },
  ],
};

/** Durations can be sent as text; they are stored as numbers. `sourceType` can be omitted; it is always stored. */
const toStored = (item: NonNullable<PlaylistBody['contents']>[number]): ContentItem => ({
  ...(item as ContentItem),
  sourceType: item.sourceType ?? (item.url === undefined ? 'placeholder' : 'url'),
  ...(item.duration === undefined ? {} : { duration: Number(item.duration) }),
});

const listQuery = Type.Object({ ...pageQuery.properties, ...playlistFilter });

const readOneQuery = Type.Object({
  content: Type.Optional(text('URL to use for placeholders.', { maxLength: 8192 })),
  ...formatQuery.properties,
});

export function playlistRoutes(deps: CoreApi): KeyedRoute[] {
  const { playlists, channels, onAir, now, log, baseUrl } = deps;
  /** The headers about the viewers of the channels that play a playlist. */
  const affected = async ({ tenant, id }: Playlist) =>
    affectedHeaders(
      await countViewers(deps, tenant, async () => (await channels.playing(tenant, id)).map((channel) => channel.id)),
    );
  const kind: Kind<Playlist, PlaylistBody> = {
    noun: 'playlist',
    path: '/api/v2/playlists',
    body: playlistBody,
    textTypes: feedTypes,
    readXml: (feed) => feedRequest(feed, playlistBody),
    response: playlistResponse,
    ignored: readOnlyFields,
    store: playlists,
    discard: async (playlist, request) => {
      const headers = await affected(playlist);
      const restore = await deps.discard('playlist', playlist, request);
      return restore && { ...restore, ...headers };
    },
    discarding: { headers: { ...restoreHeader, ...viewersHeader } },
    affected: { headers: viewersHeader, of: affected },
    now,
    newId: randomUUID,
    isId: isRecordId,
    faults: async (fields) => playlistFaults(fields),
    make: ({ id: _, contents, ...fields }) => ({
      ...fields,
      status: fields.status ?? 'disabled',
      ...(contents ? { contents: contents.map(toStored) } : {}),
    }),
    show: async (playlist) => showRecord(playlist),
    changed: ({ id, tenant }) => void notify(id, tenant),
    example: {
      id: 'evening-loop',
      body: { name: 'Evening loop', type: 'vod2live', status: 'enabled', contents: [item] },
      patch: { status: 'disabled' },
    },
  };
  async function notify(id: string, tenant: string) {
    try {
      await onAir.onPlaylistChanged(id, tenant);
    } catch (error) {
      log.error({ err: error, playlist: id }, 'planning the channels of a changed playlist failed');
    }
  }
  const { find, create, read, ...others } = crudRoutes(kind);

  async function findOwn(request: AdminRequest) {
    const playlist = await find(request);
    if (await isOwnPlaylist(channels, request.caller, playlist.id)) return playlist;
    throw recordNotFound(kind.noun, playlist.id);
  }

  const list: UntaggedRoute = {
    channelAccess: 'filtered',
    method: 'GET',
    path: kind.path,
    operationId: 'listPlaylists',
    summary: 'List, filter, search and sort playlists',
    query: listQuery,
    response: ok('A page of playlists.', Type.Array(playlistResponse), pageHeaderDocs),
    example: { query: { offset: '0', limit: '20' } },
    handle: async ({ caller, query }) => {
      const { q, type, status, label, ...given } = readQuery(listQuery, query);
      const place = readPlace(given);
      const listing = { ...place, search: q, type, status, labels: label };
      const page = await listOwnPlaylists({ channels, playlists }, caller, listing);
      return { status: 200, headers: pageHeaders(place.sort, page), json: page.items.map(showRecord) };
    },
  };

  const readOne: KeyedRoute = {
    ...read,
    channelAccess: 'filtered',
    summary: 'Read a playlist as JSON or MRSS',
    description: 'The query parameter `format` overrides the Accept header. Without both, the response is JSON.',
    query: readOneQuery,
    headers: {
      accept: '`application/json` or `application/rss+xml`.',
      'if-none-match': 'ETag of a known version. The response is a 304 if it is still current.',
    },
    response: { ...read.response, text: [MRSS] },
    errors: [404],
    handle: async (request) => {
      const { content, format } = readQuery(readOneQuery, request.query);
      rejectQuery(urlFaults(content, '/content'));
      const stored = await findOwn(request);
      const { contents } = stored;
      const playlist: Versioned<Playlist> =
        contents && content !== undefined ? { ...stored, contents: fillPlaceholders(contents, content) } : stored;
      const vary = { vary: 'accept' };
      if (chooseFormat(format, request.headers.accept) === 'mrss') {
        const statuses = await itemStatuses(playlist);
        const { id, name } = playlist;
        const source = {
          title: name || id,
          link: `${baseUrl(request)}${kind.path}/${id}`,
          playlist,
          durationOf: (index: number) => statuses[index]?.duration,
        };
        return feedResponse(source, vary);
      }
      const headers = { etag: entityTag(stored), ...vary };
      if (isKnown(request.headers['if-none-match'], headers.etag)) return { status: 304, headers };
      return { status: 200, headers, json: showRecord(playlist) };
    },
  };

  /** The statuses of the items in the first channel that plays the playlist. */
  async function itemStatuses(playlist: Playlist) {
    for (const channel of await channels.playing(playlist.tenant, playlist.id)) {
      const { items } = await onAir.channelStatus(channel, true);
      if (items) return items;
    }
    return [];
  }

  const items: UntaggedRoute = {
    channelAccess: 'filtered',
    method: 'GET',
    path: `${kind.path}/:id/items`,
    operationId: 'listPlaylistItems',
    summary: 'List the status of each item: import result, duration and cue points',
    description: 'Available once an enabled channel plays the playlist; an empty array before that.',
    response: ok('One status for each item.', Type.Array(itemStatus)),
    errors: [404],
    example: { params: { id: kind.example.id } },
    handle: async (request) => ({ status: 200, json: await itemStatuses(await findOwn(request)) }),
  };

  return tagged('playlists', [list, create, readOne, items, ...Object.values(others)]);
}
