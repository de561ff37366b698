// SPDX-License-Identifier: Apache-2.0
import { Type } from 'typebox';
import type { ChannelStore } from '../../../channels/ports.ts';
import { AppError } from '../../../errors.ts';
import { readQuery } from '../../../http/admin/request/readQuery.ts';
import type { KeyedRoute } from '../../../http/admin/request/route.ts';
import { findChannel } from '../../../http/admin/routes/findChannel.ts';
import { oneOf } from '../../../http/contract/commonContract.ts';
import { JSON_TYPE } from '../../../http/writeJson.ts';
import type { Guides } from '../../../planning/schedule/guides.ts';
import { guideResponse } from '../contract/scheduleContract.ts';

const XMLTV = 'application/xml';

const query = Type.Object({
  format: Type.Optional(oneOf(['json', 'xmltv'], 'The form of the guide.', { default: 'json' })),
  listFiller: Type.Optional(
    oneOf(['true', 'false'], '`true` lists filler and slate, with the name of the channel.', { default: 'false' }),
  ),
});

export const guideRoute = (channels: Pick<ChannelStore, 'find'>, guides: Guides): KeyedRoute => ({
  tag: 'schedules',
  channelAccess: { param: 'id' },
  method: 'GET',
  path: '/api/v2/channels/:id/guide',
  operationId: 'getGuide',
  summary: 'Read the guide of a channel',
  description:
    'The programmes of the past 7 days, as far as they are known, and of the next 14, as the timeline has them. Hidden entries are left out. Without a schedule, programmes have the name of the channel. Distributors read the same from the live port.',
  query,
  response: { status: 200, description: 'The guide.', schema: guideResponse, text: [XMLTV] },
  errors: [404, 409],
  example: { params: { id: 'channel-one' } },
  handle: async (request) => {
    const { format, listFiller } = readQuery(query, request.query);
    const channel = await findChannel(request, channels);
    if (channel.type === 'vod') throw new AppError('CONFLICT', `VoD channel "${channel.id}" has no guide.`);
    const { json, xmltv } = await guides.of(channel, listFiller === 'true');
    const isXml = format === 'xmltv';
    const content = Buffer.from(isXml ? xmltv : json, 'latin1').toString('utf8');
    return { status: 200, text: { contentType: isXml ? XMLTV : JSON_TYPE, content } };
  },
});
