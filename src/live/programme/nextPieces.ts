// SPDX-License-Identifier: Apache-2.0
// What a live entry of a schedule shows next of its feed. A channel with a schedule plays live content some segments behind the
// feed, because its editions are stored before they are shown.
import { isNonEmpty, type NonEmpty } from '../../invariant.ts';
import type { Flicks } from '../../time/units.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import type { Slot } from '../slot.ts';
import { between } from './between.ts';
import type { LiveState } from './liveState.ts';
import type { Recorded } from './recordedContent.ts';
import type { Section } from './section.ts';

export type LivePiece =
  /** Slots of one track. `continues`: for players, the content before it goes on. */
  | { readonly kind: 'content'; readonly run: string; readonly slots: NonEmpty<Slot>; readonly continues: boolean }
  | { readonly kind: 'break'; readonly length: Flicks; readonly until: Instant };

type Listed = { readonly chunk: object; readonly run: string; readonly slot: Slot };
type Passage = Listed | { readonly section: Section };

function passagesOf({ runs, sections }: LiveState): Passage[] {
  return runs.flatMap((run): Passage[] => {
    if (run.kind === 'content')
      return run.chunks.flatMap((chunk) => chunk.slots.map((slot) => ({ chunk, run: run.stretch.id, slot })));
    const section = sections.find(({ id }) => id === run.sectionId);
    return section === undefined ? [] : [{ section }];
  });
}

/** A slot belongs to where its middle is. */
export const middleOf = ({ start, duration }: Pick<Slot, 'start' | 'duration'>): Instant => after(start, duration / 2);

/** The part of a break that begins it, and shows ads. What follows it is slate until the origin returns. */
const isStart = ({ kind, id, breakId }: Section): boolean => kind === undefined && id === `${breakId}-0`;

/**
 * What follows without a gap.
 * @param last what was recorded last of this feed
 * @param openLength of a break that does not announce its end
 */
export function piecesAfter(state: LiveState, last: Recorded, openLength: Flicks): LivePiece[] {
  const pieces: LivePiece[] = [];
  let until = last.kind === 'break' ? last.until : undefined;
  let run = last.kind === 'content' ? last.run : undefined;
  let number = last.kind === 'content' ? (last.slots.at(-1)?.number ?? -1) : -1;
  let open: { readonly chunk: object; readonly slots: Slot[] } | undefined;
  for (const passage of passagesOf(state)) {
    if ('section' in passage) {
      const { section } = passage;
      const isNew = until === undefined ? section.slot > number : between(until, section.start) >= 0;
      if (!isNew || !isStart(section)) continue;
      const length = section.isAnnounced ? section.planned : openLength;
      until = after(section.start, length);
      pieces.push({ kind: 'break', length, until });
      [open, run] = [undefined, undefined];
      continue;
    }
    const { slot } = passage;
    if (slot.number <= number) continue;
    if (until !== undefined && between(until, middleOf(slot)) < 0) continue;
    const continues = passage.run === run && slot.number === number + 1;
    if (continues && open?.chunk === passage.chunk) open.slots.push(slot);
    else {
      const slots: [Slot, ...Slot[]] = [slot];
      open = { chunk: passage.chunk, slots };
      pieces.push({ kind: 'content', run: passage.run, slots, continues });
    }
    [number, run, until] = [slot.number, passage.run, undefined];
  }
  return pieces;
}

/**
 * The newest content, for a beginning and after a gap: at least one and a half slots and a margin, so that the next slot comes in
 * time.
 * @param last what was recorded last of this feed. @returns nothing during a break, or as long as there is less
 */
export function newestPieces(state: LiveState, last: Recorded | undefined, margin: Flicks): LivePiece[] {
  const passages = passagesOf(state);
  const from = passages.findLastIndex((one) => 'section' in one) + 1;
  const number = last?.kind === 'content' ? (last.slots.at(-1)?.number ?? -1) : -1;
  const listed = passages.slice(from).filter((one): one is Listed => 'slot' in one && one.slot.number > number);
  const needed = 1.5 * Math.max(0, ...listed.map(({ slot }) => slot.duration)) + margin;
  const newest: Listed[] = [];
  for (let length = 0; length < needed; length += newest[0]?.slot.duration ?? 0) {
    const one = listed.at(-1 - newest.length);
    if (one === undefined) return [];
    newest.unshift(one);
  }
  const groups: { key: object; slots: Slot[]; run: string; continues: boolean }[] = [];
  for (const [index, { chunk, run, slot }] of newest.entries()) {
    const group = groups.at(-1);
    if (group?.key === chunk) group.slots.push(slot);
    else groups.push({ key: chunk, slots: [slot], run, continues: index > 0 && group?.run === run });
  }
  return groups.flatMap(({ key: _, slots, ...of }) => (isNonEmpty(slots) ? [{ kind: 'content', slots, ...of }] : []));
}
