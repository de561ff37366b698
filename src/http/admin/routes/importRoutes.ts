// SPDX-License-Identifier: Apache-2.0
// Checks a source before it is added to a playlist: whether it can be played, its duration and its cut points.
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import { positionFaults } from '../../../channels/playlistFaults.ts';
import { urlFaults } from '../../../channels/urlFaults.ts';
import { AppError } from '../../../errors.ts';
import { type ImportBody, type ImportResponse, importBody, importResponse } from '../../contract/consoleContract.ts';
import type { DeepReadonly } from '../../contract/matching.ts';
import type { KeyedRoute } from '../request/route.ts';
import type { AdminDeps } from './ports.ts';
import { readBody } from './record.ts';

export const importRoutes = ({ checkSource }: AdminDeps): KeyedRoute[] => [
  {
    tag: 'playlists',
    method: 'POST',
    path: '/api/v2/imports',
    operationId: 'checkSource',
    summary: 'Check a source: can it be played, how long is it, and where would cue points land',
    description:
      'Reads the manifest and measures its segments, as a channel does. Responds within ten seconds, with state ' +
      '`importing` if the import has not finished; repeat the request to wait for the same import. Changes nothing on air.',
    body: { schema: importBody },
    response: { status: 200, description: 'Properties of the source.', schema: importResponse },
    errors: [429],
    example: {
      body: {
        url: 'https://media.example.com/film/master.m3u8',
        spliceType: 'percent',
        cuePoints: [{ spliceTime: 50, maxDuration: 30 }],
      },
    },
    handle: async ({ body, caller }) => {
      const rules = { noun: 'source', schema: importBody, ignored: [] };
      const { url, ...options } = (await readBody(body, rules, async (fields) => [
        ...urlFaults(fieldsOf(fields).url, '/url'),
        ...positionFaults(fieldsOf(fields), ''),
      ])) as ImportBody;
      const found = await checkSource(caller.tenant, url, options);
      if (found === 'busy')
        throw new AppError('TOO_MANY_REQUESTS', 'Too many sources are being imported. Retry in a few seconds.');
      return { status: 200, json: { url, ...found } satisfies DeepReadonly<ImportResponse> };
    },
  },
];
