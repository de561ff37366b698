// SPDX-License-Identifier: Apache-2.0
// Cookies that servers set while they redirect: some servers redirect to themselves until their cookie is sent back; and
// those of live origins, which some set with the first manifest. They live as long as one exchange or one reader of an
// origin, and are sent only where RFC 6265 allows it. Public suffixes (`co.uk`) own no cookies.
import { isIP } from 'node:net';
import { Cookie, CookieJar, getPublicSuffix, MemoryCookieStore } from 'tough-cookie';

const MAX_COOKIES = 20;
const MAX_COOKIE_CHARACTERS = 4_096;

export type ExchangeCookies = ReturnType<typeof createExchangeCookies>;

export function createExchangeCookies() {
  const store = new MemoryCookieStore();
  // Most exchanges have no cookie.
  let jar: CookieJar | undefined;
  /** The cookies by what identifies them; the newest, or renewed, last. */
  const kept = new Map<string, Cookie>();

  function keepNewest(cookie: Cookie): void {
    const id = JSON.stringify([cookie.domain, cookie.path, cookie.key]);
    kept.delete(id);
    kept.set(id, cookie);
    for (const [oldest, { domain, path, key }] of kept) {
      if (kept.size <= MAX_COOKIES) return;
      kept.delete(oldest);
      store.removeCookie(domain ?? '', path ?? '', key, () => {});
    }
  }

  return {
    /** @param lines `set-cookie`, as undici returns it */
    keep(url: URL, lines: string | readonly string[] = []): void {
      for (const line of typeof lines === 'string' ? [lines] : lines) {
        const cookie = line.length > MAX_COOKIE_CHARACTERS ? undefined : readCookie(withoutDot(url.hostname), line);
        if (cookie === undefined) continue;
        jar ??= new CookieJar(store, { allowSecureOnLocal: false });
        const accepted = jar.setCookieSync(cookie, hrefOf(url), { ignoreError: true });
        if (accepted !== undefined) keepNewest(accepted);
      }
    },
    /** The `cookie` header of a request to the URL; empty if there is none. */
    headerFor: (url: URL): string => jar?.getCookieStringSync(hrefOf(url)) ?? '',
  };
}

/** The jar finds no cookies for the absolute form of a host: `example.com.` is `example.com`. */
const withoutDot = (host: string): string => host.replace(/\.$/, '');

function hrefOf(url: URL): string {
  if (!url.hostname.endsWith('.')) return url.href;
  const relative = new URL(url);
  relative.hostname = withoutDot(url.hostname);
  return relative.href;
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
