// SPDX-License-Identifier: Apache-2.0
// Reads a report from an index with date histograms: the domain adds up counts and bins, and this file combines them.
import { catalogue, levels } from '../../rules/catalogue.ts';
import type { Cell, StoreQuery } from '../../rules/ports.ts';
import { emptyRollup, keepGreater, type MutableRollup } from '../../rules/rollup.ts';
import { type Bucket, buckets, filtersOf, type SearchResponse, searchOptions, sumsOf } from './searchBuckets.ts';
import type { SearchDomain } from './searchCall.ts';
import { readPeaks } from './searchPeaks.ts';

type Building = MutableRollup & Pick<Cell, 'row' | 'key'>;

/** The amounts of the report's fields that add up. */
function summedAmounts(question: StoreQuery): string[] {
  const levelNames = new Set(levels[question.report]);
  const names = catalogue[question.report].fields.flatMap(({ formula }) =>
    formula.kind === 'percentile' ? [] : formula.kind === 'ratio' ? [formula.of, formula.to] : [formula.of],
  );
  return [...new Set(names)].filter((name) => !levelNames.has(name));
}

const latestFirst = {
  size: 1,
  _source: ['amounts'],
  sort: [
    { '@timestamp': { order: 'desc', unmapped_type: 'date' } },
    { order: { order: 'desc', unmapped_type: 'long' } },
  ],
};

/** @throws {AppError} UNAVAILABLE if the domain does not respond or reports an error */
export async function readCells(
  domain: SearchDomain,
  index: string,
  question: StoreQuery,
  most: number,
): Promise<readonly Cell[]> {
  const { report, start, interval } = question;
  const cells = new Map<string, Building>();
  const rowOf = (at: number): number => Math.floor((at - start) / interval);
  const cellOf = (row: number, key = ''): Building => {
    const name = `${row} ${key}`;
    const known = cells.get(name);
    if (known !== undefined) return known;
    const created = { row, key, ...emptyRollup() };
    cells.set(name, created);
    return created;
  };
  const inOrder = (): Cell[] => [...cells.values()].sort((a, b) => a.row - b.row);

  const sums = summedAmounts(question);
  for await (const bucket of buckets(domain, index, question, { kind: 'amounts', interval, aggs: sumsOf(sums) })) {
    const { amounts } = cellOf(rowOf(bucket.key.row), bucket.key.key);
    for (const name of sums) {
      const value = bucket[`sum ${name}`]?.value ?? 0;
      if (value !== 0) amounts[name] = value;
    }
    if (cells.size > most) return inOrder();
  }
  if (catalogue[report].fields.some(({ formula }) => formula.kind === 'percentile')) {
    const selection = { kind: 'bin', interval, aggs: { 'sum count': { sum: { field: 'count' } } } } as const;
    for await (const { key, ...counted } of buckets(domain, index, question, selection)) {
      const { bins } = cellOf(rowOf(key.row), key.key);
      bins[key.bin ?? 0] = (counted as Bucket)['sum count']?.value ?? 0;
    }
  }
  for await (const { at, key, peaks } of readPeaks(domain, index, question))
    keepGreater(cellOf(rowOf(at), key).peaks, peaks);
  if (levels[report].length > 0) {
    const selection = { kind: 'amounts', interval, aggs: { last: { top_hits: latestFirst } } } as const;
    for await (const { key, last } of buckets(domain, index, question, selection)) {
      Object.assign(cellOf(rowOf(key.row), key.key).levels, last?.hits.hits[0]?._source.amounts);
    }
    await readLevelsBefore(domain, index, question, cellOf);
  }
  return inOrder();
}

/** The last levels before the first row. */
async function readLevelsBefore(
  domain: SearchDomain,
  index: string,
  question: StoreQuery,
  cellOf: (row: number) => Building,
): Promise<void> {
  const response = await domain.call<SearchResponse>({
    method: 'POST',
    path: `/${index}-*/_search`,
    query: searchOptions,
    body: {
      ...latestFirst,
      track_total_hits: false,
      query: { bool: { filter: filtersOf(question, 'amounts', { from: 0, to: question.start }) } },
    },
  });
  const [found] = response.hits?.hits ?? [];
  if (found !== undefined) Object.assign(cellOf(-1).levels, found._source.amounts);
}
