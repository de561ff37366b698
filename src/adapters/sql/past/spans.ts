// SPDX-License-Identifier: Apache-2.0
// Classes of sessions by how long they lasted. Which sessions were active at a time is read from an index by when they were opened:
// within a class, only those opened shortly before that time are read, although a session may last for days.

const HOUR_MS = 3_600_000;
/** The most that a session of each class lasted. */
const LONGEST_MS = [HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS, Number.POSITIVE_INFINITY] as const;

export const spans: readonly number[] = LONGEST_MS.map((_, span) => span);

export const spanOf = (openedAt: number, seenAt: number): number =>
  LONGEST_MS.findIndex((longest) => seenAt - openedAt <= longest);

/** @returns before which time no session of the class was opened that was seen at `from` or later */
export const openedFrom = (span: number, from: number): number =>
  Math.max(0, from - (LONGEST_MS[span] ?? Number.POSITIVE_INFINITY));
