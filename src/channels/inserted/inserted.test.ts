// SPDX-License-Identifier: Apache-2.0

import { expect, test } from 'vitest';
import { insertedOf } from '../../../test/stores/records.ts';
import { millis } from '../../time/units.ts';
import { cancelInserted, endInserted, endsAt, type InsertedBreak, insertedState } from './breakOrder.ts';
import { orderFaults, startFaults } from './orderFaults.ts';

const NOW = millis(1_772_366_400_000);
const at = (seconds: number) => millis(NOW + 1000 * seconds);
const ads = insertedOf(at(10), NOW);
const { duration: _, ...openEnded } = ads;
const blackout: InsertedBreak = { ...openEnded, kind: 'blackout' };

test('a break is scheduled until its start, then running until its end', () => {
  expect([9.999, 10, 39.999, 40].map((seconds) => insertedState(ads, at(seconds)))).toEqual([
    'scheduled',
    'running',
    'running',
    'ended',
  ]);
  expect(insertedState(blackout, at(1e9))).toBe('running');
  expect(endsAt(blackout)).toBeUndefined();
  expect(endsAt(ads)).toBe(at(40));
});

test('only a running break can be ended, as often as wanted', () => {
  expect(endInserted(ads, at(5))).toMatchObject({ outcome: 'conflict', reason: expect.stringContaining('cancel it') });
  const ended = endInserted(ads, at(15));
  expect(ended).toEqual({ outcome: 'changed', to: { ...ads, endedAt: at(15), revision: 1 } });
  if (ended.outcome !== 'changed') return;
  expect(insertedState(ended.to, at(15))).toBe('ended');
  expect(endsAt(ended.to)).toBe(at(15));
  expect(endInserted(ended.to, at(16))).toEqual({ outcome: 'unchanged' });
  expect(endInserted(ads, at(50))).toEqual({ outcome: 'unchanged' });
  expect(cancelInserted(ended.to, at(16)).outcome).toBe('conflict');
});

test('only a scheduled break can be cancelled, as often as wanted', () => {
  expect(cancelInserted(ads, at(12))).toMatchObject({ outcome: 'conflict', reason: expect.stringContaining('end it') });
  const cancelled = cancelInserted(ads, at(5));
  expect(cancelled).toEqual({ outcome: 'changed', to: { ...ads, cancelledAt: at(5), revision: 1 } });
  if (cancelled.outcome !== 'changed') return;
  expect(insertedState(cancelled.to, at(20))).toBe('cancelled');
  expect(cancelInserted(cancelled.to, at(20))).toEqual({ outcome: 'unchanged' });
  expect(endInserted(cancelled.to, at(20)).outcome).toBe('conflict');
});

const pathsOf = (body: unknown) => orderFaults(body, 180).map(({ dataPath }) => dataPath);

test('names each invalid field', () => {
  expect(pathsOf({ duration: 30 })).toEqual([]);
  expect(pathsOf({ kind: 'blackout' })).toEqual([]);
  expect(pathsOf({ kind: 'blackout', duration: 86_400, asset: 'https://media.test/a.mp4' })).toEqual([]);
  expect(pathsOf({})).toEqual(['/duration']);
  expect(pathsOf({ duration: 181 })).toEqual(['/duration']);
  expect(pathsOf({ duration: 30, asset: 'https://media.test/a.mp4', startsAt: 'tomorrow' })).toEqual([
    '/startsAt',
    '/asset',
  ]);
  expect(pathsOf({ kind: 'blackout', asset: 'file:///etc/passwd' })).toEqual(['/asset']);
  expect(pathsOf({ action: 'end' })).toEqual([]);
  expect(pathsOf({ action: 'end', duration: 3, kind: 'ads' })).toEqual(['/kind', '/duration']);
  expect(pathsOf({ action: 'cancel' })).toEqual(['/id']);
  for (const body of [
    undefined,
    null,
    3,
    'x',
    [],
    { action: 3 },
    { kind: {} },
    { duration: 'x', startsAt: 5, asset: 5 },
  ])
    expect(() => orderFaults(body, 180)).not.toThrow();
});

test('a start is neither past nor more than 30 days ahead', () => {
  expect(startFaults(at(-60), NOW)).toEqual([]);
  expect(startFaults(at(-61), NOW)[0]?.message).toContain(new Date(at(-61)).toISOString());
  expect(startFaults(at(30 * 86_400), NOW)).toEqual([]);
  expect(startFaults(at(30 * 86_400 + 1), NOW)[0]?.dataPath).toBe('/startsAt');
});
