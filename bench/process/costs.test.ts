// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { costsOf, type PhaseUse } from './costs.ts';

const deciding: PhaseUse = { name: 'deciding', cpuMs: 1500, polls: 10_000, segments: 0 };
const playing: PhaseUse = { name: 'playing', cpuMs: 900, polls: 10_000, segments: 1000 };
const quiet: PhaseUse = { name: 'quiet', cpuMs: 600, polls: 12_000, segments: 0 };

test('a decision and a segment cost what is used besides polls', () => {
  const costs = costsOf([deciding, playing, quiet], 1000);
  expect(costs.microsPerPoll).toBeCloseTo(50);
  expect(costs.millisPerDecision).toBeCloseTo(1);
  expect(costs.microsPerSegment).toBeCloseTo(400);
});

test('an hour has the polls of a viewer, and its share of all that was used', () => {
  const costs = costsOf([deciding, playing, quiet, deciding, playing, quiet], 2000);
  expect(costs.pollingHour).toBeCloseTo(0.09);
  expect(costs.measuredHour).toBeCloseTo((1800 * 3) / 32_000);
  expect(costs.breaksPerHour).toBeCloseTo((1800 * 2000) / 64_000);
});

test('has no cost of a segment if none was requested', () => {
  expect(costsOf([deciding, { ...playing, segments: 0 }, quiet], 1000)).not.toHaveProperty('microsPerSegment');
});
