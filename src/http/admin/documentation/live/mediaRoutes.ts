// SPDX-License-Identifier: Apache-2.0
// Documentation of the routes of media that Midroll serves, and of the status of the live port.
import { readiness } from '../../../contract/playerContract.ts';
import { type LiveRoute, SESSION, sample } from './liveRoute.ts';

const method = 'GET';
const media = {
  media: 'ID of a conditioned creative.',
  frames: 'Length of the ad in frames.',
  rung: 'ID of the rung.',
  segment: 'Name of the segment, as in the manifest.',
};
const mediaSample = { media: '0123456789abcdef0123456789abcdef', frames: '250', rung: 'v0', segment: '1.m4s' };

const adSegment = (format: 'hls' | 'dash', operationId: string): LiveRoute => ({
  ...{ tag: 'media', method, operationId },
  path: `/${format}/:channelId/:sessionId/:adId/:media/:frames/:rung/:segment`,
  parameters: { ...SESSION, adId: 'ID of the ad.', ...media, rung: 'Index of the rung.' },
  summary: 'Get a segment of an ad',
  description: 'Redirects to the media that all viewers share. Each GET counts as a delivery to the viewer.',
  response: { status: 302, description: 'Redirect to the segment.', headers: { location: 'URL of the segment.' } },
  errors: [404, 503],
  example: { params: { ...sample, adId: '0-7-0', ...mediaSample, rung: '0' } },
});
export const adSegmentRoutes: readonly LiveRoute[] = [
  adSegment('hls', 'getHlsAdSegment'),
  adSegment('dash', 'getDashAdSegment'),
];

export const segmentRoute: LiveRoute = {
  ...{ tag: 'media', method, operationId: 'getSegment', parameters: media, example: { params: mediaSample } },
  path: '/m/:media/:frames/:rung/:segment',
  summary: 'Get a segment of a conditioned creative, of slate or of text',
  description: 'The same for all viewers and never changed, so caches can keep it.',
  response: { status: 200, description: 'The segment.', bytes: '*/*' },
  errors: [404, 503],
};

const status = { tag: 'status', method, errors: [], example: {} } as const;

export const timeRoute: LiveRoute = {
  ...{ ...status, operationId: 'getTime', path: '/time', summary: 'Get the time of the server' },
  description: 'For the UTCTiming of MPDs.',
  response: { status: 200, description: 'ISO 8601, UTC.', text: ['text/plain'] },
};
export const healthRoute: LiveRoute = {
  ...{ ...status, operationId: 'getHealth', path: '/health', isOnBothPorts: true },
  summary: 'Check that the process responds',
  response: { status: 200, description: 'The process responds.', schema: readiness },
};
export const readyRoute: LiveRoute = {
  ...{ ...status, operationId: 'getReadiness', path: '/ready', isOnBothPorts: true },
  summary: 'Check that the process can serve requests',
  response: { status: 200, description: 'The process can serve requests.', schema: readiness },
  alternatives: { 503: { description: 'The process should not receive requests.', schema: readiness } },
};
