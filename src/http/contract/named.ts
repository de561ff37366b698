// SPDX-License-Identifier: Apache-2.0
import { type TProperties, type TSchema, Type } from 'typebox';

const names = new WeakMap<object, string>();

/**
 * Gives a schema a name in the API document, where it is a component that routes refer to.
 * @param name unique, such as `AlertRule`
 */
export function named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  names.set(schema, name);
  return schema;
}

export const namedObject = <Fields extends TProperties>(name: string, fields: Fields) =>
  named(name, Type.Object(fields));

/** The body of a request, without other fields. */
export const namedBody = <Fields extends TProperties>(name: string, description: string, fields: Fields) =>
  named(name, Type.Object(fields, { additionalProperties: false, description }));

export const nameOf = (schema: TSchema): string | undefined => names.get(schema);
