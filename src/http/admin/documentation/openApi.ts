// SPDX-License-Identifier: Apache-2.0
// The OpenAPI document of the routes of both ports, made from the schemas that validate requests. Source: OpenAPI
// Specification 3.1.
import { scopeOf } from '../request/authorize.ts';
import { type Route, type RouteFacts, takesIdempotencyKey } from '../request/route.ts';
import type { LiveRoute } from './live/liveRoute.ts';
import { named, patched } from './namedSchemas.ts';
import { type Parameter, parametersOf } from './parametersOf.ts';
import { adminResponses, liveResponses } from './responsesOf.ts';
import { type Json, patchName, patchOf, plain, reference } from './schemaReferences.ts';

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
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;
export type OpenApi = {
  readonly openapi: '3.1.0';
  readonly info: Json;
  readonly servers: readonly Server[];
  readonly tags: readonly { readonly name: string }[];
  readonly security: readonly Json[];
  readonly paths: Paths;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly securitySchemes: Json };
};

const adminServer: Server = { url: 'http://127.0.0.1:8080', description: 'Administrative port' };
const liveServer: Server = { url: 'http://127.0.0.1:8081', description: 'Live port' };

function bodyOf({ body, method, operationId, example }: RouteFacts): { requestBody?: Json } {
  if (body === undefined) return {};
  const mediaType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const schema =
    operationId in patched ? { $ref: `#/components/schemas/${patchName(operationId)}` } : reference(body.schema);
  const others = Object.fromEntries((body.xmlTypes ?? []).map((type) => [type, { schema: { type: 'string' } }]));
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
  return { ...operation, description, 'x-required-scope': scopeOf(route) };
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
      description:
        'The administrative port manages systems, playlists, channels, sessions, assets and API keys; every route of /api/v2 requires the x-api-key header, and a scope of the key. The live port serves players; every route with GET also has HEAD. Unknown query parameters are ignored, except where a session is opened: there they are variables for the ad server.',
    },
    servers: [adminServer],
    tags: [...new Set([...routes, ...live].map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ apiKey: [] }],
    paths,
    components: {
      schemas: Object.fromEntries([
        ...Object.entries(named).map(([name, schema]) => [name, plain(schema)]),
        ...Object.entries(patched).map(([operationId, body]) => [patchName(operationId), patchOf(body)]),
      ]),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        channelKey: { type: 'apiKey', in: 'query', name: 'api-key' },
        channelHeader: { type: 'apiKey', in: 'header', name: 'api-key' },
      },
    },
  };
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
