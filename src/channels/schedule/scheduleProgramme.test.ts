// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { edited, syntheticChannel } from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { millis } from '../../time/units.ts';

const start = Date.parse('2026-03-01T00:00:00Z');
const item = (name: string) => ({
  asset: syntheticAsset({ name, segments: new Array(10).fill(50) }),
  cuePoints: [{ spliceTime: 10, maxDuration: 10 }],
});

test('a break is off the schedule when an edit ends its edition before it or replaces its edition', () => {
  const now = start + 60_000;
  const once = edited(syntheticChannel([item('a')], start), [item('b')], now + 20_000);
  const { lineup, programme } = edited(once, [item('c')], now + 8000);
  const leftAt = lineup.editions[0]!.last!.position;
  expect(programme.changes.map(({ number }) => number)).toEqual([0, 2]);
  const ids = [`0-${leftAt}`, `0-${leftAt + 2}`, '1-1', '2-1'];
  expect(ids.map(programme.isOnSchedule)).toEqual([true, false, false, true]);
  expect(programme.isOnSchedule('3-1'), 'an edition that this node has not loaded yet').toBe(true);
});

test('the revision grows with each edit, and only with edits', () => {
  const first = syntheticChannel([item('a')], start);
  const second = edited(first, [item('b')], start + 60_000);
  const third = edited(second, [item('c')], start + 90_000);
  const revisions = [first, second, third].map(({ programme }) => programme.revision);
  expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
  first.programme.spansBetween(millis(start), millis(start + 3_600_000));
  expect(first.programme.revision).toBe(revisions[0]);
});

test('spans tile the time between two instants, also across an edit, and are the same values each time', () => {
  const { programme } = edited(syntheticChannel([item('a')], start), [item('b')], start + 60_000);
  const [from, to] = [millis(start + 45_000), millis(start + 120_000)];
  const spans = programme.spansBetween(from, to);
  for (const [index, span] of spans.slice(1).entries()) expect(span.placed.startsAt).toBe(spans[index]!.placed.endsAt);
  expect(spans[0]!.placed.startsAt).toBeLessThanOrEqual(from);
  expect(spans.at(-1)!.placed.endsAt).toBeGreaterThanOrEqual(to);
  programme.spansBetween(from, to).forEach((span, index) => {
    expect(span).toBe(spans[index]);
  });
});
