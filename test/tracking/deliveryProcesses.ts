// SPDX-License-Identifier: Apache-2.0
// Processes that record deliveries in a store that can be made unavailable.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createDeliveryEntries } from '../../src/adapters/spool/deliveryEntries.ts';
import { createDeliveryJournal } from '../../src/adapters/spool/deliveryJournal.ts';
import { createFileSpool } from '../../src/adapters/spool/fileSpool.ts';
import { AppError } from '../../src/errors.ts';
import { millis } from '../../src/time/units.ts';
import type { Delivery } from '../../src/tracking/deliveries/delivery.ts';
import { createDeliveryRecorder } from '../../src/tracking/deliveries/deliveryRecorder.ts';
import { createDurableRecorder } from '../../src/tracking/deliveries/durableRecorder.ts';
import { createJournalRoom } from '../../src/tracking/deliveries/journalRoom.ts';
import type { DeliveryWriter } from '../../src/tracking/deliveries/writeDeliveries.ts';
import { createTimerQueue } from '../clock/timerQueue.ts';
import { sessionOf } from '../stores/records.ts';

const grid = Array.from({ length: 200 }, (_, index) => 2000 * (index + 1));
export const delivery = (segment: number, of = 'v'): Delivery => ({
  ...{ session: sessionOf(of), adId: '1-2-0', startsAt: millis(1000), grid, kind: 'pictures' },
  ...{ segments: [segment], tracking: 'server', holdBack: 6000, at: millis(5000 + segment) },
});

/** A store that can be made unavailable, and processes with a spool of their own that use it. */
export function setUpRecording() {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-spool-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = { state: 'available' as 'available' | 'failing' | 'hanging', written: [] as string[], attempts: 0 };
  const logged: unknown[] = [];
  const count = { quarantined: 0, writes: 0 };
  const write: DeliveryWriter['write'] = async (deliveries) => {
    store.attempts += 1;
    if (store.state === 'hanging') return new Promise(() => {});
    if (store.state === 'failing') throw new AppError('UNAVAILABLE', 'The store is unavailable.');
    if (deliveries.some((one) => one.session.id === 'bad')) throw new TypeError('not a fault of the store');
    for (const one of deliveries) {
      expect(one).toEqual(delivery(one.segments[0]!, one.session.id));
      store.written.push(`${one.session.id}${one.segments[0]}`);
    }
    return deliveries.length;
  };
  /** What `away` refers to cannot be read, for example because one of several stores is unavailable. */
  const prepare: DeliveryWriter['prepare'] = async (deliveries) => {
    const failed = deliveries.filter((one) => one.session.id === 'away');
    return failed.length === 0 ? { failed } : { failed, error: new AppError('UNAVAILABLE', 'A part is unavailable.') };
  };
  let processes = 0;
  /** A second call is the process after a restart: only what is on disk remains. */
  const start = ({ maxInMemory = 3, path = folder, maxBytes = 1e6 } = {}) => {
    processes += 1;
    const owner = `process${processes}`;
    const log = (_: string, facts: unknown) => void logged.push(facts);
    const entries = createDeliveryEntries({ folder: path, owner, maxBytes, leftAfter: -1 });
    const files = createFileSpool(path, { maxBytes, leftAfter: -1 });
    const room = createJournalRoom(maxBytes, async (bytes) => {
      logged.push({ entries: await files.makeRoom(bytes) });
      return files.size();
    });
    const makeRoom = (bytes: number) => {
      count.writes += 1;
      return room.makeRoom(bytes);
    };
    return createDurableRecorder({
      journal: createDeliveryJournal({ folder: path, owner, leftAfter: 1e6, makeRoom }),
      recorder: createDeliveryRecorder({
        entries,
        writer: { prepare, write },
        findSession: async (id) => (id === 'expired' ? undefined : sessionOf(id)),
        log,
        onQuarantine: () => {
          count.quarantined += 1;
        },
      }),
      // Rounds begin only by `retry`.
      timers: createTimerQueue(0).timers,
      ...{ log, onRound: room.onRound, maxInMemory },
    });
  };
  const filesEndingWith = (name: string) => readdirSync(folder).filter((one) => one.endsWith(name));
  const quarantined = () =>
    filesEndingWith('.aside').flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  /** Deliveries of processes that were killed while the store was unavailable: each one recorded those of one entry. */
  const leaveEntries = async (...entries: Delivery[][]) => {
    store.state = 'failing';
    for (const deliveries of entries) {
      const { record } = start();
      for (const one of deliveries) await record(one);
    }
    store.state = 'available';
  };
  return { store, start, logged, folder, count, filesEndingWith, quarantined, leaveEntries };
}
