// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import type { ImportResponse } from '../../../src/http/contract/consoleContract.ts';
import { naming } from '../../../test/naming.ts';
import { regularPoints, withBreaksEvery } from './cuePlacement.ts';
import { draftWarnings, playableUrls, uncheckedUrls } from './draftWarnings.ts';
import { moveSelected, moveSelectedTo, selectTo, toggleItem, withoutRemoved } from './itemSelection.ts';
import { emptyDraft, newCue, newItem, type PlaylistDraft } from './playlistDraft.ts';

describe('breaks every n minutes', () => {
  const measured = { duration: 1500, cutPoints: Array.from({ length: 376 }, (_, index) => index * 4) };
  const regular = { minutes: 7, maxDuration: 60, maxAds: 3, isReplacing: true };

  test('snap to cut points, and none is at the start or the end', () => {
    expect(regularPoints(measured, 7)).toEqual([420, 840, 1260]);
    expect(regularPoints({ ...measured, duration: 1260 }, 7)).toEqual([420, 840]);
    expect(regularPoints({ duration: 1500, cutPoints: [0, 433, 1500] }, 7)).toEqual([433]);
    expect(regularPoints({ duration: 1500, cutPoints: [] }, 7)).toEqual([420, 840, 1260]);
  });

  test.each([0, -1, Number.NaN])('%d minutes are none', (minutes) =>
    expect(regularPoints(measured, minutes)).toEqual([]),
  );

  test('very short distances are bounded', () => {
    expect(regularPoints({ duration: 1e6, cutPoints: [] }, 0.01).length).toBeLessThanOrEqual(500);
  });

  test('replace the breaks of the item, or are added to them, in its unit', () => {
    const item = { ...newItem('https://x/a.m3u8'), cuePoints: [newCue(420), newCue(-1)] };
    const cues = (changed: typeof item) =>
      withBreaksEvery(changed, measured, regular).cuePoints.map(({ key: _, ...cue }) => cue);
    expect(cues(item)).toEqual([420, 840, 1260].map((spliceTime) => ({ spliceTime, maxDuration: 60, maxAds: 3 })));
    expect(cues({ ...item, spliceType: 'percent' })[0]).toMatchObject({ spliceTime: 28 });
    const added = withBreaksEvery(item, measured, { ...regular, isReplacing: false, maxAds: undefined });
    expect(added.cuePoints.map(({ spliceTime }) => spliceTime)).toEqual([420, -1, 840, 1260]);
    expect(added.cuePoints.at(-1)).not.toHaveProperty('maxAds');
  });
});

describe('a selection', () => {
  const items = [1, 2, 3, 4, 5].map((key) => ({ key }));
  const keys = (list: readonly { readonly key: number }[]) => list.map(({ key }) => key);

  test('is toggled, extended in both directions, and loses removed items', () => {
    expect([...toggleItem(new Set([1]), 2)]).toEqual([1, 2]);
    expect([...toggleItem(new Set([1]), 1)]).toEqual([]);
    expect([...selectTo(items, new Set(), 2, 4)]).toEqual([2, 3, 4]);
    expect([...selectTo(items, new Set([5]), 4, 2)].sort()).toEqual([2, 3, 4, 5]);
    expect([...selectTo(items, new Set(), undefined, 3)]).toEqual([3]);
    expect([...withoutRemoved(items.slice(1), new Set([1, 2]))]).toEqual([2]);
  });

  test('moves by one place without overtaking itself at an end', () => {
    expect(keys(moveSelected(items, new Set([2, 4]), -1))).toEqual([2, 1, 4, 3, 5]);
    expect(keys(moveSelected(items, new Set([1, 2, 4]), -1))).toEqual([1, 2, 4, 3, 5]);
    expect(keys(moveSelected(items, new Set([2, 3]), 1))).toEqual([1, 4, 2, 3, 5]);
    expect(keys(moveSelected(items, new Set([4, 5]), 1))).toEqual([1, 2, 3, 4, 5]);
  });

  test('moves to an end in its order', () => {
    expect(keys(moveSelectedTo(items, new Set([4, 2]), 'start'))).toEqual([2, 4, 1, 3, 5]);
    expect(keys(moveSelectedTo(items, new Set([4, 2]), 'end'))).toEqual([1, 3, 5, 2, 4]);
  });
});

describe('warnings', () => {
  const url = 'https://x/a.m3u8';
  const ready: ImportResponse = { url, state: 'ready', duration: 100, cutPoints: [0, 50, 100] };
  const draft = (...cues: number[]): PlaylistDraft => ({
    ...emptyDraft(),
    items: [{ ...newItem(url), cuePoints: cues.map((at) => newCue(at)) }],
  });
  const paths = (of: PlaylistDraft, check?: ImportResponse) =>
    draftWarnings(of, new Map(check ? [[url, check]] : [])).map(({ path }) => path);

  test('nothing is wrong with what plays, and nothing is guessed about what was not checked', () => {
    expect(paths(draft(0, 52, 100), ready)).toEqual([]);
    expect(paths(draft(5000))).toEqual([]);
  });

  test('an enabled playlist without items', () => {
    expect(paths(emptyDraft())).toEqual(['/contents']);
    expect(paths({ ...emptyDraft(), isEnabled: false })).toEqual([]);
  });

  test('names both items that cannot be on one channel, and what to do', () => {
    const items = ['https://x/trailer.m3u8', 'https://x/film.m3u8', 'https://x/trailer.m3u8'].map((one) =>
      newItem(one),
    );
    const mix = { first: 'https://x/trailer.m3u8', misfits: [{ url: 'https://x/film.m3u8', reason: 'its ….' }] };
    const found = draftWarnings({ ...emptyDraft(), items }, new Map(), mix);
    expect(found).toEqual([{ path: '/contents/1/url', text: naming('2. film', '1. trailer', 'its …', 'playlist') }]);
    expect(playableUrls({ ...emptyDraft(), items }, new Map([['https://x/film.m3u8', ready]]))).toEqual([
      'https://x/film.m3u8',
    ]);
  });

  test('sources that are missing or failed their check, and placeholders of linear channels', () => {
    expect(paths(draft(), { url, state: 'failed', reason: 'x' })).toEqual(['/contents/0/url']);
    expect(paths({ ...emptyDraft(), items: [newItem(' ')] })).toEqual(['/contents/0/url']);
    const placeholder = { ...emptyDraft(), items: [newItem('', 'placeholder')] };
    expect([paths(placeholder), paths({ ...placeholder, type: 'vod' })]).toEqual([['/contents/0'], []]);
  });

  test.each<[string, number[], string[]]>([
    ['after the end', [101], ['/contents/0/cuePoints/0/spliceTime']],
    ['far from any cut point', [44], ['/contents/0/cuePoints/0/spliceTime']],
    ['at the same cut point', [49, 51], ['/contents/0/cuePoints/1/spliceTime']],
    ['two post-rolls', [-1, -1], ['/contents/0/cuePoints/1/spliceTime']],
  ])('breaks %s', (_, cues, expected) => expect(paths(draft(...cues), ready)).toEqual(expected));

  test('breaks without any cut point, longer than the item, or in per cent', () => {
    expect(paths(draft(50), { ...ready, cutPoints: [] })).toEqual(['/contents/0/cuePoints/0/spliceTime']);
    const [item] = draft(50).items;
    const long = { ...item!, cuePoints: [{ ...newCue(50), maxDuration: 101 }] };
    expect(paths({ ...emptyDraft(), items: [long] }, ready)).toEqual(['/contents/0/cuePoints/0/maxDuration']);
    const percent = { ...item!, spliceType: 'percent' as const };
    expect(paths({ ...emptyDraft(), items: [percent] }, { ...ready, duration: 90 })).toEqual([]);
    expect(paths({ ...emptyDraft(), items: [{ ...percent, cuePoints: [newCue(120)] }] }, ready)).toHaveLength(1);
  });

  test('sources that were not checked are counted once', () => {
    const items = [newItem(url), newItem(url), newItem('https://x/b'), newItem(''), newItem('', 'placeholder')];
    expect(uncheckedUrls({ ...emptyDraft(), items }, new Map([['https://x/b', ready]]))).toEqual([url]);
  });
});
