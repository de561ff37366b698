// SPDX-License-Identifier: Apache-2.0
import type { DraftCue, DraftItem, PlaylistDraft } from './playlistDraft.ts';

/** Names of the fields whose values differ. */
const changed = <Fields extends object>(before: Fields, after: Fields): (keyof Fields & string)[] =>
  ([...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Fields & string)[]).filter(
    (name) => before[name] !== after[name],
  );

/** The entry that differs, if it is the only one and none was added, removed or moved. */
function changedEntry<Entry extends { readonly key: number }>(
  before: readonly Entry[],
  after: readonly Entry[],
): readonly [before: Entry, after: Entry] | undefined {
  if (before.length !== after.length) return undefined;
  const at = after.findIndex((entry, index) => entry !== before[index]);
  const others = after.findIndex((entry, index) => index > at && entry !== before[index]);
  const [was, is] = [before[at], after[at]];
  return was === undefined || is === undefined || others >= 0 || was.key !== is.key ? undefined : [was, is];
}

/** The one field that an edit changes, such as `name` or `3 url`; undefined for an edit of more than that. */
export function editedField(before: PlaylistDraft, after: PlaylistDraft): string | undefined {
  const [field, ...more] = changed(before, after);
  if (field === undefined || more.length > 0) return undefined;
  if (field === 'labels') return undefined;
  if (field !== 'items') return field;
  const item = changedEntry<DraftItem>(before.items, after.items);
  const [ofItem, ...moreOfItem] = item === undefined ? [] : changed(...item);
  if (item === undefined || ofItem === undefined || moreOfItem.length > 0) return undefined;
  if (ofItem !== 'cuePoints') return `${item[1].key} ${ofItem}`;
  const cue = changedEntry<DraftCue>(item[0].cuePoints, item[1].cuePoints);
  const [ofCue, ...moreOfCue] = cue === undefined ? [] : changed(...cue);
  return cue === undefined || ofCue === undefined || moreOfCue.length > 0 ? undefined : `${cue[1].key} ${ofCue}`;
}
