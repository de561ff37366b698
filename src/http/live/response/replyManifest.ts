// SPDX-License-Identifier: Apache-2.0
import { type BrotliOptions, brotliCompressSync, constants, gzipSync, type ZlibOptions } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Parts } from '../../../cache/sharedText.ts';
import { type Accepted, readAccepted } from '../../readAccepted.ts';
import type { BodyEncoding, LiveRequest, LiveResponse } from '../exchange.ts';
import { cacheControl, corsHeaders } from '../reply.ts';
import { gzipText } from './gzipText.ts';

type Sending = {
  /** ASCII text is sent as latin1, which needs neither counting nor encoding. */
  readonly encoding?: BodyEncoding;
  /** The Cache-Control header; that of a viewer's manifest by default. */
  readonly caching?: string;
  readonly etag?: string;
  /** Of a body that is sent again: what it was compressed to. */
  readonly compressed?: Map<Coding, string | Uint8Array>;
};

/** A manifest, compressed if the player accepts that. */
export function replyManifest(
  request: LiveRequest,
  response: LiveResponse,
  contentType: string,
  body: Body,
  { encoding = 'latin1', caching = cacheControl.never, etag, compressed: kept }: Sending = {},
): void {
  const compressed = compressFor(request, body, encoding, kept);
  const sent = compressed?.body ?? body;
  const sentEncoding = compressed === undefined ? encoding : 'latin1';
  const headers = [
    'content-type',
    contentType,
    'content-length',
    String(lengthOf(sent, sentEncoding)),
    'cache-control',
    caching,
    'vary',
    'Accept-Encoding',
    corsHeaders[0],
    corsHeaders[1],
    corsHeaders[2],
    corsHeaders[3],
  ];
  if (compressed !== undefined) headers.push('content-encoding', compressed.coding);
  if (etag !== undefined) headers.push('etag', etag);
  response.writeHead(200, headers);
  if (request.method === 'HEAD') response.end();
  else endWith(response, sent, sentEncoding);
}

/**
 * Sends head and body in one write if the body is a text. With bytes it is a vectored write, which takes longer; `end(text)` leads to
 * one, too, because it adds an empty chunk.
 */
function endWith(response: LiveResponse, body: Body, encoding: BodyEncoding): void {
  response.cork();
  if (typeof body === 'string' || body instanceof Uint8Array) response.write(body, encoding);
  else for (const part of body) response.write(part, 'latin1');
  response.uncork();
  response.end();
}

// Compresses manifests for players that accept it (RFC 9110 §12.5.3), at a cost that is less than that of sending what it saves
// (docs/decisions/034-cards.md).

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
function headerOf({ rawHeaders }: LiveRequest): string | undefined {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === NAME.length && name.toLowerCase() === NAME) return rawHeaders[at + 1];
  }
  return undefined;
}

/** Text stands for bytes (latin1). */
type Compressed = { readonly coding: Coding; readonly body: string | Uint8Array };

function compress(body: Body, encoding: BodyEncoding, size: number, coding: Coding): string | Uint8Array {
  if (coding === 'br') return brotliCompressSync(wholeOf(body, encoding), brotliFor(size));
  return size <= SHORT_BYTES ? gzipText(textOf(body, encoding)) : gzipSync(wholeOf(body, encoding), GZIP);
}

/** @returns undefined if the body is to be sent as it is */
function compressFor(
  request: LiveRequest,
  body: Body,
  encoding: BodyEncoding,
  kept?: Map<Coding, string | Uint8Array>,
): Compressed | undefined {
  const size = lengthOf(body, encoding);
  if (size < LEAST_BYTES) return undefined;
  const header = headerOf(request);
  const accepted = header === undefined ? undefined : acceptedIn(header);
  const coding = accepted && codingOf(accepted, size);
  if (coding === undefined) return undefined;
  const compressed = kept?.get(coding) ?? compress(body, encoding, size, coding);
  kept?.set(coding, compressed);
  return { coding, body: compressed };
}

/** The body of a manifest. Parts are ASCII. */
export type Body = string | Uint8Array | Parts;

/** @returns bytes */
function lengthOf(body: Body, encoding: BodyEncoding): number {
  if (typeof body === 'string') return encoding === 'utf8' ? Buffer.byteLength(body) : body.length;
  if (body instanceof Uint8Array) return body.length;
  return body.reduce((sum, part) => sum + part.length, 0);
}

/** The body as one buffer. */
function wholeOf(body: Body, encoding: BodyEncoding): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body, encoding);
  if (body instanceof Uint8Array) return body;
  return Buffer.concat(body.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
}

/** The same bytes as characters (latin1). */
const textOf = (body: Body, encoding: BodyEncoding): string =>
  typeof body === 'string' && encoding === 'latin1' ? body : Buffer.from(wholeOf(body, encoding)).toString('latin1');
