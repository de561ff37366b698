// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { millis, millisToFlicks } from '../../time/units.ts';
import type { BreakSpan } from '../../timeline/programme/span.ts';
import { createDecisionPacing } from '../decide/decideBreak.ts';
import type { OwnBreak } from './breaks.ts';
import type { Viewer } from './viewers.ts';

const due = millis(1_000_000);
const breakOf = (id: string): OwnBreak => ({
  span: {
    id,
    placed: { startsAt: due, clip: { duration: millisToFlicks(millis(30_000)) } },
    break: { id, frames: 750, slateId: 's' },
  } as OwnBreak['span'],
  joined: 0,
  startsAt: due,
  due,
});
const viewer = (spread: number) => ({ spread }) as Viewer;
const before = (seconds: number) => millis(due - seconds * 1000);

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
