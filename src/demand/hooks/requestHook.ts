// SPDX-License-Identifier: Apache-2.0
// The hook before each request to an ad source: what it receives, and what its answer changes. An answer changes a request as a
// whole or not at all, because its parts belong together: a header may be a credential for the URL beside it.
import { type BuiltRequest, headerText, retraced, withParameters } from '../../ads/request/buildAdRequest.ts';
import { maskUrl, maskValue } from '../../ads/request/maskSecrets.ts';
import type { AdRequest } from '../../ads/request/ports.ts';
import type { AdSourceSettings } from '../../channels/demand.ts';
import { type Fields, fieldsOf, isFields } from '../../channels/fieldsOf.ts';
import { headerFaults } from '../../channels/requestFaults.ts';
import { isHttpUrl } from '../../channels/urlFaults.ts';
import { withoutUndefined } from '../../invariant.ts';
import { type HookFacts, hookFacts, limited, quoted } from './hookAnswer.ts';

/** A built request with what a trace shows of it. */
export type HookedRequest = Pick<BuiltRequest, 'request' | 'maskedUrl' | 'traced'>;

/** @property source the id of the ad source, and its type */
export type RequestHookFacts = HookFacts & {
  readonly source: { readonly id: string; readonly type: AdSourceSettings['type'] };
};

export const requestHookBody = (facts: RequestHookFacts, request: AdRequest): string =>
  JSON.stringify({ version: 1, type: 'request', ...hookFacts(facts), source: facts.source, request });

type RequestAnswer<Built> =
  | { readonly kind: 'send'; readonly built: Built; readonly changes: readonly string[] }
  | { readonly kind: 'skip'; readonly reason: string }
  /** `fault`: what is wrong with it, after the name of the hook. */
  | { readonly kind: 'ignored'; readonly fault: string };

const MAX_URL = 16_384;
/** Headers, and parameters, that an answer may change. */
const MAX_CHANGES = 100;
const MAX_REASON = 200;

/** By name; null removes. */
type Values = ReadonlyMap<string, string | null>;

const isValue = (value: unknown): value is string | null => typeof value === 'string' || value === null;

const readValues = (fields: unknown): Values =>
  new Map(
    Object.entries(fieldsOf(fields)).flatMap(([name, value]): [string, string | null][] =>
      isValue(value) ? [[name, value]] : [],
    ),
  );

function valueFaults(values: unknown, name: string): string[] {
  if (values === undefined) return [];
  if (!isFields(values)) return [`${name} must be an object`];
  const all = Object.entries(values);
  if (all.length > MAX_CHANGES) return [`${name} must have at most ${MAX_CHANGES} fields; got ${all.length}`];
  return all.flatMap(([field, value]) => (isValue(value) ? [] : [`${name}.${field} must be a string or null`]));
}

function urlFault(url: unknown): string[] {
  if (url === undefined) return [];
  if (typeof url !== 'string' || !isHttpUrl(url)) return ['request.url must be an http or https URL'];
  return url.length > MAX_URL ? [`request.url must have at most ${MAX_URL} characters`] : [];
}

function bodyFault(body: unknown, { method }: AdRequest): string[] {
  if (body === undefined) return [];
  if (method === 'GET') return ['request.body must be absent, because the request is a GET'];
  return typeof body === 'string' ? [] : ['request.body must be a string'];
}

/** The first thing that is wrong with the changes; undefined if nothing is. */
function faultOf({ url, headers, body, parameters }: Fields, request: AdRequest): string | undefined {
  const [fault] = [
    ...urlFault(url),
    ...valueFaults(headers, 'request.headers'),
    ...headerFaults(headers, 'request.headers').map(({ dataPath, message }) => `${dataPath} ${message}`),
    ...valueFaults(parameters, 'request.parameters'),
    ...bodyFault(body, request),
  ];
  return fault?.slice(0, MAX_REASON);
}

const sentencesOf = (what: string, values: Values): string[] =>
  [...values].map(([name, value]) =>
    value === null
      ? `Removed the ${what} ${quoted(name)}.`
      : `Set the ${what} ${quoted(name)} to ${quoted(maskValue(name, value))}.`,
  );

function withHeaders(headers: AdRequest['headers'], values: Values): AdRequest['headers'] {
  const changed = new Map(Object.entries(headers));
  for (const [name, value] of values)
    if (value === null) changed.delete(name);
    else changed.set(name, value);
  return Object.fromEntries(changed);
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** @param fields valid changes */
function changed<Built extends HookedRequest>(built: Built, fields: Fields): RequestAnswer<Built> {
  const { request: before, traced } = built;
  const [newUrl, newBody] = [textOf(fields.url), textOf(fields.body)];
  const parameters = readValues(fields.parameters);
  const headers: Values = new Map(
    [...readValues(fields.headers)].map(([name, value]) => [name.toLowerCase(), value && headerText(value)]),
  );
  const request: AdRequest = {
    ...before,
    url: withParameters(newUrl ?? before.url, parameters),
    headers: withHeaders(before.headers, headers),
    ...withoutUndefined({ body: newBody }),
  };
  const names = new Set([...Object.keys(traced?.headers ?? {}), ...headers.keys()]);
  const changes = [
    ...(newUrl === undefined ? [] : [`Set the URL to ${quoted(maskUrl(newUrl))}.`]),
    ...sentencesOf('parameter', parameters),
    ...sentencesOf('header', headers),
    ...(newBody === undefined ? [] : [`Replaced the body: ${newBody.length} characters.`]),
  ];
  if (changes.length === 0) return { kind: 'send', built, changes };
  const shown = retraced(request, names);
  // The builder has masked its own body.
  const body = newBody === undefined ? traced?.body : shown.traced?.body;
  const parts = { ...shown.traced, ...withoutUndefined({ body }) };
  return {
    kind: 'send',
    built: { ...built, request, maskedUrl: shown.maskedUrl, traced: parts },
    changes: limited(changes),
  };
}

/** @param answer of any shape */
export function applyRequestAnswer<Built extends HookedRequest>(built: Built, answer: Fields): RequestAnswer<Built> {
  const { skip, request: wanted } = answer;
  if (typeof skip === 'string' && skip !== '') return { kind: 'skip', reason: skip.slice(0, MAX_REASON) };
  if (skip) return { kind: 'ignored', fault: 'returned a "skip" that is not a string' };
  if (wanted === undefined || wanted === null) return { kind: 'send', built, changes: [] };
  const fault = isFields(wanted) ? faultOf(wanted, built.request) : 'request must be an object';
  if (fault !== undefined) return { kind: 'ignored', fault: `returned changes that are not valid: ${fault}` };
  return changed(built, fieldsOf(wanted));
}
