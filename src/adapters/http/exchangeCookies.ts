// SPDX-License-Identifier: Apache-2.0
// Cookies that servers set while they redirect: some servers redirect to themselves until their cookie is sent back; and
// those of live origins, which some set with the first manifest. They live as long as one exchange or one reader of an
// origin, and are sent only to the hosts and below the paths that they were set for (RFC 6265 §5.3, §5.4).

type Cookie = {
  /** `name=value` */
  readonly text: string;
  readonly domain: string;
  /** Without one, all. */
  readonly path: string;
  readonly includesSubdomains: boolean;
  readonly isSecure: boolean;
};

const MAX_COOKIES = 20;
const MAX_COOKIE_CHARACTERS = 4_096;

export type ExchangeCookies = {
  /** @param lines `set-cookie`, as undici returns it */
  keep(url: URL, lines: string | readonly string[] | undefined): void;
  /** The `cookie` header of a request to the URL; empty if there is none. */
  headerFor(url: URL): string;
};

export function createExchangeCookies(): ExchangeCookies {
  const kept = new Map<string, Cookie>();
  return {
    keep(url, lines = []) {
      for (const line of typeof lines === 'string' ? [lines] : lines) {
        const cookie = line.length > MAX_COOKIE_CHARACTERS ? undefined : readCookie(url.hostname, line);
        if (cookie === undefined) continue;
        const key = `${cookie.domain} ${cookie.path} ${cookie.text.split('=', 1)[0]}`;
        kept.delete(key);
        if (isRemoval(line)) continue;
        if (kept.size === MAX_COOKIES) kept.delete(kept.keys().next().value!);
        kept.set(key, cookie);
      }
    },
    headerFor: ({ hostname, protocol, pathname }) =>
      [...kept.values()]
        .filter(({ isSecure }) => !isSecure || protocol === 'https:')
        .filter(
          ({ domain, includesSubdomains }) =>
            hostname === domain || (includesSubdomains && hostname.endsWith(`.${domain}`)),
        )
        .filter(({ path }) => isBelow(pathname, path))
        .map(({ text }) => text)
        .join('; '),
  };
}

/** A server removes a cookie with a time in the past (§4.1.1); others have no end here. */
const isRemoval = (line: string): boolean =>
  /;\s*(max-age\s*=\s*(0|-\d+)|expires\s*=[^;]*\b1970\b[^;]*)\s*(;|$)/i.test(line);

const isBelow = (pathname: string, path: string): boolean =>
  pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);

/** A cookie for a foreign domain is ignored. One without a domain is for the host alone. */
function readCookie(host: string, line: string): Cookie | undefined {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  if (!/^[^=\s]+=/.test(pair)) return undefined;
  const domains = attributes.map((attribute) => /^domain\s*=\s*\.?(.+)$/i.exec(attribute)?.[1]?.toLowerCase());
  const domain = domains.find((one) => one !== undefined) ?? host;
  if (domain !== host && !(domain.includes('.') && host.endsWith(`.${domain}`))) return undefined;
  const path = attributes.map((one) => /^path\s*=\s*(\/.*)$/i.exec(one)?.[1]).find((one) => one !== undefined);
  return {
    text: pair,
    domain,
    path: path ?? '/',
    includesSubdomains: domain !== host,
    isSecure: attributes.some((one) => /^secure$/i.test(one)),
  };
}
