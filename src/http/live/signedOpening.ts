// SPDX-License-Identifier: Apache-2.0
// Signed playback URLs: a channel with a signing secret opens sessions only for URLs that its operator has signed.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Channel } from '../../channels/channel.ts';
import { AppError } from '../../errors.ts';
import type { Millis } from '../../time/units.ts';

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
