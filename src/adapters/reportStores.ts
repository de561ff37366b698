// Which store a system's reports are kept in and read from: the search domain that it names, else the installation's own.
import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import type { ReportStore } from '../reports/ports.ts';
import type { System } from '../tenants/system.ts';
import { openSearchReports, type SearchReportsOptions } from './searchReports.ts';
import { readSearchTarget } from './searchTarget.ts';

/** @throws {AppError} UNAVAILABLE when the settings name a search domain that cannot be meant */
export type ReportStores = (system: System) => ReportStore;

/** Connections are kept for as many domains. */
const MOST_DOMAINS = 500;

export function createReportStores(own: ReportStore, options: SearchReportsOptions): ReportStores {
  const opened = new LRUCache<string, ReportStore>({ max: MOST_DOMAINS });
  return (system) => {
    const reading = readSearchTarget(system);
    if (reading.kind === 'none') return own;
    if (reading.kind === 'wrong') {
      throw new AppError('UNAVAILABLE', `The search domain of this system cannot be asked: ${reading.problem}`);
    }
    const { target } = reading;
    const store = opened.get(target.key) ?? openSearchReports(target, options);
    opened.set(target.key, store);
    return store;
  };
}
