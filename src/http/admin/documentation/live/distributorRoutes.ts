// SPDX-License-Identifier: Apache-2.0
// Documentation of what distributors request.
import { MPD, MPEGURL } from '../../../live/reply.ts';
import { type LiveRoute, type LiveRoutes, SESSION, sample } from './playbackRoutes.ts';

const parameters = { channelId: SESSION.channelId, key: 'The key of the distributor.' };
const params = { channelId: sample.channelId, key: 'dk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' };
const facts = {
  tag: 'distributors',
  method: 'GET',
  parameters,
  alternatives: { 304: { description: 'Not modified.' } },
  errors: [403, 404, 409, 503],
  example: { params },
} as const satisfies Partial<LiveRoute>;
const response = (description: string, type: string) => ({ status: 200, description, text: [type] });

export const distributorRoutes = {
  distributorMultivariant: {
    ...facts,
    operationId: 'getDistributorMultivariantPlaylist',
    path: '/hls/:channelId/distributors/:key/channel.m3u8',
    summary: 'Get the multivariant playlist for a distributor',
    description:
      'The channel without a viewer, with the markers and the slate of the distributor. Linear and live channels.',
    response: response('The playlist, public for caches.', MPEGURL),
  },
  distributorMedia: {
    ...facts,
    operationId: 'getDistributorMediaPlaylist',
    path: '/hls/:channelId/distributors/:key/:rung.m3u8',
    parameters: { ...parameters, rung: 'ID of the rung, as in the multivariant playlist.' },
    summary: 'Get a media playlist for a distributor',
    description: 'Content, and in breaks the slate of the distributor or of the channel, with ad markers.',
    response: response('The playlist, public for caches.', MPEGURL),
    example: { params: { ...params, rung: 'v0' } },
  },
  distributorMpd: {
    ...facts,
    operationId: 'getDistributorMpd',
    path: '/dash/:channelId/distributors/:key/channel.mpd',
    summary: 'Get the MPD for a distributor',
    description: 'The same in DASH, with SCTE-35 events.',
    response: response('The MPD, public for caches.', MPD),
  },
  xmltvGuide: {
    ...facts,
    operationId: 'getXmltvGuide',
    path: '/guide/:channelId/:key/xmltv.xml',
    summary: 'Get the guide of a channel as XMLTV',
    description:
      'The programmes of the past 7 days, as far as they are known, and of the next 14. A change of the schedule is visible within a second.',
    response: response('The guide, public for caches.', 'application/xml'),
  },
  jsonGuide: {
    ...facts,
    operationId: 'getJsonGuide',
    path: '/guide/:channelId/:key/guide.json',
    summary: 'Get the guide of a channel as JSON',
    description: 'As the administrative port returns it (`getGuide`).',
    response: response('The guide, public for caches.', 'application/json'),
  },
} satisfies LiveRoutes;
