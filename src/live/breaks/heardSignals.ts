// SPDX-License-Identifier: Apache-2.0
// Adds newly read signals to the ones that were read before: a signal may repeat, change, move or cancel an earlier one.
import type { MarkerSignal } from '../../markers/markerSignal.ts';
import type { Batch, Heard } from './heard.ts';
import { createHeardIndex, type HeardIndex } from './heardIndex.ts';

/** @returns all signals in the order of their times, without the cancelled ones */
export function addHeard(heard: readonly Heard[], batch: Batch): Heard[] {
  const index = createHeardIndex(heard);
  for (const signal of batch.signals) {
    if (signal.kind === 'cancel') index.removeCancelled(signal);
    else if (!update(index, signal, batch)) index.add(newHeard(index, signal, batch));
  }
  return index.all().sort(compare);
}

const compare = (a: Heard, b: Heard): number =>
  a.signal.at - b.signal.at || Number(b.isFirst) - Number(a.isFirst) || a.signal.order - b.signal.order;

/** Replaces the attributes of the same signal at the same place. @returns false if there is none */
function update(index: HeardIndex, signal: MarkerSignal, { readAt }: Batch): boolean {
  const before = index.same(signal);
  if (before === undefined || before.readAt === readAt) return false;
  const { duration, isComplete, upid, hint } = signal;
  const changed = {
    ...before.signal,
    ...(duration === undefined ? {} : { duration }),
    ...(isComplete === undefined ? {} : { isComplete }),
    ...(upid === undefined ? {} : { upid }),
    ...(hint === undefined ? {} : { hint }),
  };
  index.replace(before, { ...before, signal: changed });
  return true;
}

function newHeard(index: HeardIndex, signal: Heard['signal'], batch: Batch): Heard {
  const { readAt, edge } = batch;
  const isFirst = signal.kind === 'in' && index.isAnnounced(signal);
  // A newer signal moves one whose time had not come.
  const moved = index.removeMoved(signal, batch).map((each) => each.signal.order);
  const order = moved.reduce((least, each) => Math.min(least, each), signal.order);
  // What has an id may be announced for the end of what is listed.
  const isAhead = signal.at > edge || (signal.at === edge && signal.id !== undefined);
  return { signal: { ...signal, order }, readAt, isAhead, isFirst };
}
