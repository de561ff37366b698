// SPDX-License-Identifier: Apache-2.0
// Requests to the admin API: JSON in, JSON out, and an ApiError for every failure. The OpenAPI document states which paths,
// parameters and bodies there are (.cache/openapi.d.ts, written by scripts/writeApiTypes.mjs).
import type { ClientPathsWithMethod, MaybeOptionalInit, MethodResponse, Client as TypedClient } from 'openapi-fetch';
import type { paths } from '../../../.cache/openapi.d.ts';
import { MAX_PAGE_SIZE } from '../../../src/http/contract/channelValues.ts';
import type { ErrorResponse } from '../../../src/http/contract/commonContract.ts';
import { createStore } from '../stores/createStore.ts';
import { ApiError } from './apiError.ts';
import { readApiKey } from './apiKey.ts';
import { recordServerDate } from './serverClock.ts';

/** By the path below `/api/v2`. */
type ApiPaths = { [Path in keyof paths as Path extends `/api/v2${infer Below}` ? Below : never]: paths[Path] };
type Api = TypedClient<ApiPaths, 'application/json'>;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** `/channels/{id}`. */
export type ApiPath<M extends Method> = ClientPathsWithMethod<Api, Lowercase<M>>;
export type Data<M extends Method, Path extends ApiPath<M>> = MethodResponse<Api, Lowercase<M>, Path>;

type Options = {
  readonly ifMatch?: string | null;
  readonly accept?: string;
  /** The body is a text of this type, not JSON. */
  readonly contentType?: string;
  /** Repeating a request with the same key has no further effect. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /** Instead of the key of the signed-in operator; null sends none. */
  readonly key?: string | null;
};
type Parameters<M extends Method, Path extends ApiPath<M>> =
  ApiPaths[Path] extends Record<Lowercase<M>, { parameters: infer Stated extends object }>
    ? Pick<Stated, Extract<keyof Stated, 'path' | 'query'>>
    : never;
/** The parameters in the path and in the query, and the body, as the operation states them. */
export type ApiRequest<M extends Method, Path extends ApiPath<M>> = Options &
  Parameters<M, Path> &
  Pick<NonNullable<MaybeOptionalInit<ApiPaths[Path], Lowercase<M>>>, 'body'>;
export type ApiQuery<Path extends ApiPath<'GET'>> =
  ApiRequest<'GET', Path> extends { query?: infer Query } ? NonNullable<Query> : never;
/** The request can be omitted if the operation requires nothing. */
export type RequestArgument<Request> = object extends Request ? [request?: Request] : [request: Request];

export type ApiResponse<T> = {
  readonly body: T;
  readonly etag: string | null;
  readonly total: number | null;
  /** The path that restores a record that was deleted. */
  readonly restore: string | null;
  /** The cursor of the next page. */
  readonly next: string | null;
};

/** Proves with a cookie that the request comes from a page of this origin. */
export const CONSOLE_HEADERS = { 'x-midroll-console': '1' } as const;

/** How often the API has rejected the key of the signed-in operator. */
export const rejections = createStore(0);

/** The slowest requests check a source for up to ten seconds or sum up a report of many days. */
const REQUEST_TIMEOUT_MS = 60_000;
const TIMED_OUT = 'Midroll did not respond within 60 seconds. The change may still have been applied.';
const UNREACHABLE = 'Midroll is unreachable. Check your network, or retry if Midroll is restarting.';
const INCOMPLETE = 'Incomplete or invalid response. Check the network and any proxy in front of Midroll.';

type Sent = Options & {
  readonly path?: object;
  readonly query?: object;
  readonly body?: unknown;
  readonly parseAs?: 'text' | 'blob';
};

/** The address of a request, relative to the page, so that the console works below any path of a proxy. */
function addressOf(route: string, path: object, query: object): URL {
  const names = new Map<string, unknown>(Object.entries(path));
  const url = new URL(
    `api/v2${route.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`${names.get(name)}`))}`,
    document.baseURI,
  );
  for (const [name, given] of Object.entries(query))
    for (const value of [given ?? []].flat()) url.searchParams.append(name, `${value}`);
  return url;
}

/** @throws {ApiError} */
async function send(
  method: Method,
  route: string,
  request: Sent = {},
): Promise<{ data?: unknown; response: Response }> {
  const { path = {}, query = {}, body, parseAs = 'json', ifMatch, idempotencyKey, signal } = request;
  const { accept = 'application/json', contentType, key = readApiKey() } = request;
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const headers = new Headers({ accept, ...CONSOLE_HEADERS });
  const optional = { 'x-api-key': key, 'if-match': ifMatch, 'idempotency-key': idempotencyKey };
  for (const [name, value] of Object.entries(optional)) if (value) headers.set(name, value);
  if (body !== undefined) headers.set('content-type', contentType ?? 'application/json');
  const response = await fetch(addressOf(route, path, query), {
    method,
    headers,
    body: body === undefined ? null : contentType === undefined ? JSON.stringify(body) : `${body}`,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : new ApiError(0, timeout.aborted ? TIMED_OUT : UNREACHABLE);
  });
  recordServerDate(response.headers.get('date'));
  if (!response.ok) throw await toApiError(response, request.key === undefined);
  if (response.status === 204 || response.headers.get('content-length') === '0') return { response };
  // A response that breaks off is reported as an ApiError, not as a crash of the page.
  const data: unknown = await response[parseAs]().catch((error: unknown) => {
    throw signal?.aborted ? error : new ApiError(0, INCOMPLETE);
  });
  return { data, response };
}

async function toApiError(response: Response, isOperatorKey: boolean): Promise<ApiError> {
  const error = (await response.json().catch(() => ({}))) as Partial<ErrorResponse>;
  const { status } = response;
  // With `data`, the key is valid, and its scope or its channels do not allow the request.
  const isRejected = status === 401 || (status === 403 && error.data === undefined && readApiKey() !== null);
  if (isOperatorKey && isRejected) rejections.write(rejections.read() + 1);
  const requestId = error.requestId === undefined ? '' : ` Request ID: ${error.requestId}.`;
  return new ApiError(status, (error.message ?? `Request failed with status ${status}.`) + requestId, error.data ?? []);
}

/** @throws {ApiError} */
export async function call<M extends Method, Path extends ApiPath<M>>(
  method: M,
  path: Path,
  ...[request]: RequestArgument<ApiRequest<M, Path>>
): Promise<ApiResponse<Data<M, Path>>> {
  const { data, response } = await send(method, path, request as Sent | undefined);
  if (data === undefined && response.status !== 204) throw new ApiError(0, INCOMPLETE);
  const total = response.headers.get('x-total-count');
  return {
    body: data as Data<M, Path>,
    etag: response.headers.get('etag'),
    total: total === null ? null : Number(total),
    next: response.headers.get('x-next-cursor'),
    restore: response.headers.get('x-restore'),
  };
}

/** Calls a path that the API has returned. @throws {ApiError} */
export const callReturned = async (method: Method, path: string): Promise<void> =>
  void (await send(method, path.replace(/^\/api\/v2/, '')));

type Read<Path extends ApiPath<'GET'>> = RequestArgument<ApiRequest<'GET', Path>>;

/** A text and the headers of its response. An empty body has no data. */
export async function callDocument<Path extends ApiPath<'GET'>>(path: Path, ...[request]: Read<Path>) {
  const { data, response } = await send('GET', path, { ...(request as Sent), parseAs: 'text' });
  return { text: (data as string | undefined) ?? '', headers: response.headers };
}
export const callText = async <Path extends ApiPath<'GET'>>(path: Path, ...request: Read<Path>): Promise<string> =>
  (await callDocument(path, ...request)).text;
export const callBlob = async <Path extends ApiPath<'GET'>>(path: Path, ...[request]: Read<Path>): Promise<Blob> =>
  ((await send('GET', path, { ...(request as Sent), parseAs: 'blob' })).data as Blob | undefined) ?? new Blob();

/** Lists with pages of records. */
export type ListPath = '/channels' | '/on-air' | '/playlists' | '/assets' | '/ad-sources';
export type Entry<Path extends ListPath> = Data<'GET', Path> extends readonly (infer Each)[] ? Each : never;

const MAX_PAGES = 10;

/** All pages of a list, up to 1,000 entries. An entry that moves to another page meanwhile appears once. */
export async function callAll<Path extends ListPath>(
  path: Path,
  { signal, query: filters }: Pick<Options, 'signal'> & { readonly query?: ApiQuery<Path> } = {},
): Promise<ApiResponse<Entry<Path>[]>> {
  const found = new Map<string, Entry<ListPath>>();
  for (let page = 1; ; page += 1) {
    const query = { ...filters, offset: (page - 1) * MAX_PAGE_SIZE, limit: MAX_PAGE_SIZE } as ApiQuery<ListPath>;
    const response = await call<'GET', ListPath>('GET', path, { query, ...(signal && { signal }) });
    for (const each of response.body) found.set(each.id, each);
    const isLast =
      page === MAX_PAGES || response.body.length < MAX_PAGE_SIZE || page * MAX_PAGE_SIZE >= (response.total ?? 0);
    if (isLast) return { ...response, body: [...found.values()] as Entry<Path>[] };
  }
}
