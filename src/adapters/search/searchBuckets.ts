// What an index holds, in buckets of time: composite aggregations, page by page, so that no answer is larger than a domain
// allows, however many rows and keys there are.
import type { StoreQuery } from '../../reports/ports.ts';
import type { SearchDomain } from './searchDomain.ts';

type Said = { readonly hits: readonly { readonly _source: { readonly amounts: Record<string, number> } }[] };
export type Bucket = {
  readonly doc_count: number;
  readonly key: { row: number; key?: string; bin?: number };
  readonly last?: { readonly hits: Said };
} & {
  readonly [sum: `sum ${string}`]: { readonly value: number };
};
export type SearchAnswer = {
  readonly aggregations?: { readonly rows?: { readonly buckets: readonly Bucket[]; readonly after_key?: object } };
  readonly hits?: Said;
};

const PAGE = 5000;

/** Counted, timed, and the peaks of an hour: of all channels together, and of each. */
export type Kind = 'amounts' | 'bin' | 'peak' | 'channelPeak';
export type Stretch = { readonly from: number; readonly to: number };

const range = ({ from, to }: Stretch) => ({ range: { '@timestamp': { gte: from, lt: to, format: 'epoch_millis' } } });

export const filtersOf = ({ system, report, channel }: StoreQuery, kind: Kind, within: Stretch) => [
  { term: { system } },
  { term: { report } },
  { term: { kind } },
  ...(channel === undefined ? [] : [{ term: { channel } }]),
  range(within),
];

export const searching = {
  ignore_unavailable: 'true',
  allow_no_indices: 'true',
  allow_partial_search_results: 'false',
};

export const sumsOf = (names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [`sum ${name}`, { sum: { field: `amounts.${name}` } }]));

/** Every bucket of a composite aggregation, in order. */
export async function* buckets(
  domain: SearchDomain,
  index: string,
  question: StoreQuery,
  asked: { kind: Kind; interval: number; offset?: number; aggs: object; within?: readonly Stretch[] },
): AsyncGenerator<Bucket> {
  const { start, end, by } = question;
  const { kind, interval, offset = start % interval, aggs, within } = asked;
  const only = within === undefined ? [] : [{ bool: { should: within.map(range), minimum_should_match: 1 } }];
  const filter = [...filtersOf(question, kind, { from: start, to: end }), ...only];
  const histogram = { field: '@timestamp', fixed_interval: `${interval}ms`, offset: `${offset}ms` };
  const sources = [
    { row: { date_histogram: histogram } },
    ...(by === undefined ? [] : [{ key: { terms: { field: by } } }]),
    ...(kind === 'bin' ? [{ bin: { terms: { field: 'bin' } } }] : []),
  ];
  for (let after: object | undefined; ; ) {
    const composite = { size: PAGE, sources, ...(after === undefined ? {} : { after }) };
    const answer = await domain.call<SearchAnswer>({
      method: 'POST',
      path: `/${index}-*/_search`,
      query: searching,
      body: {
        size: 0,
        track_total_hits: false,
        query: { bool: { filter } },
        aggs: { rows: Object.keys(aggs).length === 0 ? { composite } : { composite, aggs } },
      },
    });
    const rows = answer.aggregations?.rows;
    if (rows === undefined) return; // there is no index of that name yet
    yield* rows.buckets;
    after = rows.after_key;
    if (after === undefined || rows.buckets.length < PAGE) return;
  }
}
