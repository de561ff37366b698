// SPDX-License-Identifier: Apache-2.0
// Compresses manifests for players that accept it (RFC 9110 §12.5.3). The lowest levels remove almost as many bytes of these
// repetitive texts as the highest ones, at a fraction of the time (docs/performance.md).
import type { IncomingMessage } from 'node:http';
import { type BrotliOptions, brotliCompressSync, constants, gzipSync, type ZlibOptions } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { type Body, type Encoding, lengthOf, wholeOf } from './body.ts';

export type Coding = 'br' | 'gzip';

/** Below this size, a response fits into one packet either way. */
const LEAST_BYTES = 1000;
/** Memory that a compressor does not need is memory that it has to clear. */
const SMALL_BYTES = 8192;
const gzipOf = (bytes: number): ZlibOptions =>
  bytes <= SMALL_BYTES ? { level: 1, windowBits: 12, memLevel: 5, chunkSize: 4096 } : { level: 1, chunkSize: 32_768 };

/** The base-2 logarithms of the least and the largest window of Brotli. */
const WINDOWS = [12, 18] as const;
const brotliOf = (bytes: number): BrotliOptions => ({
  chunkSize: bytes <= SMALL_BYTES ? 4096 : 32_768,
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 1,
    [constants.BROTLI_PARAM_LGWIN]: Math.min(WINDOWS[1], Math.max(WINDOWS[0], Math.ceil(Math.log2(bytes)))),
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  },
});

/** Whether a list element permits a coding: its weight is not 0. */
const isPermitted = (parameters: readonly string[]): boolean =>
  !parameters.some((parameter) => /^\s*q\s*=\s*0(\.0*)?\s*$/i.test(parameter));

/**
 * The coding for an Accept-Encoding header. Weights other than 0 do not matter: both codings cost less than the bytes they save,
 * and Brotli costs less than gzip.
 */
export function preferredCoding(accepted: string): Coding | undefined {
  const permitted = new Map<string, boolean>();
  for (const element of accepted.split(',')) {
    const [name = '', ...parameters] = element.split(';');
    permitted.set(name.trim().toLowerCase(), isPermitted(parameters));
  }
  if (permitted.get('br')) return 'br';
  return (permitted.get('gzip') ?? permitted.get('x-gzip') ?? permitted.get('*')) ? 'gzip' : undefined;
}

/** Players send a handful of different headers. */
const MAX_HEADERS = 200;
const MAX_LENGTH = 200;
const codings = new LRUCache<string, { readonly coding: Coding | undefined }>({ max: MAX_HEADERS });

function codingFor(accepted: string): Coding | undefined {
  if (accepted.length > MAX_LENGTH) return undefined;
  const known = codings.get(accepted);
  if (known !== undefined) return known.coding;
  const coding = preferredCoding(accepted);
  codings.set(accepted, { coding });
  return coding;
}

const NAME = 'accept-encoding';

/** `request.headers` would parse all headers, which costs as much as writing a manifest. */
function acceptedBy({ rawHeaders }: IncomingMessage): string | undefined {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === NAME.length && name.toLowerCase() === NAME) return rawHeaders[at + 1];
  }
  return undefined;
}

export type Compressed = { readonly coding: Coding; readonly bytes: Buffer };

const compress = (bytes: Uint8Array, coding: Coding): Buffer =>
  coding === 'br' ? brotliCompressSync(bytes, brotliOf(bytes.length)) : gzipSync(bytes, gzipOf(bytes.length));

/** @returns undefined if the body is to be sent as it is */
export function compressFor(request: IncomingMessage, body: Body, encoding: Encoding): Compressed | undefined {
  if (lengthOf(body, encoding) < LEAST_BYTES) return undefined;
  const accepted = acceptedBy(request);
  const coding = accepted === undefined ? undefined : codingFor(accepted);
  if (coding === undefined) return undefined;
  const bytes = wholeOf(body, encoding);
  return { coding, bytes: compress(bytes, coding) };
}
