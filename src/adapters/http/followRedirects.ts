// SPDX-License-Identifier: Apache-2.0
// Sends a request and follows its redirects: which headers and which body the next request has, cookies, and one retry
// after a connection reset. Deadlines and the body of the last response are left to httpExchange.ts.
import { type Dispatcher, request } from 'undici';
import type { Redirect } from '../../ads/request/ports.ts';
import { type CollectedResponse, collectResponse, MAX_DISCARD_MS, MAX_DISCARDED_BYTES } from './collectResponse.ts';
import { createExchangeCookies, type ExchangeCookies } from './exchangeCookies.ts';
import { ExchangeStopped, isReset } from './exchangeFailure.ts';
import type { Hop } from './hop.ts';

export const MAX_REDIRECTS = 5;
export const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** The headers that follow a redirect to another origin; any other header may be a credential. */
const SHARED_HEADERS =
  /^(accept|accept-(encoding|language)|content-type|if-none-match|origin|range|user-agent|x-forwarded-for|x-device-(ip|user-agent)|x-midroll-preview)$/;

/** @throws {ExchangeStopped} if the text is not an HTTP URL */
export function readHttpUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new ExchangeStopped('badUrl', 'has an invalid URL');
  const url = new URL(text, base);
  url.hash = '';
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  throw new ExchangeStopped(
    'badUrl',
    `has a URL with the scheme ${url.protocol.slice(0, -1)} instead of http or https`,
  );
}

/** RFC 9110 §15.4: 303, and by convention 301 and 302, turn a POST into a GET. */
function nextHop(hop: Hop, status: number, location: string): Hop {
  const url = readHttpUrl(location, hop.url);
  const keepsBody = status === 307 || status === 308;
  const headers = Object.entries(hop.headers).filter(
    ([name]) =>
      (url.origin === hop.url.origin || SHARED_HEADERS.test(name)) && (keepsBody || !name.startsWith('content-')),
  );
  return {
    url,
    method: keepsBody ? hop.method : 'GET',
    headers: Object.fromEntries(headers),
    ...(hop.idleMs === undefined ? {} : { idleMs: hop.idleMs }),
    ...(keepsBody && hop.body !== undefined ? { body: hop.body } : {}),
  };
}

export type HopResponse = Dispatcher.ResponseData | CollectedResponse;

/** Sends one request of an exchange. */
export type SendHop = (dispatcher: Dispatcher, hop: Hop, signal: AbortSignal) => Promise<HopResponse>;

/**
 * A server may close a kept-alive connection at the moment a request is written to it, so a GET without a byte of
 * response is retried once (RFC 9112 §9.3.1). A request whose response has begun, e.g. with malformed headers, is not
 * retried.
 */
const isRetried = (hop: Hop, signal: AbortSignal, hasResponse: boolean, error: unknown): boolean =>
  hop.method === 'GET' && !signal.aborted && !hasResponse && isReset(error);

/** The body of the response is a stream. */
export const sendStreaming: SendHop = async (dispatcher, hop, signal) => {
  const { idleMs = 0, ...message } = hop;
  let hasResponse = false;
  const observing = dispatcher.compose((dispatch) => (options, handler) => {
    handler.onResponseStarted = () => {
      hasResponse = true;
    };
    return dispatch(options, handler);
  });
  const options = {
    ...message,
    ...{ dispatcher: observing, signal, body: hop.body ?? null, headersTimeout: idleMs, bodyTimeout: idleMs },
  };
  try {
    return await request(hop.url, options);
  } catch (error) {
    if (!isRetried(hop, signal, hasResponse, error)) throw error;
    return await request(hop.url, options);
  }
};

/** The body is in memory. */
export const sendCollecting =
  (maxBytes: number, failureBytes = 0): SendHop =>
  async (dispatcher, hop, signal) => {
    let result = await collectResponse(dispatcher, hop, maxBytes, signal, failureBytes);
    if ('error' in result && isRetried(hop, signal, result.hasResponse, result.error))
      result = await collectResponse(dispatcher, hop, maxBytes, signal, failureBytes);
    if ('error' in result) throw result.error;
    return result;
  };

/** Reads a small body to its end, so that the connection can be reused; a long or slow one is cut off. */
export async function discard({ body }: HopResponse): Promise<void> {
  if (!('dump' in body)) return;
  await body.dump({ limit: MAX_DISCARDED_BYTES, signal: AbortSignal.timeout(MAX_DISCARD_MS) }).catch(() => {});
}

/** @returns the value without surrounding whitespace; empty if the header is absent */
export function headerOf({ headers }: HopResponse, name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value.join(', ') : value)?.trim() ?? '';
}

const withCookies = (hop: Hop, cookies: string): Hop =>
  cookies === ''
    ? hop
    : { ...hop, headers: { ...hop.headers, cookie: [hop.headers.cookie, cookies].filter(Boolean).join('; ') } };

/**
 * @param cookies those of earlier exchanges, if they are kept
 * @param onRedirect called with each redirect that is followed
 * @returns the first response that is not a redirect, and its URL
 */
export async function followRedirects(
  dispatcher: Dispatcher,
  first: Hop,
  signal: AbortSignal,
  send: SendHop,
  cookies: ExchangeCookies = createExchangeCookies(),
  onRedirect?: (redirect: Redirect) => void,
): Promise<{ response: HopResponse; url: URL }> {
  let hop = first;
  for (let redirects = 0; ; redirects += 1) {
    const response = await send(dispatcher, withCookies(hop, cookies.headerFor(hop.url)), signal);
    cookies.keep(hop.url, response.headers['set-cookie']);
    const location = REDIRECTS.has(response.statusCode) ? headerOf(response, 'location') : '';
    if (location === '') return { response, url: hop.url };
    await discard(response);
    if (redirects === MAX_REDIRECTS) {
      throw new ExchangeStopped('redirects', `redirected more than ${MAX_REDIRECTS} times`);
    }
    const next = nextHop(hop, response.statusCode, location);
    onRedirect?.({ url: hop.url.href, status: response.statusCode, location: next.url.href });
    hop = next;
  }
}
