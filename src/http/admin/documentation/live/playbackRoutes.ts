// SPDX-License-Identifier: Apache-2.0
// Documentation of the routes that open sessions, and of their manifests.
import { Type } from 'typebox';
import { openedSession } from '../../../contract/airContract.ts';
import { allOptional, integer, oneOf, text } from '../../../contract/commonContract.ts';
import { feedRequestBody, hlsSkip, openedFeed, patchQuery } from '../../../contract/playerContract.ts';
import type { LiveOperation } from '../../../live/liveOperation.ts';
import { MPD, MPD_PATCH, MPEGURL } from '../../../live/reply.ts';
import { ok, type ResponseDoc, type RouteFacts } from '../../request/route.ts';

export type LiveRoute = RouteFacts & {
  /**
   * `always`: the request needs the key of the channel; `toOpen`: unless it belongs to an open session. `inHeader`: not in the
   * query.
   */
  readonly key?: 'always' | 'toOpen' | 'inHeader';
  /** Whether other query parameters are variables for the ad server. */
  readonly hasAdVariables?: true;
  /** Whether the administrative port serves it, too. */
  readonly isOnBothPorts?: true;
  /** Other responses that are not errors, by status. */
  readonly alternatives?: Readonly<Record<number, ResponseDoc>>;
  /** The descriptions of the parameters of the path, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
};

/** By operation; most have one route. */
export type LiveRoutes = Partial<Record<LiveOperation, LiveRoute | readonly LiveRoute[]>>;

const CHANNEL = { channelId: 'ID of the channel.' };
export const SESSION = { ...CHANNEL, sessionId: 'ID of the session.' };
export const sample = { channelId: 'channel-one', sessionId: '3f2b8c1e-5d4a-4b6f-9c7d-0e1f2a3b4c5d' };

/** Parameters of the requests that open a session. */
const openingQuery = Type.Object({
  'api-key': text('The `apiKey` of the channel.'),
  ...allOptional({
    start: text(
      'Where to start. Linear channels: ISO 8601, UNIX seconds, or negative seconds before now, within the `timeShiftWindow`. VoD: seconds of content.',
    ),
    content: text(
      'VoD: URL of an HLS or DASH manifest for the placeholders of the playlist. Its host must be one of `contentHosts`.',
    ),
    exp: integer('UNIX seconds until which `sig` is valid. For channels with a `signingSecret`.'),
    insertion: oneOf(
      ['stitched', 'guided', 'auto'],
      'Who inserts the ads, instead of what the channel says. What cannot be guided is stitched.',
    ),
    sig: text('HMAC-SHA256 of `<channelId>:<exp>` with the `signingSecret`, in hexadecimal.'),
  }),
});

/** 404 while the channel is off air, 409 if it is not available in the format, 503 while it is being prepared. */
const openingErrors = [401, 403, 404, 409, 422, 429, 503] as const;
const sessionErrors = [404, 409, 503] as const;

const tag = 'playback';
const method = 'GET';
const example = { params: sample };
const opening = { params: { channelId: sample.channelId }, query: { 'api-key': 'for-players-of-channel-one' } };

const view = (format: 'hls' | 'dash', operationId: string): LiveRoute => ({
  tag,
  method,
  operationId,
  key: 'always',
  hasAdVariables: true,
  parameters: CHANNEL,
  path: `/${format}/view/:channelId`,
  summary: `Open a session in ${format.toUpperCase()}`,
  description:
    'Returns the URLs of a new session. Every viewer needs a session of their own, because each one has its own ads.',
  query: openingQuery,
  response: ok('The session.', openedSession),
  errors: openingErrors,
  example: opening,
});

const { exp, sig } = openingQuery.properties;

export const feedRoute: LiveRoute = {
  tag,
  method: 'POST',
  operationId: 'openFeed',
  key: 'inHeader',
  parameters: CHANNEL,
  path: '/ad-aggregation-service/mrss/channel/:channelId',
  summary: 'Open a session for an MRSS feed',
  description:
    'For channels of type vod. The hosts of the feed and of its contents must be in the contentHosts of the channel.',
  query: Type.Object({ exp, sig }),
  body: { schema: feedRequestBody },
  response: ok('The session and its clips.', openedFeed),
  errors: [400, ...openingErrors.slice(0, 4), 413, 422, 429, 503],
  example: {
    params: { channelId: sample.channelId },
    body: { url: 'https://media.example.com/films.xml', deliverytypes: ['hls'], context: 'app', ifa: '1f0c' },
  },
};

export const playbackRoutes = {
  view: [view('hls', 'openHlsSession'), view('dash', 'openDashSession')],
  multivariant: {
    tag,
    method,
    operationId: 'getMultivariantPlaylist',
    key: 'toOpen',
    hasAdVariables: true,
    parameters: CHANNEL,
    path: '/hls/:channelId/master.m3u8',
    summary: 'Open a session in HLS, or get the multivariant playlist of an open one',
    description: 'Opens a session and returns its multivariant playlist. With `sid`, returns that of an open session.',
    query: Type.Object({
      ...openingQuery.properties,
      'api-key': Type.Optional(openingQuery.properties['api-key']),
      sid: Type.Optional(text('ID of an open session.')),
    }),
    response: { status: 200, description: 'The multivariant playlist.', text: [MPEGURL] },
    errors: openingErrors,
    example: opening,
  },
  media: {
    tag,
    method,
    operationId: 'getMediaPlaylist',
    path: '/hls/:channelId/:sessionId/:rung.m3u8',
    parameters: { ...SESSION, rung: 'ID of the rung, as in the multivariant playlist.' },
    summary: 'Get a media playlist of a session',
    description:
      'One rung of the ladder. Linear and live channels change it with every segment; on demand it never changes.',
    query: Type.Object({ _HLS_skip: Type.Optional(hlsSkip) }),
    response: { status: 200, description: 'The media playlist.', text: [MPEGURL] },
    errors: sessionErrors,
    example: { params: { ...sample, rung: 'v0' } },
  },
  mpd: {
    tag,
    method,
    operationId: 'getMpd',
    example,
    path: '/dash/:channelId/:sessionId.mpd',
    parameters: SESSION,
    summary: 'Get the MPD of a session',
    description: 'The whole window of the session. On demand it never changes.',
    response: { status: 200, description: 'The MPD.', text: [MPD] },
    errors: sessionErrors,
  },
  mpdPatch: {
    tag,
    method,
    operationId: 'getMpdPatch',
    path: '/dash/:channelId/:sessionId/patch.mpp',
    parameters: SESSION,
    summary: 'Get what has changed in the MPD of a session',
    description:
      'The URL is the PatchLocation of an MPD. If the changes cannot be computed, the patch removes the PatchLocation, so that the player reads the whole MPD.',
    query: patchQuery,
    response: { status: 200, description: 'The MPD patch document.', text: [MPD_PATCH] },
    errors: [400, ...sessionErrors],
    example: { params: sample, query: { since: 'mm5n0w0w-mm5my0hs-mm5n0wqo-1jx4ba2' } },
  },
} satisfies LiveRoutes;
