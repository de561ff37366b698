// SPDX-License-Identifier: Apache-2.0
// Queries and aggregations of the fake search domain: bool filters, composite aggregations with sums and top hits.

export type Document = {
  readonly values: ReadonlyMap<string, string | number>;
  readonly source: Record<string, unknown>;
};

/** An error response. */
export class RequestFailure extends Error {
  readonly status: number;
  readonly type: string;
  constructor(status: number, type: string, reason: string) {
    super(reason);
    this.status = status;
    this.type = type;
  }
}

const unknown = (what: string) => new RequestFailure(400, 'parsing_exception', `unknown key ${what}`);
/** search.max_buckets */
const MAX_BUCKETS = 65_535;

// biome-ignore lint/suspicious/noExplicitAny: requests are validated below
type Json = any;

function only(value: Json, names: readonly string[], where: string): void {
  if (typeof value !== 'object' || value === null) throw unknown(`${where}: not an object`);
  for (const name of Object.keys(value)) if (!names.includes(name)) throw unknown(`[${name}] in ${where}`);
}

const one = (value: Json, where: string): [string, Json] => {
  const entries = Object.entries(value ?? {});
  if (entries.length !== 1) throw unknown(`${where}: expected one key`);
  return entries[0]!;
};

function matcher(filter: Json): (document: Document) => boolean {
  const [kind, clause] = one(filter, 'filter');
  if (kind === 'bool') {
    only(clause, ['should', 'minimum_should_match'], 'bool');
    if (clause.minimum_should_match !== 1 || clause.should.length > 1024) throw unknown('should');
    const any = (clause.should as Json[]).map(matcher);
    return (document) => any.some((matches) => matches(document));
  }
  const [field, expected] = one(clause, kind);
  if (kind === 'term') return ({ values }) => values.get(field) === expected;
  if (kind === 'terms') return ({ values }) => (expected as Json[]).includes(values.get(field) as Json);
  if (kind !== 'range') throw unknown(kind);
  only(expected, ['gte', 'lt', 'format'], 'range');
  if (expected.format !== 'epoch_millis') throw unknown('format');
  return ({ values }) => {
    const value = values.get(field);
    return typeof value === 'number' && value >= expected.gte && value < expected.lt;
  };
}

const millisOf = (text: string): number => {
  const [, count] = /^(\d+)ms$/.exec(text) ?? [];
  if (count === undefined)
    throw new RequestFailure(400, 'parsing_exception', `failed to parse [${text}] as a time value`);
  return Number(count);
};

function sourceOf(definition: Json): { name: string; keyOf: (document: Document) => string | number | undefined } {
  const [name, source] = one(definition, 'sources');
  const [kind, how] = one(source, name);
  if (kind === 'terms') {
    only(how, ['field'], 'terms');
    return { name, keyOf: ({ values }) => values.get(how.field) };
  }
  if (kind !== 'date_histogram') throw unknown(kind);
  only(how, ['field', 'fixed_interval', 'offset'], 'date_histogram');
  const [interval, offset] = [millisOf(how.fixed_interval), millisOf(how.offset)];
  if (interval === 0) throw new RequestFailure(400, 'illegal_argument_exception', 'Zero or negative time interval');
  return {
    name,
    keyOf: ({ values }) => {
      const at = values.get(how.field) as number | undefined;
      return at === undefined ? undefined : Math.floor((at - offset) / interval) * interval + offset;
    },
  };
}

type Key = readonly (string | number)[];
function compare(a: Key, b: Key): number {
  for (let place = 0; place < a.length; place += 1) {
    if (a[place]! < b[place]!) return -1;
    if (a[place]! > b[place]!) return 1;
  }
  return 0;
}

function sorted(documents: readonly Document[], sort: Json): Document[] {
  const fields = (sort as Json[]).map((each) => one(each, 'sort'));
  for (const [, how] of fields) only(how, ['order', 'unmapped_type'], 'sort');
  const key = (document: Document): Key => fields.map(([field]) => document.values.get(field) ?? 0);
  return [...documents].sort((a, b) => compare(key(b), key(a)));
}

const hitsOf = (documents: readonly Document[], { size, sort, _source }: Json) => ({
  hits: sorted(documents, sort)
    .slice(0, size)
    .map(({ source }) => ({ _source: Object.fromEntries((_source as string[]).map((name) => [name, source[name]])) })),
});

function metric(documents: readonly Document[], definition: Json): object {
  const [kind, how] = one(definition, 'aggs');
  if (kind === 'top_hits') {
    only(how, ['size', '_source', 'sort'], 'top_hits');
    return { hits: hitsOf(documents, how) };
  }
  if (kind !== 'sum' && kind !== 'max') throw unknown(kind);
  only(how, ['field'], kind);
  const amountOf = ({ values }: Document) => {
    const value = values.get(how.field) ?? 0;
    if (typeof value !== 'number')
      throw new RequestFailure(400, 'illegal_argument_exception', `${how.field} is not a number`);
    return value;
  };
  if (kind === 'max') return { value: Math.max(...documents.map(amountOf)) };
  return { value: documents.reduce((sum, document) => sum + amountOf(document), 0) };
}

function composite(documents: readonly Document[], definition: Json): object {
  only(definition, ['composite', 'aggs'], 'composite aggregation');
  only(definition.composite, ['size', 'sources', 'after'], 'composite');
  const { size, after, sources: given } = definition.composite;
  if (size > MAX_BUCKETS) throw new RequestFailure(400, 'too_many_buckets_exception', 'search.max_buckets');
  const sources = (given as Json[]).map(sourceOf);
  const groups = new Map<string, { key: Key; documents: Document[] }>();
  for (const document of documents) {
    const key = sources.map(({ keyOf }) => keyOf(document));
    if (key.some((part) => part === undefined)) continue; // missing_bucket is false
    const name = JSON.stringify(key);
    const group = groups.get(name) ?? { key: key as Key, documents: [] };
    group.documents.push(document);
    groups.set(name, group);
  }
  const from = after && sources.map(({ name }) => after[name]);
  if (from?.includes(undefined))
    throw new RequestFailure(400, 'illegal_argument_exception', 'after has the wrong keys');
  const page = [...groups.values()]
    .sort((a, b) => compare(a.key, b.key))
    .filter(({ key }) => from === undefined || compare(key, from) > 0)
    .slice(0, size);
  const namedKey = (key: Key) => Object.fromEntries(sources.map(({ name }, place) => [name, key[place]]));
  const buckets = page.map(({ key, documents: those }) => ({
    key: namedKey(key),
    doc_count: those.length,
    ...Object.fromEntries(Object.entries(definition.aggs ?? {}).map(([name, how]) => [name, metric(those, how)])),
  }));
  return { ...(page.length === 0 ? {} : { after_key: namedKey(page.at(-1)!.key) }), buckets };
}

/** Searches the documents that have been refreshed. */
export function search(indices: readonly { readonly searchable: readonly Document[] }[], body: Json): object {
  only(body, ['size', 'track_total_hits', 'query', 'aggs', '_source', 'sort'], 'the request');
  only(body.query, ['bool'], 'query');
  only(body.query.bool, ['filter'], 'bool');
  const matchers = (body.query.bool.filter as Json[]).map(matcher);
  const shards = { total: indices.length, successful: indices.length, skipped: 0, failed: 0 };
  const head = { took: 1, timed_out: false, _shards: shards };
  // Without an index there are no shards and no aggregations.
  if (indices.length === 0) return { ...head, hits: { max_score: 0, hits: [] } };
  const found = indices
    .flatMap(({ searchable }) => searchable)
    .filter((document) => matchers.every((matches) => matches(document)));
  const hits = body.size === 0 ? { hits: [] } : hitsOf(found, body);
  const aggregations = Object.fromEntries(
    Object.entries(body.aggs ?? {}).map(([name, definition]) => [name, composite(found, definition)]),
  );
  return { ...head, hits: { max_score: null, ...hits }, ...(body.aggs === undefined ? {} : { aggregations }) };
}
