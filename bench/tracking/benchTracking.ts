// SPDX-License-Identifier: Apache-2.0
// Deliveries and beacons for the benchmark's server: the journal in its thread, all else in a thread as in the product.
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createDeliveryJournal } from '../../src/adapters/spool/deliveryJournal.ts';
import type { Sql } from '../../src/adapters/sql/sql.ts';
import { systemTimers } from '../../src/adapters/systemClock.ts';
import { createThreadedWork } from '../../src/composition/composeTracking.ts';
import { journalFiles } from '../../src/composition/tracking/trackingWork.ts';
import type { Millis } from '../../src/time/units.ts';
import { createDurableRecorder, type RecordDelivery } from '../../src/tracking/deliveries/durableRecorder.ts';
import { createJournalRoom } from '../../src/tracking/deliveries/journalRoom.ts';
import type { BenchThreadData, Tracked } from './benchTrackingThread.ts';

/** It is not in the bundle of the server. */
const PROGRAM = pathToFileURL(join(process.cwd(), 'bench/tracking/benchTrackingThread.mjs'));
const CLOCK_INTERVAL_MS = 20;

/** @returns what the live port needs. This process also sends the beacons, as a single node does. */
export function benchTracking(sql: Sql, tracked: Tracked, now: () => Millis): RecordDelivery {
  const config = {
    ...{ DATA_DIR: dirname(sql.sqlite!.name), DELIVERY_SPOOL_MB: 64 },
    ...{ BEACON_RETENTION: 7, SESSION_TTL: 900, VOD_SESSION_TTL: 3600 },
  };
  const files = journalFiles(config);
  const clock = new Float64Array(new SharedArrayBuffer(8));
  const tick = () => {
    clock[0] = now();
  };
  tick();
  setInterval(tick, CLOCK_INTERVAL_MS);
  const log = (...what: unknown[]) => console.error(...what);
  const data = { config, files, tracked, startsAt: new Date(now()).toISOString(), clock };
  const work = createThreadedWork({
    data: data as unknown as BenchThreadData,
    program: PROGRAM,
    timers: systemTimers,
    events: { warn: log, onQuarantine: () => {}, onBeacons: () => {} },
  });
  void work.startSending();
  const room = createJournalRoom(files.maxBytes, async () => files.maxBytes);
  const journal = createDeliveryJournal({ ...files, makeRoom: room.makeRoom });
  return createDurableRecorder({ journal, recorder: work, timers: systemTimers, log, onRound: room.onRound }).record;
}
