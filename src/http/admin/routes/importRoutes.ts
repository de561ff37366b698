// SPDX-License-Identifier: Apache-2.0
// Checks a source before it is added to a playlist: whether it can be played, its duration and its cut points.
import { Type } from 'typebox';
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import { positionFaults } from '../../../channels/playlistFaults.ts';
import { urlFaults } from '../../../channels/urlFaults.ts';
import { AppError } from '../../../errors.ts';
import { number, text } from '../../contract/commonContract.ts';
import {
  type ImportResponse,
  importBody,
  importResponse,
  mixBody,
  mixResponse,
} from '../../contract/consoleContract.ts';
import type { DeepReadonly } from '../../contract/matching.ts';
import { readQuery, rejectQuery } from '../request/readQuery.ts';
import { type KeyedRoute, ok } from '../request/route.ts';
import type { CoreApi } from './ports.ts';
import { readFields } from './record.ts';

const JPEG = 'image/jpeg';
const frameQuery = Type.Object({
  url: text('URL of the manifest, as in the check.', { maxLength: 8192 }),
  at: number('Seconds from the start of the source.', { minimum: 0, maximum: 1e7, default: 0 }),
});

export const importRoutes = ({ checkSource, checkMix, sourceFrame }: CoreApi): KeyedRoute[] => [
  {
    tag: 'playlists',
    method: 'GET',
    path: '/api/v2/imports/frame',
    operationId: 'getSourceFrame',
    summary: 'Get a still frame of a source',
    description:
      'The frame at a position, at most 320 pixels wide. Your tenant must have checked the source or be playing it: nothing is imported.',
    query: frameQuery,
    response: { status: 200, description: 'JPEG image.', bytes: JPEG },
    errors: [404, 429],
    example: { query: { url: 'https://media.example.com/film/master.m3u8', at: '60' } },
    handle: async ({ query, caller }) => {
      const { url, at } = readQuery(frameQuery, query);
      rejectQuery(urlFaults(url, '/url'));
      const frame = await sourceFrame(caller.tenant, url, at);
      if (frame === 'busy')
        throw new AppError('TOO_MANY_REQUESTS', 'Too many requests for frames. Retry in a few seconds.');
      if (frame === 'unknown')
        throw new AppError('NOT_FOUND', 'The source has not been imported. Check the source first.');
      if (frame === undefined) throw new AppError('NOT_FOUND', `The source has no frame at ${at} s.`);
      return { status: 200, bytes: { contentType: JPEG, content: frame } };
    },
  },
  {
    tag: 'playlists',
    scope: 'operate',
    channelAccess: 'open',
    method: 'POST',
    isReadOnly: true,
    path: '/api/v2/imports/mix',
    operationId: 'checkSourceMix',
    summary: 'Check whether sources can be played on one channel',
    description:
      'A channel plays what has the same packaging, codecs and audio layout as its first item, and leaves the rest out. ' +
      'Compares the sources that your tenant has checked or plays; others are ignored, and nothing is imported.',
    body: { schema: mixBody },
    response: ok('The sources that would be left out.', mixResponse),
    errors: [],
    example: {
      body: { urls: ['https://media.example.com/film/master.m3u8', 'https://media.example.com/trailer/master.m3u8'] },
    },
    handle: async ({ body, caller }) => {
      const { urls } = await readFields(body, 'sources', mixBody);
      return { status: 200, json: await checkMix(caller.tenant, urls) };
    },
  },
  {
    tag: 'playlists',
    scope: 'operate',
    channelAccess: 'open',
    method: 'POST',
    isReadOnly: true,
    path: '/api/v2/imports',
    operationId: 'checkSource',
    summary: 'Check a source: can it be played, how long is it, and where would cue points land',
    description:
      'Reads the manifest and measures its segments, as a channel does. Responds within ten seconds, with state ' +
      '`importing` if the import has not finished; repeat the request to wait for the same import. Changes nothing on air.',
    body: { schema: importBody },
    response: ok('Properties of the source.', importResponse),
    errors: [429],
    example: {
      body: {
        url: 'https://media.example.com/film/master.m3u8',
        spliceType: 'percent',
        cuePoints: [{ spliceTime: 50, maxDuration: 30 }],
      },
    },
    handle: async ({ body, caller }) => {
      const { url, ...options } = await readFields(body, 'source', importBody, (fields) => {
        const { url, cuePoints, spliceType } = fieldsOf(fields);
        return [...urlFaults(url, '/url'), ...positionFaults(cuePoints, '/cuePoints', spliceType)];
      });
      const found = await checkSource(caller.tenant, url, options);
      if (found === 'busy')
        throw new AppError('TOO_MANY_REQUESTS', 'Too many sources are being imported. Retry in a few seconds.');
      return { status: 200, json: { url, ...found } satisfies DeepReadonly<ImportResponse> };
    },
  },
];
