import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlaylistAnswer } from '../../../src/http/contract.ts';
import { naming } from '../../../test/naming.ts';
import { type Change, diffPlaylists } from './diffPlaylists.ts';
import { fromDraft, moved, readUrls, toDraft } from './playlistDraft.ts';

const item = (name: string, ...cuePoints: { spliceTime: number; maxDuration: number; maxAds?: number }[]) => ({
  sourceType: 'url' as const,
  url: `https://x/${name}/master.m3u8`,
  ...(cuePoints.length > 0 ? { cuePoints } : {}),
});
const changes = (before: object[], after: object[]) =>
  diffPlaylists({ contents: before as never }, { contents: after as never });
/** A change, whatever words tell it: what it names. */
const change = (kind: Change['kind'], ...names: (string | number)[]) => ({ kind, text: naming(...names) });

test('what did not change is not told', () => {
  const contents = [item('a', { spliceTime: 1, maxDuration: 2 }), item('a'), item('b')];
  expect(changes(contents, structuredClone(contents))).toEqual([]);
});

test('items come, go and move; only those that were moved are told to move', () => {
  expect(changes([item('a'), item('b'), item('c')], [item('c'), item('a'), item('b')])).toEqual([
    change('changed', 'c', 3, 1),
  ]);
  expect(changes([item('a'), item('b')], [item('b'), item('d', { spliceTime: 0, maxDuration: 9 })])).toEqual([
    change('removed', 'a'),
    change('added', 'd', 2, 1),
  ]);
});

test('breaks come, go and change', () => {
  const before = item('a', { spliceTime: 10, maxDuration: 30 }, { spliceTime: 20, maxDuration: 30, maxAds: 1 });
  const after = item('a', { spliceTime: 20, maxDuration: 15, maxAds: 1 }, { spliceTime: 40, maxDuration: 60 });
  expect(changes([before], [after])).toEqual([
    change('removed', 'a', '0:10.0'),
    change('changed', 'a', '0:20.0', '15 s', '30 s', 1),
    change('added', 'a', '0:40.0', '60 s'),
  ]);
});

test('a break that was dragged is told to move', () => {
  const before = item('a', { spliceTime: 10, maxDuration: 30 }, { spliceTime: 20, maxDuration: 30 });
  const after = item('a', { spliceTime: 10, maxDuration: 30 }, { spliceTime: 24, maxDuration: 30 });
  expect(changes([before], [after])).toEqual([change('changed', 'a', '0:20.0', '0:24.0')]);
});

test('two breaks at one place are two, and places are told apart to the last digit', () => {
  const [short, long] = [
    { spliceTime: 10, maxDuration: 30 },
    { spliceTime: 10, maxDuration: 60 },
  ];
  expect(changes([item('a', short, short)], [item('a', short)])).toEqual([change('removed', 'a', '0:10.0')]);
  expect(changes([item('a', short)], [item('a', short, long)])).toEqual([change('added', 'a', '0:10.0', '60 s')]);
  expect(changes([item('a', short)], [item('a', { ...short, spliceTime: 10.02 })])).toEqual([
    change('changed', 'a', '0:10.0', '10.02 s'),
  ]);
  const written = { ...item('a', short), spliceType: 'percent' };
  const turned = changes([item('a', long, short)], [item('a', short, long)]);
  expect(turned).toEqual([change('changed', 'a')]);
  expect(turned[0]!.text).not.toMatch(/\d/);
  expect(changes([item('a', short)], [written])).toEqual([change('changed', 'a', '0:10.0', '10 %')]);
});

test('any shuffle is told as moves that are fewer than its items', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  fc.assert(
    fc.property(fc.shuffledSubarray(names, { minLength: 6 }), (order) => {
      const told = changes(
        names.map((name) => item(name)),
        order.map((name) => item(name)),
      );
      expect(told.length).toBeLessThan(names.length);
      expect(told.length === 0).toBe(order.join() === names.join());
    }),
  );
});

test('a playlist that is opened and saved says what it said', () => {
  const stored = {
    ...{ id: 'p', name: 'P', type: 'vod', status: 'disabled', startDate: '2026-01-01T00:00:00Z' },
    contents: [
      { ...item('a', { spliceTime: 50, maxDuration: 30, maxAds: 2 }), spliceType: 'percent', duration: 60 },
      { sourceType: 'placeholder', duration: 30 },
    ],
  } as unknown as PlaylistAnswer;
  expect(fromDraft(toDraft(stored))).toEqual(stored);
});

test('entries move, addresses are found in any text', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['c', 'a', 'b']);
  expect(readUrls('1. https://a/x.m3u8,\n<a href="http://b/y.mpd?q=1">; no')).toEqual([
    'https://a/x.m3u8',
    'http://b/y.mpd?q=1',
  ]);
  const odd = 'https://a/i/film_,500,800,.mp4.csmil/master.m3u8;v=1';
  expect(readUrls(`(${odd}), ${odd};${odd},http://b/y.mpd.`)).toEqual([odd, odd, odd, 'http://b/y.mpd']);
});
