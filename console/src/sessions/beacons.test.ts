// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { adBeacons, beaconStatus } from './beacons.ts';

const beacon = {
  id: 1,
  recordedAt: '',
  dueAt: '',
  channel: 'c',
  session: 's',
  break: '0-1',
  ad: 'a',
  event: 'start',
  host: 'h',
  url: 'u',
  outcome: 'sent' as const,
  attempts: 1,
  unsure: 0,
};

test('selects beacons by break and ad', () => {
  const others = [
    { ...beacon, ad: 'b' },
    { ...beacon, break: '0-2' },
  ];
  expect(adBeacons([beacon, ...others], '0-1', 'a')).toEqual([beacon]);
});

test('the status of a beacon names its outcome, its attempts and the cause of a failure', () => {
  const outcomes = ['sent', 'failed', 'pending'] as const;
  const texts = outcomes.flatMap((outcome) => [1, 3].map((attempts) => beaconStatus({ ...beacon, outcome, attempts })));
  expect(new Set(texts).size).toBe(6);
  expect(beaconStatus(beacon)).not.toMatch(/\d/);
  expect(beaconStatus({ ...beacon, attempts: 3 })).toEqual(naming(beaconStatus(beacon), 3));
  expect(beaconStatus({ ...beacon, outcome: 'failed', status: 404 })).toEqual(naming(1, 404));
  expect(beaconStatus({ ...beacon, outcome: 'pending', attempts: 0 })).not.toMatch(/\d/);
});
