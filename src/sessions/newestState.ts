// What is known of a session grows and is never taken back, but answers may overtake each other on their way from the
// store. Together, two of them are at least as new as the newer one. What a viewer was shown is never taken back.
import type { SessionState } from './ports.ts';

/** All that either state knows: the odometer that holds more, and every decision that is not in it. */
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
