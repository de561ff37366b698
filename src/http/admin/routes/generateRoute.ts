// The playlist of one content URL, made on the spot: nothing is fetched, nothing is stored, no key is asked for.
import { Type } from 'typebox';
import { isHttpUrl } from '../../../channels/isHttpUrl.ts';
import { type Packaging, packagingOf } from '../../../channels/packagingOf.ts';
import type { ContentItem } from '../../../channels/playlist.ts';
import { readMarkers } from '../../../channels/readMarkers.ts';
import { fieldError } from '../../../errors.ts';
import { generatedPlaylist } from '../../contract.ts';
import { parseQuery, type RawQuery, refuse } from '../request/readQuery.ts';
import type { OpenRoute } from '../request/route.ts';
import { answerFeed, MRSS } from './feed.ts';

const query = Type.Object({
  content: Type.String({ maxLength: 8192, description: 'URL of the content, http or https' }),
  packaging: Type.Optional(
    Type.Enum(['hls', 'dash'], { description: "by the URL's ending when omitted (.m3u8, .mpd)" }),
  ),
  format: Type.Enum(['json', 'mrss'], {
    default: 'json',
    description: 'form of the answer',
  }),
  markers: Type.Optional(
    Type.String({ description: 'ad markers, <seconds>,<maxAds>,<maxDuration>, separated by semicolons' }),
  ),
});

export const generateRoute: OpenRoute = {
  isOpen: true,
  tag: 'playlists',
  method: 'GET',
  path: '/api/unsecured-v2/playlists/generate',
  operationId: 'generatePlaylist',
  summary: 'Generate a playlist without storing it',
  query,
  answer: { status: 200, description: 'the playlist', schema: generatedPlaylist, text: [MRSS] },
  errors: [422],
  example: { query: { content: 'https://media.example.com/film/master.m3u8', markers: '0,1,15;300,4,60' } },
  handle: async (request) => {
    const { content, packaging, format, markers } = readGenerateQuery(request.query);
    const item: ContentItem = { sourceType: 'url', url: content, spliceType: 'seconds', cuePoints: markers };
    if (format === 'json') return { status: 200, json: { type: 'vod', contents: [item] } };
    return answerFeed({ title: content, link: content, guid: content, contents: [item], packaging });
  },
};

/** @throws {AppError} VALIDATION_ERROR that names every parameter, and every marker, that offends */
function readGenerateQuery(raw: RawQuery) {
  const { values, faults } = parseQuery(query, raw);
  const { content, packaging, format, markers } = values;
  if (typeof content === 'string' && !isHttpUrl(content))
    faults.push(fieldError('url', '/content', 'must be an http or https URL'));
  const told = packaging ?? packagingOf(String(content));
  if (told === undefined && content !== undefined)
    faults.push(fieldError('required', '/packaging', 'is required: the ending of content is neither .m3u8 nor .mpd'));
  const read = readMarkers(typeof markers === 'string' ? markers : '');
  refuse([...faults, ...read.faults], 'The query is not valid.');
  return {
    content: content as string,
    packaging: told as Packaging,
    format: format as 'json' | 'mrss',
    markers: read.cuePoints,
  };
}
