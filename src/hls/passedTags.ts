// SPDX-License-Identifier: Apache-2.0
// The marker tags of a live origin at the start of a break, before the first segment that a viewer is shown in it. Those of
// other segments are in segmentLines.ts. A tag leaves the playlist with its segment; a date range that states the start of
// the break is listed as long as one of its segments is.
import { memo } from '../cache/memo.ts';
import { breakOf } from '../timeline/programme/span.ts';
import type { Row } from '../timeline/programme/window.ts';
import { tagLines } from './segmentLines.ts';

const START = /^#EXT-X-DATERANGE:(.*,)?\s*SCTE35-OUT=/i;

const linesOf = memo((tags: readonly string[]) => ({
  all: tagLines(tags),
  ranges: tagLines(tags.filter((tag) => START.test(tag))),
}));

/** @param before the row that is listed before it */
export function passedTags({ span, first }: Row, before: Row | undefined, rung: number): string {
  const place = breakOf(span);
  if (place?.tags === undefined) return '';
  const { all, ranges } = linesOf(place.tags);
  const { clip, startsAt } = span.placed;
  if (startsAt === place.startsAt && first[rung] === clip.firsts[rung]) return all;
  return before === undefined ? ranges : '';
}
