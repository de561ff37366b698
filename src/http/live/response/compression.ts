// SPDX-License-Identifier: Apache-2.0
// Compresses manifests for players that accept it (RFC 9110 §12.5.3). The lowest levels remove almost as many bytes of these
// repetitive texts as the highest ones, at a fraction of the time (docs/performance.md).
import type { IncomingMessage } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';

export type Coding = 'br' | 'gzip';

/** Below this size, a response fits into one packet either way. */
const LEAST_BYTES = 1000;
const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 1,
    [constants.BROTLI_PARAM_LGWIN]: 18,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};
const GZIP = { level: 1 };

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

/** @returns undefined if the body is to be sent as it is */
export function compressFor(
  request: IncomingMessage,
  body: string | Uint8Array,
  encoding: 'utf8' | 'latin1',
): Compressed | undefined {
  if (body.length < LEAST_BYTES) return undefined;
  const accepted = acceptedBy(request);
  const coding = accepted === undefined ? undefined : codingFor(accepted);
  if (coding === undefined) return undefined;
  const bytes = typeof body === 'string' ? Buffer.from(body, encoding) : body;
  return { coding, bytes: coding === 'br' ? brotliCompressSync(bytes, BROTLI) : gzipSync(bytes, GZIP) };
}
