// SPDX-License-Identifier: Apache-2.0
// Builds an ad request (URL, headers and body) from the channel's ad source, the session and the break. Sending it is left
// to an adapter.
import { withoutUndefined } from '../../invariant.ts';
import { unknownMacros } from '../../vast/macroNotation.ts';
import { encodeMacroValue, fillMacros, type MacroValues } from '../../vast/macros.ts';
import { decoded } from '../../vast/values.ts';
import { isRequestMacro } from './macroNames.ts';
import { maskSecrets, maskUrl, maskValue, secretsOfRequest } from './maskSecrets.ts';
import type { AdRequest } from './ports.ts';
import { isPreview, PREVIEW_HEADER } from './preview.ts';
import {
  type AdRequestBreak,
  type AdRequestSession,
  type AdRequestStamp,
  consentToAdd,
  requestVariables,
} from './requestVariables.ts';

/** What determines the requests to an ad server. */
export type AdServerSettings = {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>;
};

/** What differs from a GET with the viewer's headers, without secrets. `headers` are those of the source. */
export type TracedParts = {
  readonly method?: 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type BuiltRequest = {
  readonly request: AdRequest;
  /** The request's URL without secrets, for traces. */
  readonly maskedUrl: string;
  /** What else a trace needs to show the request as it was sent; absent for a GET with the viewer's headers alone. */
  readonly traced?: TracedParts;
  readonly variables: MacroValues;
};

/** Removes what a header may not contain (RFC 9110 §5.5): a viewer's user agent may contain anything. */
export const headerText = (value: string): string =>
  value
    .replace(/[^\t\x20-\x7e\xa0-\xff]/g, '')
    .trim()
    .slice(0, 4_096);

/** An IPv4-mapped IPv6 address as plain IPv4 (RFC 4291 §2.5.5.2). */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/** Headers on behalf of a viewer (VAST 4.2 §1.3.3). */
export function viewerHeaders({ address, userAgent }: AdRequestSession['viewer']): Record<string, string> {
  const agent = headerText(userAgent);
  const ip = headerText(plainAddress(address));
  return {
    accept: 'application/xml, text/xml, */*;q=0.8',
    'user-agent': agent || 'Midroll',
    ...(agent ? { 'x-device-user-agent': agent } : {}),
    ...(ip ? { 'x-device-ip': ip, 'x-forwarded-for': ip } : {}),
  };
}

/** The headers for the ad server and for the servers of its wrappers. */
export const adRequestHeaders = (session: Pick<AdRequestSession, 'parameters' | 'viewer'>): Record<string, string> => ({
  ...viewerHeaders(session.viewer),
  ...(isPreview(session) ? { [PREVIEW_HEADER]: '1' } : {}),
});

function withQuery(url: string, query: string): string {
  if (query === '') return url;
  const hash = url.indexOf('#');
  const base = hash < 0 ? url : url.slice(0, hash);
  const joint = !base.includes('?') ? '?' : /[?&]$/.test(base) ? '' : '&';
  return `${base}${joint}${query}`;
}

/** Sets query parameters, or removes those whose value is null. The others stay as they are written. */
export function withParameters(url: string, values: ReadonlyMap<string, string | null>): string {
  if (values.size === 0) return url;
  const [, base = '', query = ''] = /^([^?#]*)\??([^#]*)/.exec(url) ?? [];
  const nameIn = (pair: string): string => decoded(pair.replace(/=.*$/s, '').replaceAll('+', ' '));
  const kept = query.split('&').filter((pair) => pair !== '' && !values.has(nameIn(pair)));
  const set = [...values].flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]]));
  return withQuery(withQuery(base, kept.join('&')), queryOf(set));
}

const queryOf = (params: readonly (readonly [string, string])[]): string =>
  params.map(([name, value]) => `${encodeMacroValue(name)}=${encodeMacroValue(value)}`).join('&');

/** Limits of what a trace keeps of a request. */
const MAX_TRACED_HEADERS = 20;
const MAX_TRACED_VALUE = 256;
const MAX_TRACED_BODY = 4_096;

const tracedHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, MAX_TRACED_HEADERS)
      .map(([name, value]) => [name, maskValue(name, value).slice(0, MAX_TRACED_VALUE)]),
  );

/** @param body without secrets */
export const tracedPost = (headers: Readonly<Record<string, string>>, body: string): TracedParts => ({
  method: 'POST',
  headers: tracedHeaders(headers),
  body: body.slice(0, MAX_TRACED_BODY),
});

/** The headers that a source adds, with their macros filled. Names are in lower case. */
export const headersOf = ({ headers = {} }: Pick<AdServerSettings, 'headers'>, variables: MacroValues) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      headerText(fillMacros(value, variables, unencoded)),
    ]),
  );

/** What a trace shows of a request that was changed. @param names of the headers that it shows */
export function retraced(request: AdRequest, names: ReadonlySet<string>): Pick<BuiltRequest, 'maskedUrl' | 'traced'> {
  const { url, method, headers, body } = request;
  const own = Object.entries(headers).filter(([name]) => names.has(name));
  const traced = withoutUndefined({
    method: method === 'POST' ? method : undefined,
    headers: own.length === 0 ? undefined : tracedHeaders(Object.fromEntries(own)),
    body: body && maskSecrets(body, secretsOfRequest(request)).slice(0, MAX_TRACED_BODY),
  });
  return { maskedUrl: maskUrl(url), traced };
}

const bodyOf = (contentType: string, params: readonly (readonly [string, string])[]): string =>
  contentType.includes('json') ? JSON.stringify(Object.fromEntries(params)) : queryOf(params);

/** For values that are not part of a URL, or that are encoded later. */
export const unencoded = (value: string): string => value;

/**
 * The source's parameters, and the consent signals that it does not contain, are added to the query. A POST also has them in
 * its body: as a form, or as JSON when the source's headers include `content-type: application/json`. The source's headers
 * take precedence over the viewer's.
 */
export function buildAdRequest(
  source: AdServerSettings,
  session: AdRequestSession,
  adBreak: AdRequestBreak,
  at: AdRequestStamp,
): BuiltRequest {
  const viewer = { ...session.viewer, address: plainAddress(session.viewer.address) };
  const variables = requestVariables({ ...session, viewer }, adBreak, at);
  const own = Object.entries(source.params ?? {}).map(([name, value]): [string, string] => [
    name,
    fillMacros(value, variables, unencoded),
  ]);
  const sourceUrl = withQuery(fillMacros(source.url.trim(), variables), queryOf(own));
  const parameters = new Map(Object.entries(session.parameters).map(([name, value]) => [name.toLowerCase(), value]));
  const consent = consentToAdd(sourceUrl, (name) => parameters.get(name));
  const url = withQuery(sourceUrl, queryOf(consent));
  const sourceHeaders = headersOf(source, variables);
  const headers: Record<string, string> = { ...adRequestHeaders({ ...session, viewer }), ...sourceHeaders };
  const maskedUrl = maskUrl(url);
  if (source.method !== 'POST') {
    const traced = Object.keys(sourceHeaders).length === 0 ? undefined : { headers: tracedHeaders(sourceHeaders) };
    return { request: { url, method: 'GET', headers }, maskedUrl, ...(traced ? { traced } : {}), variables };
  }
  headers['content-type'] ??= 'application/x-www-form-urlencoded';
  const params = [...own, ...consent];
  const contentType = headers['content-type'];
  const masked = params.map(([name, value]) => [name, maskValue(name, value)] as const);
  const traced = tracedPost({ ...sourceHeaders, 'content-type': contentType }, bodyOf(contentType, masked));
  const request: AdRequest = { url, method: 'POST', headers, body: bodyOf(contentType, params) };
  return { request, maskedUrl, traced, variables };
}

/** About macros of an ad source that are not replaced. */
export function templateWarnings({ url, params = {}, headers = {} }: AdServerSettings): string[] {
  const texts = [url, ...Object.values(params), ...Object.values(headers)];
  const macros = new Set(texts.flatMap((text) => unknownMacros(text, isRequestMacro)));
  return [...macros].map(
    (macro) => `the ad server's URL, headers or parameters contain the unknown macro ${macro}; it is sent as it is`,
  );
}
