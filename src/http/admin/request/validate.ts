// SPDX-License-Identifier: Apache-2.0
// Validates a value against a schema and explains each fault as `must be <expected>; got <actual>`.
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { memo } from '../../../cache/memo.ts';
import { type FieldError, fieldError } from '../../../errors.ts';

/** A larger list would be of no use, and a request of one megabyte could get a response of many. */
const MAX_FAULTS = 1000;
Settings.Set({ maxErrors: MAX_FAULTS });

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

const validatorOf = memo((schema: TSchema) => Compile(schema));

/** @returns one fault for each invalid field; `dataPath` names the field itself, also if it is missing or unknown */
export function schemaFaults(schema: TSchema, value: unknown): FieldError[] {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return [];
  const faults = validator.Errors(value) as readonly Fault[];
  return faults.flatMap((fault) => explain(fault, schema, value)).slice(0, MAX_FAULTS);
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

const MAX_SHOWN_CHARACTERS = 60;

function show(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return Array.isArray(value) ? 'an array' : 'an object';
  const shown = value.length > MAX_SHOWN_CHARACTERS ? `${value.slice(0, MAX_SHOWN_CHARACTERS)}…` : value;
  return JSON.stringify(shown);
}

const withArticle = (type: string) => `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;

/** The first sentence of a description states which values are valid; here it follows "must be". */
const expectedOf = (description: string): string =>
  description
    .split('. ')[0]!
    .replace(/\.$/, '')
    .replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());

function explain({ keyword, schemaPath, instancePath, params }: Fault, schema: TSchema, root: unknown): FieldError[] {
  const node = at(schema, schemaPath.slice(1)) as SchemaNode;
  const limit = (params as { limit?: number }).limit;
  const value = at(root, instancePath);
  const mustBe = (expected: string, actual = show(value)) => [
    fieldError(keyword, instancePath, `must be ${expected}; got ${actual}`, { ...params }),
  ];
  const mustHave = (expected: string, count: number) => [
    fieldError(keyword, instancePath, `must have ${expected}; got ${count}`, { ...params }),
  ];
  switch (keyword) {
    case 'boolean':
      // Reported again as additionalProperties, with the name.
      return [];
    case 'additionalProperties':
      // If other names are allowed, the faults of their values were reported on their own.
      if (node.additionalProperties !== false) return [];
      return (params as { additionalProperties: string[] }).additionalProperties.map((name) =>
        fieldError(
          keyword,
          `${instancePath}/${escapePointer(name)}`,
          `is not a known field; must be one of ${Object.keys(node.properties ?? {}).join(', ')}`,
          { additionalProperty: name },
        ),
      );
    case 'required':
      return (params as { requiredProperties: string[] }).requiredProperties.map((name) =>
        fieldError(keyword, `${instancePath}/${escapePointer(name)}`, 'is required', { missingProperty: name }),
      );
    case 'type':
      return mustBe([node.type as string | string[]].flat().map(withArticle).join(' or '));
    case 'enum':
      return mustBe(`one of ${(node.enum as unknown[]).map(show).join(', ')}`);
    case 'minimum':
      return mustBe(`at least ${limit}`);
    case 'maximum':
      return mustBe(`at most ${limit}`);
    case 'exclusiveMinimum':
      return mustBe(`greater than ${limit}`);
    case 'pattern':
      return mustBe(node.description ? expectedOf(node.description) : `text that matches ${node.pattern}`);
    case 'maxLength':
      return mustHave(`at most ${limit} characters`, [...(value as string)].length);
    case 'minItems':
      return mustHave(`at least ${limit} items`, (value as unknown[]).length);
    case 'uniqueItems':
      return mustBe('an array of unique items', 'duplicates');
    case 'maxItems':
      return mustHave(`at most ${limit} items`, (value as unknown[]).length);
    case 'maxProperties':
      return mustHave(`at most ${limit} fields`, Object.keys(value as object).length);
    default:
      return mustBe(`valid for ${keyword}`);
  }
}
