// SPDX-License-Identifier: Apache-2.0
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../../errors.ts';
import { readJson } from './readJson.ts';

const json = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i;

/**
 * @returns the JSON of a body; undefined if it is empty
 * @throws {AppError} UNSUPPORTED_MEDIA_TYPE, MALFORMED
 */
export function readJsonRequest(headers: IncomingHttpHeaders, bytes: Buffer | undefined): unknown {
  if (!bytes || bytes.length === 0) return undefined;
  const type = headers['content-type'] ?? '';
  const encoding = headers['content-encoding'] ?? 'identity';
  const isUtf8 = (charset.exec(type)?.[1] ?? 'utf-8').toLowerCase() === 'utf-8';
  if (!json.test(type) || !isUtf8)
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      `content-type must be application/json in UTF-8; got "${type.slice(0, 100)}".`,
    );
  if (encoding.toLowerCase() !== 'identity')
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      `content-encoding must be identity; got "${encoding.slice(0, 100)}". Send the body uncompressed.`,
    );
  return readJson(bytes);
}
