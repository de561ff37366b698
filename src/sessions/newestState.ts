// SPDX-License-Identifier: Apache-2.0
// The state of a session only grows, but responses from the store may arrive out of order. Two merged states are at least as
// new as the newer one. What a viewer was shown is never revoked.
import type { SessionState } from './ports.ts';

/** Merges two states: the odometer that covers more, and every decision that it does not cover. */
export function newestState(one: SessionState, other: SessionState): SessionState {
  const [older, newer] = one.foldedBefore > other.foldedBefore ? [other, one] : [one, other];
  const known = new Set(newer.decisions.map(({ breakId }) => breakId));
  const missed = older.decisions.filter(
    ({ breakId, startsAt }) => startsAt >= newer.foldedBefore && !known.has(breakId),
  );
  const all = missed.length === 0 ? newer.decisions : [...newer.decisions, ...missed];
  const shown = older.decisions.filter(({ isShown }) => isShown);
  const decisions =
    shown.length === 0 ? all : all.map((one) => shown.find(({ breakId }) => breakId === one.breakId) ?? one);
  return decisions === newer.decisions ? newer : { ...newer, decisions };
}
