// SPDX-License-Identifier: Apache-2.0
// Schemas in the OpenAPI document: by reference if they have a name, else in place.
import type { TSchema } from 'typebox';
import { nameOf } from '../../contract/named.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Adds the type of enumerations of strings, which code generators need. */
const withType = (_: string, value: unknown): unknown => {
  const { enum: values, type } = (value ?? {}) as { readonly enum?: unknown; readonly type?: string };
  const isText = Array.isArray(values) && type === undefined && values.every((one) => typeof one === 'string');
  return isText ? { type: 'string', ...(value as Json) } : value;
};

/** Removes what a schema holds for TypeScript only. */
export const plain = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema, withType)) as Json;

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
