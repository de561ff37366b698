// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { edited, syntheticChannel } from '../../../test/laws/syntheticChannel.ts';
import { twoSecondAsset } from '../../../test/laws/syntheticTitle.ts';
import { millis } from '../../time/units.ts';
import { changesBetween, entriesBetween, type TimelineEntry } from './timelineEntries.ts';

const start = Date.parse('2026-03-01T00:00:00Z');
const HOUR = 3_600_000;
const item = (name: string) => ({
  asset: twoSecondAsset(name, 10),
  cuePoints: [{ spliceTime: 10, maxDuration: 10 }],
});
const { programme } = syntheticChannel([item('a'), item('b')], start);

test('pages of any size list the same entries as one response, each once', () => {
  const [from, to] = [millis(start + 5000), millis(start + 3 * HOUR + 7000)];
  const whole = entriesBetween(programme, from, to);
  expect(whole.next).toBeUndefined();
  expect(new Set(whole.entries.map(({ startsAt }) => startsAt)).size).toBe(whole.entries.length);
  const paged: TimelineEntry[] = [];
  let next: string | undefined = new Date(from).toISOString();
  while (next !== undefined) {
    const page = entriesBetween(programme, millis(Date.parse(next)), to, 97);
    expect(page.entries.length).toBeLessThanOrEqual(97);
    paged.push(...page.entries);
    next = page.next;
  }
  expect(paged).toEqual(whole.entries);
});

test('a limited response makes spans for its first entries only, however long its range is', () => {
  const asked: number[] = [];
  const counted = {
    ...programme,
    spansBetween: (from: typeof programme.startedAt, to: typeof programme.startedAt) => {
      asked.push(to - from);
      return programme.spansBetween(from, to);
    },
  };
  entriesBetween(counted, millis(start), millis(start + 8 * 24 * HOUR), 10);
  expect(asked).toEqual([HOUR]);
});

test('content states how much of it has played before', () => {
  const { entries } = entriesBetween(programme, millis(start), millis(start + 59_000));
  expect(entries.map(({ kind, offset }) => [kind, offset])).toEqual([
    ['content', 0],
    ['break', undefined],
    ['content', 10],
    ['content', 0],
    ['break', undefined],
    ['content', 10],
  ]);
});

test('an edit is a change, and so is the cycle that follows it', () => {
  const { programme: after } = edited(
    syntheticChannel([item('a'), item('b')], start),
    [item('a'), item('c')],
    start + 2000,
  );
  const changes = changesBetween(after, millis(start), millis(start + HOUR));
  expect(changes.map(({ kind }) => kind)).toEqual([undefined, 'edit', 'cycle']);
});
