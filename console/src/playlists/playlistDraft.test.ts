// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { PlaylistResponse } from '../../../src/http/contract/playlistContract.ts';
import { moveEntry } from '../components/buttons/MoveButtons.tsx';
import { findUrls, fromDraft, toDraft } from './playlistDraft.ts';

test('a draft that was not edited equals the stored playlist', () => {
  const stored = {
    id: 'p',
    name: 'P',
    type: 'vod',
    status: 'disabled',
    startDate: '2026-01-01T00:00:00Z',
    contents: [
      {
        sourceType: 'url',
        url: 'https://x/a/master.m3u8',
        spliceType: 'percent',
        duration: 60,
        cuePoints: [{ spliceTime: 50, maxDuration: 30, maxAds: 2 }, { spliceTime: -1 }],
      },
      { sourceType: 'placeholder', duration: 30 },
    ],
  } as unknown as PlaylistResponse;
  expect(fromDraft(toDraft(stored))).toEqual(stored);
});

test('moves an entry to another index, or to the nearest end', () => {
  expect(moveEntry(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(moveEntry(['a', 'b', 'c'], 2, -1)).toEqual(['c', 'a', 'b']);
});

test('finds URLs in any text, with commas and semicolons inside them', () => {
  expect(findUrls('1. https://a/x.m3u8,\n<a href="http://b/y.mpd?q=1">; no')).toEqual([
    'https://a/x.m3u8',
    'http://b/y.mpd?q=1',
  ]);
  const odd = 'https://a/i/asset_,500,800,.mp4.csmil/master.m3u8;v=1';
  expect(findUrls(`(${odd}), ${odd};${odd},http://b/y.mpd.`)).toEqual([odd, odd, odd, 'http://b/y.mpd']);
});
