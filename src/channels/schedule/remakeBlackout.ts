// SPDX-License-Identifier: Apache-2.0
// A blackout whose asset becomes ready while the slate of the channel is on air: it continues with the asset from the next
// border on, and ends when it would have ended.
import type { Millis } from '../../time/units.ts';
import type { InsertedPlan } from './insertedPlan.ts';
import { endInserted, freeAt, insertedIn, type LeavingOf } from './leaveLineup.ts';
import type { Current, Insertion } from './nextEditions.ts';

/** Whether all that is on the schedule of an inserted break is made of the media it should be made of. */
export const showsItsAsset = (lineup: readonly Current[], { id, asset }: InsertedPlan): boolean =>
  asset === undefined || slatesOf(lineup, id).has(asset.slateId);

const slatesOf = (lineup: readonly Current[], id: string): ReadonlySet<string | undefined> =>
  new Set(lineup.flatMap((one) => (insertedIn(one) === id ? [one.edition.slots[0]!.slate?.slateId] : [])));

/** @returns undefined if it stays as it is */
export function remakeBlackout(
  lineup: readonly Current[],
  plan: InsertedPlan | undefined,
  earliest: Millis,
): { readonly left: LeavingOf; readonly insertion: Insertion } | undefined {
  if (plan?.asset === undefined || showsItsAsset(lineup, plan)) return undefined;
  const cut = endInserted(lineup, earliest);
  if (cut === undefined) return undefined;
  const { ended: _, ...leaving } = cut.leaving;
  const insertion = plan.asset.during(freeAt(lineup, earliest) - leaving.at);
  return insertion && { left: { index: cut.index, leaving }, insertion };
}
