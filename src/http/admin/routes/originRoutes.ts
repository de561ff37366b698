// SPDX-License-Identifier: Apache-2.0
// Live channels: analysing an origin before it is saved, and the breaks that were found in origins on air.
import { Type } from 'typebox';
import type { Channel } from '../../../channels/channel.ts';
import { backupFaults } from '../../../channels/channelFaults.ts';
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import { urlFaults } from '../../../channels/urlFaults.ts';
import { AppError } from '../../../errors.ts';
import type { SeenBreak } from '../../../ingest/live/originAnalysis.ts';
import type { BreakFact, BreakWarning } from '../../../live/breaks/breakFact.ts';
import type { AnalysedOrigin } from '../../../planning/live/analyseChannel.ts';
import type { OriginBreaks } from '../../../planning/live/readBreaks.ts';
import { flicksToMillis, flicksToSeconds, type Millis, millis } from '../../../time/units.ts';
import type { Instant } from '../../../timeline/programme/span.ts';
import {
  type AnalysisBody,
  type AnalysisResponse,
  analysisBody,
  analysisResponse,
  type LiveBreaks,
  liveBreaks,
} from '../../liveContract.ts';
import type { DeepReadonly } from '../../matching.ts';
import { pageQuery, readQuery } from '../request/readQuery.ts';
import { readRange, timeText } from '../request/readRange.ts';
import type { AdminRequest, KeyedRoute } from '../request/route.ts';
import type { AdminDeps } from './ports.ts';
import { readBody } from './record.ts';

const iso = (time: Millis): string => new Date(time).toISOString();
const instant = ({ millis, rest }: Instant): string => iso((millis + flicksToMillis(rest)) as Millis);

const MAX_WARNINGS = 100;

/** The latest time that a date can hold. */
const LATEST = millis(8.64e15);

const breaksQuery = Type.Object({
  from: timeText('Breaks that start from this time on, ISO 8601 or UNIX seconds. Default: all.'),
  to: timeText('Breaks that start before this time. Default: all.'),
  ...pageQuery.properties,
});

const showSeen = ({ startsAt, endsAt, ...seen }: SeenBreak) => ({
  ...seen,
  ...(startsAt === undefined ? {} : { startsAt: iso(startsAt) }),
  ...(endsAt === undefined ? {} : { endsAt: iso(endsAt) }),
});
const showOrigin = ({ breaks, ...found }: AnalysedOrigin) => ({ ...found, breaks: breaks.map(showSeen) });

type Origin = OriginBreaks['origin'];
type ShownBreak = DeepReadonly<LiveBreaks>['items'][number];
type Listed<T> = { readonly origin: Origin; readonly of: T };

function showBreak({ origin, of }: Listed<BreakFact>, warnings: readonly Listed<BreakWarning>[]): ShownBreak {
  const { id, startsAt, duration, endsAt, announcedAt, isInsertionPoint, source, sourceId, upid, raw, line } = of;
  const warning = warnings.find((one) => one.origin === origin && one.of.at === announcedAt && one.of.line === line);
  return {
    ...{ id, origin, startsAt: instant(startsAt) },
    ...(duration === undefined ? {} : { duration: flicksToSeconds(duration) }),
    ...(endsAt === undefined ? {} : { endsAt: instant(endsAt) }),
    announcedAt: iso(announcedAt),
    ...(isInsertionPoint ? { isInsertionPoint } : {}),
    source,
    ...(sourceId === undefined ? {} : { sourceId }),
    ...(upid === undefined ? {} : { upid }),
    ...{ raw, line },
    ...(warning === undefined ? {} : { warning: warning.of.text }),
  };
}

/** @param find the channel of a request */
export function originRoutes(
  { analyseSources, liveBreaksOf }: AdminDeps,
  path: string,
  find: (request: AdminRequest) => Promise<Channel>,
): KeyedRoute[] {
  const analyse: KeyedRoute = {
    tag: 'channels',
    method: 'POST',
    path: `${path}/analyse`,
    operationId: 'analyseLiveOrigin',
    summary: 'Analyse a live origin before it is saved',
    description:
      'Reads the manifests and measures the newest segments, as a `live` channel does. An origin that fails has `problems`; the status is 200 nevertheless. Changes nothing on air.',
    body: { schema: analysisBody },
    response: {
      status: 200,
      description: 'What each origin contains, and what will not work.',
      schema: analysisResponse,
    },
    errors: [429],
    example: { body: { sourceManifestUrl: 'https://origin.example.com/one/master.m3u8' } },
    handle: async ({ body, caller }) => {
      const rules = { noun: 'origin', schema: analysisBody, ignored: [] };
      const sources = (await readBody(body, rules, async (fields) => {
        const { sourceManifestUrl, sourceDashUrl, backupManifestUrls } = fieldsOf(fields);
        return [
          ...urlFaults(sourceManifestUrl, '/sourceManifestUrl'),
          ...urlFaults(sourceDashUrl, '/sourceDashUrl'),
          ...backupFaults(backupManifestUrls),
        ];
      })) as AnalysisBody;
      const found = await analyseSources(caller.tenant, sources);
      if (found === 'busy')
        throw new AppError('TOO_MANY_REQUESTS', 'Too many origins are being analysed. Retry in a few seconds.');
      const { sourceManifestUrl, sourceDashUrl, backupManifestUrls } = found;
      const json: DeepReadonly<AnalysisResponse> = {
        sourceManifestUrl: showOrigin(sourceManifestUrl),
        ...(sourceDashUrl === undefined ? {} : { sourceDashUrl: showOrigin(sourceDashUrl) }),
        ...(backupManifestUrls === undefined ? {} : { backupManifestUrls: backupManifestUrls.map(showOrigin) }),
      };
      return { status: 200, json };
    },
  };

  const breaks: KeyedRoute = {
    tag: 'channels',
    method: 'GET',
    path: `${path}/:id/breaks`,
    operationId: 'listLiveBreaks',
    summary: 'List the breaks that were found in the origins of a live channel, newest first',
    description:
      'The response for channels of other types is a 409; the breaks of linear channels are in the timeline.',
    query: breaksQuery,
    response: {
      status: 200,
      description: 'A page of breaks, with what of the markers was not used as written.',
      schema: liveBreaks,
      headers: { 'x-total-count': 'Number of items on all pages.' },
    },
    errors: [404, 409],
    example: { params: { id: 'live-one' } },
    handle: async (request) => {
      const query = readQuery(breaksQuery, request.query);
      const { from, to } = readRange(query, ({ from: first = millis(0), to: last = LATEST }) => ({
        from: first,
        to: last,
      }));
      const { offset, limit } = query;
      const channel = await find(request);
      if (channel.type !== 'live') {
        const hint = channel.type === 'vod' ? '' : ` Its breaks are in ${path}/${channel.id}/timeline.`;
        const message = `Channel "${channel.id}" must have type "live" to have this list; its type is "${channel.type}".${hint}`;
        throw new AppError('CONFLICT', message);
      }
      const isInRange = (time: Millis) => time >= from && time < to;
      const origins = await liveBreaksOf(channel);
      const warnings = origins
        .flatMap(({ origin, warnings: all }) => all.map((of): Listed<BreakWarning> => ({ origin, of })))
        .filter(({ of }) => isInRange(of.at))
        .sort((a, b) => b.of.at - a.of.at);
      const all = origins
        .flatMap(({ origin, breaks: facts }) => facts.map((of): Listed<BreakFact> => ({ origin, of })))
        .filter(({ of }) => isInRange(of.startsAt.millis))
        .sort((a, b) => b.of.startsAt.millis - a.of.startsAt.millis);
      const json: DeepReadonly<LiveBreaks> = {
        total: all.length,
        items: all.slice(offset, offset + limit).map((one) => showBreak(one, warnings)),
        warnings: warnings
          .slice(0, MAX_WARNINGS)
          .map(({ origin, of: { line, text, at } }) => ({ origin, line, text, at: iso(at) })),
      };
      return { status: 200, headers: { 'x-total-count': String(all.length) }, json };
    },
  };

  return [analyse, breaks];
}
