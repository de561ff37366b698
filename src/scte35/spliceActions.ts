// SPDX-License-Identifier: Apache-2.0
// Which breaks a message starts and ends, and whether it ends a programme.
import type { Segmentation, SpliceSection } from './spliceSection.ts';

/**
 * segmentation_type_id of what starts a break (ANSI/SCTE 35 §10.3.3.1, table 23); the end has the next number. The value
 * ranks types: the ads of a break start and end within it.
 */
const ranks: ReadonlyMap<number, number> = new Map([
  [0x22, 3], // break
  [0x34, 2], // provider placement opportunity
  [0x36, 2], // distributor placement opportunity
  [0x44, 2], // provider ad block
  [0x46, 2], // distributor ad block
  [0x30, 1], // provider advertisement
  [0x32, 1], // distributor advertisement
]);

/** The types of segmentation that start breaks, unless a channel chooses others. */
export const breakStarts: ReadonlySet<number> = new Set(ranks.keys());

/** Program End, and Program Early Termination. */
const programmeEnds: ReadonlySet<number> = new Set([0x11, 0x12]);

export type SpliceAction = {
  /** `programmeEnd` starts and ends no break. */
  readonly action: 'start' | 'end' | 'cancel' | 'programmeEnd';
  readonly eventId: number;
  /** Ids of splice events and of segmentation events are counted separately. */
  readonly scheme: 'splice' | 'segmentation';
  /** Absent for splice_insert. */
  readonly typeId?: number;
  /** In ticks of 90 kHz, 33 bits; absent: now. */
  readonly time?: number;
  /** In ticks of 90 kHz. 0: an insertion point. */
  readonly duration?: number;
  /** The rank of what starts or ends; an end of a lower rank does not end a break of a higher one. */
  readonly rank: number;
  readonly upid?: string;
};

/** A placement opportunity may end what a splice_insert started, and a splice_insert ends every break. */
const INSERT_RANKS = { start: 2, end: 3, cancel: 0 } as const;

/** Ends first: a message may end one break and start the next. What contains the others starts first. */
export function spliceActions(
  { command, segmentations }: SpliceSection,
  starts: ReadonlySet<number> = breakStarts,
): SpliceAction[] {
  const actions: SpliceAction[] = [];
  const time = (command.kind === 'insert' || command.kind === 'timeSignal') && command.time;
  const at = typeof time === 'number' ? { time } : {};
  const own = segmentations.flatMap((segmentation) => segmentationAction(segmentation, at, starts));
  if (command.kind === 'insert') {
    const { eventId, isCancelled, isOut } = command;
    const { upid } = own.find((action) => action.upid !== undefined) ?? {};
    const action = isCancelled ? 'cancel' : isOut ? 'start' : 'end';
    const duration = isOut ? (command.duration ?? describedDuration(segmentations, starts)) : undefined;
    actions.push({
      action,
      eventId,
      scheme: 'splice',
      ...at,
      ...(duration === undefined ? {} : { duration }),
      rank: INSERT_RANKS[action],
      ...(upid === undefined ? {} : { upid }),
    });
  }
  if (command.kind === 'timeSignal' || command.kind === 'insert') actions.push(...own);
  return actions.sort((a, b) => order(a) - order(b) || size(b) - size(a));
}

const order = ({ action, rank }: SpliceAction): number => (action === 'end' ? 0 : action === 'start' ? 9 - rank : 10);
const size = ({ action, duration }: SpliceAction): number => (action === 'start' ? (duration ?? 2 ** 40) : 0);

/** The length of a splice_insert that states none: that of its only segmentation. One of several ads is not all of it. */
function describedDuration(segmentations: readonly Segmentation[], starts: ReadonlySet<number>): number | undefined {
  const known = segmentations.flatMap(({ typeId, duration, segmentsExpected, isCancelled }) => {
    const isWhole = !isCancelled && starts.has(typeId) && (rankOf(typeId) > 1 || segmentsExpected <= 1);
    return isWhole && duration !== undefined ? [duration] : [];
  });
  return known.length === 0 ? undefined : Math.max(...known);
}

/** @param typeId of a start */
const rankOf = (typeId: number): number => ranks.get(typeId) ?? 1;

function segmentationAction(
  { eventId, isCancelled, typeId, duration, upids }: Segmentation,
  at: { readonly time?: number },
  starts: ReadonlySet<number>,
): SpliceAction[] {
  if (isCancelled) return [{ action: 'cancel', eventId, scheme: 'segmentation', rank: 0 }];
  const isStart = starts.has(typeId);
  const upid = upids.find((text) => text !== '');
  if (!isStart && !starts.has(typeId - 1)) {
    const one = { action: 'programmeEnd', eventId, scheme: 'segmentation', typeId, ...at, rank: 0 } as const;
    return programmeEnds.has(typeId) ? [upid === undefined ? one : { ...one, upid }] : [];
  }
  return [
    {
      action: isStart ? 'start' : 'end',
      eventId,
      scheme: 'segmentation',
      typeId,
      ...at,
      ...(isStart && duration !== undefined ? { duration } : {}),
      rank: rankOf(isStart ? typeId : typeId - 1),
      ...(upid === undefined ? {} : { upid }),
    },
  ];
}
