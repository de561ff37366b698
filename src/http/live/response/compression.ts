// SPDX-License-Identifier: Apache-2.0
// Compresses manifests for players that accept it (RFC 9110 §12.5.3), at a cost that is less than that of sending what it saves
// (docs/decisions/038-compression.md).
import type { IncomingMessage } from 'node:http';
import { type BrotliOptions, brotliCompressSync, constants, gzipSync, type ZlibOptions } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { type Accepted, readAccepted } from '../../readAccepted.ts';
import { type Body, type Encoding, lengthOf, textOf, wholeOf } from './body.ts';
import { gzipText } from './gzipText.ts';

export type Coding = 'br' | 'gzip';

/** Below this size, a response fits into one packet either way. */
const LEAST_BYTES = 1000;
/** Up to this size, gzipText needs less time than Node's compressors. */
const SHORT_BYTES = 12_288;
const CHUNK_BYTES = 32_768;
const GZIP: ZlibOptions = { level: 1, chunkSize: CHUNK_BYTES };
const brotliFor = (bytes: number): BrotliOptions => ({
  chunkSize: CHUNK_BYTES,
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 1,
    [constants.BROTLI_PARAM_LGWIN]: 18,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  },
});

/** Brotli is faster than zlib and removes more, but gzipText is faster than both. */
function codingOf({ gzip, br }: Accepted, bytes: number): Coding | undefined {
  if (br && !(gzip && bytes <= SHORT_BYTES)) return 'br';
  return gzip ? 'gzip' : undefined;
}

/** Players send a handful of different headers. */
const MAX_HEADERS = 200;
const MAX_LENGTH = 200;
const known = new LRUCache<string, Accepted>({ max: MAX_HEADERS });

function acceptedIn(header: string): Accepted | undefined {
  if (header.length > MAX_LENGTH) return undefined;
  const last = known.get(header);
  if (last !== undefined) return last;
  const accepted = readAccepted(header);
  known.set(header, accepted);
  return accepted;
}

const NAME = 'accept-encoding';

/** `request.headers` would parse all headers, which costs as much as writing a manifest. */
function headerOf({ rawHeaders }: IncomingMessage): string | undefined {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === NAME.length && name.toLowerCase() === NAME) return rawHeaders[at + 1];
  }
  return undefined;
}

/** Text stands for bytes (latin1). */
export type Compressed = { readonly coding: Coding; readonly body: string | Uint8Array };

function compress(body: Body, encoding: Encoding, size: number, coding: Coding): string | Uint8Array {
  if (coding === 'br') return brotliCompressSync(wholeOf(body, encoding), brotliFor(size));
  return size <= SHORT_BYTES ? gzipText(textOf(body, encoding)) : gzipSync(wholeOf(body, encoding), GZIP);
}

/** @returns undefined if the body is to be sent as it is */
export function compressFor(request: IncomingMessage, body: Body, encoding: Encoding): Compressed | undefined {
  const size = lengthOf(body, encoding);
  if (size < LEAST_BYTES) return undefined;
  const header = headerOf(request);
  const accepted = header === undefined ? undefined : acceptedIn(header);
  const coding = accepted && codingOf(accepted, size);
  return coding && { coding, body: compress(body, encoding, size, coding) };
}
