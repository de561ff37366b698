// SPDX-License-Identifier: Apache-2.0
// The order of a schedule and its edits. An entry with a start begins a chain: those without one follow it. Edits change
// entries; where the others are follows from their lengths.
import { type Millis, millis } from '../time/units.ts';
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
    };

export type Edited = {
  /** New and changed entries, in order. */
  readonly put: readonly PlacedEntry[];
  readonly moved: readonly KnownEntry[];
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
  const drafts = edit.kind === 'replace' ? replaced(current, edit, lengthOf) : patched(current, edit, lengthOf);
  const all = placed(inChains(drafts), now);
  const left = new Set(drafts.map(({ id }) => id));
  return {
    all,
    put: all.filter((one) => 'entry' in one),
    moved: all.filter((one): one is KnownEntry => !('entry' in one) && !current.includes(one)),
    removed: current.flatMap(({ id }) => (left.has(id) ? [] : [id])),
  };
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
    const following = after === undefined ? -1 : drafts.findIndex(({ id }) => id === after);
    if (following >= 0 || before < 0) {
      const place = following < 0 ? drafts.length : following + 1;
      drafts.splice(place, 0, draft);
      if (before >= 0) drafts.splice(before < place ? before : before + 1, 1);
    } else drafts[before] = draft;
  }
  return drafts;
}

/** Chains in the order of their starts. */
function inChains(drafts: readonly Draft[]): Draft[] {
  const chains: { start: number; drafts: Draft[] }[] = [];
  for (const draft of drafts) {
    const last = chains.at(-1);
    if (last === undefined || draft.start !== undefined) {
      chains.push({ start: draft.start ?? Number.NEGATIVE_INFINITY, drafts: [draft] });
    } else last.drafts.push(draft);
  }
  return chains.sort((one, other) => one.start - other.start).flatMap((chain) => chain.drafts);
}

function placed(drafts: readonly Draft[], now: Millis): (KnownEntry | PlacedEntry)[] {
  let next: number = Math.ceil(now / 1000) * 1000;
  let last: { readonly at: Millis; readonly order: number } | undefined;
  return drafts.map((draft, index) => {
    const isFirst = index === 0 && draft.start === undefined;
    const at = millis(draft.start ?? next);
    const order = last?.at === at ? last.order + 1 : 0;
    last = { at, order };
    next = at + (draft.length ?? 0);
    const place = { at, order, ...(draft.length === undefined ? {} : { length: draft.length }) };
    if (draft.entry !== undefined) {
      const entry = isFirst ? { ...draft.entry, start: new Date(at).toISOString() } : draft.entry;
      return { entry, ...place };
    }
    const { known } = draft;
    return known.at === at && known.order === order ? known : { ...known, ...place };
  });
}
