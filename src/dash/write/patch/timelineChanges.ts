// SPDX-License-Identifier: Apache-2.0
// The operations (RFC 5261 §4) that change one time line into another. dash.js 5.2 and Shaka Player 5.2 apply few forms: whole S
// elements by position, because dash.js would read a replaced attribute as text, and attributes of the SegmentTemplate.
import type { Timeline } from './periodTimelines.ts';

const numberIn = (run: string, name: string): number | undefined => {
  const found = new RegExp(` ${name}="(\\d+)"`).exec(run);
  return found === null ? undefined : Number(found[1]);
};

/** How many S elements have left at the front. Any number is correct; this one leads to the fewest operations. */
function countGone(runs: readonly string[], [first]: readonly string[]): number {
  const from = first === undefined ? undefined : numberIn(first, 't');
  if (from === undefined) return 0;
  let end = 0;
  const staying = runs.findIndex((run) => {
    end = (numberIn(run, 't') ?? end) + (numberIn(run, 'd') ?? 0) * (1 + (numberIn(run, 'r') ?? 0));
    return end > from;
  });
  return staying < 0 ? runs.length : staying;
}

/** With the line break before it, which `ws` names. */
const remove = (path: string, position: number): string => `<remove sel="${path}/S[${position}]" ws="before"/>`;

/** @param path an XPath of the SegmentTimeline */
function runChanges(path: string, runs: readonly string[], next: readonly string[]): string[] {
  const gone = countGone(runs, next);
  const left = runs.slice(gone);
  const changes = Array.from({ length: gone }, () => remove(path, 1));
  left.slice(0, next.length).forEach((run, index) => {
    if (run !== next[index]) changes.push(`<replace sel="${path}/S[${index + 1}]">${next[index]}</replace>`);
  });
  for (let position = left.length; position > next.length; position -= 1) changes.push(remove(path, position));
  const added = next.slice(left.length);
  if (added.length > 0) changes.push(`<add sel="${path}">${added.map((run) => `${run}\n`).join('')}</add>`);
  return changes;
}

/** @param period an XPath */
export function timelineChanges(period: string, { path, startNumber, runs }: Timeline, next: Timeline): string[] {
  const template = period + path;
  const changes = runChanges(`${template}/SegmentTimeline`, runs, next.runs);
  if (startNumber === next.startNumber) return changes;
  return [`<replace sel="${template}/@startNumber">${next.startNumber}</replace>`, ...changes];
}
