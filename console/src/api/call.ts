// Calls of the administrative interface: JSON in, JSON out, an ApiError for everything else.
import type { ErrorAnswer } from '../../../src/http/contract.ts';
import { ApiError } from './apiError.ts';
import { noteServerDate } from './clock.ts';
import { readKey } from './sessionKey.ts';

export type Answer<T> = { readonly body: T; readonly etag: string | null; readonly total: number | null };
export type CallOptions = {
  readonly body?: unknown;
  readonly ifMatch?: string | null;
  readonly accept?: string;
  readonly signal?: AbortSignal;
  readonly key?: string;
};

const listeners = new Set<() => void>();
/** Called when a key that was good is refused: it was revoked. */
export const onRefusedKey = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Beside the page, wherever a proxy put it. */
const urlOf = (path: string): string => new URL(`api/v2${path}`, document.baseURI).href;

async function send(method: string, path: string, options: CallOptions): Promise<Response> {
  const { body, ifMatch, accept, signal, key = readKey() } = options;
  const headers = new Headers({ accept: accept ?? 'application/json' });
  if (key !== null) headers.set('x-api-key', key);
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (ifMatch) headers.set('if-match', ifMatch);
  const response = await fetch(urlOf(path), {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'Midroll cannot be reached. It may be restarting, or the network is down.');
  });
  noteServerDate(response.headers.get('date'));
  if (response.ok) return response;
  throw await refusal(response, options.key === undefined);
}

async function refusal(response: Response, isOwnKey: boolean): Promise<ApiError> {
  const said = (await response.json().catch(() => ({}))) as Partial<ErrorAnswer>;
  const { status } = response;
  if (isOwnKey && (status === 401 || status === 403)) for (const listener of listeners) listener();
  const about = said.requestId === undefined ? '' : ` In the log: ${said.requestId}.`;
  return new ApiError(status, (said.message ?? `Midroll answered ${status}.`) + about, said.data ?? []);
}

export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
  const response = await send(method, path, options);
  const total = response.headers.get('x-total-count');
  const body = response.status === 204 ? undefined : await response.json();
  return { body: body as T, etag: response.headers.get('etag'), total: total === null ? null : Number(total) };
}

export const callText = async (path: string, options: CallOptions = {}): Promise<string> =>
  (await send('GET', path, options)).text();
export const callBlob = async (path: string, options: CallOptions = {}): Promise<Blob> =>
  (await send('GET', path, options)).blob();
