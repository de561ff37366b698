// SPDX-License-Identifier: Apache-2.0
// The report store of a system with a search domain. It returns the same results as the installation's own store
// (src/platform/reports/store/sql).
import type { Dispatcher } from 'undici';
import { REPORT_INTERVAL_MS } from '../../../../time/reportInterval.ts';
import type { SystemState } from '../../../systems/rules/system.ts';
import { catalogue, levels } from '../../rules/catalogue.ts';
import type { Batch, Cell, ReportStore, StoreQuery } from '../../rules/ports.ts';
import { currencyIn, type Field } from '../../rules/reportFields.ts';
import { emptyRollup, keepGreater, type MutableRollup } from '../../rules/rollup.ts';
import { amountsNamed, buckets, filtersOf, search, sumsOf, valuesIn } from './searchBuckets.ts';
import { writeDocuments } from './searchBulk.ts';
import { documentsOf, indexTemplate } from './searchDocuments.ts';
import { type SearchDomain, SearchDomainError } from './searchDomain.ts';
import { hoursOf, isOver, type PeakHour, readPeaks, storePeaks } from './searchPeaks.ts';
import type { SearchTarget } from './searchTarget.ts';

export type SearchReportsOptions = {
  readonly dispatcher: Dispatcher;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly now?: () => number;
  readonly timeoutMs?: number;
  /** Milliseconds before the first retry of documents that were rejected temporarily. */
  readonly pauseMs?: number;
  /** After a failure without a response, writes fail immediately for this long, because others wait behind them. */
  readonly restMs?: number;
};

const REST_MS = 15_000;

export type SearchReports = ReportStore & {
  /** By the last request; undefined if there was none yet. */
  state(): SystemState | undefined;
};

export function openSearchReports(target: SearchTarget, options: SearchReportsOptions): SearchReports {
  const { dispatcher, warn, timeoutMs, pauseMs = 500, restMs = REST_MS, now = Date.now } = options;
  const { index } = target;
  let client: Promise<SearchDomain> | undefined;
  const domain: SearchDomain = {
    async call(call) {
      // Loaded with the first request, because most installations have no search domain.
      client ??= import('./searchClient.ts').then((module) => module.openSearchClient(target, dispatcher, timeoutMs));
      return (await client).call(call);
    },
  };
  let templateCreated: Promise<void> | undefined;

  /** Creates the template once per process. */
  const createTemplate = (): Promise<void> => {
    templateCreated ??= domain
      .call({ method: 'PUT', path: `/_index_template/${index}`, isOnce: true, body: indexTemplate(index) })
      .then(() => undefined)
      .catch((error: unknown) => {
        templateCreated = undefined;
        throw error;
      });
    return templateCreated;
  };
  const onRejected = (count: number, reason: string) =>
    warn('The search domain rejected report documents permanently', { index, count, reason });

  /** Hours whose peaks are stored once they are over. If this process ends before, reads compute them. */
  const openHours = new Map<string, PeakHour>();
  async function write(batch: Batch): Promise<void> {
    await createTemplate();
    const { over, open: later } = hoursOf(batch, now());
    const options = { onRejected, pauseMs };
    await writeDocuments(domain, documentsOf(batch, index, now()), {
      ...options,
      waitUntilSearchable: over.length > 0,
    });
    for (const peak of over) await storePeaks(domain, index, peak, options);
    for (const [name, peak] of openHours) {
      if (!isOver(peak.hour, now())) continue;
      await storePeaks(domain, index, peak, options);
      openHours.delete(name);
    }
    for (const peak of later) openHours.set(`${peak.system} ${peak.report} ${peak.hour}`, peak);
  }

  let last: { readonly error?: unknown; readonly at: number } | undefined;
  const tracked = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      const value = await work();
      last = { at: now() };
      return value;
    } catch (error) {
      last = { error, at: now() };
      throw error;
    }
  };

  return {
    async add(batch) {
      const { error, at } = last ?? { at: 0 };
      const isUnreachable = error instanceof SearchDomainError && error.responseStatus === undefined;
      if (isUnreachable && now() - at < restMs) throw error;
      await tracked(() => write(batch));
    },
    read: (question, most) => tracked(() => readCells(domain, index, question, most)),
    resolution: () => REPORT_INTERVAL_MS,
    state() {
      if (last === undefined) return undefined;
      return last.error instanceof Error ? { state: 'failing', stateReason: last.error.message } : { state: 'working' };
    },
  };
}

type Building = MutableRollup & Pick<Cell, 'row' | 'key'>;

/** Beyond this, currencies are left out: each is a sum in every bucket. */
const MAX_CURRENCIES = 50;

/** The amounts of a field. */
async function amountsOf({ formula }: Field, domain: SearchDomain, index: string): Promise<string[]> {
  switch (formula.kind) {
    case 'percentile':
      return [];
    case 'ratio':
      return [formula.of, formula.to];
    case 'difference':
      return [formula.of, formula.less];
    case 'money': {
      const known = (await amountsNamed(domain, index, formula.of)).filter((name) => currencyIn(name, formula));
      return known.sort().slice(0, MAX_CURRENCIES);
    }
    default:
      return [formula.of];
  }
}

/** The amounts of the report's fields that add up. */
async function summedAmounts({ report }: StoreQuery, domain: SearchDomain, index: string): Promise<string[]> {
  const levelNames = new Set(levels[report]);
  const names = await Promise.all(catalogue[report].fields.map((field) => amountsOf(field, domain, index)));
  return [...new Set(names.flat())].filter((name) => !levelNames.has(name));
}

const latestFirst = {
  size: 1,
  _source: ['amounts'],
  sort: [
    { '@timestamp': { order: 'desc', unmapped_type: 'date' } },
    { order: { order: 'desc', unmapped_type: 'long' } },
  ],
};

/** The domain adds up counts and bins in date histograms; this combines them. */
async function readCells(
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

  const sums = await summedAmounts(question, domain, index);
  for await (const bucket of buckets(domain, index, question, { kind: 'amounts', interval, aggs: sumsOf(sums) })) {
    const { amounts } = cellOf(rowOf(bucket.key.row), bucket.key.key);
    for (const [name, value] of Object.entries(valuesIn(bucket, sums))) if (value !== 0) amounts[name] = value;
    if (cells.size > most) return inOrder();
  }
  if (catalogue[report].fields.some(({ formula }) => formula.kind === 'percentile')) {
    const selection = { kind: 'bin', interval, aggs: { 'sum count': { sum: { field: 'count' } } } } as const;
    for await (const { key, 'sum count': count } of buckets(domain, index, question, selection))
      cellOf(rowOf(key.row), key.key).bins[key.bin ?? 0] = count?.value ?? 0;
  }
  for await (const { at, key, peaks } of readPeaks(domain, index, question))
    keepGreater(cellOf(rowOf(at), key).peaks, peaks);
  if (levels[report].length > 0) {
    const selection = { kind: 'amounts', interval, aggs: { last: { top_hits: latestFirst } } } as const;
    for await (const { key, last } of buckets(domain, index, question, selection)) {
      Object.assign(cellOf(rowOf(key.row), key.key).levels, last?.hits.hits[0]?._source.amounts);
    }
    // The last levels before the first row.
    const before = filtersOf(question, 'amounts', { from: 0, to: start });
    const [found] = (await search(domain, index, before, latestFirst)).hits?.hits ?? [];
    if (found !== undefined) Object.assign(cellOf(-1).levels, found._source.amounts);
  }
  return inOrder();
}
