// SPDX-License-Identifier: Apache-2.0
// A day of viewers on a real database file, in virtual time: its size has a limit that depends on the number of viewers,
// and the file shrinks back to it after an attack. test/long/day.long.ts uses ten thousand sessions an hour.
import { expect, test } from 'vitest';
import { scratchFolder } from '../opened.ts';
import { type HourOfFile, type HoursOfSessions, hoursOfSessions } from './hoursOfSessions.ts';

const RETENTION = 4;
const MOST_IMPORTS = 100;
/** The space left free for new data (src/adapters/sql/sqliteFile.ts). */
const RESERVE = 8 * 2 ** 20;

const RATE = 24;
const attack = { inHour: 14, sessions: 3000 };

async function liveADay(watchedAnHour: number, attacked?: HoursOfSessions['attack']): Promise<HourOfFile[]> {
  const folder = scratchFolder();
  const bounds = { retention: RETENTION, mostImports: MOST_IMPORTS, unwatchedAnHour: watchedAnHour };
  const run = { folder, hours: 24, watchedAnHour, ...bounds, ...(attacked && { attack: attacked }) };
  const hours: HourOfFile[] = [];
  for await (const hour of hoursOfSessions(run)) hours.push(hour);
  return hours;
}

const [usual, doubled] = await Promise.all([liveADay(RATE), liveADay(2 * RATE, attack)]);

const most = (hours: readonly HourOfFile[], of: (hour: HourOfFile) => number): number => Math.max(...hours.map(of));

test('stored data stops growing, and the file shrinks after an attack', () => {
  // From the ninth hour on, deliveries expire too.
  const [settled, later] = [doubled.slice(9, 13), doubled.slice(16)];
  expect(most(later, ({ used }) => used)).toBeLessThan(1.1 * most(settled, ({ used }) => used));
  // The parameters of the attack alone were 12 MB.
  expect(doubled[14]!.peak - doubled[13]!.used).toBeGreaterThan(12e6);
  for (const { file, used } of later) expect(file - used).toBeLessThan(RESERVE + 2 ** 20);
});

test('the number of rows follows the retention rules', () => {
  const { rows } = doubled.at(-1)!;
  // Watched sessions last 30 minutes and 15 more, unwatched ones until the next expiry run.
  expect(rows.sessions).toBeLessThanOrEqual(2 * RATE);
  expect(rows.sources).toBeLessThanOrEqual(MOST_IMPORTS + 1);
  // Assets without a URL stay for two more hours, because a channel may be about to use them.
  expect(rows.assets).toBeLessThanOrEqual(MOST_IMPORTS + 25);
});

test('twice the viewers use at most twice the space', () => {
  for (const rows of ['beacons', 'breaks', 'deliveries'] as const) {
    expect(doubled.at(-1)!.rows[rows]).toBe(2 * usual.at(-1)!.rows[rows]);
  }
  const usedBy = (day: HourOfFile[]) => most(day.slice(16), ({ used }) => used);
  expect(usedBy(doubled) / usedBy(usual)).toBeLessThanOrEqual(2);
});
