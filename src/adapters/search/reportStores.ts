// Which store a system's reports are kept in and read from: the search domain that it names, else the installation's own.
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors.ts';
import type { ReportStore } from '../../reports/ports.ts';
import type { System, SystemState } from '../../tenants/system.ts';
import { openSearchReports, type SearchReports, type SearchReportsOptions } from './searchReports.ts';
import { readSearchTarget } from './searchTarget.ts';

export type ReportStores = {
  /** @throws {AppError} UNAVAILABLE when the settings name a search domain that cannot be meant */
  (system: System): ReportStore;
  /** How the search domain of a system does; undefined for a system that has none. */
  stateOf(system: System): SystemState | undefined;
};

/** Connections are kept for as many domains. */
const MOST_DOMAINS = 500;

export function createReportStores(own: ReportStore, options: SearchReportsOptions): ReportStores {
  const opened = new LRUCache<string, SearchReports>({ max: MOST_DOMAINS });
  const storeOf = (system: System): ReportStore => {
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

  const stateOf = (system: System): SystemState | undefined => {
    const reading = readSearchTarget(system);
    if (reading.kind === 'none') return undefined;
    if (reading.kind === 'wrong') return { state: 'failing', stateReason: reading.problem };
    const store = opened.get(reading.target.key);
    const trouble = store?.trouble();
    if (trouble !== undefined) return { state: 'failing', stateReason: trouble };
    if (store?.isKnown()) return { state: 'working' };
    return { state: 'unused', stateReason: 'Nothing was brought to the search domain or read from it yet.' };
  };
  return Object.assign(storeOf, { stateOf });
}
