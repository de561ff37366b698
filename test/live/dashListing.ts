// SPDX-License-Identifier: Apache-2.0
// What a viewer of DASH alone was shown, in the form of HLS: the segments of each Representation, numbered from the first one.
// Checks what is checked on sequence numbers otherwise: no segment changes, none is missing, and the edge keeps moving.
import { isOurs, type SeenPeriod, type SeenSegment } from '../laws/readBack.ts';

type Column = {
  readonly seen: Map<string, SeenSegment>;
  last?: SeenSegment;
  edge: number;
  movedAt: number;
};

/**
 * Milliseconds. The end of the newest segment is counted by its duration, until the media time of the next one is known; durations of
 * playlists are rounded, or estimated for gaps (src/ingest/live/hls/mediaTimes.ts).
 */
const TOLERANCE = 45;
/**
 * The same for missing segments: their durations are estimates until the media after them are known
 * (src/live/align/segmentLists.ts).
 */
const TOLERANCE_OF_MISSING = 500;
/** Milliseconds that an edge may stand still: three segments of six seconds. */
const LONGEST_STOP = 18_000;

/** The URLs of missing segments (EXT-X-GAP), and of those that follow them. */
type Gaps = { readonly missing: ReadonlySet<string>; readonly next: ReadonlySet<string> };

/** @param mayJump whether time may be missing between Periods and between two MPDs, because the origin was away */
export function createDashListing({ mayJump = false } = {}) {
  const columns = new Map<string, Column>();
  const periodNumbers = new Map<string, number>();
  const numberOf = (id: string): number => {
    if (!periodNumbers.has(id)) periodNumbers.set(id, periodNumbers.size);
    return periodNumbers.get(id)!;
  };

  function flatten(rung: string, periods: readonly SeenPeriod[]): Omit<SeenSegment, 'number'>[] {
    return periods.flatMap(({ id, starts, durations, urls, inits }) =>
      (urls[rung] ?? []).map((uri, index) => ({
        ...{ discontinuity: numberOf(id), uri, map: `URI="${inits[rung]}"` },
        ...{ range: '', keys: '', mapKeys: '' },
        ...{ date: starts[rung]![index]!, duration: durations[rung]![index]! },
      })),
    );
  }

  return {
    /**
     * @param gaps what HLS states about missing segments: an MPD leaves these out
     * @returns the listed segments of a Representation. @throws an Error when something has changed
     */
    add(rung: string, periods: readonly SeenPeriod[], now: number, gaps?: Gaps): SeenSegment[] {
      const column: Column = columns.get(rung) ?? { seen: new Map(), edge: 0, movedAt: now };
      columns.set(rung, column);
      const listed = flatten(rung, periods);
      const end = listed.at(-1)!;
      const edge = end.date + end.duration / 1000;
      if (edge < column.edge - TOLERANCE) throw new Error(`${rung}: the edge was ${column.edge}, then ${edge}`);
      column.edge = edge;
      return listed.map((each, index): SeenSegment => {
        const key = `${each.discontinuity} ${each.uri} ${Math.round(each.date / 100)}`;
        const known = column.seen.get(key);
        if (known !== undefined) {
          const change = Math.abs(known.duration - each.duration);
          const tolerance = gaps?.missing.has(each.uri) ? TOLERANCE_OF_MISSING : TOLERANCE;
          const isSame = Math.abs(known.date - each.date) < 1 && change <= (isOurs(each.uri) ? 0 : 1000 * tolerance);
          if (!isSame)
            throw new Error(`${rung}: a segment changed from ${JSON.stringify(known)} to ${JSON.stringify(each)}`);
          if (now - column.movedAt > LONGEST_STOP) throw new Error(`${rung}: the edge has not moved`);
          return known;
        }
        const { last } = column;
        const off = last === undefined ? 0 : each.date - last.date - last.duration / 1000;
        const isNewer = index === 0 || each.discontinuity !== last?.discontinuity;
        const isJump = mayJump && off > TOLERANCE && (isNewer || gaps?.next.has(each.uri));
        // Missing segments are left out, except where a Period would have none.
        if (off < -TOLERANCE && gaps?.missing.has(each.uri)) return { number: -1, ...each };
        const tolerance = gaps?.next.has(each.uri) ? TOLERANCE_OF_MISSING : TOLERANCE;
        if (!isJump && Math.abs(off) > tolerance) {
          throw new Error(`${rung}: ${each.uri} starts ${off} ms after the end of ${last!.uri}`);
        }
        const segment = { number: (last?.number ?? -1) + 1, ...each };
        Object.assign(column, { last: segment, movedAt: now });
        column.seen.set(key, segment);
        return segment;
      });
    },
  };
}
