// SPDX-License-Identifier: Apache-2.0
// Keeps repeated warnings from filling the log during an outage: the first one is written at once, further ones are counted, and
// the count is written at growing intervals.
import type { Timers } from '../../time/clock.ts';

export type Warn = (message: string, facts: Record<string, unknown>) => void;

const FIRST_INTERVAL_MS = 10_000;
const MAX_INTERVAL_MS = 320_000;
const MAX_KINDS = 1000;

type Kind = { since: number; intervalMs: number; repeated: number };

/** Warnings about different channels, hosts and nodes are different; those about single sessions and beacons are not. */
const kindOf = (message: string, { channelId, host, systemId, feed, url, reason }: Record<string, unknown>): string =>
  JSON.stringify([message, channelId, host, systemId, feed, url, reason]);

/** @param write writes to the log; `repeated` is how many equal warnings were not written since the last one */
export function createQuietWarnings(write: Warn, timers: Timers): Warn {
  const kinds = new Map<string, Kind>();
  return (message, facts) => {
    const key = kindOf(message, facts);
    const now = timers.elapsed();
    const kind = kinds.get(key);
    if (kind === undefined || now - kind.since >= 2 * kind.intervalMs) {
      if (kinds.size >= MAX_KINDS) kinds.clear();
      kinds.set(key, { since: now, intervalMs: FIRST_INTERVAL_MS, repeated: 0 });
      write(message, kind === undefined || kind.repeated === 0 ? facts : { ...facts, repeated: kind.repeated });
      return;
    }
    if (now - kind.since < kind.intervalMs) {
      kind.repeated += 1;
      return;
    }
    write(message, kind.repeated === 0 ? facts : { ...facts, repeated: kind.repeated });
    kinds.set(key, { since: now, intervalMs: Math.min(MAX_INTERVAL_MS, 2 * kind.intervalMs), repeated: 0 });
  };
}
