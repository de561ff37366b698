// SPDX-License-Identifier: Apache-2.0
// Ends of the breaks and ads within a break. They do not end the break itself.
import type { MarkerSignal } from './markerSignal.ts';
import { AD, endOf, NEAR, type OpenBreak } from './openBreak.ts';
import { kindOf } from './signalId.ts';

/** Whether the signal ends a break within the open one that has its id. */
export function endsOwnInner(open: OpenBreak, { id, at, rank }: MarkerSignal): boolean {
  const end = endOf(open);
  if (id === undefined || (rank === undefined && end !== undefined && at >= end - NEAR)) return false;
  const index = open.inner.findLastIndex((inner) => inner.id === id);
  if (index < 0) return false;
  open.inner.splice(index, 1);
  return true;
}

/** Whether the signal ends the last break within the open one: it has another id, or none. The end of an ad ends ads only. */
export function endsInner(open: OpenBreak, { id, at, rank }: MarkerSignal): boolean {
  const inner = open.inner.findLast((each) => each.rank !== AD || rank === AD);
  const end = endOf(open);
  if (inner === undefined || !inner.isSized || (end !== undefined && at >= end - NEAR)) return false;
  if (id !== undefined && open.ids.has(id)) return false;
  const isTyped = id !== undefined && rank !== undefined && inner.id !== undefined && inner.rank !== undefined;
  if (isTyped && kindOf(id) !== kindOf(inner.id)) return false;
  open.inner.splice(open.inner.lastIndexOf(inner), 1);
  return true;
}
