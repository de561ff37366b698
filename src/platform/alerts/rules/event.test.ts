// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../../test/naming.ts';
import { millis } from '../../../time/units.ts';
import { makeEvent, showEvent } from './event.ts';
import type { Condition } from './rule.ts';

const since = millis(Date.parse('2026-03-01T20:15:00.000Z'));
const at = millis(since + 300_000);
const make = (condition: Condition, state: 'firing' | 'resolved', adminUrl?: string) =>
  makeEvent(
    { rule: { id: 'r', name: 'Rule', severity: 'warning', ...condition }, channel: { id: 'a:b', name: 'News' } },
    { id: 'evt_1', tenant: 't', alert: 'evt_1', state, since, at },
    { value: 12.5, threshold: 80, unit: '%', reason: '37 of 40 ad requests timed out' },
    adminUrl,
  );

test('the text names the condition, the channel, the value, since when, and the reason', () => {
  const { text } = make({ kind: 'fill', belowPercent: 80 }, 'firing');
  expect(text).toEqual(naming('80', 'News', '12.5', '2026-03-01 20:15', '37 of 40 ad requests timed out'));
  expect(make({ kind: 'fill', belowPercent: 80 }, 'resolved').text).toEqual(naming('News', '5 min'));
});

test('the link leads to the page of the console that shows the cause, if its address is known', () => {
  const linkOf = (condition: Condition) => make(condition, 'firing', 'https://admin.test/').link;
  expect(linkOf({ kind: 'fill', belowPercent: 80 })).toBe(
    'https://admin.test/#/sessions?channel=a%3Ab&from=2026-03-01T20:14:00.000Z&to=2026-03-01T20:20:00.000Z&outcome=empty',
  );
  expect(linkOf({ kind: 'off-air' })).toBe('https://admin.test/#/channels/a%3Ab');
  expect(make({ kind: 'off-air' }, 'firing')).not.toHaveProperty('link');
});

test('an event is shown with ISO times and without its tenant', () => {
  const shown = showEvent(make({ kind: 'off-air' }, 'firing'));
  expect(shown).toMatchObject({ at: '2026-03-01T20:20:00.000Z', since: '2026-03-01T20:15:00.000Z' });
  expect(shown).not.toHaveProperty('tenant');
});
