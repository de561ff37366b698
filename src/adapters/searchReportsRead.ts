// Reads a report out of an index by date histograms: composite aggregations, page by page, so that no answer is larger
// than a domain allows, however many rows and keys there are. Sums are added up there; peaks are sums of stretches of 10 s,
// the greatest of which is found here.
import { catalogue, levels, peaked } from '../reports/catalogue.ts';
import { STRETCH } from '../reports/event.ts';
import type { Cell, Question } from '../reports/ports.ts';
import type { SearchDomain } from './searchDomain.ts';

type Building = {
  row: number;
  key: string;
  amounts: Record<string, number>;
  peaks: Record<string, number>;
  levels: Record<string, number>;
  bins: Record<number, number>;
};

type Said = { readonly hits: readonly { readonly _source: { readonly amounts: Record<string, number> } }[] };
type Bucket = { readonly key: { row: number; key?: string; bin?: number }; readonly last?: { readonly hits: Said } } & {
  readonly [sum: `sum ${string}`]: { readonly value: number };
};
type SearchAnswer = {
  readonly aggregations?: { readonly rows?: { readonly buckets: readonly Bucket[]; readonly after_key?: object } };
  readonly hits?: Said;
};

const PAGE = 5000;

/** Amounts that the report's fields are made of and that add up. */
function summed(question: Question): string[] {
  const said = new Set(levels(question.report));
  const names = catalogue[question.report].fields.flatMap(({ formula }) =>
    formula.kind === 'percentile' ? [] : formula.kind === 'ratio' ? [formula.of, formula.to] : [formula.of],
  );
  return [...new Set(names)].filter((name) => !said.has(name));
}

const filtersOf = ({ system, report, channel }: Question, kind: 'amounts' | 'bin', from: number, to: number) => [
  { term: { system } },
  { term: { report } },
  { term: { kind } },
  ...(channel === undefined ? [] : [{ term: { channel } }]),
  { range: { '@timestamp': { gte: from, lt: to, format: 'epoch_millis' } } },
];

const searching = {
  ignore_unavailable: 'true',
  allow_no_indices: 'true',
  allow_partial_search_results: 'false',
};

const sumsOf = (names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [`sum ${name}`, { sum: { field: `amounts.${name}` } }]));

const latestFirst = {
  size: 1,
  _source: ['amounts'],
  sort: [
    { '@timestamp': { order: 'desc', unmapped_type: 'date' } },
    { order: { order: 'desc', unmapped_type: 'long' } },
  ],
};

/** Every bucket of a composite aggregation, in order. */
async function* buckets(
  domain: SearchDomain,
  index: string,
  question: Question,
  asked: { kind: 'amounts' | 'bin'; interval: number; aggs: object },
): AsyncGenerator<Bucket> {
  const { start, end, by } = question;
  const { kind, interval, aggs } = asked;
  const histogram = { field: '@timestamp', fixed_interval: `${interval}ms`, offset: `${start % interval}ms` };
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
        query: { bool: { filter: filtersOf(question, kind, start, end) } },
        aggs: { rows: { composite, aggs } },
      },
    });
    const rows = answer.aggregations?.rows;
    if (rows === undefined) return; // there is no index of that name yet
    yield* rows.buckets;
    after = rows.after_key;
    if (after === undefined || rows.buckets.length < PAGE) return;
  }
}

/** @throws {AppError} UNAVAILABLE when the domain does not answer */
export async function readCells(
  domain: SearchDomain,
  index: string,
  question: Question,
  most: number,
): Promise<readonly Cell[]> {
  const { report, start, interval } = question;
  const cells = new Map<string, Building>();
  const rowOf = (at: number): number => Math.floor((at - start) / interval);
  const cellOf = (row: number, key = ''): Building => {
    const name = `${row} ${key}`;
    const known = cells.get(name);
    if (known !== undefined) return known;
    const made: Building = { row, key, amounts: {}, peaks: {}, levels: {}, bins: {} };
    cells.set(name, made);
    return made;
  };
  const inOrder = (): Cell[] => [...cells.values()].sort((a, b) => a.row - b.row);

  const sums = summed(question);
  for await (const bucket of buckets(domain, index, question, { kind: 'amounts', interval, aggs: sumsOf(sums) })) {
    const { amounts } = cellOf(rowOf(bucket.key.row), bucket.key.key);
    for (const name of sums) {
      const { value } = bucket[`sum ${name}`]!;
      if (value !== 0) amounts[name] = value;
    }
    if (cells.size > most) return inOrder();
  }
  if (catalogue[report].fields.some(({ formula }) => formula.kind === 'percentile')) {
    const asked = { kind: 'bin', interval, aggs: { 'sum count': { sum: { field: 'count' } } } } as const;
    for await (const { key, ...counted } of buckets(domain, index, question, asked)) {
      const { bins } = cellOf(rowOf(key.row), key.key);
      bins[key.bin!] = (counted as Bucket)['sum count']!.value;
    }
  }
  const highest = peaked(report);
  if (highest.length > 0) {
    const asked = { kind: 'amounts', interval: STRETCH, aggs: sumsOf(highest) } as const;
    for await (const bucket of buckets(domain, index, question, asked)) {
      const { peaks } = cellOf(rowOf(bucket.key.row), bucket.key.key);
      for (const name of highest) peaks[name] = Math.max(peaks[name] ?? 0, bucket[`sum ${name}`]!.value);
    }
  }
  if (levels(report).length > 0) {
    const asked = { kind: 'amounts', interval, aggs: { last: { top_hits: latestFirst } } } as const;
    for await (const { key, last } of buckets(domain, index, question, asked)) {
      Object.assign(cellOf(rowOf(key.row), key.key).levels, last!.hits.hits[0]!._source.amounts);
    }
    await readLevelsBefore(domain, index, question, cellOf);
  }
  return inOrder();
}

/** What was said last before the first row. */
async function readLevelsBefore(
  domain: SearchDomain,
  index: string,
  question: Question,
  cellOf: (row: number) => Building,
): Promise<void> {
  const answer = await domain.call<SearchAnswer>({
    method: 'POST',
    path: `/${index}-*/_search`,
    query: searching,
    body: {
      ...latestFirst,
      track_total_hits: false,
      query: { bool: { filter: filtersOf(question, 'amounts', 0, question.start) } },
    },
  });
  const [found] = answer.hits?.hits ?? [];
  if (found !== undefined) Object.assign(cellOf(-1).levels, found._source.amounts);
}
