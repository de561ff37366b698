// SPDX-License-Identifier: Apache-2.0
// Report stores in search domains: a fake server with faults that tests control, or a real domain (SEARCH_URL).
import { afterAll, beforeAll } from 'vitest';
import { createEgressGuard } from '../../src/adapters/http/egressGuard.ts';
import type { Measurement, ReportStore } from '../../src/platform/reports/rules/ports.ts';
import { openSearchReports } from '../../src/platform/reports/store/search/searchReports.ts';
import { readSearchTarget } from '../../src/platform/reports/store/search/searchTarget.ts';
import { type Millis, millis } from '../../src/time/units.ts';
import { type SearchServer, startSearchServer } from './searchServer.ts';

export const noon = Date.parse('2026-03-02T12:00:00Z');

export const watching = (at: number, viewers: number): Measurement => ({
  ...{ report: 'viewers', channel: 'one', at: millis(at), keys: {}, amounts: { watching: viewers } },
});

/** Call at the top of a file. */
export function searchStores() {
  const guard = createEgressGuard({ allow: ['127.0.0.0/8', '::1', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'] });
  const warned: string[] = [];
  let server: SearchServer;
  let settings: Record<string, string> = {};
  beforeAll(async () => {
    server = await startSearchServer();
  });
  afterAll(async () => {
    await Promise.all([server.close(), guard.close()]);
  });

  return {
    guard,
    /** Warnings, oldest first. */
    warned,
    server: () => server,
    /** Settings of the store that was opened last. */
    settings: () => settings,

    /** Opens a store with a new index, unless the settings contain one. */
    open(changes: Record<string, string> = {}): ReportStore {
      settings = { ...server.settings(), ...changes };
      const reading = readSearchTarget({ type: 'ssai', settings });
      if (reading.kind !== 'target') throw new Error(JSON.stringify(reading));
      const warn = (message: string, facts: object) => void warned.push(`${message} ${JSON.stringify(facts)}`);
      return openSearchReports(reading.target, { dispatcher: guard, warn, pauseMs: 1, restMs: 0, timeoutMs: 60_000 });
    },

    async sumOf(store: ReportStore, system: string, from: number, to: number): Promise<number> {
      await server.refresh();
      const question = {
        system,
        report: 'viewers',
        start: from as Millis,
        end: to as Millis,
        interval: to - from,
      } as const;
      return (await store.read(question, 10)).reduce((sum, { amounts }) => sum + amounts.watching!, 0);
    },
  };
}
