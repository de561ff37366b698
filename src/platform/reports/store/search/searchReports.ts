// SPDX-License-Identifier: Apache-2.0
// The report store of a system with a search domain. It returns the same results as the installation's own store
// (src/platform/reports/store/sql).
import type { Dispatcher } from 'undici';
import { REPORT_INTERVAL_MS } from '../../../../time/reportInterval.ts';
import type { Batch, ReportStore } from '../../rules/ports.ts';
import { writeDocuments } from './searchBulk.ts';
import { documentsOf, indexTemplate } from './searchDocuments.ts';
import { openSearchDomain } from './searchDomain.ts';
import { SearchDomainError } from './searchDomainError.ts';
import { hoursOf, isOver, type PeakHour, storePeaks } from './searchPeaks.ts';
import { readCells } from './searchReportsRead.ts';
import type { SearchTarget } from './searchTarget.ts';

export type SearchReportsOptions = {
  readonly dispatcher: Dispatcher;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly now?: () => number;
  readonly timeoutMs?: number;
  /** Before the first retry of documents that were rejected temporarily. */
  readonly pauseMs?: number;
  /** After a failure without a response, writes fail immediately for this long, because others wait behind them. */
  readonly restMs?: number;
};

const REST_MS = 15_000;

export type SearchReports = ReportStore & {
  /** The reason why the last request failed; undefined if it succeeded. */
  failure(): string | undefined;
  /** Whether anything was written or read yet. */
  wasUsed(): boolean;
};

export function openSearchReports(target: SearchTarget, options: SearchReportsOptions): SearchReports {
  const { dispatcher, warn, timeoutMs, pauseMs = 500, restMs = REST_MS, now = Date.now } = options;
  const { index } = target;
  const domain = openSearchDomain(target, dispatcher, timeoutMs);
  let templateCreated: Promise<void> | undefined;

  /** Once per process. */
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

  let last: { error: unknown; at: number } | 'succeeded' | undefined;
  const tracked = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      const value = await work();
      last = 'succeeded';
      return value;
    } catch (error) {
      last = { error, at: now() };
      throw error;
    }
  };

  return {
    async add(batch) {
      const { error, at } = typeof last === 'object' ? last : { error: undefined, at: 0 };
      const isUnreachable = error instanceof SearchDomainError && error.responseStatus === undefined;
      if (isUnreachable && now() - at < restMs) throw error;
      await tracked(() => write(batch));
    },
    read: (question, most) => tracked(() => readCells(domain, index, question, most)),
    resolution: () => REPORT_INTERVAL_MS,
    failure: () => (typeof last === 'object' && last.error instanceof Error ? last.error.message : undefined),
    wasUsed: () => last !== undefined,
  };
}
