// Reads query parameters against a schema: numbers from their text, one value each. Parameters that the route does not
// know are left alone.
import { type Static, type TObject, Type } from 'typebox';
import { AppError, type FieldError, fieldError } from '../../../errors.ts';
import { schemaFaults } from './validate.ts';

export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

const decimal = /^-?\d{1,15}(\.\d+)?$/;

/** @returns what the parameters say, as far as it can be read, and a fault for each that offends */
export function parseQuery(schema: TObject, raw: RawQuery): { values: Record<string, unknown>; faults: FieldError[] } {
  const values: Record<string, unknown> = {};
  const repeated: FieldError[] = [];
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = Object.hasOwn(raw, name) ? raw[name] : undefined;
    const { type, default: fallback } = property as { type?: string; default?: unknown };
    if (text === undefined) {
      if (fallback !== undefined) values[name] = fallback;
    } else if (typeof text !== 'string') {
      repeated.push(fieldError('repeated', `/${name}`, `must stand once in the query; it stands ${text.length} times`));
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

/** @throws {AppError} VALIDATION_ERROR that names every parameter that offends */
export function readQuery<Schema extends TObject>(schema: Schema, raw: RawQuery): Static<Schema> {
  const { values, faults } = parseQuery(schema, raw);
  refuse(faults, 'The query is not valid.');
  return values as Static<Schema>;
}

/** @throws {AppError} VALIDATION_ERROR when there are faults */
export function refuse(faults: readonly FieldError[], what: string): void {
  if (faults.length === 0) return;
  const [first] = faults;
  const more = faults.length > 1 ? ` And ${faults.length - 1} more, see data.` : '';
  throw new AppError('VALIDATION_ERROR', `${what} ${first!.dataPath || 'It'} ${first!.message}.${more}`, faults);
}

export const pageQuery = Type.Object({
  offset: Type.Integer({ minimum: 0, default: 0, description: 'index of the first item' }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'entries per page' }),
});
