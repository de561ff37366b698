// SPDX-License-Identifier: Apache-2.0
// Converts the items of a playlist to the slots of one cycle: content, and breaks as slate of a fixed length.
import { type Flicks, type FrameRate, flicks } from '../../time/units.ts';
import type { Asset, Rendition } from '../../timeline/asset/asset.ts';
import { type Clip, cutClip } from '../../timeline/asset/clip.ts';
import { type CueReport, type Landing, landCuePoints } from '../cuePoints.ts';
import type { ContentItem } from '../playlist.ts';
import { partOf, type SlotPlan } from './edition.ts';

/** An item that fits the ladder. */
export type ReadyItem = {
  readonly index: number;
  readonly item: ContentItem;
  readonly asset: Asset;
  readonly renditions: readonly Rendition[];
};

/** The slate of a channel. Without slate there are no breaks. */
export type Slate = { readonly id: string; readonly clip: (frames: number) => Clip };

/** The content of a part from `from` to `to`, as slots; empty when a rung would have no segment. */
function contentSlot({ index, asset, renditions }: ReadyItem, part: number, from: Flicks, to: Flicks): SlotPlan[] {
  const clip = cutClip({ kind: 'content', asset, part, from }, renditions, to);
  return clip === undefined ? [] : [{ clip, item: index, at: flicks(partOf({ asset, part }).start + from) }];
}

const breakSlot = (index: number, { cue, at, frames }: Landing, slate: Slate): SlotPlan => ({
  clip: slate.clip(frames),
  item: index,
  at,
  break: { frames, slateId: slate.id, ...(cue.maxAds === undefined ? {} : { maxAds: cue.maxAds }) },
});

/**
 * @param range of the asset, from and to points where it can have a break; all of it by default
 * @returns `breakFrames`: of its breaks, also if there is no slate to make them with
 */
export function planItem(
  ready: ReadyItem,
  rate: FrameRate,
  slate: Slate | undefined,
  breakDuration?: number,
  range: { readonly from: Flicks; readonly to: Flicks } = { from: flicks(0), to: ready.asset.duration },
): { slots: SlotPlan[]; reports: CueReport[]; breakFrames: number } {
  const { item, asset, renditions, index } = ready;
  const { landings: all, reports } = landCuePoints(item, asset, renditions, rate, breakDuration);
  const within = all.filter(({ at }) => at >= range.from && at <= range.to);
  const breakFrames = within.reduce((sum, { frames }) => sum + frames, 0);
  const landings = slate === undefined ? [] : within;
  const slots: SlotPlan[] = [];
  let next = 0;
  asset.parts.forEach((part, number) => {
    let from = flicks(Math.max(0, range.from - part.start));
    const end = flicks(Math.min(part.duration, range.to - part.start));
    if (end <= from) return;
    for (let landing = landings[next]; landing && landing.at < part.start + end; landing = landings[next]) {
      const at = flicks(landing.at - part.start);
      if (at > from) slots.push(...contentSlot(ready, number, from, at));
      if (slate) slots.push(breakSlot(index, landing, slate));
      from = at;
      next += 1;
    }
    slots.push(...contentSlot(ready, number, from, end));
  });
  if (slate === undefined) {
    const reason = 'there is no slate to fill a break with';
    return { slots, breakFrames, reports: reports.map(({ spliceTime }) => ({ spliceTime, reason })) };
  }
  for (const landing of landings.slice(next)) slots.push(breakSlot(index, landing, slate));
  return { slots, breakFrames, reports };
}
