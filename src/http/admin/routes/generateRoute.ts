// SPDX-License-Identifier: Apache-2.0
// Generates the playlist of one content URL. Fetches and stores nothing, and requires no API key.
import { Type } from 'typebox';
import { type Packaging, packagingOf } from '../../../channels/packagingOf.ts';
import type { ContentItem } from '../../../channels/playlist.ts';
import { readMarkers } from '../../../channels/readMarkers.ts';
import { urlFaults } from '../../../channels/urlFaults.ts';
import { fieldError } from '../../../errors.ts';
import { oneOf, text, urlText } from '../../contract/commonContract.ts';
import { generatedPlaylist } from '../../contract/playlistContract.ts';
import { parseQuery, type RawQuery, rejectQuery } from '../request/readQuery.ts';
import { type OpenRoute, ok } from '../request/route.ts';
import { chooseFormat, feedResponse, formatQuery, MRSS } from './feed.ts';

const query = Type.Object({
  content: urlText('http or https URL of the content.'),
  packaging: Type.Optional(oneOf(['hls', 'dash'], 'Default: derived from the extension of the URL, .m3u8 or .mpd.')),
  ...formatQuery.properties,
  markers: Type.Optional(
    text('Ad markers `<seconds>,<maxAds>,<maxDuration>`, separated by semicolons. -1 seconds is a post-roll.'),
  ),
});

export const generateRoute: OpenRoute = {
  isOpen: true,
  tag: 'playlists',
  method: 'GET',
  path: '/api/unsecured-v2/playlists/generate',
  operationId: 'generatePlaylist',
  summary: 'Generate a playlist without storing it',
  description: 'The query parameter `format` overrides the Accept header. Without both, the response is JSON.',
  query,
  headers: { accept: '`application/json` or `application/rss+xml`.' },
  response: ok('The playlist.', generatedPlaylist, { text: [MRSS] }),
  errors: [422],
  example: { query: { content: 'https://media.example.com/film/master.m3u8', markers: '0,1,15;300,4,60' } },
  handle: async (request) => {
    const { content, packaging, markers, ...given } = readGenerateQuery(request.query);
    const format = chooseFormat(given.format, request.headers.accept);
    const vary = { vary: 'accept' };
    const item: ContentItem = { sourceType: 'url', url: content, spliceType: 'seconds', cuePoints: markers };
    const playlist = { type: 'vod', contents: [item] } as const;
    if (format === 'json') return { status: 200, headers: vary, json: playlist };
    return feedResponse({ title: content, link: content, playlist, packaging }, vary);
  },
};

/** @throws {AppError} VALIDATION_ERROR with every invalid parameter and every invalid marker */
function readGenerateQuery(raw: RawQuery) {
  const { values, faults } = parseQuery(query, raw);
  const { content, packaging, format, markers } = values;
  faults.push(...urlFaults(content, '/content'));
  const chosen = packaging ?? packagingOf(String(content));
  if (chosen === undefined && content !== undefined)
    faults.push(
      fieldError('required', '/packaging', 'is required, because the path of content ends in neither .m3u8 nor .mpd'),
    );
  const read = readMarkers(typeof markers === 'string' ? markers : '');
  rejectQuery([...faults, ...read.faults]);
  return {
    content: content as string,
    packaging: chosen as Packaging,
    format: format as 'json' | 'mrss' | undefined,
    markers: read.cuePoints,
  };
}
