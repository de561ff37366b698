// SPDX-License-Identifier: Apache-2.0
// Reads a body according to its content type: JSON, or XML where a route accepts that.
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../../errors.ts';
import { inTurns } from '../../../ingest/source/inTurns.ts';
import { charsetOf, decodeXml } from '../../../xml/decodeXml.ts';
import { readingJson } from './readJson.ts';

const json = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i;

type TypedBody = {
  /** JSON, not yet validated; undefined if the body is empty. */
  readonly body?: unknown;
  /** The text of an XML body, not yet parsed. */
  readonly document?: string;
};

/**
 * @param xmlTypes the media types in which the route reads XML
 * @throws {AppError} UNSUPPORTED_MEDIA_TYPE, MALFORMED
 */
export async function readTypedBody(
  headers: IncomingHttpHeaders,
  bytes: Buffer | undefined,
  xmlTypes: readonly string[] = [],
): Promise<TypedBody> {
  const type = headers['content-type'] ?? '';
  const isXml = xmlTypes.includes(type.split(';')[0]!.trim().toLowerCase());
  const isEmpty = !bytes || bytes.length === 0;
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
  return { body: await inTurns(bytes!.length, readingJson(bytes!)) };
}
