// SPDX-License-Identifier: Apache-2.0
// Selects the report store of a system: the search domain in its settings, or the installation's own store.
import { LRUCache } from 'lru-cache';
import { AppError } from '../../../../errors.ts';
import type { System, SystemState } from '../../../systems/rules/system.ts';
import type { ReportStore } from '../../rules/ports.ts';
import { openSearchReports, type SearchReports, type SearchReportsOptions } from './searchReports.ts';
import { readSearchTarget } from './searchTarget.ts';

export type ReportStores = {
  /** @throws {AppError} UNAVAILABLE if the search settings of the system are invalid */
  (system: System): ReportStore;
  /** The state of a system's search domain; undefined if it has none. */
  stateOf(system: System): SystemState | undefined;
};

/** Domains whose connections stay open. */
const MAX_DOMAINS = 500;

export function createReportStores(own: ReportStore, options: SearchReportsOptions): ReportStores {
  const opened = new LRUCache<string, SearchReports>({ max: MAX_DOMAINS });
  const storeOf = (system: System): ReportStore => {
    const reading = readSearchTarget(system);
    if (reading.kind === 'none') return own;
    if (reading.kind === 'invalid') {
      throw new AppError('UNAVAILABLE', `The search settings of this system are invalid: ${reading.problem}`);
    }
    const { target } = reading;
    const store = opened.get(target.key) ?? openSearchReports(target, options);
    opened.set(target.key, store);
    return store;
  };

  const stateOf = (system: System): SystemState | undefined => {
    const reading = readSearchTarget(system);
    if (reading.kind === 'none') return undefined;
    if (reading.kind === 'invalid') return { state: 'failing', stateReason: reading.problem };
    const stateReason = 'Nothing has been written to the search domain or read from it yet.';
    return opened.get(reading.target.key)?.state() ?? { state: 'unused', stateReason };
  };
  return Object.assign(storeOf, { stateOf });
}
