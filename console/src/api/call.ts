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

/** A source is looked at for ten seconds, a report of many days is added up: whoever says nothing for longer is stuck. */
const PATIENCE_MS = 60_000;
const STUCK = 'Midroll has not answered for a minute. What was asked of it may have been done all the same.';
const CUT_OFF = 'What Midroll answered could not be read: it was cut off, or somebody between here and there answered.';

/** Beside the page, wherever a proxy put it. */
const urlOf = (path: string): string => new URL(`api/v2${path}`, document.baseURI).href;

async function send(method: string, path: string, options: CallOptions): Promise<Response> {
  const { body, ifMatch, accept, signal, key = readKey() } = options;
  const tooLong = AbortSignal.timeout(PATIENCE_MS);
  const headers = new Headers({ accept: accept ?? 'application/json' });
  if (key !== null) headers.set('x-api-key', key);
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (ifMatch) headers.set('if-match', ifMatch);
  const response = await fetch(urlOf(path), {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: signal ? AbortSignal.any([signal, tooLong]) : tooLong,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(
      0,
      tooLong.aborted ? STUCK : 'Midroll cannot be reached. It may be restarting, or the network is down.',
    );
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
  const body = response.status === 204 ? undefined : await whole(() => response.json(), options);
  return { body: body as T, etag: response.headers.get('etag'), total: total === null ? null : Number(total) };
}

/** A body that breaks off is no bug of the page. */
const whole = <T>(read: () => Promise<T>, { signal }: CallOptions): Promise<T> =>
  read().catch((error: unknown) => {
    throw signal?.aborted ? error : new ApiError(0, CUT_OFF);
  });

export async function callText(path: string, options: CallOptions = {}): Promise<string> {
  const response = await send('GET', path, options);
  return whole(() => response.text(), options);
}
export async function callBlob(path: string, options: CallOptions = {}): Promise<Blob> {
  const response = await send('GET', path, options);
  return whole(() => response.blob(), options);
}

/** As many at once as the interface gives. */
const PAGE = 100;
/** Nobody looks through more. */
const MOST_PAGES = 10;

/** A list with all of its pages; what moved from one to the next meanwhile is there once. @param path without a query */
export async function callAll<T extends { readonly id: string }>(
  path: string,
  options: CallOptions = {},
): Promise<Answer<T[]>> {
  const found = new Map<string, T>();
  for (let page = 1; ; page += 1) {
    const answer = await call<T[]>('GET', `${path}?offset=${(page - 1) * PAGE}&limit=${PAGE}`, options);
    for (const each of answer.body) found.set(each.id, each);
    const isLast = page === MOST_PAGES || answer.body.length < PAGE || page * PAGE >= (answer.total ?? 0);
    if (isLast) return { ...answer, body: [...found.values()] };
  }
}
