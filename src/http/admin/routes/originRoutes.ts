// SPDX-License-Identifier: Apache-2.0
// Live channels: analysing an origin before it is saved.
import { backupFaults } from '../../../channels/channelFaults.ts';
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import { urlFaults } from '../../../channels/urlFaults.ts';
import { AppError } from '../../../errors.ts';
import type { SeenBreak } from '../../../ingest/live/originAnalysis.ts';
import { nextTurn } from '../../../ingest/source/inTurns.ts';
import type { AnalysedOrigin } from '../../../planning/live/analyseChannel.ts';
import type { Millis } from '../../../time/units.ts';
import {
  type AnalysisBody,
  type AnalysisResponse,
  analysisBody,
  analysisResponse,
} from '../../contract/liveContract.ts';
import type { DeepReadonly } from '../../contract/matching.ts';
import type { KeyedRoute } from '../request/route.ts';
import type { CoreApi } from './ports.ts';
import { readBody } from './record.ts';

/** Seconds in which most analyses end. */
const RETRY_AFTER_SECONDS = 5;

const iso = (time: Millis): string => new Date(time).toISOString();
const showSeen = ({ startsAt, endsAt, ...seen }: SeenBreak) => ({
  ...seen,
  ...(startsAt === undefined ? {} : { startsAt: iso(startsAt) }),
  ...(endsAt === undefined ? {} : { endsAt: iso(endsAt) }),
});

/** Each origin may have a thousand breaks. */
async function showOrigin({ breaks, ...found }: AnalysedOrigin) {
  await nextTurn();
  return { ...found, breaks: breaks.map(showSeen) };
}

export function originRoutes({ analyseSources }: CoreApi, path: string): KeyedRoute[] {
  const analyse: KeyedRoute = {
    tag: 'channels',
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
      const found = await analyseSources(JSON.stringify([caller.tenant, caller.actor.id]), sources);
      if (found === 'busy')
        throw new AppError(
          'TOO_MANY_REQUESTS',
          'Too many analyses of this key are in progress. Retry in a few seconds.',
          {
            retryAfter: RETRY_AFTER_SECONDS,
          },
        );
      const { sourceManifestUrl, sourceDashUrl, backupManifestUrls } = found;
      const json: DeepReadonly<AnalysisResponse> = {
        sourceManifestUrl: await showOrigin(sourceManifestUrl),
        ...(sourceDashUrl === undefined ? {} : { sourceDashUrl: await showOrigin(sourceDashUrl) }),
        ...(backupManifestUrls === undefined
          ? {}
          : { backupManifestUrls: await Promise.all(backupManifestUrls.map(showOrigin)) }),
      };
      return { status: 200, json };
    },
  };

  return [analyse];
}
