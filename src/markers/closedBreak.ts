// SPDX-License-Identifier: Apache-2.0
import type { MarkerSignal } from './markerSignal.ts';
import { endOf, NEAR, type OpenBreak } from './openBreak.ts';

/** Whether a signal goes on stating a break that an operator has ended. */
export function isEndedByHand(
  closed: { readonly of: OpenBreak; readonly isByHand?: true } | undefined,
  { at, id, raw, kind }: MarkerSignal,
): boolean {
  if (!closed?.isByHand) return false;
  const { of } = closed;
  const announced = endOf(of);
  if (announced !== undefined && at > announced + NEAR) return false;
  if (kind === 'in') return true;
  return id === undefined ? raw === of.raw : of.ids.has(id);
}
