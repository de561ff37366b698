// SPDX-License-Identifier: Apache-2.0
// The parameters of an operation in the OpenAPI document.

import type { TObject, TSchema } from 'typebox';
import { nameOf } from '../../contract/named.ts';
import type { RouteFacts } from '../request/route.ts';
import type { LiveRoute } from './live/playbackRoutes.ts';

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Json;
  readonly description?: string;
  readonly example?: string | number;
  readonly style?: 'form';
  readonly explode?: true;
};

const described = (description: string | undefined) => (description ? { description } : {});

const isNumber = ({ type }: Json): boolean => type === 'integer' || type === 'number';

/** All other query parameters: an object whose properties are parameters (OpenAPI 3.1, "Style Values", form). */
const adVariables: Parameter = {
  name: 'variables',
  in: 'query',
  required: false,
  schema: { type: 'object', additionalProperties: { type: 'string' } },
  description: 'Any other parameters: each one is a variable for the ad server, such as `device=tv`.',
  style: 'form',
  explode: true,
};

export function parametersOf(route: RouteFacts & Pick<LiveRoute, 'parameters' | 'hasAdVariables'>): Parameter[] {
  const { path, query, headers, example = {}, parameters, hasAdVariables } = route;
  const inPath = (path.match(/(?<=:)\w+/g) ?? []).map((name): Parameter => {
    const sample = example.params?.[name];
    return {
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
      ...described(parameters?.[name]),
      ...(sample ? { example: sample } : {}),
    };
  });
  const inQuery = Object.entries((query ?? { properties: {} }).properties).map(([name, property]): Parameter => {
    const { description, ...schema } = plain(property as TSchema) as Json & { description?: string };
    const sample = example.query?.[name];
    const isRequired = (query as TObject & { required?: string[] }).required?.includes(name) ?? false;
    return {
      name,
      in: 'query',
      required: isRequired && schema.default === undefined,
      schema,
      ...described(description),
      ...(sample === undefined ? {} : { example: isNumber(schema) ? Number(sample) : sample }),
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
  return [...inPath, ...inQuery, ...(hasAdVariables ? [adVariables] : []), ...inHeaders];
}

export type Json = Readonly<Record<string, unknown>>;

const ofTypes: Readonly<Record<string, readonly string[]>> = {
  string: ['pattern', 'minLength', 'maxLength'],
  number: ['minimum', 'exclusiveMinimum', 'maximum'],
};

/** One schema for each type, with the keywords that apply to it. */
function alternatives({ type, ...others }: Json & { readonly type: readonly string[] }): Json {
  const known = Object.values(ofTypes).flat();
  const only = (keep: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(others).filter(([name]) => keep(name)));
  const anyOf = type.map((one) => ({ type: one, ...only((name) => ofTypes[one]?.includes(name) === true) }));
  return { ...only((name) => !known.includes(name)), anyOf };
}

type TypedJson = Json & {
  readonly enum?: unknown;
  readonly type?: string | readonly string[];
  readonly maximum?: number;
};

/**
 * For code generators: the type of enumerations of strings, one type for each alternative, and formats, without which numbers have
 * 32 bits in Go.
 */
const forGenerators = (_: string, value: unknown): unknown => {
  const schema = (value ?? {}) as TypedJson;
  const { enum: values, type, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (Array.isArray(type)) return alternatives({ ...schema, type });
  if (type === 'number') return { ...schema, format: 'double' };
  if (type === 'integer' && maximum > 2 ** 31) return { ...schema, format: 'int64' };
  const isText = Array.isArray(values) && type === undefined && values.every((one) => typeof one === 'string');
  return isText ? { type: 'string', ...schema } : value;
};

/** Removes what a schema holds for TypeScript only. */
export const plain = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema, forGenerators)) as Json;

export function reference(schema: TSchema): Json {
  const name = nameOf(schema);
  if (name) return { $ref: `#/components/schemas/${name}` };
  const { items } = schema as { items?: TSchema };
  const itemName = items && nameOf(items);
  return itemName ? { type: 'array', items: { $ref: `#/components/schemas/${itemName}` } } : plain(schema);
}

export const patchName = (operationId: string): string => `${operationId.slice('patch'.length)}Patch`;

const nullable = (schema: Json): Json => ({ anyOf: [schema, { type: 'null' }] });

/** In nested objects, too: a merge patch is applied to them field by field. Arrays are replaced as a whole. */
function patchSchema({ default: _, ...schema }: Json): Json {
  if (schema.type !== 'object') return schema;
  const {
    properties = {},
    required = [],
    additionalProperties,
    ...rest
  } = schema as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
    readonly additionalProperties?: boolean | Json;
  };
  const fields = Object.entries(properties).map(([name, field]) => {
    const patch = patchSchema(field);
    return [name, required.includes(name) ? patch : nullable(patch)];
  });
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: nullable(additionalProperties) } : {}),
  };
}

/** A JSON Merge Patch (RFC 7396) of a record: every field is optional, and null removes a field that a record need not have. */
export function patchOf(body: TSchema): Json {
  const { description: _, ...schema } = patchSchema(plain(body)) as Json & { readonly description?: string };
  return schema;
}
