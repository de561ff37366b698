// SPDX-License-Identifier: Apache-2.0
// Requests to the admin API: JSON in, JSON out, and an ApiError for every failure.
import { MAX_PAGE_SIZE } from '../../../src/http/contract/channelValues.ts';
import type { ErrorResponse } from '../../../src/http/contract/commonContract.ts';
import { ApiError } from './apiError.ts';
import { readApiKey } from './apiKey.ts';
import { recordServerDate } from './serverClock.ts';

export type ApiResponse<T> = {
  readonly body: T;
  readonly etag: string | null;
  readonly total: number | null;
  /** The path that restores a record that was deleted. */
  readonly restore: string | null;
  /** The cursor of the next page. */
  readonly next?: string | null;
};
export type RequestOptions = {
  readonly body?: unknown;
  readonly ifMatch?: string | null;
  readonly accept?: string;
  /** Repeating a request with the same key has no further effect. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /** Instead of the key of the signed-in operator; null sends none. */
  readonly key?: string | null;
};

/** Proves with a cookie that the request comes from a page of this origin. */
export const CONSOLE_HEADERS = { 'x-midroll-console': '1' } as const;

const keyListeners = new Set<() => void>();
/** Calls the listener when the API rejects the key of the signed-in operator. @returns removes the listener */
export const onKeyRejected = (listener: () => void): (() => void) => {
  keyListeners.add(listener);
  return () => keyListeners.delete(listener);
};

/** The slowest requests check a source for up to ten seconds or sum up a report of many days. */
const REQUEST_TIMEOUT_MS = 60_000;
const TIMED_OUT = 'Midroll did not respond within 60 seconds. The change may still have been applied.';
const UNREACHABLE = 'Midroll is unreachable. Check your network, or retry if Midroll is restarting.';
const INCOMPLETE = 'Incomplete or invalid response. Check the network and any proxy in front of Midroll.';

/** Relative to the page, so that the console works below any path of a proxy. */
const urlOf = (path: string): string => new URL(`api/v2${path}`, document.baseURI).href;

async function send(method: string, path: string, options: RequestOptions): Promise<Response> {
  const { body, ifMatch, accept, idempotencyKey, signal, key = readApiKey() } = options;
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const headers = new Headers({ accept: accept ?? 'application/json', ...CONSOLE_HEADERS });
  if (key !== null) headers.set('x-api-key', key);
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (ifMatch) headers.set('if-match', ifMatch);
  if (idempotencyKey) headers.set('idempotency-key', idempotencyKey);
  const response = await fetch(urlOf(path), {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, timeout.aborted ? TIMED_OUT : UNREACHABLE);
  });
  recordServerDate(response.headers.get('date'));
  if (response.ok) return response;
  throw await toApiError(response, options.key === undefined);
}

async function toApiError(response: Response, isOperatorKey: boolean): Promise<ApiError> {
  const error = (await response.json().catch(() => ({}))) as Partial<ErrorResponse>;
  const { status } = response;
  // With `data`, the key is valid, and its scope or its channels do not allow the request.
  const isRejected = status === 401 || (status === 403 && error.data === undefined && readApiKey() !== null);
  if (isOperatorKey && isRejected) for (const listener of keyListeners) listener();
  const requestId = error.requestId === undefined ? '' : ` Request ID: ${error.requestId}.`;
  return new ApiError(status, (error.message ?? `Request failed with status ${status}.`) + requestId, error.data ?? []);
}

/** A response that breaks off is reported as an ApiError, not as a crash of the page. */
const readBody = <T>(read: () => Promise<T>, { signal }: RequestOptions): Promise<T> =>
  read().catch((error: unknown) => {
    throw signal?.aborted ? error : new ApiError(0, INCOMPLETE);
  });

/** @throws {ApiError} */
export async function call<T>(method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse<T>> {
  const response = await send(method, path, options);
  const total = response.headers.get('x-total-count');
  const body = response.status === 204 ? undefined : await readBody(() => response.json(), options);
  return {
    body: body as T,
    etag: response.headers.get('etag'),
    total: total === null ? null : Number(total),
    next: response.headers.get('x-next-cursor'),
    restore: response.headers.get('x-restore'),
  };
}

export async function callText(path: string, options: RequestOptions = {}): Promise<string> {
  const response = await send('GET', path, options);
  return readBody(() => response.text(), options);
}
export async function callBlob(path: string, options: RequestOptions = {}): Promise<Blob> {
  const response = await send('GET', path, options);
  return readBody(() => response.blob(), options);
}

const MAX_PAGES = 10;

/**
 * All pages of a list, up to 1,000 entries. An entry that moves to another page meanwhile appears once.
 * @param path without a query
 */
export async function callAll<T extends { readonly id: string }>(
  path: string,
  options: RequestOptions = {},
): Promise<ApiResponse<T[]>> {
  const found = new Map<string, T>();
  for (let page = 1; ; page += 1) {
    const response = await call<T[]>(
      'GET',
      `${path}?offset=${(page - 1) * MAX_PAGE_SIZE}&limit=${MAX_PAGE_SIZE}`,
      options,
    );
    for (const each of response.body) found.set(each.id, each);
    const isLast =
      page === MAX_PAGES || response.body.length < MAX_PAGE_SIZE || page * MAX_PAGE_SIZE >= (response.total ?? 0);
    if (isLast) return { ...response, body: [...found.values()] };
  }
}
