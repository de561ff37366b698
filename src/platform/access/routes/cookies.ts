// SPDX-License-Identifier: Apache-2.0
// The cookies of the console (RFC 6265): the token of a session, and what a sign-in needs when the browser returns. Requests with
// them are protected against those that other sites cause (CSRF).
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../../errors.ts';

/** Browsers send all cookies of a host to each of its ports, so the names must not be general. */
export const SESSION_COOKIE = 'midroll-console';
export const SIGN_IN_COOKIE = 'midroll-sign-in';

/** @returns the first cookie with this name */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header
    ?.split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${name}=`));
  const value = pair?.slice(name.length + 1);
  return value === '' ? undefined : value;
}

type CookiePlace = {
  /** Public URL of the administrative port without a trailing slash. */
  readonly baseUrl: string;
  /** Below the base URL, starting with a slash. */
  readonly path: string;
  readonly maxAgeSeconds: number;
};

/**
 * The cookie is not readable by scripts. `Lax`: browsers send it with links from other sites, such as the return from
 * the provider, and with no other request of other sites.
 */
export function writeCookie(name: string, value: string, { baseUrl, path, maxAgeSeconds }: CookiePlace): string {
  const { protocol, pathname } = new URL(baseUrl);
  const secure = protocol === 'https:' ? '; Secure' : '';
  const place = `${pathname.replace(/\/$/, '')}${path}`;
  return `${name}=${value}; Path=${place}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

export const endCookie = (name: string, baseUrl: string, path: string): string =>
  writeCookie(name, '', { baseUrl, path, maxAgeSeconds: 0 });

/** Any value. Sending it to another origin requires a preflight request, which the administrative port does not allow. */
const CONSOLE_HEADER = 'x-midroll-console';

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * What changes something needs a header that pages of other origins cannot send, and the origin of the console.
 * @param ownUrl public URL of the administrative port
 * @throws {AppError} FORBIDDEN
 */
export function checkOrigin(
  { method, headers }: { readonly method: string; readonly headers: IncomingHttpHeaders },
  ownUrl: string,
): void {
  if (reading.has(method)) return;
  if (headers[CONSOLE_HEADER] === undefined)
    throw new AppError('FORBIDDEN', `Missing ${CONSOLE_HEADER} header. Send it with requests that use a cookie.`);
  // Browsers send it over https and to loopback; otherwise `origin` decides.
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin === new URL(ownUrl).origin : site === 'same-origin';
  if (isOwn) return;
  throw new AppError(
    'FORBIDDEN',
    `Requests with a cookie must come from ${new URL(ownUrl).origin}. If that is not the URL of the console, set ADMIN_URL.`,
  );
}
