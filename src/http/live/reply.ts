// Answers of the live port: node:http, few headers, CORS for every player.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, errorBody } from '../../errors.ts';

const corsHeaders = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  'content-length, content-range, date, x-request-id',
] as const;

export type Caching = 'never' | 'always' | 'moment';
const caching: Readonly<Record<Caching, string>> = {
  never: 'private, no-cache',
  moment: 'public, max-age=1',
  always: 'public, max-age=31536000, immutable',
};

export function reply(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string | Uint8Array,
  cache: Caching,
  encoding: 'utf8' | 'latin1' = 'utf8',
): void {
  // Text that is known to be ASCII is told as latin1: it needs no counting and no encoding.
  const bytes = typeof body === 'string' && encoding === 'utf8' ? Buffer.byteLength(body) : body.length;
  response.writeHead(status, [
    'content-type',
    contentType,
    'content-length',
    String(bytes),
    'cache-control',
    caching[cache],
    corsHeaders[0],
    corsHeaders[1],
    corsHeaders[2],
    corsHeaders[3],
  ]);
  if (request.method === 'HEAD') response.end();
  else if (typeof body === 'string') endWith(response, body, encoding);
  else response.end(body);
}

/**
 * Head and text leave in one plain write. `end(text)` would hand the socket two chunks, of which the second is empty,
 * and that takes the slower way of a vectored write.
 */
function endWith(response: ServerResponse, text: string, encoding: 'utf8' | 'latin1'): void {
  const { socket } = response;
  socket?.cork();
  response.write(text, encoding);
  socket?.uncork();
  response.end();
}

export const replyJson = (request: IncomingMessage, response: ServerResponse, status: number, value: unknown): void =>
  reply(request, response, status, 'application/json; charset=utf-8', JSON.stringify(value), 'never');

export function replyNothing(response: ServerResponse): void {
  response.writeHead(204, ['cache-control', caching.never, ...corsHeaders]);
  response.end();
}

/** To media that all share; it is asked anew each time, because the asking counts. */
export function replyRedirect(response: ServerResponse, location: string): void {
  response.writeHead(302, ['location', location, 'cache-control', 'no-store', 'content-length', '0', ...corsHeaders]);
  response.end();
}

export function replyPreflight(response: ServerResponse): void {
  response.writeHead(204, [
    ...corsHeaders,
    'access-control-allow-methods',
    'GET, HEAD, POST, OPTIONS',
    'access-control-allow-headers',
    '*',
    'access-control-max-age',
    '86400',
  ]);
  response.end();
}

/** The caller's fault in its own words; anything else without inner detail and with the request's id for the log. */
export function replyError(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  requestId: string,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.setHeader('x-request-id', requestId);
  if (error instanceof AppError) {
    if (error.kind === 'UNAVAILABLE') response.setHeader('retry-after', '2');
    if (error.kind === 'TOO_MANY_REQUESTS') response.setHeader('retry-after', error.retryAfter ?? 60);
    replyJson(request, response, error.status, errorBody(error));
    return;
  }
  const message = `Something went wrong here; the log has it under request ${requestId}.`;
  replyJson(request, response, 500, { type: 'INTERNAL_ERROR', code: 500, message, name: 'InternalError' });
}
