// SPDX-License-Identifier: Apache-2.0
// Documentation of the channel's own view, and of what guided viewers request.
import { Type } from 'typebox';
import { number, oneOf, text } from '../../../contract/commonContract.ts';
import { namedObject } from '../../../contract/named.ts';
import { MPD, MPEGURL } from '../../../live/reply.ts';
import { ok } from '../../request/route.ts';
import { type LiveRoute, type LiveRoutes, SESSION, sample } from './playbackRoutes.ts';

const tag = 'playback';
const method = 'GET';
const { channelId } = SESSION;
const key = text('The `apiKey` of the channel.');
const query = Type.Object({
  'api-key': key,
  token: Type.Optional(text('For channels with a `signingSecret`: as in the URLs of the multivariant playlist.')),
});
const ownQuery = Type.Object({
  ...query.properties,
  markers: Type.Optional(
    oneOf(
      ['none', 'daterange', 'cue', 'both'],
      'How breaks of a linear or live channel are marked, instead of as its `markersOut` says. The multivariant playlist passes it on.',
    ),
  ),
});
const sharedErrors = [401, 403, 404, 409, 503] as const;
const ownErrors = [...sharedErrors, 422] as const;
const breakErrors = [404, 503] as const;
const rung = 'ID of the rung, as in the multivariant playlist.';
const shared = { tag, method, key: 'always', query, errors: sharedErrors } as const;
const own = { ...shared, query: ownQuery, errors: ownErrors } as const;
const example = {
  params: { channelId: sample.channelId, rung: 'v0' },
  query: { 'api-key': 'for-players-of-channel-one' },
};
const playlist = { status: 200, description: 'The playlist, public for caches.', text: [MPEGURL] } as const;
const mpd = { status: 200, description: 'The MPD, public for caches.', text: [MPD] } as const;
const unchanged = { 304: { description: 'Not modified.' } };

const media = (place: 'channel' | 'guided', operationId: string, about: string): LiveRoute => ({
  ...(place === 'channel' ? own : shared),
  operationId,
  path: `/hls/:channelId/${place}/:rung.m3u8`,
  parameters: { channelId, rung },
  summary: `Get a media playlist of ${about}`,
  description:
    place === 'channel'
      ? 'Content, and in breaks what the channel shows without ads. Linear and live channels.'
      : 'The same with breaks as HLS interstitials, for players that insert the ads. The multivariant playlist of a session defines the variable `sid`.',
  response: playlist,
  alternatives: unchanged,
  example,
});

const ofSession = { tag, method, errors: breakErrors } as const;
const params = { ...sample, breakId: '0-7', clip: '0-7-0', rung: 'v0' };
const sid = text('ID of the session.');
const breakId = 'ID of the break, as in traces.';
const clip = 'ID of the clip, as in the list.';

const assetList = namedObject('AssetList', {
  ASSETS: Type.Array(
    Type.Object({
      URI: text('Absolute URL of the multivariant playlist of the clip.'),
      DURATION: number('Seconds.'),
      'X-AD-CREATIVE-SIGNALING': Type.Optional(Type.Unsafe<unknown>({ description: 'SVTA 2053-1 version 2, a slot.' })),
    }),
  ),
  'SKIP-CONTROL': Type.Optional(
    Type.Object({ OFFSET: number('Seconds after which the ad can be skipped.'), 'LABEL-ID': Type.String() }),
  ),
  'X-AD-CREATIVE-SIGNALING': Type.Optional(Type.Unsafe<unknown>({ description: 'SVTA 2053-1 version 2, a pod.' })),
});

export const guidedRoutes = {
  channelMultivariant: {
    ...own,
    operationId: 'getChannelMultivariantPlaylist',
    path: '/hls/:channelId/channel.m3u8',
    parameters: { channelId },
    summary: "Get the multivariant playlist of the channel's own view",
    description: 'The channel without a viewer: no session is opened, and no ads are inserted. The same for everyone.',
    response: playlist,
    alternatives: unchanged,
    example: { ...example, params: { channelId: sample.channelId } },
  },
  channelMedia: [
    media('channel', 'getChannelMediaPlaylist', "the channel's own view"),
    media('guided', 'getGuidedMediaPlaylist', 'all guided viewers'),
  ],
  channelMpd: {
    ...own,
    operationId: 'getChannelMpd',
    path: '/dash/:channelId/channel.mpd',
    parameters: { channelId },
    summary: "Get the MPD of the channel's own view",
    description: 'Content, and in breaks what the channel shows without ads. Linear and live channels.',
    response: mpd,
    alternatives: unchanged,
    example: { ...example, params: { channelId: sample.channelId } },
  },
  guidedMedia: {
    ...ofSession,
    operationId: 'getGuidedVodPlaylist',
    path: '/hls/:channelId/:sessionId/guided/:rung.m3u8',
    parameters: { ...SESSION, rung },
    summary: 'Get a media playlist of a guided VoD session',
    description: 'The content with its breaks as HLS interstitials. The same text for all viewers of the content.',
    response: { ...playlist, description: 'The playlist, private for the player.' },
    alternatives: unchanged,
    example: { params },
  },
  guidedMpd: {
    ...ofSession,
    operationId: 'getGuidedMpd',
    path: '/dash/:channelId/guided.mpd',
    parameters: { channelId },
    summary: 'Get the MPD of a guided session',
    description:
      'The content with breaks as alternative MPD events, which lead to `breaks/`. Players pass `sid` on to these (ISO/IEC 23009-1 Annex I). All viewers of a channel get the same bytes, public for caches without `sid` in their key. On demand, `sid` has the film, and the response is private.',
    query: Type.Object({ sid, 'api-key': Type.Optional(key), token: query.properties.token }),
    response: mpd,
    alternatives: unchanged,
    errors: [...sharedErrors, 422],
    example: { params: { channelId: sample.channelId }, query: { sid: sample.sessionId } },
  },
  assetList: {
    ...ofSession,
    operationId: 'getAssetList',
    path: '/hls/:channelId/:sessionId/breaks/:breakId.json',
    parameters: { ...SESSION, breakId },
    summary: 'Get the asset list of a break',
    description:
      'The clips that a guided player plays in the break: bumpers, ads and slate, always the whole pod. The first request decides the break.',
    query: Type.Object({
      _HLS_start_offset: Type.Optional(
        number('Sent by players that join during the break. They find their clip in the pod.'),
      ),
      _HLS_primary_id: Type.Optional(text('Sent by players.')),
    }),
    response: ok('The asset list.', assetList),
    example: { params },
  },
  listMpd: {
    ...ofSession,
    operationId: 'getListMpd',
    path: '/dash/:channelId/breaks/:breakId.mpd',
    parameters: { channelId, breakId },
    query: Type.Object({ sid }),
    summary: 'Get the List MPD of a break',
    description: 'The same in DASH: a Period for each clip, linked to its MPD. Without clips, one Period of no length.',
    response: { status: 200, description: 'The List MPD.', text: [MPD] },
    errors: [...breakErrors, 422],
    example: { params: { channelId: sample.channelId, breakId: '0-7' }, query: { sid: sample.sessionId } },
  },
  clipMultivariant: {
    ...ofSession,
    operationId: 'getClipMultivariantPlaylist',
    path: '/hls/:channelId/:sessionId/pods/:clip.m3u8',
    parameters: { ...SESSION, clip },
    summary: 'Get the multivariant playlist of a clip',
    description: 'An asset of the asset list of a break.',
    response: { status: 200, description: 'The multivariant playlist.', text: [MPEGURL] },
    example: { params },
  },
  clipMedia: {
    ...ofSession,
    operationId: 'getClipMediaPlaylist',
    path: '/hls/:channelId/:sessionId/pods/:clip/:rung.m3u8',
    parameters: { ...SESSION, clip, rung },
    summary: 'Get a media playlist of a clip',
    description: 'Each GET for a segment of an ad counts as a delivery, as in a stitched session.',
    response: { status: 200, description: 'The media playlist.', text: [MPEGURL] },
    example: { params },
  },
  clipMpd: {
    ...ofSession,
    operationId: 'getClipMpd',
    path: '/dash/:channelId/:sessionId/pods/:clip.mpd',
    parameters: { ...SESSION, clip },
    summary: 'Get the MPD of a clip',
    description: 'An MPD that the List MPD of a break imports.',
    response: { status: 200, description: 'A static MPD of one Period.', text: [MPD] },
    example: { params },
  },
} satisfies LiveRoutes;
