// SPDX-License-Identifier: Apache-2.0
// Responses of the live port: few headers, and CORS for every origin.
import { AppError, errorBody, internalErrorBody } from '../../errors.ts';
import { JSON_TYPE, writeJson } from '../writeJson.ts';
import type { LiveRequest, LiveResponse } from './exchange.ts';
import { shownPath } from './liveOperation.ts';

export const MPEGURL = 'application/vnd.apple.mpegurl';
export const MPD = 'application/dash+xml';
export const MPD_PATCH = 'application/dash-patch+xml';

const UNAVAILABLE_RETRY_SECONDS = 2;

export const corsHeaders = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  'content-length, content-range, date, retry-after, x-request-id',
] as const;

type Caching = 'never' | 'always' | 'moment';
export const cacheControl: Readonly<Record<Caching, string>> = {
  never: 'private, no-cache',
  moment: 'public, max-age=1',
  always: 'public, max-age=31536000, immutable',
};

type Content = {
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly cache: Caching;
  readonly status?: number;
};

export function reply(
  request: LiveRequest,
  response: LiveResponse,
  { type, body, cache, status = 200 }: Content,
): void {
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  response.writeHead(status, [
    ...['content-type', type, 'content-length', String(bytes), 'cache-control', cacheControl[cache]],
    ...corsHeaders,
  ]);
  if (request.method === 'HEAD') response.end();
  else response.end(body);
}

export const replyJson = (request: LiveRequest, response: LiveResponse, status: number, value: unknown): void =>
  reply(request, response, { type: JSON_TYPE, body: writeJson(value), cache: 'never', status });

export function replyNothing(response: LiveResponse): void {
  response.writeHead(204, ['cache-control', cacheControl.never, ...corsHeaders]);
  response.end();
}

/** Not cacheable: each request for an ad segment counts as a delivery. Some CDNs ignore `no-store` without `private`. */
export function replyRedirect(response: LiveResponse, location: string): void {
  response.writeHead(302, [
    'location',
    location,
    'cache-control',
    'private, no-store',
    'content-length',
    '0',
    ...corsHeaders,
  ]);
  response.end();
}

export function replyPreflight(response: LiveResponse): void {
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

export const unknownPath = (path: string) =>
  new AppError('NOT_FOUND', `Unknown path: ${shownPath(path)}. Check the URL.`);

/** AppErrors with their message, anything else without details and with a request id to find it in the log. */
export function replyError(request: LiveRequest, response: LiveResponse, error: unknown, requestId: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.setHeader('x-request-id', requestId);
  if (error instanceof AppError) {
    if (error.kind === 'UNAVAILABLE') response.setHeader('retry-after', error.retryAfter ?? UNAVAILABLE_RETRY_SECONDS);
    if (error.kind === 'TOO_MANY_REQUESTS') response.setHeader('retry-after', error.retryAfter ?? 60);
    const body = errorBody(error);
    replyJson(request, response, error.status, error.status >= 500 ? { ...body, requestId } : body);
    return;
  }
  replyJson(request, response, 500, internalErrorBody(requestId));
}
