// SPDX-License-Identifier: Apache-2.0
// Reads a body according to its content type: JSON, or XML where a route accepts that.
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { AppError } from '../../../errors.ts';
import { inTurns } from '../../../ingest/source/inTurns.ts';
import { charsetOf, decodeXml } from '../../../xml/decodeXml.ts';
import { readingJson } from './readJson.ts';

export const BODY_LIMIT = 1024 * 1024;
/** A client that sends more than this is disconnected. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/** @throws {AppError} TOO_LARGE; MALFORMED if the client closes the connection early */
export async function readRequestBody(stream: Readable, limit = BODY_LIMIT): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else chunks.length = 0;
      if (size > MAX_DISCARDED_BYTES) break;
    }
  } catch (error) {
    throw new AppError('MALFORMED', 'The body ended before it was complete.', { cause: error });
  }
  if (size > limit) throw new AppError('TOO_LARGE', `The body must be at most ${limit} bytes; got more.`);
  return Buffer.concat(chunks);
}

const json = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i;

type TypedBody = {
  /** JSON, not yet validated; undefined if the body is empty. */
  readonly body?: unknown;
  /** The text of an XML body, not yet parsed. */
  readonly document?: string;
};

/** @param xmlTypes the media types in which the route reads XML @throws {AppError} UNSUPPORTED_MEDIA_TYPE, MALFORMED */
export async function readTypedBody(
  headers: IncomingHttpHeaders,
  bytes: Buffer = Buffer.alloc(0),
  xmlTypes: readonly string[] = [],
): Promise<TypedBody> {
  const type = headers['content-type'] ?? '';
  const isXml = xmlTypes.includes(type.replace(/;.*/s, '').trim().toLowerCase());
  const isEmpty = bytes.length === 0;
  if (isEmpty && !isXml) return {};
  const isUtf8 = (charsetOf(type) ?? 'utf-8').toLowerCase() === 'utf-8';
  if (!isXml && !(json.test(type) && isUtf8)) {
    const accepted = ['application/json in UTF-8', ...xmlTypes].join(', ').replace(/, ([^,]*)$/, ' or $1');
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `content-type must be ${accepted}; got "${type.slice(0, 100)}".`);
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      `content-encoding must be identity; got "${encoding.slice(0, 100)}". Send the body uncompressed.`,
    );
  if (isXml) return { document: isEmpty ? '' : decodeXml(bytes, charsetOf(type)) };
  return { body: await inTurns(bytes.length, readingJson(bytes)) };
}
