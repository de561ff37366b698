// SPDX-License-Identifier: Apache-2.0
// Counts equal facts about beacons, so that the serving thread receives few messages.
import type { Timers } from '../../time/clock.ts';
import type { BeaconFact } from '../../tracking/beacons/beacon.ts';
import type { CountedFact } from './threadMessages.ts';

const FLUSH_INTERVAL_MS = 500;
const SECOND_MS = 1000;

export type FactCollector = { add(fact: BeaconFact): void; flush(): void };

export function collectFacts(timers: Timers, send: (counts: readonly CountedFact[]) => void): FactCollector {
  let counts = new Map<string, { readonly fact: BeaconFact; count: number }>();

  function flush(): void {
    if (counts.size === 0) return;
    send([...counts.values()]);
    counts = new Map();
  }

  return {
    add(fact) {
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
