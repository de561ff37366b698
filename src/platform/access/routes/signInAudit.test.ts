// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createRefusalCount, MAX_SOURCES, WINDOW_MS } from './signInAudit.ts';

function setUp() {
  let time = 0;
  const count = createRefusalCount(() => time);
  const repeat = (times: number, source: (index: number) => string, tenant = 't') =>
    Array.from({ length: times }, (_, index) => count(tenant, source(index))).filter((one) => one !== undefined);
  const pass = (ms: number) => {
    time += ms;
  };
  return { repeat, pass };
}

test('of equal refusals in an hour, powers of ten are recorded', () => {
  const { repeat, pass } = setUp();
  expect(repeat(5000, () => 'a').map(({ attempts }) => attempts)).toEqual([1, 10, 100, 1000]);
  expect(repeat(1, () => 'b')).toHaveLength(1);
  expect(repeat(1, () => 'a', 'another')).toHaveLength(1);
  pass(WINDOW_MS - 1);
  expect(repeat(1, () => 'a')).toEqual([]);
  pass(1);
  expect(repeat(1, () => 'a')).toEqual([{ attempts: 1, fromOthers: false }]);
});

test('however many sources there are, the number of records in an hour is bounded', () => {
  const { repeat } = setUp();
  const recorded = repeat(100_000, String);
  expect(recorded.filter(({ fromOthers }) => !fromOthers)).toHaveLength(MAX_SOURCES);
  const others = recorded.filter(({ fromOthers }) => fromOthers).map(({ attempts }) => attempts);
  expect(others).toEqual([1, 10, 100, 1000, 10_000]);
});
