// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { flicks, millis } from '../../time/units.ts';
import type { ContentPart } from '../../timeline/programme/programme.ts';
import type { Instant, Span } from '../../timeline/programme/span.ts';
import { type DecidedBreak, personalise, shiftBefore } from './personalise.ts';

const at = (seconds: number): Instant => ({ millis: millis(1000 * seconds), rest: flicks(0) });
const span = (id: string, from: number, to: number, more: Partial<Span> = {}): Span =>
  ({ id, placed: { start: at(from), startsAt: 1000 * from, endsAt: 1000 * to }, ...more }) as Span;
const content = (id: string, from: number, to: number): Span =>
  span(id, from, to, { stretch: { id: 's', start: at(0) } });

/** Ads in place of the content from 10 to 18 s. */
const decided: DecidedBreak = {
  breakId: 'b',
  startsAt: 10_000,
  spans: [span('ad', 10, 18, { adId: 'b-0' })],
  shift: { segments: [0], discontinuities: 1 },
  region: { from: at(10), until: at(18) },
};
const partOf = (one: Span, { from, to }: ContentPart): Span =>
  content(`${one.id} ${from === undefined ? '' : 'after'}${to === undefined ? '' : 'before'}`, 0, 0);
const shown = (...spans: Span[]) => personalise(spans, [decided], { partOf, hasPeriods: false }).map(({ id }) => id);

test('ads replace a part of the content, also across its spans', () => {
  expect(shown(content('a', 0, 20))).toEqual(['a before', 'ad', 'a after']);
  expect(shown(content('a', 0, 14), content('b', 14, 18), content('c', 18, 20))).toEqual(['a before', 'ad', 'c ']);
});

test('ads are not listed when the content in their place is not: it came before a hole', () => {
  expect(shown(content('c', 18, 20))).toEqual(['c ']);
  expect(shown(span('slate', 18, 22), content('d', 22, 24))).toEqual(['slate', 'd ']);
});

test('content is moved by the ads before its first listed segment, whether it is cut at them or not', () => {
  const odometer = { segments: [5], discontinuities: 1 };
  const [later, ad] = [span('later', 10, 20), span('ad', 20, 30)];
  const before = { breakId: 'b', startsAt: 20_000, spans: [ad], shift: { segments: [2], discontinuities: 2 } };
  const choices = { decided: [before], odometer };
  expect(shiftBefore(later, choices)).toEqual(odometer);
  expect(shiftBefore(later, choices, 18_000)).toEqual(odometer);
  expect(shiftBefore(later, choices, 24_000)).toEqual({ segments: [7], discontinuities: 3 });
  expect(shiftBefore(ad, choices, 22_000)).toEqual(odometer);
});
