// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { eventCosts } from './eventCosts.ts';
import type { Figures, TableFigures } from './figures.ts';
import type { Phases } from './measureInstallations.ts';

type Counts = Partial<
  Figures['players'] & { at: number; cpuMs: number; calls: number; requests: number; beacons: number }
>;

function figures(counts: Counts, tables: Readonly<Record<string, TableFigures>> = {}): Figures {
  const { at = 60_000, cpuMs = 0, calls = 0, requests = 0, beacons = 0, ...players } = counts;
  return {
    ...{ at, cpuMs },
    postgres: { walBytes: 0, cpuMs: 0, tables },
    redis: { calls, batches: 0, bytesIn: 0, bytesOut: 0, cpuMs: 0 },
    ads: { requests, bytes: 0, beacons, distinctBeacons: beacons, repeated: 0 },
    players: { opened: 0, manifests: 0, manifestBytes: 0, adSegments: 0, failed: 0, ...players },
  };
}

/** Ten viewers: one ad request each, two ads each. An idle installation uses 6 ms a minute. */
const phases = {
  idle: figures({ cpuMs: 6 }),
  opening: figures({ opened: 10, cpuMs: 6 + 20 + 50, calls: 10 + 20, manifests: 200 }),
  polling: [
    figures({ cpuMs: 6 + 20, calls: 10, manifests: 200, manifestBytes: 200_000 }),
    // Late requests of the break before: not a window of polls.
    figures({ cpuMs: 6 + 20 + 40, calls: 10, manifests: 200, adSegments: 40, beacons: 20 }),
  ],
  deciding: [figures({ cpuMs: 6 + 20 + 30, calls: 10 + 40, manifests: 200, requests: 10 })],
  playing: [
    figures(
      { cpuMs: 6 + 20 + 100, calls: 10, manifests: 200, adSegments: 280, beacons: 120 },
      {
        deliveries: { inserted: 20, updated: 300, deleted: 0, walBytes: 2000 },
        beacons: { inserted: 140, updated: 280, deleted: 0, walBytes: 8000 },
      },
    ),
  ],
  ending: figures({ cpuMs: 6 + 10, calls: 10 }),
} as unknown as Phases;

test('each event has its share of what was used, without polls and idle work', () => {
  const { visit, minute, decision, ad } = eventCosts(phases);
  expect([minute.nodeMs, minute.redisCalls]).toEqual([2, 1]);
  expect([visit.nodeMs, visit.redisCalls]).toEqual([5 + 1, 2 + 1]);
  expect([decision.nodeMs, decision.redisCalls]).toEqual([3, 4]);
  expect(ad.nodeMs).toBe((40 + 100) / 20);
});

test('rows of ads are those of the whole run', () => {
  const costs = eventCosts(phases);
  expect(costs.ad).toMatchObject({ deliveryRows: 16, beaconRows: 21, walBytes: 500, sessionRows: 0 });
  expect(costs).toMatchObject({ segmentsPerAd: 16, beaconsPerAd: 7, adRequestsPerDecision: 1, quietWindows: 1 });
  expect(costs.manifestsPerMinute).toBe(20);
});
