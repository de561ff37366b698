// SPDX-License-Identifier: Apache-2.0
// The markers that a synthetic live origin lists at an instant, as the readers of HLS and DASH place them.
import type { OriginSignal } from '../../../../src/live/origin.ts';
import { FLICKS_PER_SECOND, type Flicks, flicks } from '../../../../src/time/units.ts';
import type { TrueBreak, TrueRun } from './syntheticRuns.ts';

export type MarkerForm =
  /** `out` and `in`. */
  | 'plain'
  /** With a continuation at each segment. */
  | 'continued'
  /** With ids, listed for as long as the break touches the window, and announced ahead. */
  | 'ranges';

export type ListedWindow = {
  /** Indices into the segments of the first rung. */
  readonly first: number;
  readonly last: number;
  /** Announced ahead by so much. */
  readonly lead: Flicks;
};

type Draft = Omit<OriginSignal, 'number' | 'offset' | 'line'> & { readonly at: Flicks };

const lengthAt = (one: TrueBreak, at: Flicks): Flicks | undefined =>
  one.extended !== undefined && at >= one.extended.since ? one.extended.length : one.announced;

const length = (duration: Flicks | undefined) => (duration === undefined ? {} : { duration });
const written = (duration: Flicks | undefined): string =>
  duration === undefined ? '' : `:${(duration / FLICKS_PER_SECOND).toFixed(3)}`;

function plain(one: TrueBreak, borders: readonly Flicks[], isContinued: boolean): Draft[] {
  const source = 'EXT-X-CUE-OUT';
  const drafts: Draft[] = [
    { kind: 'out', at: one.start, source, raw: `#EXT-X-CUE-OUT${written(one.announced)}`, ...length(one.announced) },
  ];
  const end = one.end ?? flicks(one.start + 1);
  for (const at of isContinued ? borders : []) {
    if (at <= one.start || at >= end) continue;
    const duration = lengthAt(one, at);
    const elapsed = flicks(at - one.start);
    const raw = `#EXT-X-CUE-OUT-CONT:${(elapsed / FLICKS_PER_SECOND).toFixed(3)}${written(duration)}`;
    drafts.push({ kind: 'continue', at, elapsed, source: 'EXT-X-CUE-OUT-CONT', raw, ...length(duration) });
  }
  if (one.inner) {
    const duration = flicks(one.inner.end - one.inner.start);
    drafts.push({ kind: 'out', at: one.inner.start, duration, source, raw: `#EXT-X-CUE-OUT${written(duration)}` });
    drafts.push({ kind: 'in', at: one.inner.end, source: 'EXT-X-CUE-IN', raw: '#EXT-X-CUE-IN' });
  }
  if (one.isEndMarked) drafts.push({ kind: 'in', at: one.end!, source: 'EXT-X-CUE-IN', raw: '#EXT-X-CUE-IN' });
  return drafts;
}

function ranges(one: TrueBreak, edge: Flicks): Draft[] {
  const id = `daterange b${one.id}`;
  const duration = lengthAt(one, edge);
  const raw = `#EXT-X-DATERANGE:ID="b${one.id}"${written(duration)}`;
  const source = 'EXT-X-DATERANGE';
  const out: Draft = { kind: 'out', at: one.start, id, hint: `b${one.id}`, source, raw, ...length(duration) };
  if (!one.isEndMarked) return [out];
  return [out, { kind: 'in', at: one.end!, id, source, raw: `#EXT-X-DATERANGE:ID="b${one.id}",SCTE35-IN` }];
}

/** @param form of the run */
export function signalsOf(run: TrueRun, form: MarkerForm, { first, last, lead }: ListedWindow): OriginSignal[] {
  const list = run.segments[0]!;
  const [from, edge] = [list[first]!.start, flicks(list[last]!.start + list[last]!.duration)];
  const borders = list.slice(first, last + 1).map(({ start }) => start);
  const drafts = run.breaks.flatMap((one): Draft[] => {
    if (form === 'ranges') {
      const isAnnounced = one.start <= edge + lead && (one.end ?? one.start + (one.announced ?? 0)) >= from;
      if (!isAnnounced) return [];
      return ranges(one, edge).filter(({ kind, at }) => kind === 'out' || at <= edge);
    }
    return plain(one, borders, form === 'continued').filter(({ at }) => at >= from && at < edge);
  });
  const sorted = drafts.sort((a, b) => a.at - b.at);
  return sorted.map(({ at, ...signal }, index): OriginSignal => {
    const holder = Math.max(
      first,
      list.findLastIndex(({ start }, each) => each <= last && start <= at),
    );
    const number = run.firstNumbers[0]! + holder;
    return { ...signal, line: index + 1, number, offset: flicks(at - list[holder]!.start) };
  });
}
