// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { syntheticAsset } from '../../test/laws/syntheticMedia.ts';
import { inFlicks, titleOfAll, twoSecondAsset } from '../../test/laws/syntheticTitle.ts';
import { naming } from '../../test/naming.ts';
import { applyResume, type ResumePolicy } from './applyResume.ts';
import type { BreakPlan } from './breakPlan.ts';

const title = titleOfAll(twoSecondAsset('film', 30));

/** Breaks at these seconds; a pair is a range. */
function planOf(...places: readonly (number | readonly [number, number])[]): BreakPlan {
  const breaks = places.map((place, index) => {
    const [at, until] = typeof place === 'number' ? [place] : place;
    const range = until === undefined ? {} : { until: inFlicks(until) };
    const common = { origin: 'marker' as const, requested: inFlicks(at), duration: 30, warnings: [] };
    return { id: `0-${index + 1}`, at: inFlicks(at), ...range, ...common };
  });
  return { breaks, dropped: [] };
}
const resumed = (plan: BreakPlan, resumeAt: number, policy: ResumePolicy) =>
  applyResume(plan, title, resumeAt, policy).breaks.map(({ id, at }) => [id, at / inFlicks(1)]);

test('a viewer who does not resume has the plan as it is', () => {
  const plan = planOf(0, 20);
  for (const policy of ['play', 'skip'] as const) {
    for (const none of [0, -3, Number.NaN]) expect(applyResume(plan, title, none, policy)).toBe(plan);
  }
});

test('"skip" leaves out the insertions before the bookmark and records them', () => {
  const plan = { ...planOf(0, 20, 40), dropped: [] };
  const { breaks, dropped } = applyResume(plan, title, 33, 'skip');
  expect(breaks).toEqual([plan.breaks[2]]);
  expect(dropped).toEqual([
    { id: '0-1', origin: 'marker', requested: 0, code: 'SKIPPED_BY_RESUME', text: naming('33.0') },
    { id: '0-2', origin: 'marker', requested: inFlicks(20), code: 'SKIPPED_BY_RESUME', text: naming('33.0') },
  ]);
  expect(resumed(plan, 20, 'skip')).toEqual(Object.entries({ '0-2': 20, '0-3': 40 }));
});

test('"play" moves the last insertion before the bookmark to the cut point at or before it', () => {
  const plan = planOf(0, 20, 40);
  expect(resumed(plan, 33.9, 'play')).toEqual(Object.entries({ '0-1': 0, '0-2': 32, '0-3': 40 }));
  const [, moved] = applyResume(plan, title, 33.9, 'play').breaks;
  expect(moved).toMatchObject({ requested: inFlicks(20), warnings: [naming('20.0', '32.0')] });
  expect(resumed(planOf(0), 59.9, 'play')).toEqual([['0-1', 58]]);
  expect(resumed(planOf(40), 33, 'play')).toEqual([['0-1', 40]]);
});

test('nothing moves when a break is at the bookmark already', () => {
  const plan = planOf(0, 20, [40, 50]);
  for (const bookmark of [20, 21.9, 40]) expect(applyResume(plan, title, bookmark, 'play')).toBe(plan);
});

test('ranges stay in place, and bookmarks count content without them', () => {
  const plan = planOf(0, [10, 30], 40);
  expect(resumed(plan, 13, 'skip')).toEqual(Object.entries({ '0-2': 10, '0-3': 40 }));
  expect(resumed(plan, 13, 'play')).toEqual(Object.entries({ '0-2': 10, '0-1': 32, '0-3': 40 }));
  expect(resumed(plan, 11, 'play')).toEqual(Object.entries({ '0-2': 10, '0-1': 30, '0-3': 40 }));
});

test('a bookmark past the end is the end', () => {
  expect(resumed(planOf(0, [10, 30], 40, 60), 1e12, 'skip')).toEqual(Object.entries({ '0-2': 10, '0-4': 60 }));
  expect(resumed(planOf(0, 40), 60.5, 'play')).toEqual(Object.entries({ '0-1': 0, '0-2': 60 }));
});

test('a moved break keeps half a second to the next one', () => {
  const shape = { name: 'odd' };
  const odd = syntheticAsset({ ...shape, segments: [50, 50, 10, 50, 50] });
  const { breaks } = applyResume(planOf(0, 4.4), titleOfAll(odd), 4.2, 'play');
  expect(breaks.map(({ at }) => at / inFlicks(1))).toEqual([2, 4.4]);
});
