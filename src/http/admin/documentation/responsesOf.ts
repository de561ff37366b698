// SPDX-License-Identifier: Apache-2.0
// The responses of an operation in the OpenAPI document.
import { type ResponseDoc, type Route, takesIdempotencyKey } from '../request/route.ts';
import type { LiveRoute } from './live/liveRoute.ts';
import { type Json, reference } from './schemaReferences.ts';

type Texts = Readonly<Record<number, string>>;
const errorTexts: Texts = {
  400: 'Malformed request.',
  401: 'Missing x-api-key header.',
  403: 'Invalid API key, or one whose scope or channels do not allow this; then `data` has the keyword `scope` or `channels`.',
  404: 'Not found, or not a record of your tenant or channels.',
  408: 'The request was not complete in time.',
  409: 'Conflict with the current state.',
  412: 'If-Match does not list the current version.',
  413: 'The body is larger than 1 MiB.',
  415: 'The body has another content type than those listed.',
  422: 'Invalid request; data lists every invalid field.',
  429: 'Too many requests; retry after the number of seconds in retry-after.',
  431: 'The request line and the header fields are larger than 16 KiB.',
  503: 'A dependency is unavailable; retry.',
};
const liveTexts: Texts = {
  ...errorTexts,
  401: 'Missing api-key query parameter.',
  403: 'Invalid API key or signature.',
  404: 'Unknown or disabled channel, ended session, or unknown path.',
  409: 'Not available for this channel, such as a format that its content cannot have.',
  413: 'The body is too large.',
  422: 'Invalid parameters or body.',
  503: 'The channel is being prepared, or a dependency is unavailable; retry after the number of seconds in retry-after.',
};
const retryAfter = { 'retry-after': { description: 'Seconds.', schema: { type: 'string' } } };

function responseOf({ description, headers, optionalHeaders, schema, text, bytes }: ResponseDoc): Json {
  const described = Object.entries({ ...headers, ...optionalHeaders }).map(([name, about]) => [
    name,
    { description: about, schema: { type: 'string' } },
  ]);
  const content = {
    ...(schema ? { 'application/json': { schema: reference(schema) } } : {}),
    ...Object.fromEntries((text ?? []).map((type) => [type, { schema: { type: 'string' } }])),
    // Binary content has no schema (OpenAPI 3.1, "Considerations for Media Types").
    ...(bytes ? { [bytes]: {} } : {}),
  };
  return {
    description,
    ...(described.length > 0 ? { headers: Object.fromEntries(described) } : {}),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

function errorsOf(statuses: readonly number[], texts: Texts): [string, Json][] {
  const sorted = [...new Set(statuses)].sort((a, b) => a - b);
  return sorted.map((status) => [
    String(status),
    {
      description: texts[status]!,
      ...(status === 429 || status === 503 ? { headers: retryAfter } : {}),
      content: errorContent,
    },
  ]);
}

/** Of any operation: node:http does not read such a request (sendClientError.ts). */
const unread = [400, 408, 431];

export function adminResponses(route: Route): Record<string, Json> {
  const keyed = 'isOpen' in route ? [] : [401, 403, 429];
  const withBody = route.body ? [400, 413, 415, 422] : [];
  const withQuery = route.query ? [422] : [];
  const withKey = takesIdempotencyKey(route) ? [400, 409, 422] : [];
  const unchanged = route.headers?.['if-none-match'] === undefined ? {} : { 304: { description: 'Not modified.' } };
  return Object.fromEntries([
    [String(route.response.status), responseOf(route.response)],
    ...Object.entries(unchanged),
    ...errorsOf([...unread, ...keyed, ...withBody, ...withQuery, ...withKey, ...route.errors], errorTexts),
  ]);
}

export function liveResponses({ response, alternatives = {}, errors }: LiveRoute): Record<string, Json> {
  return Object.fromEntries([
    [String(response.status), responseOf(response)],
    ...Object.entries(alternatives).map(([status, other]) => [status, responseOf(other)]),
    ...errorsOf([...unread, ...errors], liveTexts),
  ]);
}
