// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Measured } from './costs.ts';
import { type EventCosts, none } from './eventCosts.ts';
import { SIZE, sizeOf, viewerHour } from './sizing.ts';

const costs: EventCosts = {
  visit: { ...none, nodeMs: 30, sessionRows: 3 },
  minute: { ...none, nodeMs: 1, sessionRows: 4 },
  decision: { ...none, nodeMs: 10, redisCalls: 5, redisMs: 1 },
  ad: { ...none, nodeMs: 5, deliveryRows: 16, beaconRows: 21, postgresMs: 2, walBytes: 20_000 },
  ...{ manifestsPerMinute: 20, manifestBytes: 3000, segmentsPerAd: 16, beaconsPerAd: 7 },
  ...{ adRequestsPerDecision: 1, quietWindows: 1, failed: 0 },
};
const measured: Measured = {
  ...{ machine: '', costs: {}, rereadMs: { nodeMs: 0, redisMs: 0 }, rowBytes: { beacons: 500 } },
  redisMemory: {
    8: { responseBytes: 8000, opened: 1000, watched: 1500, perBreak: 6000, read: { nodeMs: 0, redisMs: 0 } },
  },
};

test('a viewer-hour has the visits, minutes, decisions and ads of the profile', () => {
  const hour = viewerHour(costs);
  expect(hour.nodeMs).toBeCloseTo((4 / 3) * 30 + 60 + 4 * 10 + 16 * 5);
  expect(hour.sessionRows).toBeCloseTo(4 + 240);
  expect(hour).toMatchObject({
    manifests: 1200,
    adRequests: 4,
    ads: 16,
    adSegments: 256,
    beacons: 112,
    redisCalls: 20,
  });
});

test('what an installation needs grows with its viewers', () => {
  const [one, ten] = [100_000, 1_000_000].map((viewers) => sizeOf(measured, costs, { ...SIZE, viewers }));
  for (const name of Object.keys(one!) as (keyof typeof ten)[]) expect(ten![name] / one![name]).toBeCloseTo(10);
});

test('the ledger has a row for each beacon of all days that are kept', () => {
  const { ledgerGigabytesPerDay, ledgerTerabytes } = sizeOf(measured, costs, { ...SIZE, viewers: 1_000_000 });
  expect(ledgerGigabytesPerDay).toBeCloseTo((1e6 * 8 * 112 * 500) / 1e9);
  expect(ledgerTerabytes).toBeCloseTo((30 * ledgerGigabytesPerDay) / 1000);
});

test('sessions are in Redis until their TTL after the visit, with the breaks of the visit', () => {
  const { redisGigabytes } = sizeOf(measured, costs, { ...SIZE, viewers: 3_000_000 });
  expect(redisGigabytes).toBeCloseTo((4e6 * (1500 + 3 * 6000)) / 1e9);
});
