// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Span } from '../../timeline/programme/span.ts';
import { type DecidedBreak, shiftBefore } from './personalise.ts';

const odometer = { segments: [5], discontinuities: 1 };
const later = { placed: { startsAt: 10_000 } } as Span;
const ad = { placed: { startsAt: 20_000 } } as Span;
const decided: DecidedBreak[] = [
  { breakId: 'b', startsAt: 20_000, spans: [ad], shift: { segments: [2], discontinuities: 2 } },
];

test('content is moved by the ads before its first listed segment, whether it is cut at them or not', () => {
  expect(shiftBefore(later, { decided, odometer })).toEqual(odometer);
  expect(shiftBefore(later, { decided, odometer }, 18_000)).toEqual(odometer);
  expect(shiftBefore(later, { decided, odometer }, 24_000)).toEqual({ segments: [7], discontinuities: 3 });
  expect(shiftBefore(ad, { decided, odometer }, 22_000)).toEqual(odometer);
});
