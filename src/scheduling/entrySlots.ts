// SPDX-License-Identifier: Apache-2.0
// What an entry plays: content and breaks, as the slots of an edition. Their positions count from the start of the entry.
import { type CueReport, moveWarning } from '../channels/cuePoints.ts';
import { type ContentItem, type CuePoint, POST_ROLL } from '../channels/playlist.ts';
import type { SlotPlan } from '../channels/schedule/edition.ts';
import { planItem, type ReadyItem, type Slate } from '../channels/schedule/planSlots.ts';
import {
  type Flicks,
  type FrameRate,
  flicks,
  flicksToSeconds,
  framesToFlicks,
  secondsToFlicks,
} from '../time/units.ts';
import type { AdMarker } from '../timeline/asset/asset.ts';
import { breakPointsOf, usableCutPoints } from '../timeline/asset/breakPoints.ts';
import { cuePointsOf } from './breakRules.ts';
import { type AssetSource, type EntryBreaks, isBreakRule } from './schedule.ts';

/** What a channel makes slots with. */
export type SlotMaker = {
  readonly rate: FrameRate;
  /** Without slate there are no breaks. */
  readonly slate: Slate | undefined;
  /** Seconds of a break that states no duration. */
  readonly breakDuration: number | undefined;
};

export type EntrySlots = {
  readonly slots: readonly SlotPlan[];
  /** Of content and breaks, also if there is no slate to make breaks with. */
  readonly length: Flicks;
  /** Seconds of the entry. */
  readonly reports: readonly CueReport[];
  readonly warnings: readonly string[];
};

type Range = { readonly from: Flicks; readonly to: Flicks };
type Piece = Range & { readonly cuePoints: readonly CuePoint[] };

/** @param ready the asset, as the item `index` of the schedule */
export function slotsOfAsset(
  ready: Omit<ReadyItem, 'item'>,
  source: AssetSource,
  breaks: EntryBreaks,
  maker: SlotMaker,
): EntrySlots {
  const { asset, renditions } = ready;
  const points = breakPointsOf(asset, renditions);
  const from = source.in === undefined ? flicks(0) : points.nearest(secondsToFlicks(source.in));
  const to = source.out === undefined ? asset.duration : points.nearest(secondsToFlicks(source.out));
  if (to <= from)
    return { slots: [], length: flicks(0), reports: [], warnings: ['nothing is left between its in and out points'] };
  const warnings = [
    movedWarning(source.in, from, 'its in point'),
    movedWarning(source.out, to, 'its out point'),
  ].flat();
  const pieces =
    breaks === 'markers'
      ? piecesOf(asset.markers ?? [], { from, to }, (at) => points.nearest(at))
      : [{ from, to, cuePoints: cuesOf(breaks, ready, { from, to }) }];
  const planned = pieces.map((piece) => {
    const item: ContentItem = { sourceType: 'url', url: asset.url, cuePoints: piece.cuePoints };
    return planItem({ ...ready, item }, maker.rate, maker.slate, maker.breakDuration, piece);
  });
  const start = flicksToSeconds(from);
  const sinceStart = (seconds: number): number => Math.round((seconds - start) * 1000) / 1000;
  return {
    length: lengthOf(planned, maker.rate),
    slots: planned.flatMap(({ slots }) => slots.map((slot) => ({ ...slot, at: flicks(slot.at - from) }))),
    reports: planned.flatMap(({ reports }) =>
      reports.map(({ spliceTime, landsAt, ...report }) => ({
        spliceTime: sinceStart(spliceTime),
        ...(landsAt === undefined ? {} : { landsAt: sinceStart(landsAt) }),
        ...report,
      })),
    ),
    warnings,
  };
}

const lengthOf = (planned: readonly ReturnType<typeof planItem>[], rate: FrameRate): Flicks =>
  flicks(
    planned.reduce((sum, { slots, breakFrames }) => {
      const content = slots.filter(({ break: own }) => own === undefined);
      return sum + framesToFlicks(breakFrames, rate) + content.reduce((all, { clip }) => all + clip.duration, 0);
    }, 0),
  );

function movedWarning(requested: number | undefined, at: Flicks, what: string): string[] {
  const { warning } = requested === undefined ? {} : moveWarning(secondsToFlicks(requested), at, what);
  return warning === undefined ? [] : [warning];
}

/** The cue points within a range, in seconds of the asset. One after the end is at the end, as in a playlist. */
function cuesOf(
  breaks: Exclude<EntryBreaks, 'markers'>,
  { asset, renditions }: Omit<ReadyItem, 'item'>,
  range: Range,
): CuePoint[] {
  const { from, to } = range;
  const [start, end] = [flicksToSeconds(from), flicksToSeconds(to)];
  const cues = isBreakRule(breaks)
    ? cuePointsOf(breaks, {
        duration: end - start,
        cutPoints: secondsWithin(usableCutPoints(asset, renditions), range),
        chapters: secondsWithin(asset.chapters ?? [], range),
      })
    : breaks;
  return cues.map((cue) => ({
    ...cue,
    spliceTime: cue.spliceTime === POST_ROLL ? end : Math.min(end, start + cue.spliceTime),
  }));
}

/** Of the points of an asset, those within a range, in seconds after its start. */
const secondsWithin = (points: readonly Flicks[], { from, to }: Range): number[] =>
  points.filter((point) => point >= from && point <= to).map((point) => flicksToSeconds(flicks(point - from)));

/** The content around the asset's markers: what a marked break replaces is not played. */
function piecesOf(markers: readonly AdMarker[], { from, to }: Range, pointAt: (at: number) => Flicks): Piece[] {
  const pieces: Piece[] = [];
  let start = from;
  for (const { at, until, duration } of markers) {
    const end = pointAt(at);
    if (end < start || end > to) continue;
    const length = duration ?? (until === undefined ? undefined : flicks(until - at));
    const maxDuration = length === undefined ? {} : { maxDuration: flicksToSeconds(length) };
    const cue: CuePoint = { spliceTime: flicksToSeconds(end), ...maxDuration };
    const last = pieces.at(-1);
    if (end === start && last !== undefined)
      pieces[pieces.length - 1] = { ...last, cuePoints: [...last.cuePoints, cue] };
    else pieces.push({ from: start, to: end, cuePoints: [cue] });
    start = until === undefined ? end : pointAt(until);
    if (start >= to) return pieces;
  }
  return [...pieces, { from: start, to, cuePoints: [] }];
}

/** The items of a playlist, each with its own cue points, as one entry. */
export function slotsOfPlaylist(items: readonly ReadyItem[], index: number, maker: SlotMaker): EntrySlots {
  let start = 0;
  const planned = items.map((item) => planItem(item, maker.rate, maker.slate, maker.breakDuration));
  const slots = planned.flatMap(({ slots: own }, position) => {
    const before = start;
    start += items[position]?.asset.duration ?? 0;
    return own.map((slot) => ({ ...slot, item: index, at: flicks(before + slot.at) }));
  });
  const reports = planned.flatMap((one) => one.reports);
  return { slots, length: lengthOf(planned, maker.rate), reports, warnings: [] };
}
