// SPDX-License-Identifier: Apache-2.0
import { expect, it, test } from 'vitest';
import { millis, millisToFlicks } from '../../time/units.ts';
import type { OwnBreak } from '../viewers/breaks.ts';
import type { Viewer } from '../viewers/viewers.ts';
import { closingTime, createDecisionPacing, requestableUntil } from './decideBreak.ts';
import { isTooShort, planAgain, planPrefetch, usualSeconds, validUntil } from './prefetcher.ts';

const joined = (openedAt: number, spread = 0) => ({ openedAt: millis(openedAt), spread });
const ended = (at: number) => ({ id: '7', seconds: 24, endedAt: millis(at) });

test.each([
  ['a viewer who joins a channel without breaks', undefined, joined(100_000), 105_000, 105_000],
  ['viewers who join are spread', undefined, joined(100_000, 0.5), 105_000, 112_500],
  ['a viewer who joins after a break', ended(90_000), joined(100_000, 1), 105_000, 120_000],
  ['viewers of a break are spread from its end on', ended(300_000), joined(100_000, 0.5), 300_000, 315_000],
  ['a viewer who joins shortly before the end of a break', ended(101_000), joined(100_000), 105_000, 105_000],
])('%s', (_, last, viewer, from, at) => {
  expect(planPrefetch(last, viewer)).toEqual({ after: last?.id ?? '', from, at });
});

test('without a break, the request is repeated after a quarter of an hour, and after a failure within two minutes', () => {
  const plan = planPrefetch(undefined, joined(0));
  expect(planAgain(plan, millis(10_000), false, 0.5)).toEqual({ after: '', from: 910_000, at: 910_000 });
  expect(planAgain(plan, millis(10_000), true, 0.5)).toEqual({ after: '', from: 100_000, at: 100_000 });
});

test('as many seconds are requested as the last break had, or 60', () => {
  expect([usualSeconds(undefined), usualSeconds(ended(0))]).toEqual([60, 24]);
});

test('a response is valid for a quarter of an hour, or as long as the first of its ads', () => {
  expect(validUntil(millis(0), [])).toBe(900_000);
  expect(validUntil(millis(1000), [{}, { expires: 60 }, { expires: 3600 }])).toBe(61_000);
});

test.each([
  ['as long as usual', 60, 10_000, false],
  ['somewhat longer', 90, 10_000, false],
  ['much longer', 91, 10_000, true],
  ['much longer, with just enough time', 91, 5000, true],
  ['much longer, without enough time', 91, 4999, false],
])('a break that is %s', (_, seconds, requestableUntil, expected) => {
  expect(isTooShort(60, { seconds, requestableUntil: millis(requestableUntil) }, millis(5000))).toBe(expected);
});

const due = millis(10_000);

test.each([
  ['ahead of the break', 0, 9300],
  ['shortly before the break, before the timeout', 8600, 12_300],
  ['in the break, before the timeout', 11_000, 12_300],
  ['after that, at once', 12_500, 12_500],
])('a decision is made %s', (_, now, expected) => {
  expect(closingTime({ due }, millis(now))).toBe(expected);
});

test('a request begins early enough for its timeout', () => {
  expect(requestableUntil({ due }, 2000)).toBe(7300);
});

const startsAt = millis(1_000_000);
const breakOf = (id: string): OwnBreak => ({
  span: {
    id,
    placed: { startsAt, clip: { duration: millisToFlicks(millis(30_000)) } },
    break: { id, frames: 750, slateId: 's' },
  } as OwnBreak['span'],
  joined: 0,
  startsAt,
  due: startsAt,
});
const viewer = (spread: number) => ({ spread }) as Viewer;
const before = (seconds: number) => millis(startsAt - seconds * 1000);

it('begins the first few decisions at once and spreads the others', () => {
  const mayBegin = createDecisionPacing();
  const own = breakOf('0-1');
  const first = Array.from({ length: 6 }, () => mayBegin('life', viewer(1), own, before(30)));
  expect(first).toEqual([true, true, true, true, false, false]);
  expect(mayBegin('life', viewer(1), own, before(13))).toBe(false);
  expect(mayBegin('life', viewer(1), own, before(12))).toBe(true);
  expect(mayBegin('life', viewer(0), own, before(30))).toBe(true);
});

it('counts the first viewers per break and life', () => {
  const mayBegin = createDecisionPacing();
  for (let each = 0; each < 4; each += 1) mayBegin('life', viewer(1), breakOf('0-1'), before(30));
  expect(mayBegin('life', viewer(1), breakOf('0-2'), before(30))).toBe(true);
  expect(mayBegin('other', viewer(1), breakOf('0-1'), before(30))).toBe(true);
});
