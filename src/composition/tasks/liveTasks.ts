// SPDX-License-Identifier: Apache-2.0
// The periodic tasks of processes that serve the live port.
import { SEEN_INTERVAL_MS, type Viewers } from '../../playback/viewers/viewers.ts';
import type { OnAirServices } from '../composeOnAir.ts';
import type { Services } from '../openServices.ts';
import { type PeriodicTask, startPeriodicTask } from '../periodicTask.ts';

type Parts = {
  readonly onAir: OnAirServices;
  readonly viewers: Viewers;
  /** Of VoD sessions. */
  readonly presentations: { readonly flushSeen: () => Promise<void> };
};

export function startLiveTasks(
  { now, timers, warn }: Services,
  { onAir, viewers, presentations }: Parts,
): PeriodicTask[] {
  const start = (name: string, ms: number, work: () => Promise<void>) =>
    startPeriodicTask(timers, name, ms, work, warn);
  return [
    start('recording changes of origins', 1000, onAir.recordOriginEvents),
    start('storing when sessions were last seen', SEEN_INTERVAL_MS, () => viewers.flushSeen(now())),
    start('storing which sessions requested ads', 15_000, presentations.flushSeen),
    start('storing which sessions have started', 2000, () => viewers.flushStarted(now())),
  ];
}
