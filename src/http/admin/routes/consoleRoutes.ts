// SPDX-License-Identifier: Apache-2.0
// Overviews in one request each: this installation, and what is on air on every channel.

import { Type } from 'typebox';
import type { Channel } from '../../../channels/channel.ts';
import { fieldError } from '../../../errors.ts';
import { mayAccess } from '../../../platform/access/rules/scope.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { affectedBody, affectedResponse } from '../../contract/batchContract.ts';
import { installationResponse, type OnAirChannel, onAirResponse } from '../../contract/consoleContract.ts';
import { labelsResponse, namesQuery, namesResponse } from '../../contract/listContract.ts';
import type { Sent } from '../../contract/matching.ts';
import { pageHeaderDocs, pageHeaders } from '../request/readListing.ts';
import { readQuery, rejectQuery } from '../request/readQuery.ts';
import { type KeyedRoute, ok, tagged } from '../request/route.ts';
import { channelListQuery, listOwnChannels, ownSourceIds, readChannelListing } from './ownRecords.ts';
import type { CoreApi } from './ports.ts';
import { readFields } from './record.ts';

/** How far ahead the next break is searched for. */
const LOOKAHEAD_MS = 3_600_000;
const MAX_NAMES = 100;

const idsIn = (text: string | undefined): string[] => [...new Set((text ?? '').split(',').filter((id) => id !== ''))];

export function consoleRoutes(deps: CoreApi): KeyedRoute[] {
  const { channels, playlists, systems, adSources, onAir, now, liveUrl, version } = deps;
  async function showOnAir(channel: Channel, at: Millis, viewers: number): Promise<Sent<OnAirChannel>> {
    const { id, name, type, playlistId, labels, adSource, insertion } = channel;
    const [status, { entries }] = await Promise.all([
      onAir.channelStatus(channel, false),
      onAir.channelTimeline(channel, at, millis(at + LOOKAHEAD_MS)),
    ]);
    const [current, next] = entries;
    const nextBreak = entries.find(({ kind, startsAt }) => kind === 'break' && Date.parse(startsAt) > at);
    const isEstimate = insertion === undefined || insertion === 'stitched' ? undefined : (true as const);
    const shown = {
      id,
      name,
      labels,
      adSourceLabels: adSource?.labels,
      type,
      ...status,
      playlistId,
      viewers,
      isEstimate,
    };
    return { ...shown, now: current, next, nextBreak };
  }

  return tagged('installation', [
    {
      channelAccess: 'open',
      method: 'GET',
      path: '/api/v2/installation',
      operationId: 'getInstallation',
      summary: 'Get the tenant of the key and the live URL',
      response: ok('The installation, as seen by the owner of the key.', installationResponse),
      handle: async (request) => {
        const { tenant, email } = request.caller;
        const json = {
          version,
          tenant,
          email,
          liveUrl: liveUrl(request),
          offAirGrace: deps.offAirGrace,
          degraded: deps.degraded?.(),
        };
        return { status: 200, json };
      },
    },
    {
      tag: 'channels',
      channelAccess: 'filtered',
      method: 'GET',
      path: '/api/v2/on-air',
      operationId: 'listOnAir',
      summary: 'List, filter, search and sort channels with what is on air and their viewers',
      query: channelListQuery,
      response: ok('A page of channels with what is on air.', Type.Array(onAirResponse), pageHeaderDocs),
      handle: async ({ caller, query }) => {
        const { place, ...wanted } = readChannelListing(query);
        const page = await listOwnChannels(deps, caller, wanted);
        const { items } = page;
        const at = now();
        const ids = items.map(({ id }) => id);
        const viewers = await onAir.viewerCounts(caller.tenant, ids);
        const json = await Promise.all(items.map((channel) => showOnAir(channel, at, viewers.get(channel.id) ?? 0)));
        return { status: 200, headers: pageHeaders(place.sort, page), json };
      },
    },
    {
      tag: 'channels',
      scope: 'read',
      channelAccess: 'filtered',
      method: 'POST',
      isReadOnly: true,
      path: '/api/v2/viewers',
      operationId: 'countViewers',
      summary: 'Count the viewers that changes of channels and playlists would affect',
      description: 'Channels that do not exist have no viewers.',
      body: { schema: affectedBody },
      response: ok('The viewers now.', affectedResponse),
      errors: [503],
      example: { body: { channels: ['channel-one'], playlists: ['evening-loop'] } },
      handle: async ({ caller, body }) => {
        const { tenant } = caller;
        const given = await readFields(body, 'request', affectedBody);
        const playing = await channels.idsPlaying(tenant, given.playlists ?? []);
        const ids = [...new Set([...(given.channels ?? []), ...playing])].filter((id) => mayAccess(caller, id));
        const counts = ids.length === 0 ? [] : [...(await onAir.viewerCounts(tenant, ids))];
        const watched = counts.map(([id, viewers]) => ({ id, viewers })).filter(({ viewers }) => viewers > 0);
        const viewers = watched.reduce((sum, one) => sum + one.viewers, 0);
        return { status: 200, json: { viewers, channels: watched } };
      },
    },
    {
      method: 'GET',
      path: '/api/v2/labels',
      operationId: 'listLabels',
      summary: 'List the labels in use, by name',
      description: 'The labels of the `adSource` of a channel count for the channel.',
      channelAccess: 'filtered',
      response: ok('The labels.', labelsResponse),
      handle: async ({ caller: { tenant, channels: ids } }) => {
        const [ofChannels, ofPlaylists, ofSources] = await Promise.all([
          channels.labels(tenant, ids),
          ids === undefined ? playlists.labels(tenant) : [],
          ids === undefined ? adSources.labels(tenant) : [],
        ]);
        return { status: 200, json: { channels: ofChannels, playlists: ofPlaylists, adSources: ofSources } };
      },
    },
    {
      method: 'GET',
      path: '/api/v2/names',
      operationId: 'listNames',
      summary: 'Get the names of channels, playlists, systems and ad sources by ID',
      query: namesQuery,
      channelAccess: 'filtered',
      response: ok('The names.', namesResponse),
      example: { query: { channels: 'channel-one', playlists: 'evening-loop' } },
      handle: async ({ caller, query }) => {
        const { tenant } = caller;
        const given = readQuery(namesQuery, query);
        const ids = {
          channels: idsIn(given.channels),
          playlists: idsIn(given.playlists),
          systems: idsIn(given.systems),
          adSources: idsIn(given.adSources),
        };
        rejectQuery(
          Object.entries(ids)
            .filter(([, all]) => all.length > MAX_NAMES)
            .map(([name, { length }]) =>
              fieldError('maxItems', `/${name}`, `must have at most ${MAX_NAMES} IDs; got ${length}`),
            ),
        );
        const own = ids.adSources.length === 0 ? undefined : await ownSourceIds(channels, caller);
        const [ofChannels, ofPlaylists, all, ofSources] = await Promise.all([
          channels.names(
            tenant,
            ids.channels.filter((id) => mayAccess(caller, id)),
          ),
          caller.channels === undefined ? playlists.names(tenant, ids.playlists) : [],
          ids.systems.length === 0 || caller.channels !== undefined ? [] : systems.list(tenant),
          adSources.names(
            tenant,
            ids.adSources.filter((id) => own?.includes(id) ?? true),
          ),
        ]);
        const named = all.filter(({ id }) => ids.systems.includes(id)).map(({ id, name }) => [id, name]);
        const json = {
          channels: Object.fromEntries(ofChannels),
          playlists: Object.fromEntries(ofPlaylists),
          systems: Object.fromEntries(named),
          adSources: Object.fromEntries(ofSources),
        };
        return { status: 200, json };
      },
    },
  ]);
}
