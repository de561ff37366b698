// SPDX-License-Identifier: Apache-2.0
// Which sessions count as watched, with a real store. Unwatched sessions expire a minute after they were opened.
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { airingOf, syntheticChannel } from '../../../test/laws/syntheticChannel.ts';
import { twoSecondAsset } from '../../../test/laws/syntheticTitle.ts';
import { sqlSessions } from '../../adapters/sql/sessions/sqlSessions.ts';
import { systemTimers } from '../../adapters/systemClock.ts';
import { openSqlite } from '../../database.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import { type Millis, millis } from '../../time/units.ts';
import { openSession } from '../view/openSession.ts';
import { createStoreHealth } from './storeHealth.ts';
import { createViewers, type Viewers } from './viewers.ts';
import { unwatchedBefore } from './watchStarts.ts';

const start = Date.parse('2026-03-01T12:00:00.000Z');
const airing = airingOf(syntheticChannel([{ asset: twoSecondAsset('video', 60), cuePoints: [] }], start), 60);
const at = (seconds: number): Millis => millis(start + seconds * 1000);

let store: SessionStore;
let isUnavailable = false;
let viewers: Viewers;
beforeEach(async () => {
  const sql = await openSqlite(':memory:');
  onTestFinished(() => sql.close());
  isUnavailable = false;
  const sessions = sqlSessions(sql);
  store = {
    ...sessions,
    seen: async (ids, when) => (isUnavailable ? Promise.reject(new Error('unavailable')) : sessions.seen(ids, when)),
  };
  viewers = openProcess();
});

const health = createStoreHealth(systemTimers, () => {});
const openProcess = () => createViewers(store, health, 100);
const opening = { format: 'hls' as const, parameters: {}, viewer: { address: '', userAgent: '' } };
const open = () => openSession(airing, opening, store, viewers, at(0));
/** Like the process that removes expired sessions. */
const sweep = (seconds: number) => store.expire(millis(0), unwatchedBefore(at(seconds)));
const isStored = async (id: string) => (await store.find(id)) !== undefined;

test('an unwatched session expires after 75 s; looking it up does not count as watching', async () => {
  const { session } = await open();
  for (let seconds = 5; seconds <= 60; seconds += 5) await viewers.find(session.id, airing, at(seconds));
  await viewers.flushStarted(at(61));
  await viewers.flushSeen(at(61));
  await sweep(75);
  expect(await isStored(session.id)).toBe(true);
  await sweep(76);
  expect(await isStored(session.id)).toBe(false);
});

test('a session watched within the minute stays, in whichever process it is watched', async () => {
  const [here, there] = [await open(), await open()];
  const other = openProcess();
  expect(viewers.watch(here, at(59))).toBe(true);
  expect(other.watch((await other.find(there.session.id, airing, at(59)))!, at(59))).toBe(true);
  await Promise.all([viewers.flushStarted(at(61)), other.flushStarted(at(61))]);
  await sweep(1000);
  expect(await Promise.all([here, there].map(({ session }) => isStored(session.id)))).toEqual([true, true]);
});

test('a session watched later is accepted only if it is still stored', async () => {
  const [late, tooLate] = [await open(), await open()];
  expect(await viewers.watch(late, at(70))).toBe(true);
  await sweep(80);
  expect(await viewers.watch(tooLate, at(81))).toBe(false);
  expect(await isStored(late.session.id)).toBe(true);
  expect(viewers.watch(late, at(90))).toBe(true);
});

test('sessions watched during an outage are recorded when the store is available again', async () => {
  const [early, late] = [await open(), await open()];
  isUnavailable = true;
  expect(viewers.watch(early, at(10))).toBe(true);
  await expect(viewers.flushStarted(at(12))).rejects.toThrow('unavailable');
  expect(await viewers.watch(late, at(70))).toBe(true);
  isUnavailable = false;
  await viewers.flushStarted(at(200));
  await sweep(1000);
  expect(await Promise.all([early, late].map(({ session }) => isStored(session.id)))).toEqual([true, true]);
});
