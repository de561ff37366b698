// SPDX-License-Identifier: Apache-2.0
// Documentation of the routes that inform players about their ads.
import { Type } from 'typebox';
import {
  confirmationsBody,
  confirmationsResult,
  feedPageBody,
  trackingFeed,
} from '../../../contract/playerContract.ts';
import { type LiveRoute, SESSION, sample } from './liveRoute.ts';

const tag = 'ads';
const XML = 'application/xml';
const { channelId: _, ...parameters } = SESSION;
const session = { sessionId: sample.sessionId };
const adId = '0-7-0';

const vast = (format: 'hls' | 'dash', operationId: string): LiveRoute => ({
  ...{ tag, method: 'GET', operationId, parameters: SESSION, example: { params: sample } },
  path: `/${format}/:channelId/:sessionId/${format === 'hls' ? 'vast.xml' : 'vast'}`,
  summary: 'Get the VAST of the current break',
  description: 'The pod that is playing, that starts within 30 s, or that was shown last and may still be on screen.',
  response: { status: 200, description: 'VAST 4.2.', text: [XML] },
  alternatives: { 204: { description: 'There is no such pod.' } },
  errors: [404, 503],
});
const adVast = (format: 'hls' | 'dash', operationId: string): LiveRoute => ({
  ...{ tag, method: 'GET', operationId, example: { params: { ...sample, adId } } },
  path: `/${format}/:channelId/:sessionId/vast/:adId.xml`,
  parameters: { ...SESSION, adId: 'ID of the ad, as in the tracking feed and in manifests.' },
  summary: 'Get the VAST of an ad',
  response: { status: 200, description: 'VAST 4.2.', text: [XML] },
  errors: [404, 503],
});

export const vastRoutes: readonly LiveRoute[] = [vast('hls', 'getHlsVast'), vast('dash', 'getDashVast')];
export const adVastRoutes: readonly LiveRoute[] = [adVast('hls', 'getHlsAdVast'), adVast('dash', 'getDashAdVast')];

const feed = {
  ...{ tag, parameters, path: '/tracking/:sessionId', summary: 'Get the ads of a session with their tracking URLs' },
  query: Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 60, default: 20, description: 'Avails per page.' }),
    format: Type.Optional(
      Type.Enum(['hls', 'dash'], {
        description: 'The format that the player uses. Default: the one in which the session was opened.',
      }),
    ),
    NextToken: Type.Optional(Type.String({ description: 'The nextToken of an earlier response.' })),
  }),
  response: { status: 200, description: 'The tracking feed.', schema: trackingFeed },
} as const;
const feedErrors = [404, 409, 422, 503] as const;

export const trackingRoutes: readonly LiveRoute[] = [
  { ...feed, method: 'GET', operationId: 'getTrackingFeed', errors: feedErrors, example: { params: session } },
  {
    ...{ ...feed, method: 'POST', operationId: 'postTrackingFeed' },
    description: 'Same as GET, for players that send `NextToken` in a body.',
    body: { schema: feedPageBody, isOptional: true },
    errors: [400, 413, ...feedErrors],
    example: { params: session, body: {} },
  },
];

export const confirmationsRoute: LiveRoute = {
  ...{ tag, method: 'POST', parameters, operationId: 'sendConfirmations' },
  path: '/tracking/:sessionId/confirmations',
  summary: 'Send confirmations of what the player has shown',
  description: 'Only for channels with `confirmations: true`. Each event counts once, however often it is sent.',
  body: { schema: confirmationsBody },
  response: { status: 200, description: 'How many events were recorded.', schema: confirmationsResult },
  errors: [400, 404, 409, 413, 422, 429, 503],
  example: {
    params: session,
    body: { events: [{ adId, eventType: 'start', at: '2026-03-01T20:00:00.250Z' }] },
  },
};
