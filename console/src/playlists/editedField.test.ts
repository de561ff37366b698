// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { editedField } from './editedField.ts';
import { emptyDraft, newCue, newItem, type PlaylistDraft } from './playlistDraft.ts';

const [first, second] = [newItem('a'), { ...newItem('b'), cuePoints: [newCue(1), newCue(2)] }];
const draft: PlaylistDraft = { ...emptyDraft(), items: [first, second] };
const withItems = (...items: PlaylistDraft['items']): PlaylistDraft => ({ ...draft, items });

test('names the one field that was edited', () => {
  expect(editedField(draft, { ...draft, name: 'New' })).toBe('name');
  expect(editedField(draft, withItems({ ...first, url: 'c' }, second))).toBe(`${first.key} url`);
  expect(editedField(draft, withItems({ ...first, duration: 5 }, second))).toBe(`${first.key} duration`);
  const [cue, other] = second.cuePoints;
  const moved = { ...second, cuePoints: [cue!, { ...other!, spliceTime: 9 }] };
  expect(editedField(draft, withItems(first, moved))).toBe(`${other!.key} spliceTime`);
});

test('an edit of several fields, or one that adds, removes or moves something, has no field', () => {
  for (const after of [
    draft,
    { ...draft, name: 'New', startDate: 'x' },
    withItems(first),
    withItems(first, second, newItem()),
    withItems(second, first),
    withItems({ ...first, url: 'x' }, { ...second, url: 'y' }),
    withItems({ ...first, url: 'x', sourceType: 'placeholder' }, second),
    withItems(first, { ...second, cuePoints: second.cuePoints.slice(1) }),
    withItems(first, { ...second, cuePoints: second.cuePoints.toReversed() }),
  ])
    expect(editedField(draft, after)).toBeUndefined();
});
