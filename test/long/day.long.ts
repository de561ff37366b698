// Ten thousand sessions an hour, watched, and as many that nobody watches: what the database file takes, in virtual time.
// The ledger is kept for six hours, so that the ceiling is reached within the run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hoursOfSessions } from '../bounds/hoursOfSessions.ts';

test('ten thousand sessions an hour have a ceiling', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-day-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const watchedAnHour = Number(process.env.DAY_SESSIONS ?? 10_000);
  const run = { folder, watchedAnHour, unwatchedAnHour: watchedAnHour, retention: 6, mostImports: 2000 };
  const used: number[] = [];
  for await (const hour of hoursOfSessions({ ...run, hours: 24, attack: { inHour: 14, sessions: 60_000 } })) {
    used.push(hour.used);
    console.log(`hour ${used.length}:`, JSON.stringify(hour));
  }
  expect(Math.max(...used.slice(16))).toBeLessThan(1.1 * Math.max(...used.slice(9, 13)));
});
