// SPDX-License-Identifier: Apache-2.0
// Finds the channel of a request that opens a session.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Channel } from '../../channels/channel.ts';
import { AppError } from '../../errors.ts';
import type { EnabledChannel } from '../../playback/onAir/airing.ts';
import { channelNotFound } from '../../playback/viewings.ts';
import type { Millis } from '../../time/units.ts';
import type { PlayerDeps, PlayerRequest } from './playerRequest.ts';

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

// Signed playback URLs: a channel with a signing secret opens sessions only for URLs that its operator has signed.

/** UNIX seconds. More digits would be milliseconds, and the URL would practically never expire. */
const SECONDS = /^\d{1,11}$/;
const SIGNATURE = /^[0-9a-f]{64}$/i;

/** HMAC-SHA256 (RFC 2104) of `<channel id>:<exp>`, in hexadecimal. */
export const signOpening = (secret: string, channelId: string, exp: string): string =>
  createHmac('sha256', secret).update(`${channelId}:${exp}`).digest('hex');

const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));

/** @throws {AppError} FORBIDDEN if the channel has a secret and the signature is missing, invalid or expired */
export function checkSignature({ id, signingSecret }: Channel, query: URLSearchParams, now: Millis): void {
  if (signingSecret === undefined) return;
  const [exp, sig] = [query.get('exp'), query.get('sig')];
  if (exp === null || sig === null) {
    throw new AppError(
      'FORBIDDEN',
      'Missing exp and sig query parameters. This channel requires signed playback URLs.',
    );
  }
  if (!SECONDS.test(exp)) {
    throw new AppError('FORBIDDEN', `exp must be UNIX seconds; got "${exp.slice(0, 20)}".`);
  }
  if (!SIGNATURE.test(sig) || !isSame(sig, signOpening(signingSecret, id, exp))) {
    throw new AppError(
      'FORBIDDEN',
      'sig is not a valid signature of this channel and exp. Request a new playback URL.',
    );
  }
  if (now >= Number(exp) * 1000) {
    const expired = new Date(Number(exp) * 1000).toISOString();
    throw new AppError('FORBIDDEN', `The playback URL expired at ${expired} (exp). Request a new one.`);
  }
}
