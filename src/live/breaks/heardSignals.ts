// SPDX-License-Identifier: Apache-2.0
// Adds newly read signals to the ones that were read before: a signal may repeat, change, move or cancel an earlier one.
import type { MarkerSignal } from '../../markers/markerSignal.ts';
import type { Flicks, Millis } from '../../time/units.ts';

export type Heard = {
  /** With `order`: its first announcement's. */
  readonly signal: MarkerSignal & { readonly order: number };
  readonly readAt: Millis;
  /** It was read before its time. */
  readonly isAhead: boolean;
  /** It ends a break at the instant for which the next one was announced earlier. */
  readonly isFirst: boolean;
};

/** What one reading found, with times counted like those of the earlier ones. */
export type Batch = {
  readonly signals: readonly MarkerSignal[];
  readonly readAt: Millis;
  /** The order of the first one; each further one has the next number. */
  readonly firstOrder: number;
  /** The end of the timeline in the reading before, and in this one. */
  readonly lastEdge: Flicks;
  readonly edge: Flicks;
};

/** @returns all signals in the order of their times, without the cancelled ones */
export function addHeard(heard: readonly Heard[], batch: Batch): Heard[] {
  let all = [...heard];
  for (const [index, signal] of batch.signals.entries()) {
    if (signal.kind === 'cancel') all = withoutCancelled(all, signal);
    else if (!update(all, signal, batch))
      all = [...withoutMoved(all, signal, batch), newHeard(all, signal, index, batch)];
  }
  return all.sort(compare);
}

const compare = (a: Heard, b: Heard): number =>
  a.signal.at - b.signal.at || Number(b.isFirst) - Number(a.isFirst) || a.signal.order - b.signal.order;

const isSame = (a: MarkerSignal, b: MarkerSignal): boolean => a.id !== undefined && a.id === b.id && a.kind === b.kind;

/** A break that has not begun does not take place; its signals may be read again later, and are valid then. */
const withoutCancelled = (heard: readonly Heard[], { id, at }: MarkerSignal): Heard[] =>
  heard.filter(({ signal }) => id === undefined || signal.id !== id || signal.at < at);

/** Replaces the attributes of the same signal at the same place. @returns false if there is none */
function update(heard: Heard[], signal: MarkerSignal, { readAt }: Batch): boolean {
  const index = heard.findLastIndex((each) => each.signal.at === signal.at && isSame(each.signal, signal));
  const before = heard[index];
  if (before === undefined || before.readAt === readAt) return false;
  const { duration, isComplete, upid, hint } = signal;
  const changed = {
    ...before.signal,
    ...(duration === undefined ? {} : { duration }),
    ...(isComplete === undefined ? {} : { isComplete }),
    ...(upid === undefined ? {} : { upid }),
    ...(hint === undefined ? {} : { hint }),
  };
  heard[index] = { ...before, signal: changed };
  return true;
}

/** Whether a newer signal moves one whose time had not come. */
const isMoved = ({ signal: before, isAhead, readAt }: Heard, signal: MarkerSignal, batch: Batch): boolean =>
  isAhead && readAt < batch.readAt && before.at > batch.lastEdge && isSame(before, signal);

const withoutMoved = (heard: readonly Heard[], signal: MarkerSignal, batch: Batch): Heard[] =>
  heard.filter((each) => !isMoved(each, signal, batch));

function newHeard(heard: readonly Heard[], signal: MarkerSignal, index: number, batch: Batch): Heard {
  const moved = heard.filter((each) => isMoved(each, signal, batch)).map((each) => each.signal.order);
  const isFirst =
    signal.kind === 'in' &&
    heard.some((each) => each.isAhead && each.signal.kind === 'out' && each.signal.at === signal.at);
  return {
    signal: { ...signal, order: Math.min(...moved, batch.firstOrder + index) },
    readAt: batch.readAt,
    isAhead: signal.at > batch.edge,
    isFirst,
  };
}
