// Content codings (RFC 9110 §8.4.1) undone, as a stream: whoever reads it counts decoded bytes, so a small body that
// unfolds into gigabytes is stopped where it grows too large.
import { once } from 'node:events';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { ExchangeStopped } from './exchangeFailure.ts';

/** What an exchange offers to understand. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** "deflate" is zlib (RFC 1950), yet some servers send the bare stream (RFC 1951): the first byte tells. */
async function inflaterFor(body: Readable): Promise<Transform> {
  await once(body, 'readable');
  const first: Uint8Array | null = body.read(1);
  if (first) body.unshift(first);
  return ((first?.[0] ?? 8) & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

async function decoderFor(coding: string, body: Readable): Promise<Transform> {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  if (coding === 'deflate') return inflaterFor(body);
  throw new ExchangeStopped('garbage', 'sent a body in a content-encoding that was not asked for');
}

/** What servers write there that codes nothing: an encoding of characters, or that there is none. */
const CODES_NOTHING = /^(|identity|none|binary|utf-?8|iso-8859-1)$/;

/** @param contentEncoding the header's value; empty for none */
export async function decodeBody(body: Readable, contentEncoding: string): Promise<Readable> {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !CODES_NOTHING.test(coding));
  const [coding, ...more] = codings;
  if (coding === undefined) return body;
  if (more.length > 0) throw new ExchangeStopped('garbage', 'sent a body in more than one content-encoding');
  // The callback is there because pipeline wants one; the reader of the decoder sees the error itself.
  return pipeline(body, await decoderFor(coding, body), () => {});
}
