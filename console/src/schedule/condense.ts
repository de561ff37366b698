// SPDX-License-Identifier: Apache-2.0
// A timeline as what a schedule draws: titles, and groups of those that are too short for that. It grows page by page,
// and its size depends on the rows only, however many entries there are.
import type { TimelineEntry } from '../../../src/http/contract/airContract.ts';
import { type Block, joinTitles } from './joinTitles.ts';
import type { Row } from './scheduleView.ts';

/** Titles that are too short to be drawn one by one. A group does not go beyond its row. */
export type Group = {
  readonly kind: 'group';
  /** Milliseconds. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly items: number;
  readonly breaks: number;
  /** The first ones, at most `MAX_NAMED`. */
  readonly first: readonly Block[];
};
export type Shown = Block | Group;

export type Schedule = {
  readonly rows: readonly Row[];
  /** In order. */
  readonly shown: readonly Shown[];
  /** The last title, which the next page may continue. */
  readonly last?: Block;
};

export const MAX_NAMED = 12;
/** Shares of a row. A shorter title is not drawn alone. */
const MIN_SHARE = 0.006;
/** A group that can be pressed. */
const GROUP_SHARE = 0.025;

export const isGroup = (one: Shown): one is Group => one.kind === 'group';
export const breaksOf = (one: Shown): number => (isGroup(one) ? one.breaks : one.marks.length);

export const emptySchedule = (rows: readonly Row[]): Schedule => ({ rows, shown: [] });

const lengthOf = ({ from, to }: Row): number => to - from;

function groupOf(block: Block, { to }: Row): Group {
  return {
    kind: 'group',
    startsAt: block.startsAt,
    endsAt: Math.min(block.endsAt, to),
    items: 1,
    breaks: block.marks.length,
    first: [block],
  };
}

/** Whether a group that begins in a row may have one more title that begins there, too. */
const isOpen = (last: Shown | undefined, row: Row): last is Group =>
  last !== undefined &&
  isGroup(last) &&
  last.startsAt >= row.from &&
  last.endsAt - last.startsAt < GROUP_SHARE * lengthOf(row);

/** Adds titles to `shown`. */
function condense(shown: Shown[], blocks: readonly Block[], rows: readonly Row[]): void {
  const [first, ...later] = rows;
  if (first === undefined) return;
  let row = first;
  for (const block of blocks) {
    const start = Math.max(block.startsAt, first.from);
    for (let next = later[0]; next !== undefined && row.to <= start; next = later[0]) {
      row = next;
      later.shift();
    }
    const last = shown.at(-1);
    if (block.endsAt - start >= MIN_SHARE * lengthOf(row)) shown.push(block);
    else if (isOpen(last, row))
      shown[shown.length - 1] = {
        ...last,
        endsAt: Math.min(block.endsAt, row.to),
        items: last.items + 1,
        breaks: last.breaks + block.marks.length,
        first: last.first.length < MAX_NAMED ? [...last.first, block] : last.first,
      };
    else shown.push(groupOf(block, row));
  }
}

/** @param entries the next page of the timeline, in order */
export function addEntries({ rows, shown, last }: Schedule, entries: readonly TimelineEntry[]): Schedule {
  const blocks = joinTitles(entries, last);
  const open = blocks.pop();
  if (open === undefined) return { rows, shown };
  const next = [...shown];
  condense(next, blocks, rows);
  return { rows, shown: next, last: open };
}

/** All that is drawn. A group of one title is that title. */
export function shownOf({ rows, shown, last }: Schedule): Shown[] {
  const all = [...shown];
  if (last !== undefined) condense(all, [last], rows);
  return all.map((one) => (isGroup(one) && one.items === 1 ? (one.first[0] ?? one) : one));
}
