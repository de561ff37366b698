// SPDX-License-Identifier: Apache-2.0
// Executes the calls of the serving thread in the tracking thread (threadedWork.ts).
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { createSystemNow, systemTimers } from '../../adapters/systemClock.ts';
import { collectFacts } from './collectFacts.ts';
import type { ThreadCall, ThreadMessage } from './threadMessages.ts';
import { createTrackingWork, type TrackingWorkDeps } from './trackingWork.ts';

export type TrackingParts = Omit<TrackingWorkDeps, 'now' | 'timers' | 'events' | 'settleIntervalMs'> & {
  /** Default: the system's clock. */
  readonly now?: TrackingWorkDeps['now'];
  /** Called at the end. */
  readonly close: () => Promise<void>;
};

/** Manifests come first. Only for this thread: those that it has started before keep theirs. */
const PRIORITY = 10;

const SETTLE_INTERVAL_MS = 50;

const post = (message: ThreadMessage) => parentPort!.postMessage([message]);

export function runTracking({ close, now = createSystemNow(), ...parts }: TrackingParts): void {
  const timers = systemTimers;
  const facts = collectFacts(timers, (counts) => post({ note: 'beacons', counts }));
  const work = createTrackingWork({
    ...{ ...parts, now, timers, settleIntervalMs: SETTLE_INTERVAL_MS },
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
  parentPort!.on('message', async (message: ThreadCall) => {
    const { id, call } = message;
    try {
      post({ id, result: await run(message) });
    } catch (error) {
      post({ id, error });
    }
    if (call === 'stop') parentPort!.close();
  });
}
