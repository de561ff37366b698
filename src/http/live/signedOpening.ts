// Signed opening: a channel with a secret opens sessions only for who holds an address that its operator has signed.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Channel } from '../../channels/channel.ts';
import { AppError } from '../../errors.ts';
import type { Millis } from '../../time/units.ts';

/** UNIX seconds; a time in milliseconds would be good for ever. */
const SECONDS = /^\d{1,11}$/;
const SIGNATURE = /^[0-9a-f]{64}$/i;

/** HMAC-SHA256 (RFC 2104) of `<channel's id>:<exp>`, as hexadecimal digits. */
export const signOpening = (secret: string, channelId: string, exp: string): string =>
  createHmac('sha256', secret).update(`${channelId}:${exp}`).digest('hex');

const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));

/** @throws {AppError} FORBIDDEN when the channel has a secret and the query is not signed with it, or no longer */
export function checkSignature({ id, signingSecret }: Channel, query: URLSearchParams, now: Millis): void {
  if (signingSecret === undefined) return;
  const [exp, sig] = [query.get('exp'), query.get('sig')];
  if (exp === null || sig === null) {
    throw new AppError('FORBIDDEN', 'This channel takes signed addresses only: the query must have exp and sig.');
  }
  if (!SECONDS.test(exp)) {
    throw new AppError('FORBIDDEN', `exp must be UNIX seconds, a whole number; got "${exp.slice(0, 20)}".`);
  }
  if (!SIGNATURE.test(sig) || !isSame(sig, signOpening(signingSecret, id, exp))) {
    throw new AppError('FORBIDDEN', 'sig is not the signature of this channel and exp. Request a new address.');
  }
  if (now >= Number(exp) * 1000) {
    const ended = new Date(Number(exp) * 1000).toISOString();
    throw new AppError('FORBIDDEN', `The address has expired: exp is ${ended}. Request a new one.`);
  }
}
