import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlaylistAnswer } from '../../../src/http/contract.ts';
import { diffPlaylists } from './diffPlaylists.ts';
import { fromDraft, moved, readUrls, toDraft } from './playlistDraft.ts';

const item = (name: string, ...cuePoints: { spliceTime: number; maxDuration: number; maxAds?: number }[]) => ({
  sourceType: 'url' as const,
  url: `https://x/${name}/master.m3u8`,
  ...(cuePoints.length > 0 ? { cuePoints } : {}),
});
const texts = (before: object[], after: object[]) =>
  diffPlaylists({ contents: before as never }, { contents: after as never }).map(({ text }) => text);

test('what did not change is not told', () => {
  const contents = [item('a', { spliceTime: 1, maxDuration: 2 }), item('a'), item('b')];
  expect(texts(contents, structuredClone(contents))).toEqual([]);
});

test('items come, go and move; only those that were moved are told to move', () => {
  expect(texts([item('a'), item('b'), item('c')], [item('c'), item('a'), item('b')])).toEqual([
    'c moves from place 3 to 1',
  ]);
  expect(texts([item('a'), item('b')], [item('b'), item('d', { spliceTime: 0, maxDuration: 9 })])).toEqual([
    'a is taken out',
    'd is put in place 2, with 1 break',
  ]);
});

test('breaks come, go and change', () => {
  const before = item('a', { spliceTime: 10, maxDuration: 30 }, { spliceTime: 20, maxDuration: 30, maxAds: 1 });
  const after = item('a', { spliceTime: 20, maxDuration: 15, maxAds: 1 }, { spliceTime: 40, maxDuration: 60 });
  expect(texts([before], [after])).toEqual([
    'a: no break at 0:10.0 any more',
    'a: the break at 0:20.0 has 15 s, at most 1 ad instead of 30 s, at most 1 ad',
    'a: a break at 0:40.0, 60 s',
  ]);
});

test('a break that was dragged is told to move', () => {
  const before = item('a', { spliceTime: 10, maxDuration: 30 }, { spliceTime: 20, maxDuration: 30 });
  const after = item('a', { spliceTime: 10, maxDuration: 30 }, { spliceTime: 24, maxDuration: 30 });
  expect(texts([before], [after])).toEqual(['a: the break at 0:20.0 moves to 0:24.0']);
});

test('two breaks at one place are two, and places are told apart to the last digit', () => {
  const [short, long] = [
    { spliceTime: 10, maxDuration: 30 },
    { spliceTime: 10, maxDuration: 60 },
  ];
  expect(texts([item('a', short, short)], [item('a', short)])).toEqual(['a: no break at 0:10.0 any more']);
  expect(texts([item('a', short)], [item('a', short, long)])).toEqual(['a: a break at 0:10.0, 60 s']);
  expect(texts([item('a', short)], [item('a', { ...short, spliceTime: 10.02 })])).toEqual([
    'a: the break at 0:10.0 moves to 10.02 s',
  ]);
  const written = { ...item('a', short), spliceType: 'percent' };
  expect(texts([item('a', long, short)], [item('a', short, long)])).toEqual([
    'a: its breaks are written otherwise, and fall where they did',
  ]);
  expect(texts([item('a', short)], [written])).toEqual(['a: the break at 0:10.0 moves to 10 %']);
});

test('any shuffle is told as moves that are fewer than its items', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  fc.assert(
    fc.property(fc.shuffledSubarray(names, { minLength: 6 }), (order) => {
      const told = texts(
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
