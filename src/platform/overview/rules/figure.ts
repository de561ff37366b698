// SPDX-License-Identifier: Apache-2.0
// One number of an overview and its change. What cannot be compared states why, instead of a zero.
import type { DeepReadonly } from '../../../http/contract/matching.ts';
import { rounded } from '../../reports/rules/query/report.ts';
import type { OverviewFigure } from '../contract/overviewContract.ts';

type Figure = DeepReadonly<OverviewFigure>;

/** A share of a whole; without the whole, it has no value. */
type Share = { readonly part: number; readonly whole: number };

/** @param isTooNew whether nothing can have been counted at the time to compare with */
export function compareShares(
  now: Share,
  before: Share,
  isTooNew: boolean,
  without: (Figure & { readonly kind: 'nothing' })['reason'],
): Figure {
  if (now.whole <= 0) return { kind: 'nothing', reason: without };
  const share = now.part / now.whole;
  const value = rounded(share);
  if (before.whole <= 0) return { kind: 'uncompared', value, reason: isTooNew ? 'too-new' : 'nothing-before' };
  const earlier = before.part / before.whole;
  return { kind: 'compared', value, before: rounded(earlier), change: rounded(share - earlier) };
}

/** @param isTooNew whether nothing was counted in a part of the time to compare with */
export function compareCounts(now: number, before: number, isTooNew: boolean): Figure {
  const value = rounded(now);
  if (isTooNew) return { kind: 'uncompared', value, reason: 'too-new' };
  if (before === 0 && now !== 0) return { kind: 'uncompared', value, reason: 'nothing-before' };
  const change = before === 0 ? 0 : (now - before) / before;
  return { kind: 'compared', value, before: rounded(before), change: rounded(change) };
}
