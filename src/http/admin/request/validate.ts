// SPDX-License-Identifier: Apache-2.0
// Validates a value against a schema and explains each fault as `must be <expected>; got <actual>`. Items and fields are counted
// before they are looked at, and nothing is looked at after the last fault that is returned: a body of a megabyte has hundreds of
// thousands of them.

import type { TSchema } from 'typebox';
import { memo } from '../../../cache/memo.ts';
import { type Fields, isFields } from '../../../channels/fieldsOf.ts';
import { type FieldError, fieldError, pathTo } from '../../../errors.ts';
import { defined } from '../../../invariant.ts';

/** A larger list would be of no use. */
export const MAX_FAULTS = 1000;

/** The keywords that the schemas of requests contain (JSON Schema 2020-12). */
type SchemaNode = {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  /** The value has to be one of these. */
  readonly anyOf?: readonly SchemaNode[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: false | SchemaNode;
  readonly maxProperties?: number;
  readonly propertyNames?: SchemaNode;
  readonly items?: SchemaNode;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
};

/**
 * @returns a fault for each invalid field, at most MAX_FAULTS; `dataPath` names the field itself, also if it is missing or
 * unknown
 */
export function schemaFaults(schema: TSchema, value: unknown): FieldError[] {
  const faults: FieldError[] = [];
  for (const fault of faultsOf(schema as SchemaNode, value, '')) {
    faults.push(fault);
    if (faults.length === MAX_FAULTS) break;
  }
  return faults;
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
  description.replace(/\. .*|\.$/s, '').replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());

/** Half a character: no pattern describes it, and stores replace it. */
const surrogate = /\p{Surrogate}/u;

const patternOf = memo(
  (node: SchemaNode) => new RegExp(defined(node.pattern, 'a pattern is tested only where there is one'), 'u'),
);

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isFields,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

const mustBe = (keyword: string, path: string, expected: string, value: unknown, params: FieldError['params']) =>
  fieldError(keyword, path, `must be ${expected}; got ${show(value)}`, params);
const mustHave = (keyword: string, path: string, expected: string, count: number, limit: number) =>
  fieldError(keyword, path, `must have ${expected}; got ${count}`, { limit });

function* faultsOf(node: SchemaNode, value: unknown, path: string): Generator<FieldError, void> {
  if (!isOfType(node.type, value)) yield mustBe('type', path, typesOf(node.type), value, { type: node.type });
  if (typeof value === 'string') yield* ofText(node, value, path);
  else if (typeof value === 'number') yield* ofNumber(node, value, path);
  else if (Array.isArray(value)) yield* ofItems(node, value, path);
  else if (isFields(value)) yield* ofFields(node, value, path);
  if (node.enum !== undefined && !node.enum.includes(value))
    yield mustBe('enum', path, `one of ${node.enum.map(show).join(', ')}`, value, { allowedValues: node.enum });
  if (node.const !== undefined && node.const !== value)
    yield mustBe('const', path, show(node.const), value, { allowedValue: node.const });
  if (node.anyOf !== undefined) yield* ofBranches(node.anyOf, value, path);
}

/** The faults of the branch that was meant: the one with the most fields of the value, of those that accept its type. */
function* ofBranches(branches: readonly SchemaNode[], value: unknown, path: string): Generator<FieldError, void> {
  const ofType = branches.filter(({ type, const: only }) => isOfType(type, value) && (only ?? value) === value);
  const known = ({ properties = {} }: SchemaNode): number =>
    isFields(value) ? Object.keys(value).filter((name) => Object.hasOwn(properties, name)).length : 0;
  const [meant, ...others] = ofType.sort((one, other) => known(other) - known(one));
  if (meant === undefined) {
    const expected = branches.map(({ type, const: only }) => (only === undefined ? typesOf(type) : show(only)));
    yield mustBe('anyOf', path, expected.join(' or '), value, { anyOf: expected });
  } else if (!others.some((branch) => faultsOf(branch, value, path).next().done)) yield* faultsOf(meant, value, path);
}

const isOfType = (type: SchemaNode['type'], value: unknown): boolean =>
  type === undefined || [type].flat().some((one) => defined(types[one], 'schemas have types of JSON Schema')(value));

const typesOf = (type: SchemaNode['type'] = []): string => [type].flat().map(withArticle).join(' or ');

function* ofText(node: SchemaNode, text: string, path: string): Generator<FieldError, void> {
  const { minLength, maxLength, pattern } = node;
  // A character may be two units.
  const isLong = maxLength !== undefined && text.length > maxLength && countOf(text) > maxLength;
  if (isLong) yield mustHave('maxLength', path, `at most ${maxLength} characters`, countOf(text), maxLength);
  if (minLength !== undefined && countOf(text) < minLength)
    yield mustHave('minLength', path, `at least ${minLength} characters`, countOf(text), minLength);
  if (isLong || pattern === undefined || (patternOf(node).test(text) && !surrogate.test(text))) return;
  const expected = node.description ? expectedOf(node.description) : `text that matches ${pattern}`;
  yield mustBe('pattern', path, expected, text, { pattern });
}

function countOf(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) if ((text.codePointAt(at) ?? 0) > 0xffff) pairs += 1;
  return text.length - pairs;
}

function* ofNumber(node: SchemaNode, value: number, path: string): Generator<FieldError, void> {
  const { minimum, maximum, exclusiveMinimum } = node;
  if (exclusiveMinimum !== undefined && !(value > exclusiveMinimum))
    yield mustBe('exclusiveMinimum', path, `greater than ${exclusiveMinimum}`, value, { limit: exclusiveMinimum });
  if (minimum !== undefined && !(value >= minimum))
    yield mustBe('minimum', path, `at least ${minimum}`, value, { limit: minimum });
  if (maximum !== undefined && !(value <= maximum))
    yield mustBe('maximum', path, `at most ${maximum}`, value, { limit: maximum });
}

function* ofItems(node: SchemaNode, list: readonly unknown[], path: string): Generator<FieldError, void> {
  const { minItems, maxItems, items, uniqueItems } = node;
  if (maxItems !== undefined && list.length > maxItems)
    return yield mustHave('maxItems', path, `at most ${maxItems} items`, list.length, maxItems);
  if (items !== undefined) for (const [index, item] of list.entries()) yield* faultsOf(items, item, `${path}/${index}`);
  if (minItems !== undefined && list.length < minItems)
    yield mustHave(
      'minItems',
      path,
      `at least ${minItems} ${minItems === 1 ? 'item' : 'items'}`,
      list.length,
      minItems,
    );
  if (uniqueItems && new Set(list).size < list.length)
    yield fieldError('uniqueItems', path, 'must be an array of unique items; got duplicates');
}

function* ofFields(node: SchemaNode, fields: Fields, path: string): Generator<FieldError, void> {
  const { required = [], properties = {}, additionalProperties, maxProperties, propertyNames } = node;
  const names = Object.keys(fields);
  if (maxProperties !== undefined && names.length > maxProperties)
    return yield mustHave('maxProperties', path, `at most ${maxProperties} fields`, names.length, maxProperties);
  for (const name of required)
    if (!Object.hasOwn(fields, name))
      yield fieldError('required', pathTo(path, name), 'is required', { missingProperty: name });
  for (const name of names) {
    if (Object.hasOwn(properties, name) || additionalProperties === undefined) continue;
    if (additionalProperties !== false) yield* faultsOf(additionalProperties, fields[name], pathTo(path, name));
    else yield unknownField(pathTo(path, name), name, Object.keys(properties));
  }
  if (propertyNames !== undefined) for (const name of names) yield* faultsOf(propertyNames, name, pathTo(path, name));
  for (const [name, property] of Object.entries(properties))
    if (fields[name] !== undefined && Object.hasOwn(fields, name))
      yield* faultsOf(property, fields[name], pathTo(path, name));
}

const unknownField = (path: string, name: string, known: readonly string[]): FieldError =>
  fieldError('additionalProperties', path, `is not a known field; must be one of ${known.join(', ')}`, {
    additionalProperty: name,
  });
