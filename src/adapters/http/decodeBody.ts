// SPDX-License-Identifier: Apache-2.0
// Decodes the content coding of a body (RFC 9110 §8.4.1) as a stream. The reader counts decoded bytes, so it can stop a
// small body that expands to gigabytes.
import { once } from 'node:events';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { ExchangeStopped } from './exchangeFailure.ts';

/** The `accept-encoding` header of requests. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

/**
 * "deflate" means zlib (RFC 1950), but some servers send a raw stream (RFC 1951). The first byte shows which one it is.
 */
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
  throw new ExchangeStopped('garbage', 'sent a body in a content-encoding that was not requested');
}

/** Values that mean no coding: none at all, or a character encoding that servers send by mistake. */
const NO_CODING = /^(|identity|none|binary|utf-?8|iso-8859-1)$/;

/** A stream, or all pieces. */
export type Body = Readable | readonly Uint8Array[];

/** @param contentEncoding the header's value; empty if it is absent */
export async function decodeBody(body: Body, contentEncoding: string): Promise<Body> {
  if (contentEncoding === '') return body;
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !NO_CODING.test(coding));
  const [coding, ...more] = codings;
  if (coding === undefined) return body;
  if (more.length > 0) throw new ExchangeStopped('garbage', 'sent a body in more than one content-encoding');
  const stream = body instanceof Readable ? body : Readable.from(body, { objectMode: false });
  // `pipeline` requires a callback; errors reach the reader of the decoder.
  return pipeline(stream, await decoderFor(coding, stream), () => {});
}
