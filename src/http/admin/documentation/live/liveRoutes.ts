// SPDX-License-Identifier: Apache-2.0
// The documentation of every operation of the live port. The type requires an entry for each operation that
// live/liveOperation.ts can return; the test compares the paths.
import { Type } from 'typebox';
import { integer, oneOf, text } from '../../../contract/commonContract.ts';
import {
  confirmationsBody,
  confirmationsResult,
  feedPageBody,
  readiness,
  trackingFeed,
} from '../../../contract/playerContract.ts';
import { ok } from '../../request/route.ts';
import { distributorRoutes } from './distributorRoutes.ts';
import { guidedRoutes } from './guidedRoutes.ts';
import { feedRoute, type LiveRoute, type LiveRoutes, playbackRoutes, SESSION, sample } from './playbackRoutes.ts';

const tag = 'ads';
const XML = 'application/xml';
const { channelId: _, ...parameters } = SESSION;
const session = { sessionId: sample.sessionId };
const adId = '0-7-0';

const vast = (format: 'hls' | 'dash', operationId: string): LiveRoute => ({
  tag,
  method: 'GET',
  operationId,
  parameters: SESSION,
  example: { params: sample },
  path: `/${format}/:channelId/:sessionId/${format === 'hls' ? 'vast.xml' : 'vast'}`,
  summary: 'Get the VAST of the current break',
  description: 'The pod that is playing, that starts within 30 s, or that was shown last and may still be on screen.',
  response: { status: 200, description: 'VAST 4.2.', text: [XML] },
  alternatives: { 204: { description: 'There is no such pod.' } },
  errors: [404, 503],
});
const adVast = (format: 'hls' | 'dash', operationId: string): LiveRoute => ({
  tag,
  method: 'GET',
  operationId,
  example: { params: { ...sample, adId } },
  path: `/${format}/:channelId/:sessionId/vast/:adId.xml`,
  parameters: { ...SESSION, adId: 'ID of the ad, as in the tracking feed and in manifests.' },
  summary: 'Get the VAST of an ad',
  description: 'For an ad that the tracking feed or a manifest names. URLs that Midroll calls itself are left out.',
  response: { status: 200, description: 'VAST 4.2.', text: [XML] },
  errors: [404, 503],
});

const feed = {
  tag,
  parameters,
  path: '/tracking/:sessionId',
  summary: 'Get the ads of a session with their tracking URLs',
  description:
    "The newest breaks, oldest first, with absolute times and seconds since the session's zero. On demand, all breaks.",
  query: Type.Object({
    limit: integer('Avails per page.', { minimum: 1, maximum: 60, default: 20 }),
    format: Type.Optional(
      oneOf(['hls', 'dash'], 'The format that the player uses. Default: the one in which the session was opened.'),
    ),
    NextToken: Type.Optional(text('The nextToken of an earlier response.')),
  }),
  response: ok('The tracking feed.', trackingFeed),
} as const;
const feedErrors = [404, 409, 422, 503] as const;

const method = 'GET';
const media = {
  media: 'ID of a conditioned creative.',
  frames: 'Length of the ad in frames.',
  rung: 'ID of the rung.',
  segment: 'Name of the segment, as in the manifest.',
};
const mediaSample = { media: '0123456789abcdef0123456789abcdef', frames: '250', rung: 'v0', segment: '1.m4s' };

const adSegment = (format: 'hls' | 'dash', operationId: string): LiveRoute => ({
  tag: 'media',
  method,
  operationId,
  path: `/${format}/:channelId/:sessionId/:adId/:media/:frames/:rung/:segment`,
  parameters: { ...SESSION, adId: 'ID of the ad.', ...media, rung: 'Index of the rung.' },
  summary: 'Get a segment of an ad',
  description: 'Redirects to the media that all viewers share. Each GET counts as a delivery to the viewer.',
  response: { status: 302, description: 'Redirect to the segment.', headers: { location: 'URL of the segment.' } },
  alternatives: { 200: { description: 'What clients that follow redirects receive: the segment.', bytes: '*/*' } },
  errors: [404, 503],
  example: { params: { ...sample, adId: '0-7-0', ...mediaSample, rung: '0' } },
});

const status = { tag: 'status', method } as const;

export const routesOf: Readonly<Required<LiveRoutes>> = {
  ...playbackRoutes,
  ...guidedRoutes,
  ...distributorRoutes,
  feed: feedRoute,
  tracking: [
    { ...feed, method: 'GET', operationId: 'getTrackingFeed', errors: feedErrors, example: { params: session } },
    {
      ...feed,
      method: 'POST',
      operationId: 'postTrackingFeed',
      description: 'The same as with GET, for players that send `NextToken` in a body.',
      body: { schema: feedPageBody, isOptional: true },
      errors: [400, 413, ...feedErrors],
      example: { params: session, body: {} },
    },
  ],
  confirmations: {
    tag,
    method: 'POST',
    parameters,
    operationId: 'sendConfirmations',
    path: '/tracking/:sessionId/confirmations',
    summary: 'Send confirmations of what the player has shown',
    description: 'Only for channels with `confirmations: true`. Each event counts once, however often it is sent.',
    body: { schema: confirmationsBody },
    response: ok('How many events were recorded.', confirmationsResult),
    errors: [400, 404, 409, 413, 422, 429, 503],
    example: { params: session, body: { events: [{ adId, eventType: 'start', at: '2026-03-01T20:00:00.250Z' }] } },
  },
  vast: [vast('hls', 'getHlsVast'), vast('dash', 'getDashVast')],
  adVast: [adVast('hls', 'getHlsAdVast'), adVast('dash', 'getDashAdVast')],
  adSegment: [adSegment('hls', 'getHlsAdSegment'), adSegment('dash', 'getDashAdSegment')],
  segment: {
    tag: 'media',
    method,
    operationId: 'getSegment',
    parameters: media,
    example: { params: mediaSample },
    path: '/m/:media/:frames/:rung/:segment',
    summary: 'Get a segment of a conditioned creative, of slate or of text',
    description: 'The same for all viewers and never changed, so caches can keep it.',
    response: { status: 200, description: 'The segment.', bytes: '*/*' },
    errors: [404, 503],
  },
  time: {
    ...status,
    operationId: 'getTime',
    path: '/time',
    summary: 'Get the time of the server',
    description: 'For the UTCTiming of MPDs.',
    response: { status: 200, description: 'ISO 8601, UTC.', text: ['text/plain'] },
  },
  health: {
    ...status,
    operationId: 'getHealth',
    path: '/health',
    isOnBothPorts: true,
    summary: 'Check that the process responds',
    description: 'For liveness probes: it states nothing about stores.',
    response: ok('The process responds.', readiness),
  },
  ready: {
    ...status,
    operationId: 'getReadiness',
    path: '/ready',
    isOnBothPorts: true,
    summary: 'Check that the process can serve requests',
    description: 'For readiness probes and load balancers: a 503 while the process drains or cannot serve viewers.',
    response: ok('The process can serve requests.', readiness),
    alternatives: { 503: { description: 'The process should not receive requests.', schema: readiness } },
  },
};

export const liveRoutes: readonly LiveRoute[] = Object.values(routesOf).flat();
