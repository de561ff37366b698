// The bytes of a body, up to a limit. What is too much is read to its end and dropped, so that a client that only
// listens after it has spoken still hears why.
import type { Readable } from 'node:stream';
import { AppError } from '../../../errors.ts';

export const BODY_LIMIT = 1024 * 1024;
/** Who sends more than this is cut off. */
const PATIENCE = 64 * 1024 * 1024;

/** @throws {AppError} TOO_LARGE, MALFORMED when the client breaks off */
export async function readRequestBody(stream: Readable, limit = BODY_LIMIT): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else chunks.length = 0;
      if (size > PATIENCE) break;
    }
  } catch {
    throw new AppError('MALFORMED', 'The body broke off before its end.');
  }
  if (size > limit) throw new AppError('TOO_LARGE', `The body must be at most ${limit} bytes; more came.`);
  return Buffer.concat(chunks);
}
