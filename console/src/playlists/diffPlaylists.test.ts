// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { type Change, diffPlaylists } from './diffPlaylists.ts';

const item = (name: string, ...cuePoints: { spliceTime: number; maxDuration?: number; maxAds?: number }[]) => ({
  sourceType: 'url' as const,
  url: `https://x/${name}/master.m3u8`,
  ...(cuePoints.length > 0 ? { cuePoints } : {}),
});
const changes = (before: object[], after: object[]) =>
  diffPlaylists({ contents: before as never }, { contents: after as never });
/** A change of any wording that names these values. */
const change = (kind: Change['kind'], ...names: (string | number)[]) => ({ kind, text: naming(...names) });

test('reports nothing for equal playlists', () => {
  const contents = [item('a', { spliceTime: 1, maxDuration: 2 }), item('a'), item('b')];
  expect(changes(contents, structuredClone(contents))).toEqual([]);
});

test('reports added, removed and moved items, and not those that only made way', () => {
  expect(changes([item('a'), item('b'), item('c')], [item('c'), item('a'), item('b')])).toEqual([
    change('changed', 'c', 3, 1),
  ]);
  expect(changes([item('a'), item('b')], [item('b'), item('d', { spliceTime: 0, maxDuration: 9 })])).toEqual([
    change('removed', 'a'),
    change('added', 'd', 2, 1),
  ]);
});

test('reports added, removed and resized breaks', () => {
  const before = item('a', { spliceTime: 10, maxDuration: 30 }, { spliceTime: 20, maxDuration: 30, maxAds: 1 });
  const after = item('a', { spliceTime: 20, maxDuration: 15, maxAds: 1 }, { spliceTime: 40, maxDuration: 60 });
  expect(changes([before], [after])).toEqual([
    change('removed', 'a', '0:10.0'),
    change('changed', 'a', '0:20.0', '15 s', '30 s', 1),
    change('added', 'a', '0:40.0', '60 s'),
  ]);
});

test('reports a dragged break as moved', () => {
  const before = item('a', { spliceTime: 10, maxDuration: 30 }, { spliceTime: 20, maxDuration: 30 });
  const after = item('a', { spliceTime: 10, maxDuration: 30 }, { spliceTime: 24, maxDuration: 30 });
  expect(changes([before], [after])).toEqual([change('changed', 'a', '0:20.0', '0:24.0')]);
});

test('names the end of an item and a missing duration', () => {
  const [before, after] = [item('a', { spliceTime: -1 }), item('a', { spliceTime: -1, maxDuration: 9 })];
  expect(changes([before], [after])).toEqual([change('changed', 'a', 'the end', 'default', '9 s')]);
});

test('two breaks at one position are two; positions are compared to the last digit', () => {
  const [short, long] = [
    { spliceTime: 10, maxDuration: 30 },
    { spliceTime: 10, maxDuration: 60 },
  ];
  expect(changes([item('a', short, short)], [item('a', short)])).toEqual([change('removed', 'a', '0:10.0')]);
  expect(changes([item('a', short)], [item('a', short, long)])).toEqual([change('added', 'a', '0:10.0', '60 s')]);
  expect(changes([item('a', short)], [item('a', { ...short, spliceTime: 10.02 })])).toEqual([
    change('changed', 'a', '0:10.0', '10.02 s'),
  ]);
  const inPercent = { ...item('a', short), spliceType: 'percent' };
  const reordered = changes([item('a', long, short)], [item('a', short, long)]);
  expect(reordered).toEqual([change('changed', 'a')]);
  expect(reordered[0]!.text).not.toMatch(/\d/);
  expect(changes([item('a', short)], [inPercent])).toEqual([change('changed', 'a', '0:10.0', '10%')]);
});

test('reports any reordering with fewer moves than items', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  fc.assert(
    fc.property(fc.shuffledSubarray(names, { minLength: 6 }), (order) => {
      const reported = changes(
        names.map((name) => item(name)),
        order.map((name) => item(name)),
      );
      expect(reported.length).toBeLessThan(names.length);
      expect(reported.length === 0).toBe(order.join() === names.join());
    }),
  );
});
