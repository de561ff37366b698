// OpenAPI 3.1 of the routes that are served, from the very schemas that validate. Source: OpenAPI Specification 3.1.
import type { TObject, TSchema } from 'typebox';
import { sessionSummary, sessionTrace, timelineAnswer } from '../../airContract.ts';
import { assetAnswer, assetBody, assetsAdded } from '../../assetContract.ts';
import {
  channelAnswer,
  channelBody,
  errorAnswer,
  generatedPlaylist,
  itemStatus,
  playlistAnswer,
  playlistBody,
} from '../../contract.ts';
import { reportAnswer } from '../../reportContract.ts';
import { keyAnswer, keyBody, newKeyAnswer, rotationBody, systemAnswer, systemBody } from '../../tenantContract.ts';
import type { Route } from '../request/route.ts';

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

const named: Readonly<Record<string, TSchema>> = {
  SystemBody: systemBody,
  System: systemAnswer,
  PlaylistBody: playlistBody,
  Playlist: playlistAnswer,
  GeneratedPlaylist: generatedPlaylist,
  ItemStatus: itemStatus,
  ChannelBody: channelBody,
  Channel: channelAnswer,
  Timeline: timelineAnswer,
  SessionSummary: sessionSummary,
  SessionTrace: sessionTrace,
  Report: reportAnswer,
  AssetBody: assetBody,
  Asset: assetAnswer,
  AddedAssets: assetsAdded,
  KeyBody: keyBody,
  Rotation: rotationBody,
  Key: keyAnswer,
  NewKey: newKeyAnswer,
  Error: errorAnswer,
};
const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));

const errorTexts: Readonly<Record<number, string>> = {
  400: 'malformed',
  401: 'the key is missing',
  403: 'the key is wrong',
  404: 'there is none, or it is not yours',
  409: 'conflict with what is there',
  412: 'there is a newer version than If-Match names',
  413: 'the body is larger than 1 MiB',
  415: 'the body is no application/json',
  422: 'not valid; data names every field that offends',
  429: 'too many requests; see retry-after',
  503: 'what it needs does not answer; try again',
};

/** Plain JSON: what a schema holds besides is for TypeScript. */
const plain = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema)) as Json;

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
  const { answer } = route;
  const ok = {
    description: answer.description,
    ...(answer.headers
      ? {
          headers: Object.fromEntries(
            Object.entries(answer.headers).map(([name, description]) => [
              name,
              { description, schema: { type: 'string' } },
            ]),
          ),
        }
      : {}),
    ...(answer.schema || answer.text || answer.bytes
      ? {
          content: {
            ...(answer.schema ? { 'application/json': { schema: reference(answer.schema) } } : {}),
            ...Object.fromEntries((answer.text ?? []).map((type) => [type, { schema: { type: 'string' } }])),
            // Bytes as they are have no schema (OpenAPI 3.1, "Considerations for Media Types").
            ...(answer.bytes ? { [answer.bytes]: {} } : {}),
          },
        }
      : {}),
  };
  const keyed = 'isOpen' in route ? [] : [401, 403, 429];
  const withBody = route.body ? [400, 413, 415, 422] : [];
  const withQuery = route.query ? [422] : [];
  const errors = [...new Set([...keyed, ...withBody, ...withQuery, ...route.errors])].sort((a, b) => a - b);
  const body = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const unchanged = route.headers?.['if-none-match'] === undefined ? {} : { 304: { description: 'it is as it was' } };
  return Object.fromEntries([
    [String(answer.status), ok],
    ...Object.entries(unchanged),
    ...errors.map((status) => [String(status), { description: errorTexts[status]!, content: body }]),
  ]);
}

function operationOf(route: Route): Operation {
  const { operationId, tag, summary, description, body, method, example } = route;
  const mediaType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
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
            content: { [mediaType]: { schema: reference(body.schema), example: example.body } },
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
      title: 'Midroll administrative interface',
      version: '2',
      description:
        'Systems, playlists, channels, sessions, assets and keys. Every route of /api/v2 wants the header x-api-key.',
    },
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ apiKey: [] }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, plain(schema)])),
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
    },
  };
}
