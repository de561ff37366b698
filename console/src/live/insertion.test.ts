// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { localText } from '../format/zonedTime.ts';
import { type InsertionForm, insertionBody, insertionEffect } from './insertion.ts';

const form: InsertionForm = { kind: 'ads', start: 'now', startsAt: '', duration: '30', asset: '' };

test('a break now has its duration only; an asset belongs to blackouts', () => {
  expect(insertionBody({ ...form, asset: 'https://x/a.mp4' })).toEqual({ action: 'insert', kind: 'ads', duration: 30 });
  expect(insertionBody({ ...form, kind: 'blackout', duration: ' ', asset: ' https://x/a.mp4' })).toEqual({
    action: 'insert',
    kind: 'blackout',
    asset: 'https://x/a.mp4',
  });
});

test('a time is read in the selected time zone', () => {
  const time = Date.UTC(2026, 2, 1, 20, 15, 4);
  const startsAt = localText(time + 321);
  expect(insertionBody({ ...form, start: 'later', startsAt })).toMatchObject({ startsAt: '2026-03-01T20:15:04.000Z' });
});

test('invalid values are sent as typed', () => {
  expect(insertionBody({ ...form, start: 'later', startsAt: 'x', duration: 'y' })).toMatchObject({
    startsAt: 'x',
    duration: 'y',
  });
  expect(insertionBody({ ...form, duration: '12,5' })).toMatchObject({ duration: 12.5 });
});

test('the effect names viewers, length and what is shown', () => {
  expect(insertionEffect(form, 12)).toMatch(/^12 viewers .*\bads for 30 s\.$/);
  expect(insertionEffect({ ...form, kind: 'blackout', duration: '' }, undefined)).toMatch(/^All viewers .*slate until/);
  expect(insertionEffect({ ...form, kind: 'blackout', asset: 'https://x' }, 1)).toMatch(/^1 viewer .*asset/);
  const dead = 'The ad server ads.test refuses the connection.';
  expect(insertionEffect(form, 3, dead)).toBe(
    '3 viewers will see slate for 30 s: the ad server ads.test refuses the connection.',
  );
  expect(insertionEffect({ ...form, kind: 'blackout' }, 3, dead)).not.toContain('refuses');
  expect(insertionEffect({ ...form, start: 'later', startsAt: '2026-03-01T20:15:04' }, 0)).toContain('20:15:04');
});
