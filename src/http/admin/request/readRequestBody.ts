// SPDX-License-Identifier: Apache-2.0
// The bytes of a body, up to a limit. The rest of a larger body is read and discarded, because many clients read the
// response only after they have sent everything.
import type { Readable } from 'node:stream';
import { AppError } from '../../../errors.ts';

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
