// The reports of a system that keeps its events in a search domain: the same measurements, the same answers as from the
// installation's own store.
import type { Dispatcher } from 'undici';
import { REPORT_INTERVAL_MS } from '../../reports/event.ts';
import type { Batch, ReportStore } from '../../reports/ports.ts';
import { bringDocuments } from './searchBulk.ts';
import { documentsOf, indexTemplate } from './searchDocuments.ts';
import { openSearchDomain, SearchTrouble } from './searchDomain.ts';
import { hoursOf, isOver, keepPeaks, type PeakHour } from './searchPeaks.ts';
import { readCells } from './searchReportsRead.ts';
import type { SearchTarget } from './searchTarget.ts';

export type SearchReportsOptions = {
  readonly dispatcher: Dispatcher;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  /** Milliseconds since 1970; the system's unless given. */
  readonly now?: () => number;
  readonly timeoutMs?: number;
  /** Milliseconds before what a domain had no room for comes again. */
  readonly pauseMs?: number;
  readonly restMs?: number;
};

/** One that did not answer is not brought anything for so long: others wait behind it. Milliseconds. */
const REST = 15_000;

export type SearchReports = ReportStore & {
  /** What the domain did when it was last brought or asked something; undefined when all was well, or nothing was. */
  trouble(): string | undefined;
  /** Whether it was brought or asked anything yet. */
  isKnown(): boolean;
};

export function openSearchReports(target: SearchTarget, options: SearchReportsOptions): SearchReports {
  const { dispatcher, warn, timeoutMs, pauseMs = 500, restMs: rest = REST, now = Date.now } = options;
  const { index } = target;
  const domain = openSearchDomain(target, dispatcher, timeoutMs);
  let prepared: Promise<void> | undefined;

  /** Once for each process: the template is the same for all of them. */
  const prepare = (): Promise<void> => {
    prepared ??= domain
      .call({ method: 'PUT', path: `/_index_template/${index}`, isOnce: true, body: indexTemplate(index) })
      .then(() => undefined)
      .catch((error: unknown) => {
        prepared = undefined;
        throw error;
      });
    return prepared;
  };
  const refused = (count: number, first: string) =>
    warn('a search domain refused documents for good', { index, count, first });

  /** Hours whose peaks are to be worked out when they are over; who dies before leaves them to be worked out when read. */
  const open = new Map<string, PeakHour>();
  async function bring(batch: Batch): Promise<void> {
    await prepare();
    const { over, open: later } = hoursOf(batch, now());
    const options = { refused, pauseMs };
    await bringDocuments(domain, documentsOf(batch, index, now()), { ...options, untilFound: over.length > 0 });
    for (const peak of over) await keepPeaks(domain, index, peak, options);
    for (const [name, peak] of open) {
      if (!isOver(peak.hour, now())) continue;
      await keepPeaks(domain, index, peak, options);
      open.delete(name);
    }
    for (const peak of later) open.set(`${peak.system} ${peak.report} ${peak.hour}`, peak);
  }

  let last: { error: unknown; at: number } | 'well' | undefined;
  const noted = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      const value = await work();
      last = 'well';
      return value;
    } catch (error) {
      last = { error, at: now() };
      throw error;
    }
  };

  return {
    async add(batch) {
      const isAway =
        typeof last === 'object' && last.error instanceof SearchTrouble && last.error.answered === undefined;
      if (isAway && now() - (last as { at: number }).at < rest) throw (last as { error: unknown }).error;
      await noted(() => bring(batch));
    },
    read: (question, most) => noted(() => readCells(domain, index, question, most)),
    resolution: () => REPORT_INTERVAL_MS,
    trouble: () => (typeof last === 'object' && last.error instanceof Error ? last.error.message : undefined),
    isKnown: () => last !== undefined,
  };
}
