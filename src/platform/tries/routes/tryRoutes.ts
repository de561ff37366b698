// SPDX-License-Identifier: Apache-2.0
// Trying an ad request of a channel before an ad tag is saved, and replaying a past break of a session.

import type { Channel } from '../../../channels/channel.ts';
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import type { ChannelStore, FindAdSources } from '../../../channels/ports.ts';
import { urlFaults } from '../../../channels/urlFaults.ts';
import { AppError, type FieldError, fieldError } from '../../../errors.ts';
import { requireScope } from '../../../http/admin/request/authorize.ts';
import type { Caller, KeyedRoute, RouteResponse } from '../../../http/admin/request/route.ts';
import { findChannel } from '../../../http/admin/routes/findChannel.ts';
import { ownSourceIds } from '../../../http/admin/routes/ownRecords.ts';
import { readFields, recordNotFound } from '../../../http/admin/routes/record.ts';
import { withoutHeaders } from '../../../http/admin/routes/withoutHeaders.ts';
import { withoutPrices } from '../../../http/admin/routes/withoutPrices.ts';
import { isRecordId } from '../../../http/contract/commonContract.ts';
import type { Demand } from '../../../playback/request/demand.ts';
import { mayAccess } from '../../access/rules/scope.ts';
import {
  type AdTry,
  adTry,
  type BreakReplay,
  breakReplay,
  replayBody,
  type TryBody,
  tryBody,
} from '../contract/tryContract.ts';
import type { AdTries } from '../rules/adTries.ts';
import { whyNotReplayed } from '../rules/replayBreak.ts';

type Deps = {
  readonly adTries: AdTries;
  readonly channels: ChannelStore;
  readonly findSources: FindAdSources;
};

async function tryFaults(
  fields: unknown,
  caller: Caller,
  { channels, findSources }: Pick<Deps, 'channels' | 'findSources'>,
): Promise<FieldError[]> {
  const { url, source } = fieldsOf(fields);
  if (typeof source !== 'string') return urlFaults(url, '/url');
  if (url !== undefined)
    return [
      fieldError('conflict', '/url', 'must be omitted together with source, because only one of them is requested'),
    ];
  const own = await ownSourceIds(channels, caller);
  const isKnown = isRecordId(source) && (own?.includes(source) ?? true);
  if (isKnown && (await findSources(caller.tenant, [source])).has(source)) return [];
  const message = `must be the id of an ad source; got ${JSON.stringify(source.slice(0, 128))}, which does not exist`;
  return [fieldError('exists', '/source', message)];
}

/** What is tried: a URL, one ad source, or what the channel requests. */
async function demandIn(channel: Channel, { url, source }: TryBody, demandOf: AdTries['demandOf']): Promise<Demand> {
  if (url !== undefined) return { kind: 'server', source: { ...channel.adSource, url } };
  const demand = await demandOf(source === undefined ? channel : { ...channel, adSteps: [{ sources: [source] }] });
  if (demand !== undefined) return demand;
  throw new AppError('CONFLICT', `Channel "${channel.id}" has no ad source. Send the url of an ad tag.`);
}

const SESSION_ID = /^[\w-]{1,128}$/;
/** Ids of breaks are shorter. PostgreSQL rejects zero bytes in text. */
const isBreakId = (id: string): boolean => id.length <= 256 && !id.includes('\0');

/** Requests that change nothing, of which few run at once. */
const facts = { scope: 'operate', method: 'POST', isReadOnly: true, errors: [404, 409, 429] } as const;

/** @param demand that was requested: only the headers of an ad server are known before they are sent */
function responseOf(result: AdTry | BreakReplay | 'busy', caller: Caller, demand: Demand | undefined): RouteResponse {
  if (result !== 'busy') {
    const source = demand?.kind === 'server' ? demand.source : undefined;
    return { status: 200, json: withoutPrices(withoutHeaders(result, caller, source), caller) };
  }
  throw new AppError('TOO_MANY_REQUESTS', 'Too many tries and replays are under way. Retry in a few seconds.', {
    retryAfter: 2,
  });
}

export const tryRoutes = ({ adTries, channels, findSources }: Deps): KeyedRoute[] => [
  {
    ...facts,
    tag: 'channels',
    channelAccess: { param: 'id' },
    path: '/api/v2/channels/:id/try',
    operationId: 'tryAdRequest',
    summary: 'Try the ad request of a channel',
    description:
      'Makes a real ad request with the macros of a viewer, follows redirects and wrappers, and reports what viewers would be shown. An ad server that fails is part of the report; the status is 200 nevertheless. Every request has the header `x-midroll-preview: 1`. Nothing is counted or tracked and no session is stored. Creatives are queued only with `prepare`. At most 4 tries and replays of a tenant run at once on one node; others get a 429. Without the scope `manage`, the values of the headers of ad sources are masked, and prices and the texts of OpenRTB are omitted.',
    body: { schema: tryBody },
    response: { status: 200, description: 'The exchanges, and a verdict for every ad.', schema: adTry },
    example: { params: { id: 'channel-one' }, body: { parameters: { genre: 'news' }, breakDuration: 30 } },
    handle: async (request) => {
      const { caller, body } = request;
      const channel = await findChannel(request, channels);
      const given = await readFields(body, 'try', tryBody, (fields) =>
        tryFaults(fields, caller, { channels, findSources }),
      );
      // The headers of the channel's requests can contain a credential, which would be sent to that host.
      if (given.url !== undefined) requireScope(caller, 'manage', 'Trying another URL');
      const demand = await demandIn(channel, given, adTries.demandOf);
      return responseOf(await adTries.try(channel, demand, given), caller, demand);
    },
  },
  {
    ...facts,
    tag: 'sessions',
    channelAccess: 'filtered',
    path: '/api/v2/sessions/:id/breaks/:breakId/replay',
    operationId: 'replayBreak',
    summary: 'Replay a past break with the rules and creatives of now',
    description:
      'Takes the ad response in the trace of the break, and reports what the viewer would be shown now, next to what was shown then. A break whose ads were not requested is a 409; one whose request failed is empty with that reason. Changes nothing. Requests nothing, unless `wrappers` is `request`. At most 4 tries and replays of a tenant run at once on one node; others get a 429.',
    body: { schema: replayBody },
    response: { status: 200, description: 'The break then and now, with the differences.', schema: breakReplay },
    example: { params: { id: 'session-one', breakId: '0-1' }, body: {} },
    handle: async ({ params: { id = '', breakId = '' }, caller, body }) => {
      const given = await readFields(body, 'replay', replayBody);
      const isUsable = SESSION_ID.test(id) && isBreakId(breakId);
      const stored = isUsable ? await adTries.findBreak(id, breakId, caller.tenant) : undefined;
      if (stored === undefined || !mayAccess(caller, stored.session.channelId))
        throw recordNotFound('break', `${breakId} of session ${id}`);
      const problem = whyNotReplayed(stored.record);
      if (problem !== undefined) throw new AppError('CONFLICT', problem);
      const { channelId, tenant } = stored.session;
      const channel = await channels.find(tenant, channelId);
      if (channel === undefined)
        throw new AppError('CONFLICT', `Channel "${channelId}" of the session no longer exists.`);
      const demand = await adTries.demandOf(channel);
      return responseOf(await adTries.replay(channel, stored, given), caller, demand);
    },
  },
];
