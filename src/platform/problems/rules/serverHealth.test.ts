// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { AdServerFailure, AdServerSign } from '../../../playback/request/observeAdRequests.ts';
import { millis } from '../../../time/units.ts';
import { FORGOTTEN_MS, failureText, isFailing, nextHealth, RECOVERS_MS, type ServerHealth } from './serverHealth.ts';

type Sign = readonly [at: number, error?: AdServerFailure['error']];

const signOf = ([at, error]: Sign): AdServerSign => ({
  at: millis(at),
  tenant: 'acme',
  channel: 'one',
  adServer: 'ads.test',
  asked: 'source',
  ...(error ? { failure: { error } } : {}),
});
const after = (...signs: readonly Sign[]): ServerHealth | undefined =>
  signs.reduce<ServerHealth | undefined>((health, sign) => nextHealth(health, signOf(sign)), undefined);
const fails = (...signs: readonly Sign[]): boolean => {
  const health = after(...signs);
  return health !== undefined && isFailing(health);
};

test.each(['refused', 'noSuchHost', 'unreachable', 'tls', 'egress', 'badUrl', 'resting'] as const)(
  '%s is certain at once',
  (error) => {
    expect(fails([0, error])).toBe(true);
  },
);

test.each(['timeout', 'httpStatus', 'reset', 'garbage', 'invalid'] as const)(
  '%s is certain after three in a row',
  (error) => {
    expect([fails([0, error], [1, error]), fails([0, error], [1, error], [2, error])]).toEqual([false, true]);
    expect(fails([0, error], [1, error], [2], [3, error], [4, error])).toBe(false);
  },
);

test('fails since its first failure in a row, and has the reason of its last one', () => {
  const health = after([0, 'refused'], [RECOVERS_MS], [20_000, 'timeout'], [20_500, 'reset'], [21_000, 'httpStatus']);
  expect(health).toMatchObject({ since: 20_000, lastAt: 21_000, failures: 3, failure: { error: 'httpStatus' } });
});

test('a success soon after a failure does not end it', () => {
  expect(fails([0, 'refused'], [RECOVERS_MS - 1])).toBe(true);
  expect(fails([0, 'refused'], [RECOVERS_MS])).toBe(false);
  const flapping = Array.from({ length: 20 }, (_, index): Sign[] => [[index * 5000, 'refused'], [index * 5000 + 100]]);
  for (const count of [1, 10, 20]) expect(fails(...flapping.slice(0, count).flat())).toBe(true);
});

test('failures long ago do not count', () => {
  expect(fails([0, 'timeout'], [1, 'timeout'], [FORGOTTEN_MS + 1, 'timeout'])).toBe(false);
  expect(after([0, 'refused'], [FORGOTTEN_MS, 'refused'])).toMatchObject({ since: FORGOTTEN_MS, failures: 1 });
});

test('suspended requests keep the reason for which they are suspended', () => {
  expect(after([0, 'refused'], [100, 'resting'])?.failure).toEqual({ error: 'refused' });
  expect(failureText({ error: 'httpStatus', status: 503 })).toContain('503');
});
