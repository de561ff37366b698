// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { millis } from '../../../time/units.ts';
import { type Silence, silenceOf } from './silence.ts';

const now = millis(1000);
const silence = (id: string, match: Partial<Silence>, until = 2000): Silence => ({
  id,
  tenant: 't',
  createdBy: 'ann@example.com',
  createdAt: '2026-01-01T00:00:00.000Z',
  until: millis(until),
  ...match,
});
const alert = { rule: 'fill', channel: 'news', labels: ['Sports', 'north'] };

test.each([
  [{ rule: 'fill' }, true],
  [{ rule: 'other' }, false],
  [{ channel: 'news' }, true],
  [{ channel: 'other' }, false],
  [{ label: 'sports' }, true],
  [{ label: 'sport' }, false],
  [{ rule: 'fill', channel: 'news', label: 'NORTH' }, true],
  [{ rule: 'fill', channel: 'news', label: 'south' }, false],
  [{ rule: 'fill', channel: 'other' }, false],
] as const)('a silence of %j is about the alert: %s', (match, isAbout) => {
  expect(silenceOf([silence('one', match)], alert, now)?.id).toBe(isAbout ? 'one' : undefined);
});

test('a silence ends at its time, and of several the last to end is stated', () => {
  const all = [
    silence('short', { rule: 'fill' }, 1500),
    silence('long', { channel: 'news' }),
    silence('over', {}, 900),
  ];
  expect(silenceOf(all, alert, now)?.id).toBe('long');
  expect(silenceOf(all, alert, millis(1999))?.id).toBe('long');
  expect(silenceOf(all, alert, millis(2000))).toBeUndefined();
});
