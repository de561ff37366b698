// Builds what an ad server is asked, from plain values: the channel's ad source, the session's variables, the break.
// It knows the URL, the headers and the body; it refuses to know how they travel and what comes back.
import { encodeMacroValue, fillMacros, type MacroValues } from '../../vast/macros.ts';
import { consentToAdd } from './consent.ts';
import { maskUrl } from './maskSecrets.ts';
import type { AdRequest } from './ports.ts';
import {
  type AdRequestBreak,
  type AdRequestContext,
  type AdRequestSession,
  requestVariables,
} from './requestVariables.ts';

/** An ad source as a channel has it. */
export type AdSourceSettings = {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>;
};

export type BuiltRequest = {
  readonly request: AdRequest;
  /** The request's URL as it may be shown. */
  readonly maskedUrl: string;
  /** For the wrappers that the answer leads to. */
  readonly variables: MacroValues;
};

/** What fits into a header (RFC 9110 §5.5); a viewer's user agent may hold anything. */
const headerText = (value: string): string =>
  value
    .replace(/[^\t\x20-\x7e\xa0-\xff]/g, '')
    .trim()
    .slice(0, 4_096);

/** An IPv4 address that came over IPv6 is told as the IPv4 that it is (RFC 4291 §2.5.5.2). */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/** Headers on behalf of a viewer (VAST 4.2 §1.3.3), for the ad server and for every server that it names. */
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

function withQuery(url: string, query: string): string {
  if (query === '') return url;
  const hash = url.indexOf('#');
  const base = hash < 0 ? url : url.slice(0, hash);
  const joint = !base.includes('?') ? '?' : /[?&]$/.test(base) ? '' : '&';
  return `${base}${joint}${query}`;
}

const queryOf = (params: readonly (readonly [string, string])[]): string =>
  params.map(([name, value]) => `${encodeMacroValue(name)}=${encodeMacroValue(value)}`).join('&');

/** Where a value is no part of a URL, or is encoded with what stands around it. */
const plain = (value: string): string => value;

/**
 * The parameters of the source stand in the query; a POST carries them in its body too, as a form or, when the source's
 * headers say `content-type: application/json`, as JSON. So does what the viewer has agreed to, where the source has
 * forgotten it. The source's own headers win over the viewer's.
 */
export function buildAdRequest(
  source: AdSourceSettings,
  session: AdRequestSession,
  asked: AdRequestBreak,
  at: AdRequestContext,
): BuiltRequest {
  const viewer = { ...session.viewer, address: plainAddress(session.viewer.address) };
  const variables = requestVariables({ ...session, viewer }, asked, at);
  const own = Object.entries(source.params ?? {}).map(([name, value]): [string, string] => [
    name,
    fillMacros(value, variables, plain),
  ]);
  const asks = withQuery(fillMacros(source.url.trim(), variables), queryOf(own));
  const parameters = new Map(Object.entries(session.parameters).map(([name, value]) => [name.toLowerCase(), value]));
  const consent = consentToAdd(asks, (name) => parameters.get(name));
  const url = withQuery(asks, queryOf(consent));
  const told = Object.entries(source.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    headerText(fillMacros(value, variables, plain)),
  ]);
  const headers: Record<string, string> = { ...viewerHeaders(viewer), ...Object.fromEntries(told) };
  if (source.method !== 'POST') return { request: { url, method: 'GET', headers }, maskedUrl: maskUrl(url), variables };
  headers['content-type'] ??= 'application/x-www-form-urlencoded';
  const params = [...own, ...consent];
  const body = headers['content-type'].includes('json') ? JSON.stringify(Object.fromEntries(params)) : queryOf(params);
  return { request: { url, method: 'POST', headers, body }, maskedUrl: maskUrl(url), variables };
}
