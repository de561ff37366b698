// Holds a value against a schema and says of every field that offends what was wanted and what came.
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { type FieldError, fieldError } from '../../../errors.ts';

/** Naming more than this helps nobody, and would answer a megabyte with many. */
const MOST_ERRORS = 1000;
Settings.Set({ maxErrors: MOST_ERRORS });

type Fault = {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: object;
};
type SchemaNode = { readonly [keyword: string]: unknown } & {
  readonly properties?: object;
  readonly description?: string;
};

const compiled = new WeakMap<TSchema, ReturnType<typeof Compile>>();
function validatorOf(schema: TSchema) {
  let validator = compiled.get(schema);
  if (!validator) {
    validator = Compile(schema);
    compiled.set(schema, validator);
  }
  return validator;
}

/** @returns a fault for each field that does not fit, none when all do; `dataPath` always names the field itself */
export function schemaFaults(schema: TSchema, value: unknown): FieldError[] {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return [];
  const faults = validator.Errors(value) as readonly Fault[];
  return faults.flatMap((fault) => explain(fault, schema, value)).slice(0, MOST_ERRORS);
}

const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

function at(root: unknown, pointer: string): unknown {
  let value = root;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** What came, short enough to be read. */
function show(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  return Array.isArray(value) ? 'a list' : 'an object';
}

const article = (type: string) =>
  ({ array: 'a list', object: 'an object', integer: 'a whole number' })[type] ?? `a ${type}`;

function explain({ keyword, schemaPath, instancePath, params }: Fault, schema: TSchema, root: unknown): FieldError[] {
  const node = at(schema, schemaPath.slice(1)) as SchemaNode;
  const limit = (params as { limit?: number }).limit;
  const value = at(root, instancePath);
  const say = (message: string) => [fieldError(keyword, instancePath, `${message}; got ${show(value)}`, { ...params })];
  const count = (unit: string) => [fieldError(keyword, instancePath, `must have ${unit}`, { ...params })];
  switch (keyword) {
    case 'boolean':
      // Said again by additionalProperties, with the name.
      return [];
    case 'additionalProperties':
      // Where other names are free, what is wrong with their values was said.
      if (node.additionalProperties !== false) return [];
      return (params as { additionalProperties: string[] }).additionalProperties.map((name) =>
        fieldError(
          keyword,
          `${instancePath}/${escapePointer(name)}`,
          `is not known here; known are ${Object.keys(node.properties ?? {}).join(', ')}`,
          { additionalProperty: name },
        ),
      );
    case 'required':
      return (params as { requiredProperties: string[] }).requiredProperties.map((name) =>
        fieldError(keyword, `${instancePath}/${escapePointer(name)}`, 'is required', { missingProperty: name }),
      );
    case 'type':
      return say(`must be ${[node.type as string | string[]].flat().map(article).join(' or ')}`);
    case 'enum':
      return say(`must be one of ${(node.enum as unknown[]).map(show).join(', ')}`);
    case 'minimum':
      return say(`must be at least ${limit}`);
    case 'maximum':
      return say(`must be at most ${limit}`);
    case 'exclusiveMinimum':
      return say(`must be more than ${limit}`);
    case 'pattern':
      return say(`must be ${node.description ?? `of the form ${node.pattern}`}`);
    case 'maxLength':
      return count(`at most ${limit} characters, has ${[...(value as string)].length}`);
    case 'minItems':
      return count(`at least ${limit} items, has ${(value as unknown[]).length}`);
    case 'uniqueItems':
      return count('each item once');
    case 'maxItems':
      return count(`at most ${limit} items, has ${(value as unknown[]).length}`);
    case 'maxProperties':
      return count(`at most ${limit} fields, has ${Object.keys(value as object).length}`);
    default:
      return say(`must fit ${keyword}`);
  }
}
