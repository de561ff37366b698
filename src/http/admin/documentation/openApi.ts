// SPDX-License-Identifier: Apache-2.0
// The OpenAPI document of the routes of both ports, made from the schemas that validate requests. Source: OpenAPI
// Specification 3.1.

import type { TSchema } from 'typebox';
import { defined } from '../../../invariant.ts';
import { errorResponse } from '../../contract/commonContract.ts';
import { nameOf } from '../../contract/named.ts';
import { scopeOf } from '../request/authorize.ts';
import { type ResponseDoc, type Route, type RouteFacts, takesIdempotencyKey } from '../request/route.ts';
import type { LiveRoute } from './live/playbackRoutes.ts';
import { type Json, type Parameter, parametersOf, patchName, patchOf, plain, reference } from './parametersOf.ts';
import { tagTexts } from './tags.ts';

type Server = { readonly url: string; readonly description: 'Administrative port' | 'Live port' };
export type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Json;
  readonly responses: Readonly<Record<string, Json>>;
  readonly security?: readonly Json[];
  /** The scope that the administrative port requires. */
  readonly 'x-required-scope'?: string;
  /** Absent for operations of the administrative port only. */
  readonly servers?: readonly Server[];
};
export type OpenApi = {
  readonly openapi: '3.1.0';
  readonly info: Json;
  readonly servers: readonly Server[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly Json[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly securitySchemes: Json };
};

const adminServer: Server = { url: 'http://127.0.0.1:8080', description: 'Administrative port' };
const liveServer: Server = { url: 'http://127.0.0.1:8081', description: 'Live port' };

function bodyOf({ body, method, operationId, example = {} }: RouteFacts): { requestBody?: Json } {
  if (body === undefined) return {};
  const mediaType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const schema =
    body.patches !== undefined ? { $ref: `#/components/schemas/${patchName(operationId)}` } : reference(body.schema);
  const texts = (body.textTypes ?? []).filter((type) => type !== mediaType);
  const others = Object.fromEntries(texts.map((type) => [type, { schema: { type: 'string' } }]));
  const content = { [mediaType]: { schema, example: example.body }, ...others };
  return { requestBody: { required: !body.isOptional, content } };
}

const operationOf = (route: RouteFacts) => ({
  operationId: route.operationId,
  tags: [route.tag],
  summary: route.summary,
  ...(route.description ? { description: route.description } : {}),
  parameters: parametersOf(route),
  ...bodyOf(route),
});

const idempotencyKey = {
  'idempotency-key':
    'Names the request, with 1 to 255 characters: for 24 hours, a repetition returns the first response instead of being executed.',
};

/** What the route declares about access, in words. */
function accessOf(route: RouteFacts): string {
  const { channelAccess: access } = route;
  const scope = `Requires the scope \`${scopeOf(route)}\`.`;
  if (access === undefined) return `${scope} Not for keys that are restricted to channels.`;
  if (access === 'filtered') return `${scope} Keys that are restricted to channels get what belongs to these.`;
  if (typeof access === 'object' && 'query' in access)
    return `${scope} For keys that are restricted to channels, \`${access.query}\` is required.`;
  return scope;
}

function adminOperation(route: Route): Operation {
  const headers = takesIdempotencyKey(route) ? { headers: { ...route.headers, ...idempotencyKey } } : {};
  const operation = { ...operationOf({ ...route, ...headers }), responses: adminResponses(route) };
  if ('isOpen' in route) return { ...operation, security: [] };
  const description = [route.description, accessOf(route)].filter((text) => text !== undefined).join('\n\n');
  const bearer = route.acceptsBearer && { security: [{ apiKey: [] }, { bearer: [] }] };
  return { ...operation, description, ...bearer, 'x-required-scope': scopeOf(route) };
}

const channelKey = {
  always: [{ channelKey: [] }],
  toOpen: [{ channelKey: [] }, {}],
  inHeader: [{ channelHeader: [] }],
} as const;
const liveOperation = (route: LiveRoute): Operation => ({
  ...operationOf(route),
  responses: liveResponses(route),
  security: route.key === undefined ? [] : channelKey[route.key],
  servers: route.isOnBothPorts ? [liveServer, adminServer] : [liveServer],
});

/** @param live routes of the live port. The URLs of the servers are examples; see withServers. */
export function openApi(routes: readonly Route[], live: readonly LiveRoute[]): OpenApi {
  const paths: Record<string, Record<string, Operation>> = {};
  const add = ({ path, method }: RouteFacts, operation: Operation) => {
    const template = path.replace(/:(\w+)/g, '{$1}');
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation };
  };
  for (const route of routes) add(route, adminOperation(route));
  for (const route of live) add(route, liveOperation(route));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Midroll API',
      version: '2',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'The operator of this installation' },
      description:
        'The administrative port manages channels, playlists, sessions, assets, alerts and API keys; every route of /api/v2 requires the x-api-key header, and a scope of the key. The live port serves players; every route with GET also has HEAD. Unknown query parameters are ignored, except where a session is opened: there they are variables for the ad server.',
    },
    servers: [adminServer],
    tags: Object.entries(tagTexts).map(([name, description]) => ({ name, description })),
    security: [{ apiKey: [] }],
    paths,
    components: {
      schemas: Object.fromEntries([
        ...namedSchemas([...routes, ...live]),
        ...routes.flatMap(({ operationId, body }) =>
          body?.patches === undefined ? [] : [[patchName(operationId), patchOf(body.patches)] as const],
        ),
      ]),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key.' },
        channelKey: { type: 'apiKey', in: 'query', name: 'api-key' },
        channelHeader: { type: 'apiKey', in: 'header', name: 'api-key' },
      },
    },
  };
}

/** What the routes refer to by name. */
function namedSchemas(routes: readonly RouteFacts[]): (readonly [string, Json])[] {
  const schemas = routes.flatMap(({ body, response }) => [body?.schema ?? [], response.schema ?? []].flat());
  const items = schemas.flatMap((schema) => (schema as { readonly items?: TSchema }).items ?? []);
  const found = new Map<string, TSchema>();
  for (const schema of [...schemas, ...items, errorResponse]) {
    const name = nameOf(schema);
    if (name !== undefined) found.set(name, schema);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, schema]) => [name, plain(schema)]);
}

const mapValues = <From, To>(fields: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value)]));

/** The document with the public URLs of the ports. */
export function withServers(document: OpenApi, urls: { readonly admin: string; readonly live: string }): OpenApi {
  const withUrl = ({ description }: Server): Server => ({
    url: description === liveServer.description ? urls.live : urls.admin,
    description,
  });
  const operation = (one: Operation): Operation =>
    one.servers === undefined ? one : { ...one, servers: one.servers.map(withUrl) };
  return {
    ...document,
    servers: document.servers.map(withUrl),
    paths: mapValues(document.paths, (methods) => mapValues(methods, operation)),
  };
}

// The responses of an operation in the OpenAPI document.

type Texts = Readonly<Record<number, string>>;
const errorTexts: Texts = {
  400: 'Malformed request.',
  401: 'Missing x-api-key header.',
  403: 'Invalid API key, or one whose scope or channels do not allow this; then `data` has the keyword `scope` or `channels`.',
  404: 'Not found, or not a record of your tenant or channels.',
  408: 'The request was not complete in time.',
  409: 'Conflict with the current state.',
  412: 'If-Match does not list the current version.',
  413: 'The body is larger than 1 MiB, or 32 MiB where a schedule is imported.',
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

function errorsOf(statuses: readonly number[], texts: Texts): [string, Json][] {
  const sorted = [...new Set(statuses)].sort((a, b) => a - b);
  return sorted.map((status) => [
    String(status),
    {
      description: defined(texts[status], 'each status of an error has a text'),
      ...(status === 429 || status === 503 ? { headers: retryAfter } : {}),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]);
}

/** The errors of requests that node:http does not read, for any operation (sendClientError.ts). */
const unread = [400, 408, 431];

function adminResponses(route: Route): Record<string, Json> {
  const keyed = 'isOpen' in route ? [] : [401, 403, 429];
  const withBody = route.body ? [400, 413, 415, 422] : [];
  const withQuery = route.query ? [422] : [];
  const withKey = takesIdempotencyKey(route) ? [400, 409, 422] : [];
  const unchanged = route.headers?.['if-none-match'] === undefined ? {} : { 304: { description: 'Not modified.' } };
  return Object.fromEntries([
    [String(route.response.status), responseOf(route.response)],
    ...Object.entries(unchanged),
    ...errorsOf([...unread, ...keyed, ...withBody, ...withQuery, ...withKey, ...(route.errors ?? [])], errorTexts),
  ]);
}

function liveResponses({ response, alternatives = {}, errors = [] }: LiveRoute): Record<string, Json> {
  return Object.fromEntries([
    [String(response.status), responseOf(response)],
    ...Object.entries(alternatives).map(([status, other]) => [status, responseOf(other)]),
    ...errorsOf([...unread, ...errors], liveTexts),
  ]);
}
