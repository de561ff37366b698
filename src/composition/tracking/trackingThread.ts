// SPDX-License-Identifier: Apache-2.0
// The program of the tracking thread (composeTracking.ts), with connections of its own to the stores.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createEgressGuard } from '../../adapters/http/egressGuard.ts';
import { sqlSessions } from '../../adapters/sql/sessions/sqlSessions.ts';
import { CONNECTIONS, type Sql } from '../../adapters/sql/sql.ts';
import { createSystemNow, systemTimers } from '../../adapters/systemClock.ts';
import { egressAllow } from '../../config.ts';
import { openSql } from '../../database.ts';
import { defined } from '../../invariant.ts';
import type { Timers } from '../../time/clock.ts';
import type { BeaconFact } from '../../tracking/beacons/beacon.ts';
import type { SessionStores } from '../openSessionStores.ts';
import {
  type CountedFact,
  createTrackingWork,
  type ThreadCall,
  type ThreadData,
  type ThreadMessage,
  type TrackingWorkDeps,
} from './trackingWork.ts';

type TrackingParts = Omit<TrackingWorkDeps, 'now' | 'timers' | 'events' | 'settleIntervalMs'> & {
  /** Default: the system's clock. */
  readonly now?: TrackingWorkDeps['now'];
  /** Called at the end. */
  readonly close: () => Promise<void>;
};

/** Manifests come first. Only for this thread: those that it has started before keep theirs. */
const PRIORITY = 10;

const SETTLE_INTERVAL_MS = 50;

const port = () => defined(parentPort, 'tracking runs in a thread');
const post = (message: ThreadMessage) => port().postMessage([message]);

/** Executes the calls of the serving thread in the tracking thread. */
export function runTracking({ close, now = createSystemNow(), ...parts }: TrackingParts): void {
  const timers = systemTimers;
  const facts = collectFacts(timers, (counts) => post({ note: 'beacons', counts }));
  const work = createTrackingWork({
    ...parts,
    now,
    timers,
    settleIntervalMs: SETTLE_INTERVAL_MS,
    events: {
      warn: (message, rest) => post({ note: 'warn', message, facts: rest }),
      onBeacon: facts.add,
      onQuarantine: () => post({ note: 'quarantined' }),
    },
  });

  async function stop(): Promise<void> {
    await work.stop();
    facts.flush();
    await close();
  }

  function run({ call, args }: ThreadCall): Promise<unknown> {
    switch (call) {
      case 'replay':
        return work.replay(...args);
      case 'record':
        return work.record(...args);
      case 'startSending':
        return work.startSending();
      case 'stop':
        return stop();
    }
  }

  // Elsewhere it would be the priority of the process.
  if (process.platform === 'linux') setPriority(0, PRIORITY);
  port().on('message', async (message: ThreadCall) => {
    const { id, call } = message;
    try {
      post({ id, result: await run(message) });
    } catch (error) {
      post({ id, error });
    }
    if (call === 'stop') port().close();
  });
}

const FLUSH_INTERVAL_MS = 500;
const SECOND_MS = 1000;

/** Counts equal facts about beacons, so that the serving thread receives few messages. */
function collectFacts(timers: Timers, send: (counts: readonly CountedFact[]) => void) {
  let counts = new Map<string, { readonly fact: BeaconFact; count: number }>();

  function flush(): void {
    if (counts.size === 0) return;
    send([...counts.values()]);
    counts = new Map();
  }

  return {
    add(fact: BeaconFact): void {
      if (counts.size === 0) timers.after(FLUSH_INTERVAL_MS, flush);
      const { tenant, channelId, host, step, at } = fact;
      const key = JSON.stringify([tenant, channelId, host, step, Math.floor(at / SECOND_MS)]);
      const known = counts.get(key);
      if (known === undefined) counts.set(key, { fact, count: 1 });
      else known.count += 1;
    },
    flush,
  };
}

const { config, files } = workerData as ThreadData;

/** The client of Redis is loaded only when it is needed. */
async function openSessions(sql: Sql): Promise<Pick<SessionStores, 'sessions' | 'close'>> {
  if (config.REDIS_URL === undefined) return { sessions: sqlSessions(sql), close: async () => {} };
  const { openRedisStore } = await import('../../adapters/redis/redisStore.ts');
  const { redisSessionStores } = await import('../openSessionStores.ts');
  return redisSessionStores(await openRedisStore(config.REDIS_URL, config.REDIS_PREFIX), sql);
}

const sql = await openSql(config, undefined, CONNECTIONS.tracking);
const { sessions, close } = await openSessions(sql);
const guard = createEgressGuard({ allow: egressAllow(config) });
runTracking({
  sql,
  sessions,
  guard,
  files,
  config,
  hasStoreApart: config.REDIS_URL !== undefined,
  async close() {
    await Promise.all([close(), guard.close()]);
    await sql.close();
  },
});
