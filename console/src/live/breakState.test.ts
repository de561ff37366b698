// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { actualDuration, breakEnd, breakState } from './breakState.ts';

const start = Date.UTC(2026, 2, 1, 20);
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
const startsAt = at(0);
const stateAt = (one: Parameters<typeof breakState>[0], seconds: number) =>
  breakState(one, start + seconds * 1000, 180);

test('a break is announced until it starts, on air until its end, and over then', () => {
  const one = { startsAt, duration: 30 };
  expect([-1, 0, 29.9, 30].map((seconds) => stateAt(one, seconds))).toEqual(['announced', 'onAir', 'onAir', 'ended']);
});

test('a stated end counts more than an announced duration', () => {
  expect(stateAt({ startsAt, duration: 30, endsAt: at(12) }, 13)).toBe('ended');
  expect(stateAt({ startsAt, duration: 30, endsAt: at(45) }, 40)).toBe('onAir');
  expect(actualDuration({ startsAt, duration: 30, endsAt: at(12) })).toBe(12);
  expect(actualDuration({ startsAt, duration: 30 })).toBeUndefined();
});

test('a break without end and duration lasts as long as the channel allows, a blackout until it is ended', () => {
  expect([179, 180].map((seconds) => stateAt({ startsAt }, seconds))).toEqual(['onAir', 'ended']);
  expect(stateAt({ startsAt, kind: 'blackout' }, 86_400)).toBe('onAir');
  expect(breakEnd({ startsAt, kind: 'blackout' }, 180)).toBeUndefined();
});

test('a break that was cancelled or ended by hand stays so', () => {
  expect(stateAt({ startsAt, duration: 30, state: 'ended' }, 10)).toBe('ended');
  expect(stateAt({ startsAt, duration: 30, state: 'running' }, 30)).toBe('ended');
  expect(stateAt({ startsAt, duration: 30, state: 'cancelled' }, 10)).toBe('cancelled');
});
