// SPDX-License-Identifier: Apache-2.0
// The tracking thread's side of the calls of the serving thread.
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { createSystemNow, systemTimers } from '../../adapters/systemClock.ts';
import { defined } from '../../invariant.ts';
import type { Timers } from '../../time/clock.ts';
import type { BeaconFact } from '../../tracking/beacons/beacon.ts';
import {
  type CountedFact,
  createTrackingWork,
  type ThreadCall,
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
      case 'present':
        return work.present(...args);
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
