// SPDX-License-Identifier: Apache-2.0
// The channel that a path names.
import type { Channel, LinearChannel } from '../../../channels/channel.ts';
import type { ChannelStore } from '../../../channels/ports.ts';
import { AppError } from '../../../errors.ts';
import { isRecordId } from '../../contract/commonContract.ts';
import type { AdminRequest } from '../request/route.ts';
import { idIn, recordNotFound } from './record.ts';

type Channels = Pick<ChannelStore, 'find'>;

/** @throws {AppError} NOT_FOUND */
export async function findChannel(request: AdminRequest, channels: Channels): Promise<Channel> {
  const id = idIn(request);
  const channel = isRecordId(id) ? await channels.find(request.caller.tenant, id) : undefined;
  if (channel === undefined) throw recordNotFound('channel', id);
  return channel;
}

/** @param feature what only a linear channel has. @throws {AppError} NOT_FOUND, CONFLICT */
export async function findLinearChannel(
  request: AdminRequest,
  channels: Channels,
  feature: string,
): Promise<LinearChannel> {
  const channel = await findChannel(request, channels);
  if (channel.type === 'vod2live') return channel;
  const message = `Channel "${channel.id}" must have type "vod2live" to have ${feature}; its type is "${channel.type}".`;
  throw new AppError('CONFLICT', message);
}
