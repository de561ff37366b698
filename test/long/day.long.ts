// SPDX-License-Identifier: Apache-2.0
// Ten thousand watched sessions an hour, and as many unwatched ones: the size of the database file, in virtual time. The ledger
// has a retention of six hours, so that the file reaches its limit within the run.
import { expect, test } from 'vitest';
import { hoursOfSessions } from '../bounds/hoursOfSessions.ts';
import { scratchFolder } from '../opened.ts';

const folder = scratchFolder();

test('the size of the file has a limit at ten thousand sessions an hour', async () => {
  const watchedAnHour = Number(process.env.DAY_SESSIONS ?? 10_000);
  const run = { folder, watchedAnHour, unwatchedAnHour: watchedAnHour, retention: 6, mostImports: 2000 };
  const used: number[] = [];
  for await (const hour of hoursOfSessions({ ...run, hours: 24, attack: { inHour: 14, sessions: 60_000 } })) {
    used.push(hour.used);
    console.log(`hour ${used.length}:`, JSON.stringify(hour));
  }
  expect(Math.max(...used.slice(16))).toBeLessThan(1.1 * Math.max(...used.slice(9, 13)));
});
