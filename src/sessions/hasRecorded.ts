// SPDX-License-Identifier: Apache-2.0
import type { Recorded, SessionState } from './ports.ts';

/**
 * Whether a state in memory is all that the store has recorded of a session. What is in memory was read from the store or written to
 * it, except what viewers were shown in an outage, and the store loses nothing but what is folded. So equal counts mean equal
 * decisions.
 * @param recorded undefined if the store does not report it
 */
export const hasRecorded = ({ decisions, foldedBefore }: SessionState, recorded: Recorded | undefined): boolean =>
  recorded?.decisions === decisions.length &&
  recorded.foldedBefore === foldedBefore &&
  !decisions.some(({ isShown }) => isShown);
