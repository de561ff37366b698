// The reports of a system that keeps its events in a search domain: the same measurements, the same answers as from the
// installation's own store.
import type { Dispatcher } from 'undici';
import { STRETCH } from '../reports/event.ts';
import type { ReportStore } from '../reports/ports.ts';
import { bringDocuments } from './searchBulk.ts';
import { documentsOf, indexTemplate } from './searchDocuments.ts';
import { openSearchDomain } from './searchDomain.ts';
import { readCells } from './searchReportsRead.ts';
import type { SearchTarget } from './searchTarget.ts';

export type SearchReportsOptions = {
  readonly dispatcher: Dispatcher;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  readonly timeoutMs?: number;
  /** Milliseconds before what a domain had no room for comes again. */
  readonly pauseMs?: number;
};

export function openSearchReports(target: SearchTarget, options: SearchReportsOptions): ReportStore {
  const { dispatcher, warn, timeoutMs, pauseMs = 500 } = options;
  const { index } = target;
  const domain = openSearchDomain(target, dispatcher, timeoutMs);
  let prepared: Promise<void> | undefined;

  /** Once for each process: the template is the same for all of them. */
  const prepare = (): Promise<void> => {
    prepared ??= domain
      .call({ method: 'PUT', path: `/_index_template/${index}`, body: indexTemplate(index) })
      .then(() => undefined)
      .catch((error: unknown) => {
        prepared = undefined;
        throw error;
      });
    return prepared;
  };
  const refused = (count: number, first: string) =>
    warn('a search domain refused documents for good', { index, count, first });

  return {
    async add(batch) {
      await prepare();
      await bringDocuments(domain, documentsOf(batch, index, Date.now()), { refused, pauseMs });
    },
    read: (question, most) => readCells(domain, index, question, most),
    resolution: () => STRETCH,
  };
}
