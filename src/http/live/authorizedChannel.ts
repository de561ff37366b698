// SPDX-License-Identifier: Apache-2.0
// Finds the channel of a request that opens a session.

import { AppError } from '../../errors.ts';
import type { EnabledChannel } from '../../playback/onAir/airing.ts';
import { channelNotFound } from './findViewer.ts';
import type { PlayerDeps, PlayerRequest } from './playerRequest.ts';
import { checkSignature } from './signedOpening.ts';

/**
 * The channel with this id and key, if the request is signed as it requires. Without the key, responses do not reveal whether
 * the channel is on air.
 * @throws {AppError} KEY_MISSING, NOT_FOUND, FORBIDDEN
 */
export function authorizedChannel(
  { airings, onMissing, now }: PlayerDeps,
  channelId: string,
  { query, manifest }: Pick<PlayerRequest, 'query' | 'manifest'>,
  key: string | null = query.get('api-key'),
): EnabledChannel {
  if (key === null)
    throw new AppError('KEY_MISSING', 'Missing api-key query parameter. Add the apiKey of the channel.');
  const named = airings.named(channelId);
  if (named.length === 0) throw channelNotFound(channelId);
  const keyed = named.find(({ channel }) => channel.apiKey === key);
  if (keyed === undefined) throw new AppError('FORBIDDEN', 'Invalid API key.');
  const { channel } = keyed;
  if (manifest !== undefined) manifest.tenant = channel.tenant;
  checkSignature(channel, query, now());
  if (keyed.airing === undefined && channel.type !== 'vod') onMissing?.(channel);
  return keyed;
}
