// A small JSON body of a player. Whatever type it says that it has: a player that sends text asks no leave of CORS first.
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors.ts';

/** @returns undefined when there is nothing in it; @throws AppError when it is too large, or no JSON */
export async function readBody(request: IncomingMessage, most: number): Promise<unknown> {
  const tooLarge = new AppError('TOO_LARGE', `The body may hold at most ${most} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > most) throw tooLarge;
      chunks.push(chunk);
    }
  } catch (error) {
    if (error === tooLarge) throw error;
    throw new AppError('MALFORMED', 'The body ended before it was whole.');
  }
  const text = Buffer.concat(chunks).toString('utf8').trim();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('MALFORMED', 'The body must be JSON.');
  }
}
