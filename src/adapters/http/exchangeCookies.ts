// SPDX-License-Identifier: Apache-2.0
// Cookies that servers set while they redirect: some servers redirect to themselves until their cookie is sent back; and
// those of live origins, which some set with the first manifest. They live as long as one exchange or one reader of an
// origin, and are sent only where RFC 6265 allows it. Public suffixes (`co.uk`) own no cookies.
import { isIP } from 'node:net';
import { Cookie, CookieJar, getPublicSuffix, MemoryCookieStore } from 'tough-cookie';

const MAX_COOKIES = 20;
const MAX_COOKIE_CHARACTERS = 4_096;

export type ExchangeCookies = {
  /** @param lines `set-cookie`, as undici returns it */
  keep(url: URL, lines: string | readonly string[] | undefined): void;
  /** The `cookie` header of a request to the URL; empty if there is none. */
  headerFor(url: URL): string;
};

export function createExchangeCookies(): ExchangeCookies {
  const store = new MemoryCookieStore();
  // Most exchanges have no cookie.
  let jar: CookieJar | undefined;

  function removeOldest(): void {
    store.getAllCookies((_, cookies = []) => {
      for (const { domain, path, key } of cookies.slice(0, -MAX_COOKIES))
        store.removeCookie(domain ?? '', path ?? '', key, () => {});
    });
  }

  return {
    keep(url, lines = []) {
      for (const line of typeof lines === 'string' ? [lines] : lines) {
        const cookie = line.length > MAX_COOKIE_CHARACTERS ? undefined : readCookie(url.hostname, line);
        if (cookie === undefined) continue;
        jar ??= new CookieJar(store, { allowSecureOnLocal: false });
        jar.setCookieSync(cookie, url.href, { ignoreError: true });
        removeOldest();
      }
    },
    headerFor: (url) => jar?.getCookieStringSync(url.href) ?? '',
  };
}

/** Without a path, a cookie is for the whole host: origins set it with one manifest for those in other folders, too. */
function readCookie(host: string, line: string): Cookie | undefined {
  const cookie = Cookie.parse(line);
  if (cookie === undefined) return undefined;
  cookie.path = decodedPath(cookie.path ?? '/');
  // The jar rejects an address, a name without dots, and a public suffix as a domain. The cookie is for the host then (RFC 6265
  // §5.3).
  if (cookie.domain === host && (isIP(host) !== 0 || !hasSite(host))) cookie.domain = null;
  return cookie;
}

/** Whether the host is below a public suffix. */
const hasSite = (host: string): boolean =>
  getPublicSuffix(host, { allowSpecialUseDomain: true, ignoreError: true }) !== undefined;

/** The jar compares it with the decoded path of a URL. */
function decodedPath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
