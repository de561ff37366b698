// SPDX-License-Identifier: Apache-2.0
// Reads a small JSON body from a player. The content type is ignored: players send text/plain to avoid a CORS preflight.
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors.ts';

/** @returns undefined if the body is empty; @throws {AppError} TOO_LARGE, MALFORMED */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const tooLarge = new AppError('TOO_LARGE', `The body must be at most ${maxBytes} bytes; got more.`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge;
      chunks.push(chunk);
    }
  } catch (error) {
    if (error === tooLarge) throw error;
    throw new AppError('MALFORMED', 'The body ended before it was complete.', { cause: error });
  }
  const text = Buffer.concat(chunks).toString('utf8').trim();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('MALFORMED', `The body must be JSON: ${(error as Error).message.slice(0, 200)}.`, {
      cause: error,
    });
  }
}
