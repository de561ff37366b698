// A URL as it may be shown: in traces and messages, to people who may see what was asked but not with which key.

/** Names of query parameters whose values are nobody's business: whole words, or the last word of a longer name. */
const SECRET_NAME =
  /secret|token|passw|pwd|credential|authori|signature|apikey|hmac|jwt|(^|[^a-z])(auth|sig|pass)$|key$/i;

const MASK = '***';

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Shorter values may stand anywhere by chance. */
const SHORTEST_SECRET = 6;

/** What `maskUrl` would hide of a URL, as it is written there and as it reads. */
export function secretsOf(url: string): string[] {
  const values = [...url.matchAll(/[?&;]([^=&;#]+)=([^&;#]+)/g)].flatMap(([, name, value]) =>
    SECRET_NAME.test(decoded(name!)) ? [value!, decoded(value!)] : [],
  );
  return [...new Set(values)].filter(({ length }) => length >= SHORTEST_SECRET);
}

/** An answer may repeat what it was asked with. */
export const maskSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);

/** Masks user names, passwords and secret parameters; also in text that is no valid URL. */
export function maskUrl(url: string): string {
  return url
    .replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/?#@]*@/i, (_, scheme: string | undefined) => `${scheme ?? ''}//${MASK}@`)
    .replace(/([?&;])([^=&;#]+)=([^&;#]+)/g, (whole, mark: string, name: string) =>
      SECRET_NAME.test(decoded(name)) ? `${mark}${name}=${MASK}` : whole,
    );
}
