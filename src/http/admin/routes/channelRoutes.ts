// SPDX-License-Identifier: Apache-2.0
// Channels: create, read, update, delete and list; their timeline and their sessions.

import { randomBytes, randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { PREVIEW_PARAMETER } from '../../../ads/request/preview.ts';
import type { Channel } from '../../../channels/channel.ts';
import { channelFaults } from '../../../channels/channelFaults.ts';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import type { AdHooks } from '../../../channels/demand.ts';
import { sourceIdsOf, sourcesIn } from '../../../channels/demandFaults.ts';
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import { haveSameLabels, labelsOf } from '../../../channels/labels.ts';
import type { Versioned } from '../../../channels/ports.ts';
import { type FieldError, fieldError, validationError } from '../../../errors.ts';
import { isoText } from '../../../time/units.ts';
import { sessionSummary, timelineResponse } from '../../contract/airContract.ts';
import { type ChannelBody, channelBody, channelResponse } from '../../contract/channelContract.ts';
import { channelDefaults, channelLimits } from '../../contract/channelValues.ts';
import { isRecordId, readOnlyFields } from '../../contract/commonContract.ts';
import { previewResponse } from '../../contract/consoleContract.ts';
import { requireScope, requireTenant } from '../request/authorize.ts';
import { pageHeaderDocs, pageHeaders, totalDocs } from '../request/readListing.ts';
import { pageQuery, readQuery } from '../request/readQuery.ts';
import { readTimelineRange, timelineQuery } from '../request/readRange.ts';
import { type AdminRequest, type Caller, type KeyedRoute, ok, tagged, type UntaggedRoute } from '../request/route.ts';
import { channelRemoval } from './affectedViewers.ts';
import { breakRoutes } from './breaks/breakRoutes.ts';
import { crudRoutes, type Kind, withoutSecrets } from './crud.ts';
import { demandWarnings } from './demandWarnings.ts';
import { analyseRoute, originEventsRoute } from './originRoutes.ts';
import { channelListQuery, isOwnPlaylist, listOwnChannels, ownSourceIds, readChannelListing } from './ownRecords.ts';
import type { CoreApi } from './ports.ts';
import { showRecord } from './record.ts';

/**
 * Playback URLs identify a channel by id and key across all tenants. The error reveals no more about another tenant's
 * channel than a playback URL with the same key would (docs/decisions/003-ids-per-tenant.md).
 */
function isStored(outcome: 'stored' | 'idTaken' | 'changed' | 'keyTaken'): boolean {
  if (outcome !== 'keyTaken') return outcome === 'stored';
  const message = 'is already in use with this id; must be another key, or omitted for a random one';
  throw validationError('Invalid channel', [fieldError('unique', '/apiKey', message)]);
}

/** The ad server can require a token in a header. */
const SECRETS = ['signingSecret', 'adSource.headers', 'adHooks.secret'];

/** Paths of other routes below /api/v2/channels. */
const reservedIds = ['schema', 'analyse'];
const RESERVED = 'must not be "schema" or "analyse", which are paths of other routes';

export function channelRoutes(deps: CoreApi): KeyedRoute[] {
  const { channels, adSources, onAir, now, log } = deps;
  async function showWithStatus(channel: Versioned<Channel>, withItems: boolean) {
    const { items, ...status } = await onAir.channelStatus(channel, withItems);
    const sources = await adSources.findAll(channel.tenant, withItems ? sourceIdsOf(channel) : []);
    const warnings = withItems ? demandWarnings(channel, sources) : [];
    const shown = { ...showRecord(channel), ...status, ...(withItems && items ? { items } : {}) };
    return warnings.length > 0 ? { ...shown, warnings } : shown;
  }

  const kind: Kind<Channel, ChannelBody> = {
    noun: 'channel',
    path: '/api/v2/channels',
    body: channelBody,
    response: channelResponse,
    ignored: [...readOnlyFields, 'stateReason', 'preparation', 'problems', 'items', 'titles', 'live', 'warnings'],
    store: {
      ...channels,
      insert: async (channel, entry) => isStored(await channels.insert(channel, entry)),
      replace: async (channel, entry) => isStored(await channels.replace(channel, entry)),
    },
    ...channelRemoval(deps),
    now,
    newId: randomUUID,
    isId: isRecordId,
    faults: async (fields, caller, previous) => {
      if (haveOtherLabels(fields, previous)) requireTenant(caller, 'Changing labels');
      return [
        ...(reservedIds.includes(fieldsOf(fields).id as string) ? [fieldError('reserved', '/id', RESERVED)] : []),
        ...channelFaults(fields),
        ...(await referenceFaults(deps, fields, caller, previous)),
      ];
    },
    make: ({ id: _, state, adSlateManifestUrl, contentHosts, adHooks, ...fields }, previous) => ({
      ...fields,
      ...(adHooks ? { adHooks: withSecret(adHooks, previous?.adHooks?.secret) } : {}),
      ...(contentHosts ? { contentHosts: contentHosts.map((host) => host.toLowerCase()) } : {}),
      ...(adSlateManifestUrl ? { adSlateManifestUrl } : {}),
      type: fields.type ?? channelDefaults.type,
      state: state === 'enabled' || state === 'failed' ? 'enabled' : 'disabled',
      // Players use this key, so a PUT that omits it keeps it.
      apiKey: fields.apiKey ?? previous?.apiKey ?? randomBytes(24).toString('base64url'),
      playlistSize: fields.playlistSize ?? channelLimits.playlistSize.default,
      timeShiftWindow: fields.timeShiftWindow ?? channelLimits.timeShiftWindow.default,
      tracking: fields.tracking ?? channelDefaults.tracking,
    }),
    show: (channel) => showWithStatus(channel, true),
    changed: ({ tenant, id }) => void notify({ tenant, id }),
    example: {
      id: 'channel-one',
      body: {
        name: 'Channel One',
        state: 'enabled',
        apiKey: 'for-players-of-channel-one',
        playlistId: 'evening-loop',
        adSource: { url: 'https://ads.example.com/vast?cb=[CACHEBUSTING]&len=[BREAK_DURATION]', timeoutMs: 1500 },
      },
      patch: { adSource: { timeoutMs: 1000 } },
    },
  };
  async function notify(channel: ChannelRef) {
    try {
      await onAir.onChannelChanged(channel);
    } catch (error) {
      log.error({ err: error, tenant: channel.tenant, channel: channel.id }, 'planning a changed channel failed');
    }
  }
  const { find, create, read, patch, ...others } = crudRoutes(kind);
  const params = { id: kind.example.id };
  const ofChannel = { channelAccess: { param: 'id' } } as const;

  /** Switching a channel on and off is part of operating it. */
  const patchState: UntaggedRoute = {
    ...patch,
    ...ofChannel,
    scope: 'operate',
    description: `${patch.description} Fields other than \`state\` require the scope \`manage\`.`,
    handle: async (request) => {
      const others = Object.keys(fieldsOf(request.body)).filter((name) => name !== 'state');
      if (others.length > 0) requireScope(request.caller, 'manage', `Changing ${others.slice(0, 3).join(', ')}`);
      return patch.handle(request);
    },
  };

  const list: UntaggedRoute = {
    channelAccess: 'filtered',
    method: 'GET',
    path: kind.path,
    operationId: 'listChannels',
    summary: 'List, filter, search and sort channels',
    query: channelListQuery,
    response: ok('A page of channels.', Type.Array(channelResponse), pageHeaderDocs),
    handle: async ({ caller, query }) => {
      const { place, ...wanted } = readChannelListing(query);
      const page = await listOwnChannels(deps, caller, wanted);
      const json = await Promise.all(page.items.map((channel) => showWithStatus(channel, false)));
      return { status: 200, headers: pageHeaders(place.sort, page), json };
    },
  };

  const schema: UntaggedRoute = {
    channelAccess: 'open',
    method: 'GET',
    path: `${kind.path}/schema`,
    operationId: 'getChannelSchema',
    summary: 'Get the JSON Schema of channel requests',
    response: ok('JSON Schema 2020-12.', Type.Object({}, { additionalProperties: true })),
    handle: async () => ({
      status: 200,
      json: { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Channel', ...channelBody },
    }),
  };

  const timeline: UntaggedRoute = {
    ...ofChannel,
    method: 'GET',
    path: `${kind.path}/:id/timeline`,
    operationId: 'getChannelTimeline',
    summary: 'Get the timeline of a channel',
    query: timelineQuery,
    response: ok('Content, breaks and slate in the range, in order.', timelineResponse),
    errors: [404],
    example: { params },
    handle: async (request) => {
      const query = readQuery(timelineQuery, request.query);
      const { from, to } = readTimelineRange(query, now());
      return { status: 200, json: await onAir.channelTimeline(await find(request), from, to, query.limit) };
    },
  };

  const sessions: UntaggedRoute = {
    ...ofChannel,
    method: 'GET',
    path: `${kind.path}/:id/sessions`,
    operationId: 'listChannelSessions',
    summary: 'List the sessions of a channel, newest first',
    query: pageQuery,
    response: ok('A page of sessions.', Type.Array(sessionSummary), totalDocs),
    errors: [404],
    example: { params },
    handle: async (request) => {
      const page = readQuery(pageQuery, request.query);
      const { total, items } = await onAir.channelSessions(await find(request), page);
      return { status: 200, headers: { 'x-total-count': String(total) }, json: items };
    },
  };

  return tagged('channels', [
    withoutSecrets(list, SECRETS),
    create,
    schema,
    withoutSecrets({ ...read, ...ofChannel }, SECRETS),
    ...Object.values(others).map((route) => ({ ...route, ...ofChannel })),
    withoutSecrets(patchState, SECRETS),
    timeline,
    sessions,
    analyseRoute(deps, kind.path),
    ...breakRoutes(deps, kind.path, find),
    originEventsRoute(deps, kind.path, find),
    previewRoute(deps, kind.path, find),
  ]);
}

// The token with which an operator plays a channel without counted impressions.

/** @param find the channel of a request */
function previewRoute(
  { previewTokens }: Pick<CoreApi, 'previewTokens'>,
  path: string,
  find: (request: AdminRequest) => Promise<Channel>,
): UntaggedRoute {
  return {
    scope: 'read',
    channelAccess: { param: 'id' },
    method: 'POST',
    isReadOnly: true,
    path: `${path}/:id/preview`,
    operationId: 'previewChannel',
    summary: 'Get a token for previews of a channel',
    description: `Add the token to a playback URL as \`${PREVIEW_PARAMETER}\`. The session that the URL opens is a preview: its ad requests have the header \`x-midroll-preview: 1\`, no tracking or Error URL is called, and reports do not contain its breaks.`,
    response: ok('The token.', previewResponse),
    errors: [404],
    example: { params: { id: 'channel-one' } },
    handle: async (request) => {
      const { token, expiresAt } = previewTokens.create(await find(request));
      return { status: 200, json: { token, expiresAt: isoText(expiresAt) } };
    },
  };
}

/** Keys can have labels, so who changes those of a channel changes who has access to it. @param fields not yet validated */
function haveOtherLabels(fields: unknown, previous: Channel | undefined): boolean {
  const textsOf = (value: unknown) => (Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []);
  const { labels, adSource } = fieldsOf(fields);
  const next = [...textsOf(labels), ...textsOf(fieldsOf(adSource).labels)];
  return !haveSameLabels(previous ? labelsOf(previous) : [], next);
}

/** Services verify calls by this secret, so a PUT that omits it keeps it. */
const withSecret = ({ secret, ...hooks }: AdHooks, previous: string | undefined): AdHooks => ({
  ...hooks,
  secret: secret ?? previous ?? `whsec_${randomBytes(32).toString('base64')}`,
});

/** Referenced records must exist when the reference is set. They can be deleted later. */
async function referenceFaults(
  { channels, playlists, systems, adSources }: Pick<CoreApi, 'channels' | 'playlists' | 'systems' | 'adSources'>,
  fields: unknown,
  caller: Caller,
  previous?: Channel,
): Promise<FieldError[]> {
  const { tenant } = caller;
  const { playlistId, systemId, type, adSteps } = fieldsOf(fields);
  const faults: FieldError[] = [];
  const addFault = (keyword: string, path: string, expected: string, id: string, why: string) =>
    faults.push(fieldError(keyword, path, `must be the id of ${expected}; got "${id.slice(0, 128)}", which ${why}`));
  const isNewType = type === 'vod' && type !== previous?.type;
  const isNew = (id: unknown, before: string | undefined): id is string => typeof id === 'string' && id !== before;
  const isNewPlaylist = isNew(playlistId, previous?.playlistId);
  if (typeof playlistId === 'string' && isRecordId(playlistId) && (isNewPlaylist || isNewType)) {
    const isOwn = !isNewPlaylist || (await isOwnPlaylist(channels, caller, playlistId));
    const playlist = isOwn ? await playlists.find(tenant, playlistId) : undefined;
    if (playlist === undefined && isNewPlaylist)
      addFault('exists', '/playlistId', 'a playlist', playlistId, 'does not exist');
    const expected = 'a playlist of type "vod" because the channel has this type';
    if (type === 'vod' && playlist?.type === 'vod2live')
      addFault('playlistType', '/playlistId', expected, playlistId, 'has type "vod2live"');
  }
  // Systems belong to the whole tenant.
  const mayUse = async (id: string) => caller.channels === undefined && (await systems.has(tenant, id));
  if (isNew(systemId, previous?.systemId) && !(await mayUse(systemId)))
    addFault('exists', '/systemId', 'a system', systemId, 'does not exist');
  const before = sourceIdsOf(previous ?? {});
  const added = sourcesIn(adSteps).filter(({ id }) => isRecordId(id) && !before.includes(id));
  const own = added.length === 0 ? undefined : await ownSourceIds(channels, caller);
  const ids = added.map(({ id }) => id).filter((id) => own?.includes(id) ?? true);
  const found = await adSources.findAll(tenant, ids);
  for (const { id, path } of added) if (!found.has(id)) addFault('exists', path, 'an ad source', id, 'does not exist');
  return faults;
}
