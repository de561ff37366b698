// SPDX-License-Identifier: Apache-2.0
// Reads query parameters against a schema: numbers from their text, one value each, except for lists. Unknown parameters are ignored.

import { type Static, type TObject, Type } from 'typebox';
import { type FieldError, fieldError, validationError } from '../../../errors.ts';
import { withoutUndefined } from '../../../invariant.ts';
import { MAX_PAGE_SIZE } from '../../contract/channelValues.ts';
import { integer } from '../../contract/commonContract.ts';
import { schemaFaults } from './validate.ts';

export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

const decimal = /^-?\d{1,15}(\.\d+)?$/;

/** @returns the values as far as they can be read, and one fault for each invalid parameter */
export function parseQuery(schema: TObject, raw: RawQuery): { values: Record<string, unknown>; faults: FieldError[] } {
  const values: Record<string, unknown> = {};
  const repeated: FieldError[] = [];
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = Object.hasOwn(raw, name) ? raw[name] : undefined;
    const { type, default: fallback } = property as { type?: string; default?: unknown };
    if (text === undefined) {
      if (fallback !== undefined) values[name] = fallback;
    } else if (type === 'array') {
      values[name] = [text].flat().flatMap((one) => one.split(',').filter((item) => item !== ''));
    } else if (typeof text !== 'string') {
      repeated.push(fieldError('repeated', `/${name}`, `must appear once in the query; got ${text.length} values`));
      if (fallback !== undefined) values[name] = fallback;
    } else {
      const isNumber = (type === 'integer' || type === 'number') && decimal.test(text);
      values[name] = isNumber ? Number(text) : text;
    }
  }
  const known = new Set(repeated.map(({ dataPath }) => dataPath));
  const faults = schemaFaults(schema, values).filter(({ dataPath }) => !known.has(dataPath));
  return { values, faults: [...repeated, ...faults] };
}

/** @throws {AppError} VALIDATION_ERROR with every invalid parameter */
export function readQuery<Schema extends TObject>(schema: Schema, raw: RawQuery): Static<Schema> {
  const { values, faults } = parseQuery(schema, raw);
  rejectQuery(faults);
  return values as Static<Schema>;
}

/** The parameters of a filter that have a value: an empty one filters nothing. */
export const given = <Filter extends object>(filter: Filter) =>
  withoutUndefined(Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '')) as Filter);

/** @throws {AppError} VALIDATION_ERROR if there are faults */
export function rejectQuery(faults: readonly FieldError[]): void {
  if (faults.length > 0) throw validationError('Invalid query', faults, 'the query');
}

export const pageQuery = Type.Object({
  offset: integer('Index of the first item to return.', { minimum: 0, default: 0 }),
  limit: integer('Items per page.', { minimum: 1, maximum: MAX_PAGE_SIZE, default: 20 }),
});
