// SPDX-License-Identifier: Apache-2.0
// Sends a request and follows its redirects: which headers and which body the next request has, and cookies. All within one
// deadline. What the body of the last response means is left to the caller.
import type { KeyPair, Redirect } from '../../ads/request/ports.ts';
import type { Timers } from '../../time/clock.ts';
import type { EgressGuard } from './egressGuard.ts';
import type { ExchangeCookies } from './exchangeCookies.ts';
import { ExchangeStopped, explainCertificate } from './exchangeFailure.ts';
import { type Hop, type HopResponse, type SendOptions, sendHop } from './sendHop.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** The headers that follow a redirect to another origin; any other header may be a credential. */
const SHARED_HEADERS =
  /^(accept|accept-(encoding|language)|content-(encoding|type)|if-none-match|origin|range|user-agent|x-forwarded-for|x-device-(ip|user-agent)|x-midroll-preview|x-openrtb-version)$/;

type Journey = SendOptions & {
  /** The cookies of earlier exchanges, if they are kept. Without this property, cookies are ignored. */
  readonly cookies?: ExchangeCookies;
  readonly onRedirect?: ((redirect: Redirect) => void) | undefined;
  readonly certificateFor?: HostCertificates | undefined;
};

/** The client certificate that a host receives. */
export type HostCertificates = (host: string) => KeyPair | undefined;

/** @returns the first response that is not a redirect, and its URL */
export async function followRedirects(
  guard: EgressGuard,
  first: Hop,
  { cookies, onRedirect, certificateFor, ...options }: Journey,
): Promise<{ response: HopResponse; url: URL }> {
  let hop = first;
  for (let redirects = 0; ; redirects += 1) {
    const own = withCookies(hop, cookies?.headerFor(hop.url) ?? '');
    const pair = hop.url.protocol === 'https:' ? certificateFor?.(hop.url.hostname) : undefined;
    const response = await (pair === undefined
      ? sendHop(guard, own, options)
      : sendHop(guard.presenting?.(pair) ?? guard, own, options).catch((error: unknown) => {
          throw explainCertificate(error, pair);
        }));
    cookies?.keep(hop.url, response.headers['set-cookie']);
    const location = REDIRECTS.has(response.status) ? headerOf(response, 'location') : '';
    if (location === '') return { response, url: hop.url };
    if (redirects === MAX_REDIRECTS) {
      throw new ExchangeStopped('redirects', `redirected more than ${MAX_REDIRECTS} times`);
    }
    const next = nextHop(hop, response.status, location);
    onRedirect?.({ url: hop.url.href, status: response.status, location: next.url.href });
    hop = next;
  }
}

const withCookies = (hop: Hop, cookies: string): Hop =>
  cookies === ''
    ? hop
    : { ...hop, headers: { ...hop.headers, cookie: [hop.headers.cookie, cookies].filter(Boolean).join('; ') } };

/** RFC 9110 §15.4: 303, and by convention 301 and 302, turn a POST into a GET. */
function nextHop(hop: Hop, status: number, location: string): Hop {
  const url = readHttpUrl(location, hop.url);
  const keepsBody = status === 307 || status === 308;
  const headers = Object.entries(hop.headers).filter(
    ([name]) =>
      (url.origin === hop.url.origin || SHARED_HEADERS.test(name)) && (keepsBody || !name.startsWith('content-')),
  );
  const next = { ...hop, url, headers: Object.fromEntries(headers) };
  return keepsBody ? next : { ...next, method: 'GET', body: undefined };
}

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

/** Removes the user name and password from the URL. @returns them as a header (RFC 7617 §2) */
export function takeCredentials(url: URL): { authorization?: string } {
  const { username, password } = url;
  if (username === '' && password === '') return {};
  url.username = '';
  url.password = '';
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A bare % is not an escape.
  }
}

/** @returns the value without surrounding whitespace; empty if the header is absent */
export function headerOf({ headers }: HopResponse, name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value.join(', ') : value)?.trim() ?? '';
}

/**
 * Calls `work` with a signal that stops it after so many milliseconds.
 * @returns what it returns, or what `failed` makes of its error, or of the deadline: a socket that the deadline has closed may report
 * any error
 */
export async function withDeadline<Result>(
  { timers, ms, reason }: { readonly timers: Timers; readonly ms: number; readonly reason: string },
  work: (signal: AbortSignal, stop: (why: ExchangeStopped) => void) => Promise<Result>,
  failed: (error: unknown) => Result,
): Promise<Result> {
  const deadline = new AbortController();
  const stop = (why: ExchangeStopped) => deadline.abort(why);
  // A response that arrived while this process was busy is read first: the server was not late.
  const timer = timers.after(ms, () => setImmediate(() => stop(new ExchangeStopped('timeout', reason))));
  try {
    return await work(deadline.signal, stop);
  } catch (error) {
    return failed(deadline.signal.aborted ? deadline.signal.reason : error);
  } finally {
    timer.cancel();
  }
}
