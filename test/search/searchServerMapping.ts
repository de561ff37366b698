// SPDX-License-Identifier: Apache-2.0
// Index templates and mappings of the fake search domain: fields and their types.
import { type Document, RequestFailure } from './searchServerQuery.ts';

type Field = {
  readonly type: string;
  readonly ignore_above?: number;
  readonly dynamic?: boolean;
  readonly format?: string;
};
type Dynamic = { readonly path: RegExp; readonly type: string };
export type Mapping = { readonly fields: ReadonlyMap<string, Field>; readonly dynamic: readonly Dynamic[] };
export type Template = { readonly pattern: RegExp; readonly priority: number; readonly mapping: Mapping };

const TYPES = new Set(['keyword', 'date', 'long', 'integer', 'object']);

function only(value: unknown, names: readonly string[], where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null)
    throw new RequestFailure(400, 'parsing_exception', `${where} is not an object`);
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new RequestFailure(400, 'mapper_parsing_exception', `unknown parameter [${unknown}] in ${where}`);
  return value as Record<string, unknown>;
}

const globOf = (pattern: string): RegExp => new RegExp(`^${pattern.replace(/[.+]/g, '\\$&').replaceAll('*', '.*')}$`);

export function readTemplate(name: string, body: unknown, others: ReadonlyMap<string, Template>): Template {
  const { index_patterns, priority, template } = only(body, ['index_patterns', 'priority', 'template'], 'the template');
  if (!Array.isArray(index_patterns) || index_patterns.length !== 1)
    throw new RequestFailure(400, 'illegal_argument_exception', 'index_patterns');
  const { settings, mappings } = only(template, ['settings', 'mappings'], 'template');
  const { index } = only(settings, ['index'], 'settings');
  only(index, ['number_of_shards', 'refresh_interval'], 'settings.index');
  const { properties, dynamic_templates } = only(mappings, ['dynamic', 'dynamic_templates', 'properties'], 'mappings');
  const fields = new Map<string, Field>();
  for (const [field, mapped] of Object.entries(properties as object)) {
    const { type } = only(mapped, ['type', 'ignore_above', 'dynamic'], `properties.${field}`);
    if (!TYPES.has(type as string))
      throw new RequestFailure(400, 'mapper_parsing_exception', `No handler for type [${type}]`);
    fields.set(field, mapped as Field);
  }
  const dynamic = (dynamic_templates as object[]).map((one): Dynamic => {
    const [rule] = Object.values(one) as [unknown];
    const { path_match, mapping } = only(rule, ['path_match', 'mapping'], 'dynamic_templates');
    return { path: globOf(path_match as string), type: (mapping as { type: string }).type };
  });
  const pattern = index_patterns[0] as string;
  for (const [other, { pattern: taken, priority: rank }] of others)
    if (other !== name && taken.test(pattern) && rank === priority)
      throw new RequestFailure(
        400,
        'illegal_argument_exception',
        `index template [${name}] has the pattern of [${other}]`,
      );
  return { pattern: globOf(pattern), priority: priority as number, mapping: { fields, dynamic } };
}

/** The mapping of an index that is created now. */
export function mappingOf(templates: ReadonlyMap<string, Template>, index: string): Mapping {
  const [best] = [...templates.values()]
    .filter(({ pattern }) => pattern.test(index))
    .sort((a, b) => b.priority - a.priority);
  // Without a template, strings would be text fields, which aggregations cannot read.
  if (best === undefined) throw new RequestFailure(400, 'no_template', `no template matches ${index}`);
  return best.mapping;
}

function readValue(type: string, value: unknown, field: string): string | number {
  const invalid = new RequestFailure(
    400,
    'mapper_parsing_exception',
    `failed to parse field [${field}] of type [${type}]`,
  );
  if (type === 'keyword') {
    if (typeof value !== 'string') throw invalid;
    return value;
  }
  if (type === 'date') {
    const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(at)) throw invalid;
    return at;
  }
  const max = type === 'integer' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
  if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) > max) throw invalid;
  return value;
}

/** The searchable values of a document. */
export function mapDocument({ fields, dynamic }: Mapping, source: unknown): Document {
  const values = new Map<string, string | number>();
  const add = (path: string, type: string, value: unknown, ignoreAbove = Number.POSITIVE_INFINITY) => {
    const read = readValue(type, value, path);
    if (typeof read !== 'string' || read.length <= ignoreAbove) values.set(path, read);
  };
  for (const [name, value] of Object.entries(source as object)) {
    const field = fields.get(name);
    if (field === undefined) continue;
    if (field.type !== 'object') {
      add(name, field.type, value, field.ignore_above);
      continue;
    }
    for (const [inner, amount] of Object.entries(value as object)) {
      const path = `${name}.${inner}`;
      const rule = dynamic.find((one) => one.path.test(path));
      if (rule === undefined || field.dynamic !== true) continue;
      add(path, rule.type, amount);
    }
  }
  return { values, source: source as Record<string, unknown> };
}
