// SPDX-License-Identifier: Apache-2.0
// Live channels: analysing an origin before it is saved.

import { Type } from 'typebox';
import type { Channel } from '../../../channels/channel.ts';
import { backupFaults } from '../../../channels/channelFaults.ts';
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import { urlFaults } from '../../../channels/urlFaults.ts';
import { AppError } from '../../../errors.ts';
import type { SeenBreak } from '../../../ingest/live/originAnalysis.ts';
import { nextTurn } from '../../../ingest/source/inTurns.ts';
import type { AnalysedOrigin } from '../../../planning/live/analyseChannel.ts';
import { isoText } from '../../../time/units.ts';
import { timeText } from '../../contract/commonContract.ts';
import {
  type AnalysisResponse,
  analysisBody,
  analysisResponse,
  type OriginEvents,
  originEvents,
} from '../../contract/liveContract.ts';
import type { Sent } from '../../contract/matching.ts';
import { totalDocs } from '../request/readListing.ts';
import { pageQuery, readQuery } from '../request/readQuery.ts';
import { readOpenRange } from '../request/readRange.ts';
import { type AdminRequest, ok, type UntaggedRoute } from '../request/route.ts';
import type { CoreApi } from './ports.ts';
import { readFields } from './record.ts';

/** Seconds in which most analyses end. */
const RETRY_AFTER_SECONDS = 5;

const showSeen = ({ startsAt, endsAt, ...seen }: SeenBreak) => ({
  ...seen,
  startsAt: startsAt && isoText(startsAt),
  endsAt: endsAt && isoText(endsAt),
});

/** Each origin may have a thousand breaks. */
async function showOrigin({ breaks, ...found }: AnalysedOrigin) {
  await nextTurn();
  return { ...found, breaks: breaks.map(showSeen) };
}

export function analyseRoute({ analyseSources }: CoreApi, path: string): UntaggedRoute {
  return {
    scope: 'operate',
    channelAccess: 'open',
    method: 'POST',
    isReadOnly: true,
    path: `${path}/analyse`,
    operationId: 'analyseLiveOrigin',
    summary: 'Analyse a live origin before it is saved',
    description:
      'Reads the manifests and measures the newest segments, as a `live` channel does. An origin that fails has `problems`; the status is 200 nevertheless. Changes nothing on air.',
    body: { schema: analysisBody },
    response: ok('What each origin contains, and what will not work.', analysisResponse),
    errors: [429],
    example: { body: { sourceManifestUrl: 'https://origin.example.com/one/master.m3u8' } },
    handle: async ({ body, caller }) => {
      const sources = await readFields(body, 'origin', analysisBody, (fields) => {
        const { sourceManifestUrl, sourceDashUrl, backupManifestUrls } = fieldsOf(fields);
        return [
          ...urlFaults(sourceManifestUrl, '/sourceManifestUrl'),
          ...urlFaults(sourceDashUrl, '/sourceDashUrl'),
          ...backupFaults(backupManifestUrls),
        ];
      });
      const found = await analyseSources(JSON.stringify([caller.tenant, caller.actor.id]), sources);
      if (found === 'busy')
        throw new AppError(
          'TOO_MANY_REQUESTS',
          'Too many analyses of this key are in progress. Retry in a few seconds.',
          { retryAfter: RETRY_AFTER_SECONDS },
        );
      const { sourceManifestUrl, sourceDashUrl, backupManifestUrls } = found;
      const json: Sent<AnalysisResponse> = {
        sourceManifestUrl: await showOrigin(sourceManifestUrl),
        sourceDashUrl: sourceDashUrl && (await showOrigin(sourceDashUrl)),
        backupManifestUrls: backupManifestUrls && (await Promise.all(backupManifestUrls.map(showOrigin))),
      };
      return { status: 200, json };
    },
  };
}

const eventsQuery = Type.Object({
  from: timeText('Events from this time on, ISO 8601 or UNIX seconds. Default: all.'),
  to: timeText('Events before this time. Default: all.'),
  ...pageQuery.properties,
});

/** @param find the channel of a request */
export function originEventsRoute(
  { originEventsOf }: Pick<CoreApi, 'originEventsOf'>,
  path: string,
  find: (request: AdminRequest) => Promise<Channel>,
): UntaggedRoute {
  return {
    channelAccess: { param: 'id' },
    method: 'GET',
    path: `${path}/:id/origin-events`,
    operationId: 'listOriginEvents',
    summary: 'List the changes of the origins of a live channel, newest first',
    description:
      'Each change of the state of an origin, and of what is on air: the origin, a backup, or slate. Recorded while the channel has viewers. The last 7 days are kept. The response for channels of other types is a 409.',
    query: eventsQuery,
    response: ok('A page of events.', originEvents, totalDocs),
    errors: [404, 409],
    example: { params: { id: 'live-one' } },
    handle: async (request) => {
      const query = readQuery(eventsQuery, request.query);
      const range = readOpenRange(query);
      const channel = await find(request);
      if (channel.type !== 'live') {
        const message = `Channel "${channel.id}" must have type "live" to have origins; its type is "${channel.type}".`;
        throw new AppError('CONFLICT', message);
      }
      const { total, items } = await originEventsOf(channel, range, query);
      const json: Sent<OriginEvents> = {
        total,
        items: items.map(({ at, ...event }) => ({ at: isoText(at), ...event })),
      };
      return { status: 200, headers: { 'x-total-count': String(total) }, json };
    },
  };
}
