// SPDX-License-Identifier: Apache-2.0
// A timeline as a programme guide: titles with their breaks as marks, instead of the pieces between breaks.
import type { TimelineEntry } from '../../../src/http/contract/airContract.ts';
import { entryName } from '../channels/entryName.ts';

export type Mark = {
  /** Milliseconds. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly maxAds?: number;
  /** Set if an operator has inserted it. */
  readonly insertedId?: string;
  readonly isBlackout?: true;
};
export type Block = {
  readonly kind: 'content' | 'slate' | 'break';
  readonly name: string;
  readonly url?: string;
  /** Milliseconds. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly marks: readonly Mark[];
  /** Whether it has started before the first entry of the timeline. */
  readonly isContinued: boolean;
  /** Seconds of the content before its last piece. */
  readonly offset: number;
};

const endOf = ({ startsAt, duration }: TimelineEntry): number => Date.parse(startsAt) + duration * 1000;

const markOf = (entry: TimelineEntry): Mark => ({
  startsAt: Date.parse(entry.startsAt),
  endsAt: endOf(entry),
  ...(entry.maxAds === undefined ? {} : { maxAds: entry.maxAds }),
  ...(entry.insertedId === undefined ? {} : { insertedId: entry.insertedId }),
  ...(entry.kind === 'break' ? {} : { isBlackout: true as const }),
});

const blockOf = (entry: TimelineEntry, isMark: boolean): Block => ({
  kind: isMark ? 'break' : entry.kind,
  name: isMark && entry.kind !== 'break' ? 'Blackout' : entryName(entry),
  ...(entry.url === undefined ? {} : { url: entry.url }),
  startsAt: Date.parse(entry.startsAt),
  endsAt: endOf(entry),
  marks: isMark ? [markOf(entry)] : [],
  isContinued: !isMark && (entry.offset ?? 0) > 0,
  offset: entry.offset ?? 0,
});

/** Whether an entry continues a block: the next piece of the same content, or more slate. */
function continues(block: Block, entry: TimelineEntry): boolean {
  if (block.kind !== entry.kind) return false;
  return entry.kind === 'slate' || (entry.url === block.url && (entry.offset ?? 0) > block.offset);
}

/**
 * Breaks belong to the title before them. Without one, a break is a block of its own.
 * @param before the last block of the entries before these, which they may continue
 */
export function joinTitles(entries: readonly TimelineEntry[], before?: Block): Block[] {
  const blocks: Block[] = before === undefined ? [] : [before];
  for (const entry of entries) {
    const isMark = entry.kind === 'break' || entry.insertedId !== undefined;
    const last = blocks.at(-1);
    if (last === undefined) blocks.push(blockOf(entry, isMark));
    else if (isMark)
      blocks[blocks.length - 1] = { ...last, endsAt: endOf(entry), marks: [...last.marks, markOf(entry)] };
    else if (continues(last, entry))
      blocks[blocks.length - 1] = { ...last, endsAt: endOf(entry), offset: entry.offset ?? 0 };
    else blocks.push(blockOf(entry, false));
  }
  return blocks;
}
