// SPDX-License-Identifier: Apache-2.0
// Masks credentials in URLs for traces and messages, whose readers may see requests but not the keys in them.
import { decoded } from '../../vast/values.ts';

/** Names of query parameters with secret values. */
const SECRET_NAME =
  /secret|token|passw|pwd|credential|authori|signature|apikey|hmac|jwt|(^|[^a-z])(auth|sig|pass)$|key$/i;

/** Whether values of fields or parameters with this name are secrets. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** Stands for a secret. */
export const MASK = '***';

/** Shorter values may occur in a text by chance. */
const MIN_SECRET_LENGTH = 6;

/** The values that are masked wherever a text repeats them, each once. */
export const longEnough = (values: readonly string[]): string[] =>
  [...new Set(values)].filter(({ length }) => length >= MIN_SECRET_LENGTH);

/** Names contain no mark, so that a text of marks is searched in linear time. */
const PARAMETER = /([?&;])([^?=&;#]+)=([^&;#]+)/g;

/** The values of a URL that `maskUrl` masks, as written and decoded. */
export function secretsOf(url: string): string[] {
  const values = [...url.matchAll(PARAMETER)].flatMap(([, , name = '', value = '']) =>
    SECRET_NAME.test(decoded(name)) ? [value, decoded(value)] : [],
  );
  return longEnough(values);
}

type Sent = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** The secrets of a request: those of its URL, of its headers, and of a body that is a form or JSON. */
export function secretsOfRequest({ url, headers, body }: Sent): string[] {
  const ofHeaders = Object.entries(headers).flatMap(([name, value]) =>
    // A credential may follow its scheme (RFC 9110 §11.4).
    maskValue(name, value) === MASK ? [value, value.slice(value.indexOf(' ') + 1)] : [],
  );
  return longEnough([...secretsOf(url), ...ofHeaders, ...secretsOfBody(headers['content-type'], body)]);
}

function secretsOfBody(contentType = '', body = ''): string[] {
  if (!contentType.includes('json')) return secretsOf(`?${body}`);
  const secrets: string[] = [];
  try {
    JSON.parse(body || '{}', (name, value: unknown) => {
      if (isSecretName(name)) secrets.push(...[value].flat().filter((one) => typeof one === 'string'));
      return value;
    });
  } catch {
    // A hook of the operator may have written the body, so it may be anything.
  }
  return secrets;
}

/** JSON without the values of secret names, of any type and at any depth. */
export const maskedJson = (json: unknown): string =>
  JSON.stringify(json, (name, value: unknown) => (isSecretName(name) ? MASK : value));

/** Masks the values of secret names: of headers, and of parameters outside of a URL. */
export const maskValue = (name: string, value: string): string =>
  SECRET_NAME.test(name) || /^(set-)?cookie2?$/i.test(name) ? MASK : value;

/** Masks secrets in a text, because a response may repeat the request. */
export const maskSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);

/** Masks user names, passwords and secret parameters, also in a text that is not a valid URL. */
export function maskUrl(url: string): string {
  return url
    .replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/?#@]*@/i, (_, scheme: string | undefined) => `${scheme ?? ''}//${MASK}@`)
    .replace(PARAMETER, (whole, mark: string, name: string) =>
      SECRET_NAME.test(decoded(name)) ? `${mark}${name}=${MASK}` : whole,
    );
}
