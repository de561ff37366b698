// SPDX-License-Identifier: Apache-2.0
// Signs the URL that opens a session of a channel with a signing secret: docs/api.md, "Signed opening".
import type { ChannelKeys } from './playbackUrls.ts';

const VALID_SECONDS = 300;
const toHex = (byte: number): string => byte.toString(16).padStart(2, '0');

/** @param now milliseconds @returns the query parameters to add; none for a channel without a secret */
export async function signSession(
  { id, signingSecret }: Pick<ChannelKeys, 'id' | 'signingSecret'>,
  now: number,
): Promise<Record<string, string>> {
  if (!signingSecret) return {};
  const exp = String(Math.floor(now / 1000) + VALID_SECONDS);
  const encode = (text: string) => new TextEncoder().encode(text);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encode(signingSecret), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, encode(`${id}:${exp}`));
  return { exp, sig: [...new Uint8Array(signature)].map(toHex).join('') };
}
