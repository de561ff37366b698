// SPDX-License-Identifier: Apache-2.0
// The OpenAPI document of the served routes, made from the schemas that validate requests. Source: OpenAPI Specification 3.1.
import type { TObject, TSchema } from 'typebox';
import type { Route } from '../request/route.ts';
import { named, patched } from './namedSchemas.ts';

type Json = Readonly<Record<string, unknown>>;
export type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Json;
  readonly responses: Readonly<Record<string, Json>>;
  readonly security?: readonly Json[];
};
export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Json;
  readonly description?: string;
  readonly example?: string;
};
export type OpenApi = {
  readonly openapi: '3.1.0';
  readonly info: Json;
  readonly tags: readonly { readonly name: string }[];
  readonly security: readonly Json[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly securitySchemes: Json };
};

const patchName = (operationId: string): string => `${operationId.slice('patch'.length)}Patch`;
const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));

const errorTexts: Readonly<Record<number, string>> = {
  400: 'Malformed request.',
  401: 'Missing x-api-key header.',
  403: 'Invalid API key.',
  404: 'Not found, or not a record of your tenant.',
  409: 'Conflict with the current state.',
  412: 'If-Match does not list the current version.',
  413: 'The body is larger than 1 MiB.',
  415: 'The body has another content type than those listed.',
  422: 'Invalid request; data lists every invalid field.',
  429: 'Too many requests; retry after the number of seconds in retry-after.',
  503: 'A dependency is unavailable; retry.',
};

/** Adds the type of enumerations of strings, which code generators need. */
const withType = (_: string, value: unknown): unknown => {
  const { enum: values, type } = (value ?? {}) as { readonly enum?: unknown; readonly type?: string };
  const isText = Array.isArray(values) && type === undefined && values.every((one) => typeof one === 'string');
  return isText ? { type: 'string', ...(value as Json) } : value;
};

/** Removes what a schema holds for TypeScript only. */
const plain = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema, withType)) as Json;

/** A JSON Merge Patch (RFC 7396) of a record: every field is optional, and null removes a field. */
function patchOf(body: TSchema): Json {
  const { properties, required = [] } = plain(body) as { properties: Record<string, Json>; required?: string[] };
  const optional = Object.entries(properties).map(([name, { default: _, ...schema }]) => [
    name,
    required.includes(name) ? schema : { anyOf: [schema, { type: 'null' }] },
  ]);
  return { type: 'object', properties: Object.fromEntries(optional) };
}

function reference(schema: TSchema): Json {
  const name = names.get(schema);
  if (name) return { $ref: `#/components/schemas/${name}` };
  const { items } = schema as { items?: TSchema };
  const itemName = items && names.get(items);
  return itemName ? { type: 'array', items: { $ref: `#/components/schemas/${itemName}` } } : plain(schema);
}

function parametersOf({ path, query, headers, example }: Route): Parameter[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(
    ([, name]): Parameter => ({
      name: name!,
      in: 'path',
      required: true,
      schema: { type: 'string' },
      ...(example.params?.[name!] ? { example: example.params[name!]! } : {}),
    }),
  );
  const inQuery = Object.entries((query ?? { properties: {} }).properties).map(([name, property]): Parameter => {
    const { description, ...schema } = plain(property as TSchema) as Json & { description?: string };
    const sample = example.query?.[name];
    const isRequired = (query as TObject & { required?: string[] }).required?.includes(name) ?? false;
    return {
      name,
      in: 'query',
      required: isRequired && schema.default === undefined,
      schema,
      ...(description ? { description } : {}),
      ...(sample === undefined ? {} : { example: sample }),
    };
  });
  const inHeaders = Object.entries(headers ?? {}).map(
    ([name, description]): Parameter => ({
      name,
      in: 'header',
      required: false,
      schema: { type: 'string' },
      description,
    }),
  );
  return [...inPath, ...inQuery, ...inHeaders];
}

function responsesOf(route: Route): Record<string, Json> {
  const { response } = route;
  const ok = {
    description: response.description,
    ...(response.headers
      ? {
          headers: Object.fromEntries(
            Object.entries(response.headers).map(([name, description]) => [
              name,
              { description, schema: { type: 'string' } },
            ]),
          ),
        }
      : {}),
    ...(response.schema || response.text || response.bytes
      ? {
          content: {
            ...(response.schema ? { 'application/json': { schema: reference(response.schema) } } : {}),
            ...Object.fromEntries((response.text ?? []).map((type) => [type, { schema: { type: 'string' } }])),
            // Binary content has no schema (OpenAPI 3.1, "Considerations for Media Types").
            ...(response.bytes ? { [response.bytes]: {} } : {}),
          },
        }
      : {}),
  };
  const keyed = 'isOpen' in route ? [] : [401, 403, 429];
  const withBody = route.body ? [400, 413, 415, 422] : [];
  const withQuery = route.query ? [422] : [];
  const errors = [...new Set([...keyed, ...withBody, ...withQuery, ...route.errors])].sort((a, b) => a - b);
  const body = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const unchanged = route.headers?.['if-none-match'] === undefined ? {} : { 304: { description: 'Not modified.' } };
  return Object.fromEntries([
    [String(response.status), ok],
    ...Object.entries(unchanged),
    ...errors.map((status) => [String(status), { description: errorTexts[status]!, content: body }]),
  ]);
}

function operationOf(route: Route): Operation {
  const { operationId, tag, summary, description, body, method, example } = route;
  const mediaType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const bodySchema =
    operationId in patched
      ? { $ref: `#/components/schemas/${patchName(operationId)}` }
      : body && reference(body.schema);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    parameters: parametersOf(route),
    ...(body
      ? {
          requestBody: {
            required: !body.isOptional,
            content: {
              [mediaType]: { schema: bodySchema, example: example.body },
              ...Object.fromEntries((body.xmlTypes ?? []).map((type) => [type, { schema: { type: 'string' } }])),
            },
          },
        }
      : {}),
    responses: responsesOf(route),
    ...('isOpen' in route ? { security: [] } : {}),
  };
}

export function openApi(routes: readonly Route[]): OpenApi {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Midroll administrative API',
      version: '2',
      description:
        'Manages systems, playlists, channels, sessions, assets and API keys. Every route of /api/v2 requires the x-api-key header.',
    },
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ apiKey: [] }],
    paths,
    components: {
      schemas: Object.fromEntries([
        ...Object.entries(named).map(([name, schema]) => [name, plain(schema)]),
        ...Object.entries(patched).map(([operationId, body]) => [patchName(operationId), patchOf(body)]),
      ]),
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
    },
  };
}
