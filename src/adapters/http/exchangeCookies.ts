// Cookies that servers set while they redirect: some lead back to themselves until they see them again. They live as long
// as one exchange and go back to nobody but the hosts that they were set for (RFC 6265 §5.3, §5.4).

type Cookie = {
  readonly text: string;
  readonly domain: string;
  readonly isForAll: boolean;
  readonly isSecure: boolean;
};

const MOST_COOKIES = 20;
const LONGEST = 4_096;

export type ExchangeCookies = {
  /** @param lines `set-cookie`, as undici hands it over */
  keep(url: URL, lines: string | readonly string[] | undefined): void;
  /** What goes into `cookie` of a request; empty when there is nothing to say. */
  tell(url: URL): string;
};

export function createExchangeCookies(): ExchangeCookies {
  const kept = new Map<string, Cookie>();
  return {
    keep(url, lines = []) {
      for (const line of typeof lines === 'string' ? [lines] : lines) {
        const cookie = line.length > LONGEST ? undefined : readCookie(url.hostname, line);
        if (cookie === undefined) continue;
        const key = `${cookie.domain} ${cookie.text.split('=', 1)[0]}`;
        if (kept.has(key) || kept.size < MOST_COOKIES) kept.set(key, cookie);
      }
    },
    tell: ({ hostname, protocol }) =>
      [...kept.values()]
        .filter(({ isSecure }) => !isSecure || protocol === 'https:')
        .filter(({ domain, isForAll }) => hostname === domain || (isForAll && hostname.endsWith(`.${domain}`)))
        .map(({ text }) => text)
        .join('; '),
  };
}

/** A cookie for another domain than the host's own is none; one that names no domain is for the host alone. */
function readCookie(host: string, line: string): Cookie | undefined {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  if (!/^[^=\s]+=/.test(pair)) return undefined;
  const told = attributes.map((attribute) => /^domain\s*=\s*\.?(.+)$/i.exec(attribute)?.[1]?.toLowerCase());
  const domain = told.find((one) => one !== undefined) ?? host;
  if (domain !== host && !(domain.includes('.') && host.endsWith(`.${domain}`))) return undefined;
  return { text: pair, domain, isForAll: domain !== host, isSecure: attributes.some((one) => /^secure$/i.test(one)) };
}
