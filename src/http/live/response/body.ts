// SPDX-License-Identifier: Apache-2.0
import { bytesOf, type Parts } from '../../../cache/sharedText.ts';

/** Of a manifest. Parts are ASCII. */
export type Body = string | Uint8Array | Parts;

/** ASCII text is sent as latin1, which needs neither counting nor encoding. */
export type Encoding = 'utf8' | 'latin1';

/** @returns bytes */
export function lengthOf(body: Body, encoding: Encoding): number {
  if (typeof body === 'string') return encoding === 'utf8' ? Buffer.byteLength(body) : body.length;
  if (body instanceof Uint8Array) return body.length;
  return body.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : part.text.length), 0);
}

/** The body as one buffer. */
export function wholeOf(body: Body, encoding: Encoding): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body, encoding);
  if (body instanceof Uint8Array) return body;
  return Buffer.concat(body.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : bytesOf(part))));
}

/** The same bytes as characters (latin1). */
export const textOf = (body: Body, encoding: Encoding): string =>
  typeof body === 'string' && encoding === 'latin1' ? body : Buffer.from(wholeOf(body, encoding)).toString('latin1');
