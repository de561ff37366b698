// SPDX-License-Identifier: Apache-2.0
// The order of a schedule and its edits. An entry with a start begins a chain: those without one follow it. Edits change
// entries; where the others are follows from their lengths.
import { type Millis, millis } from '../time/units.ts';
import { placeInOrder } from './placeInOrder.ts';
import type { KnownEntry, PlacedEntry } from './ports.ts';
import type { Entry } from './schedule.ts';

/** An entry that is stored, or one that is new or changed. */
type Draft = { readonly id: string; readonly start: Millis | undefined; readonly length: Millis | undefined } & (
  | { readonly known: KnownEntry; readonly entry?: undefined }
  | { readonly entry: Entry; readonly known?: undefined }
);

export type Edit =
  | {
      readonly kind: 'replace';
      /** The entries that start within it are replaced; all without it. */
      readonly range?: { readonly from: Millis; readonly to: Millis };
      readonly entries: readonly Entry[];
    }
  | {
      readonly kind: 'patch';
      /** `after`: the id of the entry that it follows. */
      readonly put: readonly { readonly entry: Entry; readonly after?: string }[];
      readonly removed: readonly string[];
    }
  | {
      /** Undoes an edit. */
      readonly kind: 'restore';
      /** Entries and places as they were. The others are in order. */
      readonly put: readonly PlacedEntry[];
      readonly moved: readonly KnownEntry[];
      readonly removed: readonly string[];
    };

export type Edited = {
  /** New and changed entries, in order. */
  readonly put: readonly PlacedEntry[];
  readonly moved: readonly KnownEntry[];
  /** Those that are moved, as they were. */
  readonly movedFrom: readonly KnownEntry[];
  readonly removed: readonly string[];
  /** All entries after the edit, in order. */
  readonly all: readonly (KnownEntry | PlacedEntry)[];
};

type LengthOf = (entry: Entry) => Millis | undefined;

const startOf = ({ start }: Entry): Millis | undefined => (start === undefined ? undefined : millis(Date.parse(start)));

const draftOf = (entry: Entry, lengthOf: LengthOf): Draft => ({
  id: entry.id,
  entry,
  start: startOf(entry),
  length: lengthOf(entry),
});
const knownDraft = (known: KnownEntry): Draft => ({
  id: known.id,
  known,
  start: known.isFixed ? known.at : undefined,
  length: known.length,
});

/**
 * @param current in order
 * @param now when the first entry starts if it states no start
 */
export function editEntries(current: readonly KnownEntry[], edit: Edit, lengthOf: LengthOf, now: Millis): Edited {
  const drafts = draftsOf(current, edit, lengthOf);
  const all = placed(drafts, now);
  const left = new Set(drafts.map(({ id }) => id));
  const before = new Set<KnownEntry | PlacedEntry>(current);
  const moved = all.filter((one): one is KnownEntry => !('entry' in one) && !before.has(one));
  const movedIds = new Set(moved.map(({ id }) => id));
  return {
    all,
    put: all.filter((one) => 'entry' in one),
    moved,
    movedFrom: current.filter(({ id }) => movedIds.has(id)),
    removed: current.flatMap(({ id }) => (left.has(id) ? [] : [id])),
  };
}

function draftsOf(current: readonly KnownEntry[], edit: Edit, lengthOf: LengthOf): readonly Draft[] {
  if (edit.kind === 'replace') return replaced(current, edit, lengthOf);
  return edit.kind === 'patch' ? patched(current, edit, lengthOf) : restored(current, edit, lengthOf);
}

function replaced(
  current: readonly KnownEntry[],
  { range, entries }: Extract<Edit, { kind: 'replace' }>,
  lengthOf: LengthOf,
): Draft[] {
  const ids = new Set(entries.map(({ id }) => id));
  const kept = (list: readonly KnownEntry[]) => list.filter(({ id }) => !ids.has(id)).map(knownDraft);
  const own = entries.map((entry) => draftOf(entry, lengthOf));
  if (range === undefined) return own;
  return [
    ...kept(current.filter(({ at }) => at < range.from)),
    ...own,
    ...kept(current.filter(({ at }) => at >= range.to)),
  ];
}

function patched(
  current: readonly KnownEntry[],
  { put, removed }: Extract<Edit, { kind: 'patch' }>,
  lengthOf: LengthOf,
): Draft[] {
  const gone = new Set(removed);
  const drafts = current.filter(({ id }) => !gone.has(id)).map(knownDraft);
  for (const { entry, after } of put) {
    const draft = draftOf(entry, lengthOf);
    const before = drafts.findIndex(({ id }) => id === entry.id);
    if (before >= 0 && after === undefined) {
      drafts[before] = draft;
      continue;
    }
    if (before >= 0) drafts.splice(before, 1);
    const following = after === undefined ? -1 : drafts.findIndex(({ id }) => id === after);
    drafts.splice(following < 0 ? drafts.length : following + 1, 0, draft);
  }
  return drafts;
}

function restored(
  current: readonly KnownEntry[],
  { put, moved, removed }: Extract<Edit, { kind: 'restore' }>,
  lengthOf: LengthOf,
): Draft[] {
  const gone = new Set([...removed, ...put.map(({ entry }) => entry.id)]);
  const places = new Map(moved.map((one) => [one.id, one]));
  const kept = current
    .filter(({ id }) => !gone.has(id))
    .map((known) => ({ draft: knownDraft(known), from: places.get(known.id) ?? known }));
  const back = put.map((from) => {
    const draft = draftOf(from.entry, lengthOf);
    return { draft: { ...draft, length: draft.length ?? from.length }, from };
  });
  return [...kept, ...back]
    .sort((one, other) => one.from.at - other.from.at || one.from.order - other.from.order)
    .map(({ draft }) => draft);
}

function placed(drafts: readonly Draft[], now: Millis): (KnownEntry | PlacedEntry)[] {
  // An entry whose predecessors were removed stays where it is.
  const first = drafts[0]?.known?.at ?? millis(Math.ceil(now / 1000) * 1000);
  return placeInOrder(drafts, first).map(({ item: draft, at, order }) => {
    const place = { at, order, ...(draft.length === undefined ? {} : { length: draft.length }) };
    if (draft.entry !== undefined) {
      const isFirst = draft === drafts[0] && draft.start === undefined;
      return { entry: isFirst ? { ...draft.entry, start: new Date(at).toISOString() } : draft.entry, ...place };
    }
    const { known } = draft;
    return known.at === at && known.order === order && known.length === draft.length ? known : { ...known, ...place };
  });
}
