// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { type EventCosts, none } from '../eventCosts.ts';
import { breakEvents } from './breakEvents.ts';
import { EVENING, type Evening } from './evening.ts';
import { type EveningCounts, rereadShare, simulateEvening } from './simulateEvening.ts';

const SMALL: Evening = { ...EVENING, viewers: 1500, channels: 100, unannounced: 20, hours: 3 };
const sticky: EventCosts = {
  ...{ visit: { ...none, redisCalls: 2 }, minute: { ...none, nodeMs: 60 }, decision: { ...none, redisCalls: 3 } },
  ad: { ...none, deliveryRows: 1, beaconRows: 3 },
  ...{ manifestsPerMinute: 20, manifestBytes: 1000, segmentsPerAd: 16, beaconsPerAd: 7 },
  ...{ adRequestsPerDecision: 1, quietWindows: 1, failed: 0 },
};
const costs = { sticky, reread: { nodeMs: 1, redisMs: 0 } };
const sum = (counts: EveningCounts, name: string) => counts[name]!.reduce((total, value) => total + value, 0);
const most = (counts: EveningCounts, name: string) => counts[name]!.reduce((one, other) => Math.max(one, other), 0);
const total = (shares: ReadonlyMap<number, number>) => [...shares.values()].reduce((one, other) => one + other, 0);

test.each([true, false])('each viewer of a break has one ad request and one decision, announced %s', (isAnnounced) => {
  const events = breakEvents(EVENING, isAnnounced, 16);
  expect(total(events.adRequests)).toBeCloseTo(1);
  expect(total(events.decisions)).toBeCloseTo(1);
  expect(total(events.adSegments)).toBeCloseTo(4 * 16);
  expect(total(events.beacons)).toBeCloseTo(4 * 7);
});

test('ad requests of an announced break are spread over its lead, and end before it', () => {
  const seconds = [...breakEvents(EVENING, true, 16).adRequests.keys()];
  expect(Math.min(...seconds)).toBe(-60);
  expect(Math.max(...seconds)).toBeLessThan(-12);
});

test('ad requests of an unannounced break follow the break before it, and its decisions its start', () => {
  const { adRequests, decisions } = breakEvents(EVENING, false, 16);
  const since = 3600 / EVENING.breaksAnHour - 60;
  expect(Math.min(...adRequests.keys())).toBe(-since);
  expect(Math.max(...adRequests.keys())).toBeLessThan(-since + 40);
  expect(Math.max(...decisions.keys())).toBeLessThan(EVENING.targetDuration);
});

test('the same seed returns the same evening', () => {
  const [one, other] = [simulateEvening(SMALL, costs), simulateEvening(SMALL, costs)];
  expect(one).toEqual(other);
  expect(simulateEvening({ ...SMALL, seed: 8 }, costs)).not.toEqual(one);
});

test('the evening reaches its number of viewers, and each of them polls', () => {
  const { counts } = simulateEvening(SMALL, costs);
  const peak = most(counts, 'viewers');
  expect(peak).toBeGreaterThan(0.9 * SMALL.viewers);
  expect(peak).toBeLessThan(1.15 * SMALL.viewers);
  expect(sum(counts, 'nodeMs')).toBeCloseTo(sum(counts, 'viewers'), 0);
});

test('aligned breaks cause the same work in fewer seconds', () => {
  const [aligned, apart] = [true, false].map((isAligned) => simulateEvening({ ...SMALL, isAligned }, costs).counts);
  for (const name of ['adRequests', 'adSegments', 'beacons']) {
    expect(sum(aligned!, name) / sum(apart!, name)).toBeGreaterThan(0.75);
    expect(sum(aligned!, name) / sum(apart!, name)).toBeLessThan(1.25);
    expect(most(aligned!, name)).toBeGreaterThan(2 * most(apart!, name));
  }
});

test('with random routing, the more nodes there are, the more requests read their session again', () => {
  expect([1, 2, 4, 20].map((nodes) => rereadShare(nodes, 6, 2))).toEqual([0, 0.5 ** 18, 0.75 ** 18, 0.95 ** 18]);
  const random = { ...SMALL, routing: 'random' as const };
  const calls = [2, 20].map((nodes) => sum(simulateEvening({ ...random, nodes }, costs).counts, 'nodeMs'));
  expect(calls[1]!).toBeGreaterThan(calls[0]!);
});
