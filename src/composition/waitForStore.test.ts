// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../test/clock/virtualClock.ts';
import { AppError } from '../errors.ts';
import { databaseHost, redisHosts, type Waiting, waitForStore } from './waitForStore.ts';

test.each([
  ['postgres://midroll:secret@db.example:6432/films?sslmode=require', 'db.example:6432'],
  ['postgres://db.example/films', 'db.example:5432'],
  ['postgres:///films?host=/var/run/postgresql', '/var/run/postgresql:5432'],
  ['postgres://[::1]/films', '[::1]:5432'],
])('names the server of %s without credentials', (url, host) => {
  expect(databaseHost(url)).toBe(host);
});

test('names each server of REDIS_URL', () => {
  expect(redisHosts('redis://user:secret@one:7000, rediss://two')).toBe('one:7000, two:6379');
});

const refused = () =>
  new AppError('UNAVAILABLE', 'The database does not respond.', { cause: { code: 'ECONNREFUSED', message: '' } });

test('waits until the server responds, and reports it every ten seconds', async () => {
  const clock = createVirtualClock();
  const reports: Waiting[] = [];
  const startedAt = clock.timers.elapsed();
  let attempts = 0;
  const open = async () => {
    attempts += 1;
    if (clock.timers.elapsed() - startedAt < 30_000) throw refused();
    return 'opened';
  };
  const opened = waitForStore('db.example:5432', open, clock.timers, (waiting) => void reports.push(waiting));
  expect(await opened).toBe('opened');
  await clock.stop();
  expect(reports.map(({ waitedSeconds }) => waitedSeconds)[0]).toBe(0);
  expect(reports.length).toBeGreaterThanOrEqual(3);
  expect(reports.length).toBeLessThanOrEqual(4);
  expect(reports[0]).toMatchObject({ host: 'db.example:5432', reason: expect.stringContaining('ECONNREFUSED') });
  expect(attempts).toBeLessThan(15);
});

test.each([
  ['the schema is newer', new Error('The database was migrated by a newer version')],
  ['the caller is at fault', new AppError('CONFLICT', 'no')],
])('does not wait if %s', async (_, error) => {
  const clock = createVirtualClock();
  const reports: Waiting[] = [];
  const open = () => Promise.reject(error);
  await expect(waitForStore('db', open, clock.timers, (waiting) => void reports.push(waiting))).rejects.toBe(error);
  await clock.stop();
  expect(reports).toEqual([]);
});
