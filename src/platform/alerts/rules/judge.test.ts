// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../../test/naming.ts';
import { millis } from '../../../time/units.ts';
import { judge, type Measurement, measuredRange } from './judge.ts';
import type { Condition } from './rule.ts';

const now = millis(10_000_000);
const levelOf = (condition: Condition, measured: Partial<Measurement>) => judge(condition, { now, ...measured }).level;

test.each([
  [undefined, 'unknown'],
  [{ offeredMs: 0, filledMs: 0 }, 'unknown'],
  [{ offeredMs: 1000 }, 'bad'],
  [{ offeredMs: 1000, filledMs: 799 }, 'bad'],
  [{ offeredMs: 1000, filledMs: 800 }, 'near'],
  [{ offeredMs: 1000, filledMs: 850 }, 'good'],
] as const)('fill of %j is %s', (breaks, level) => {
  expect(levelOf({ kind: 'fill', belowPercent: 80 }, { breaks })).toBe(level);
});

test('a fill of 100 % resolves every threshold', () => {
  expect(levelOf({ kind: 'fill', belowPercent: 100 }, { breaks: { offeredMs: 9, filledMs: 9 } })).toBe('good');
});

test.each([
  ['failed', { sent: 9, errors: 9 }, 'unknown'],
  ['failed', { sent: 10, errors: 2, timeouts: 1 }, 'bad'],
  ['failed', { sent: 10, errors: 2 }, 'near'],
  ['failed', { sent: 10, errors: 1 }, 'good'],
  ['timeout', { sent: 10, errors: 9 }, 'good'],
  ['timeout', { sent: 10, timeouts: 3 }, 'bad'],
] as const)('for the outcome %s, ad requests %j are %s', (outcome, adRequests, level) => {
  expect(levelOf({ kind: 'ad-server', abovePercent: 20, outcome, minRequests: 10 }, { adRequests })).toBe(level);
});

const refused = { isTimeout: false, reason: 'The ad server ads.test refuses the connection' };
test.each([
  ['failed', undefined, refused, 'bad'],
  ['failed', { sent: 9, errors: 1 }, refused, 'bad'],
  ['failed', { sent: 10, errors: 1 }, refused, 'good'],
  ['failed', { sent: 9 }, undefined, 'good'],
  ['failed', { sent: 9, errors: 1 }, undefined, 'unknown'],
  ['failed', undefined, undefined, 'unknown'],
  ['timeout', undefined, refused, 'unknown'],
  ['timeout', undefined, { ...refused, isTimeout: true }, 'bad'],
] as const)(
  'for the outcome %s, ad requests %j of a server with %j are %s',
  (outcome, adRequests, serverFailure, level) => {
    const condition = { kind: 'ad-server', abovePercent: 20, outcome, minRequests: 10 } as const;
    expect(levelOf(condition, { adRequests, serverFailure })).toBe(level);
  },
);

test('the reason is the most frequent failure', () => {
  const adRequests = { sent: 40, timeouts: 37, errors: 2, answered: 1, empty: 1 };
  const { reason } = judge({ kind: 'fill', belowPercent: 80 }, { now, breaks: { offeredMs: 10 }, adRequests });
  expect(reason).toEqual(naming('37', '40'));
});

test.each([
  ['failing', [], 'unknown'],
  ['failing', [{ state: 'idle' }], 'unknown'],
  ['failing', [{ state: 'ok', onAir: { kind: 'source', since: now } }], 'good'],
  ['failing', [{ state: 'ok' }, { state: 'stalled' }], 'bad'],
  ['failing', [{ state: 'ok', onAir: { kind: 'backup', since: now } }], 'bad'],
  ['slate', [{ state: 'failing', onAir: { kind: 'backup', since: now } }], 'good'],
  ['slate', [{ state: 'failing', onAir: { kind: 'slate', since: now } }], 'bad'],
] as const)('for "%s", origins %j are %s', (when, origins, level) => {
  expect(levelOf({ kind: 'origin', when }, { origins })).toBe(level);
});

const beacons = { kind: 'beacons', abovePercent: 20, minBeacons: 10, olderMinutes: 15 } as const;
test.each([
  [{}, 'unknown'],
  [{ oldestBeacon: millis(now - 15 * 60_000) }, 'good'],
  [{ oldestBeacon: millis(now - 15 * 60_000 - 1) }, 'bad'],
  [{ beacons: { sent: 10, failed: 3 } }, 'bad'],
  [{ beacons: { failed: 10 } }, 'bad'],
  [{ beacons: { sent: 9, failed: 9 } }, 'good'],
  [{ beacons: { retried: 3, recovered: 3 } }, 'good'],
  [{ beacons: { sent: 2, recovered: 11, failed: 1 } }, 'good'],
] as const)('beacons %j are %s', (measured, level) => {
  expect(levelOf(beacons, measured)).toBe(level);
});

test('a channel of unknown state is not off air, and failed creatives are counted', () => {
  expect(levelOf({ kind: 'off-air' }, {})).toBe('unknown');
  expect(levelOf({ kind: 'off-air' }, { air: { isOnAir: false } })).toBe('bad');
  expect(levelOf({ kind: 'creative', minFailures: 2 }, { creatives: { failed: 1 } })).toBe('good');
  expect(levelOf({ kind: 'creative', minFailures: 2 }, { creatives: { failed: 2 } })).toBe('bad');
  expect(levelOf({ kind: 'creative', minFailures: 2 }, { creatives: { failed: 1 }, failingCreatives: 1 })).toBe('bad');
});

test('a measurement covers whole report intervals that have been stored', () => {
  expect(measuredRange(millis(1_234_567))).toEqual({ from: 1_160_000, to: 1_220_000 });
});
