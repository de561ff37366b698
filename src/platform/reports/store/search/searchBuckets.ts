// SPDX-License-Identifier: Apache-2.0
// Reads an index in buckets of time, with paginated composite aggregations: no response exceeds the limits of a domain,
// however many rows and keys there are.
import type { StoreQuery } from '../../rules/ports.ts';
import type { SearchDomain } from './searchDomain.ts';

type Hits = { readonly hits: readonly { readonly _source: { readonly amounts: Record<string, number> } }[] };
export type Bucket = {
  readonly doc_count: number;
  readonly key: { row: number; key?: string; bin?: number };
  readonly last?: { readonly hits: Hits };
} & { readonly [sum: `sum ${string}`]: { readonly value: number } };
type SearchResponse = {
  readonly aggregations?: { readonly rows?: { readonly buckets: readonly Bucket[]; readonly after_key?: object } };
  readonly hits?: Hits;
};

/** Buckets per page. */
const PAGE_SIZE = 5000;

/** The kinds of documents: counts, latency bins, and the peaks of an hour for all channels and for each. */
type DocumentKind = 'amounts' | 'bin' | 'peak' | 'channelPeak';
export type TimeRange = { readonly from: number; readonly to: number };

const range = ({ from, to }: TimeRange) => ({ range: { '@timestamp': { gte: from, lt: to, format: 'epoch_millis' } } });

export const filtersOf = ({ system, report, channels }: StoreQuery, kind: DocumentKind, within: TimeRange) => [
  { term: { system } },
  { term: { report } },
  { term: { kind } },
  ...(channels === undefined ? [] : [{ terms: { channel: channels } }]),
  range(within),
];

export const sumsOf = (names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [`sum ${name}`, { sum: { field: `amounts.${name}` } }]));

export const valuesIn = (bucket: Bucket, names: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, bucket[`sum ${name}`]?.value ?? 0]));

/** Searches the indices of all days. */
export const search = (domain: SearchDomain, index: string, filter: readonly object[], body: object) =>
  domain.call<SearchResponse>({
    method: 'POST',
    path: `/${index}-*/_search`,
    query: { ignore_unavailable: 'true', allow_no_indices: 'true', allow_partial_search_results: 'false' },
    body: { ...body, track_total_hits: false, query: { bool: { filter } } },
  });

/** The amounts of all days whose names begin with a prefix. */
export async function amountsNamed(domain: SearchDomain, index: string, prefix: string): Promise<string[]> {
  const { fields = {} } = await domain.call<{ readonly fields?: Readonly<Record<string, unknown>> }>({
    method: 'GET',
    path: `/${index}-*/_field_caps`,
    query: { fields: `amounts.${prefix}*`, ignore_unavailable: 'true', allow_no_indices: 'true' },
  });
  return Object.keys(fields).map((path) => path.slice('amounts.'.length));
}

/** Yields all buckets of a composite aggregation, in order. */
export async function* buckets(
  domain: SearchDomain,
  index: string,
  question: StoreQuery,
  selection: { kind: DocumentKind; interval: number; offset?: number; aggs: object; within?: readonly TimeRange[] },
): AsyncGenerator<Bucket> {
  const { start, end, by } = question;
  const { kind, interval, offset = start % interval, aggs, within } = selection;
  const only = within === undefined ? [] : [{ bool: { should: within.map(range), minimum_should_match: 1 } }];
  const filter = [...filtersOf(question, kind, { from: start, to: end }), ...only];
  const histogram = { field: '@timestamp', fixed_interval: `${interval}ms`, offset: `${offset}ms` };
  const sources = [
    { row: { date_histogram: histogram } },
    ...(by === undefined ? [] : [{ key: { terms: { field: by } } }]),
    ...(kind === 'bin' ? [{ bin: { terms: { field: 'bin' } } }] : []),
  ];
  for (let after: object | undefined; ; ) {
    const composite = { size: PAGE_SIZE, sources, ...(after === undefined ? {} : { after }) };
    const rowsOf = Object.keys(aggs).length === 0 ? { composite } : { composite, aggs };
    const { aggregations } = await search(domain, index, filter, { size: 0, aggs: { rows: rowsOf } });
    if (aggregations?.rows === undefined) return; // the index does not exist yet
    const { buckets: page, after_key } = aggregations.rows;
    yield* page;
    after = after_key;
    if (after === undefined || page.length < PAGE_SIZE) return;
  }
}
