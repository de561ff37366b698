// SPDX-License-Identifier: Apache-2.0
// The operations that change the Periods of one MPD into those of a later one.
import type { Periods } from '../periods.ts';
import { readTimelines } from './periodTimelines.ts';
import { timelineChanges } from './timelineChanges.ts';

type PeriodText = { readonly id: string; readonly text: string };

const PERIOD_END = '\n</Period>';

/** @param periods on separate lines */
const splitPeriods = (periods: string): PeriodText[] =>
  periods
    .split(`${PERIOD_END}\n`)
    .map((text, index, all) => (index < all.length - 1 ? text + PERIOD_END : text))
    .map((text) => ({ id: /^<Period id="([^"]*)"/.exec(text)?.[1] ?? '', text }));

/** Ids that dash.js 5.2 and Shaka Player 5.2 find in an XPath. */
const isPlain = ({ id }: PeriodText): boolean => /^[\w.:-]+$/.test(id);

const pathOf = ({ id }: PeriodText): string => `/MPD/Period[@id='${id}']`;

/** Undefined if more than its time lines has changed. */
function changesIn(before: PeriodText, now: PeriodText): string[] | undefined {
  if (before.text === now.text) return [];
  const known = readTimelines(before.text);
  const next = readTimelines(now.text);
  if (known.rest !== next.rest) return undefined;
  return known.timelines.flatMap((timeline, index) => timelineChanges(pathOf(now), timeline, next.timelines[index]!));
}

/** Shaka Player 5.2 also removes Periods whose ids begin with that of a removed one. */
const isBeginning = ({ id }: PeriodText, others: readonly PeriodText[]): boolean =>
  others.some((other) => other.id !== id && other.id.startsWith(id));

/**
 * @param before the Periods that the player has
 * @returns one operation for each element; undefined if the player has to read the whole MPD
 */
export function periodChanges(before: Periods, now: Periods): readonly string[] | undefined {
  // Shaka Player 5.2 cannot patch a SegmentList.
  if (before.hasLists || now.hasLists) return undefined;
  const [known, next] = [splitPeriods(before.text), splitPeriods(now.text)];
  const gone = known.findIndex(({ id }) => id === next[0]!.id);
  const staying = known.slice(gone);
  const isContinued = gone >= 0 && staying.every(({ id }, index) => id === next[index]?.id);
  const all = [...known, ...next.slice(staying.length)];
  if (!isContinued || !all.every(isPlain)) return undefined;
  const removed = known.slice(0, gone);
  if (removed.some((period) => isBeginning(period, all))) return undefined;
  const changes = removed.map((period) => `<remove sel="${pathOf(period)}" ws="before"/>`);
  for (const [index, period] of staying.entries()) {
    const within = changesIn(period, next[index]!);
    if (within === undefined) return undefined;
    changes.push(...within);
  }
  // Not at the end of the MPD: UTCTiming follows the Periods (5.3.1.3).
  const added = next.slice(staying.length).map(({ text }) => `\n${text}`);
  if (added.length > 0) changes.push(`<add sel="${pathOf(staying.at(-1)!)}" pos="after">${added.join('')}</add>`);
  return changes;
}
