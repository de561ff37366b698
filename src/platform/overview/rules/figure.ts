// SPDX-License-Identifier: Apache-2.0
// One number of an overview and its change. What cannot be compared states why, instead of a zero.
import type { DeepReadonly } from '../../../http/contract/matching.ts';
import type { OverviewFigure } from '../contract/overviewContract.ts';

export type Figure = DeepReadonly<OverviewFigure>;

/** A share of a whole; without the whole, it has no value. */
export type Share = { readonly part: number; readonly whole: number };

export const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

/** @param isTooNew whether nothing can have been counted at the time to compare with */
export function compareShares(
  now: Share,
  before: Share,
  isTooNew: boolean,
  without: (Figure & { readonly kind: 'nothing' })['reason'],
): Figure {
  if (now.whole <= 0) return { kind: 'nothing', reason: without };
  const value = now.part / now.whole;
  if (before.whole <= 0)
    return { kind: 'uncompared', value: rounded(value), reason: isTooNew ? 'too-new' : 'nothing-before' };
  const earlier = before.part / before.whole;
  return { kind: 'compared', value: rounded(value), before: rounded(earlier), change: rounded(value - earlier) };
}

/** @param isTooNew whether nothing was counted in a part of the time to compare with */
export function compareCounts(value: number, before: number, isTooNew: boolean): Figure {
  if (isTooNew) return { kind: 'uncompared', value: rounded(value), reason: 'too-new' };
  if (before === 0 && value !== 0) return { kind: 'uncompared', value: rounded(value), reason: 'nothing-before' };
  const change = before === 0 ? 0 : (value - before) / before;
  return { kind: 'compared', value: rounded(value), before: rounded(before), change: rounded(change) };
}
