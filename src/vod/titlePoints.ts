// SPDX-License-Identifier: Apache-2.0
// Where a title can have breaks, in source time. The borders between its items always are such points.
import { FLICKS_PER_SECOND, type Flicks, flicks } from '../time/units.ts';
import { type BreakPoints, breakPointsOf } from '../timeline/asset/breakPoints.ts';
import type { Title } from './title.ts';

export type TitlePoints = BreakPoints & {
  /** Those of one item, in flicks after its start. */
  of(index: number): BreakPoints;
};

/** Durations that editors and ad servers state are rounded, so a position up to a second past the end means the end. */
export const PAST_THE_END = FLICKS_PER_SECOND;

export function titlePoints({ items }: Title): TitlePoints {
  const known: BreakPoints[] = [];
  function of(index: number): BreakPoints {
    const { asset, renditions } = items[index]!;
    known[index] ??= breakPointsOf(asset, renditions);
    return known[index]!;
  }
  function within(requested: number, find: keyof BreakPoints): Flicks {
    const index = Math.max(
      items.findLastIndex(({ start }) => start <= requested),
      0,
    );
    const { start } = items[index]!;
    return flicks(start + of(index)[find](requested - start));
  }
  return {
    of,
    nearest: (requested) => within(requested, 'nearest'),
    atOrBefore: (requested) => within(requested, 'atOrBefore'),
  };
}
