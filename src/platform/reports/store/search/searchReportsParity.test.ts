// SPDX-License-Identifier: Apache-2.0
// A search domain and the embedded store produce the same reports from the same events.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { noon, searchStores } from '../../../../../test/search/searchStores.ts';
import { seededRandom } from '../../../../../test/seededRandom.ts';
import { openSqlite } from '../../../../database.ts';
import { millis } from '../../../../time/units.ts';
import { binOf } from '../../rules/bins.ts';
import { catalogue, type ReportName } from '../../rules/catalogue.ts';
import type { Measurement } from '../../rules/ports.ts';
import { makeReport } from '../../rules/query/report.ts';
import { reportRetention, sqlReports } from '../sql/sqlReports.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const { open, server } = searchStores();

/** Reproducible random integers below `sides`. */
function dice(seed: number) {
  const random = seededRandom(seed);
  return (sides: number): number => Math.floor(random() * sides);
}

describe('a search domain and the embedded store', () => {
  const system = randomUUID();
  const start = noon - 3 * HOUR - 20_000;
  const channels = ['one', 'two', 'three'];
  const [reason] = Object.keys({ BREAK_FULL: 0 });
  const roll = dice(7);
  const pick = <Item>(items: readonly Item[]): Item => items[roll(items.length)]!;

  function randomMeasurement(): Measurement {
    const at = millis(start + 10_000 * roll(3 * 360));
    const channel = pick(channels);
    const bins = Object.fromEntries(Array.from({ length: 3 }, () => [binOf(1 + roll(5000)), 1 + roll(9)]));
    const of = (report: ReportName, keys: Measurement['keys'], amounts: Measurement['amounts'], timed = false) => ({
      report,
      channel,
      at,
      keys,
      amounts,
      ...(timed ? { bins } : {}),
    });
    return pick([
      () => of('viewers', {}, { watching: 1 + roll(50) }),
      () => of('viewers', {}, { sessionsStarted: 1 }),
      () => of('requests', {}, { hls: roll(90), dash: roll(30), errors: roll(2) }, true),
      () => of('breaks', {}, { breaks: 1, offeredMs: roll(60_000), filledMs: roll(9000), slateMs: roll(900) }),
      () => of('ad-requests', { adServer: pick(['ads.one:443', 'ads.two']) }, { sent: 1, answered: roll(2) }, true),
      () => of('ads', { creative: pick(['red', 'blue']) }, { decided: 1, started: roll(2) }),
      () => of('skips', { creative: pick(['red', 'blue']), reason: reason! }, { total: 1, [reason!]: 1 }),
      () => of('beacons', { host: pick(['b.one', 'b.two']) }, { sent: 3, retried: roll(2) }),
      () => of('creatives', {}, { waiting: roll(4) }),
    ])();
  }

  test('return the same reports for intervals of 10 s, a minute, 7 minutes and an hour, grouped and not', async () => {
    const sql = await openSqlite(':memory:');
    const embedded = sqlReports(sql, reportRetention());
    const search = open();
    for (let batch = 0; batch < 8; batch += 1) {
      const measurements = Array.from({ length: 60 }, randomMeasurement);
      await Promise.all(
        [embedded, search].map((store) => store.add({ id: `${system}/${batch}`, system, measurements })),
      );
    }
    await server().refresh();
    const now = millis(noon);
    const range = { start: millis(start), end: millis(start + 3 * HOUR) };
    let filled = 0;
    for (const report of Object.keys(catalogue) as ReportName[]) {
      for (const interval of [10_000, MINUTE, 7 * MINUTE, HOUR]) {
        for (const by of [undefined, ...catalogue[report].by]) {
          for (const channel of interval === MINUTE && report !== 'storage' ? [undefined, 'two'] : [undefined]) {
            const query = { report, ...range, interval, ...(by ? { by } : {}), ...(channel ? { channel } : {}) };
            const [ours, theirs] = await Promise.all(
              [embedded, search].map((store) => makeReport(system, query, store, now)),
            );
            const label = `${report} ${interval} ${by} ${channel}`;
            expect(theirs!.totals, label).toEqual(ours!.totals);
            expect(new Set(theirs!.rows.map((row) => JSON.stringify(row))), label).toEqual(
              new Set(ours!.rows.map((row) => JSON.stringify(row))),
            );
            filled += Object.values(ours!.totals).filter((value) => value > 0).length;
          }
        }
      }
    }
    expect(filled).toBeGreaterThan(300);
    await sql.close();
  });
});
