// SPDX-License-Identifier: Apache-2.0
// The breaks of a title that the cue points of its items name.
import { DEFAULT_BREAK_DURATION } from '../channels/channel.ts';
import { landCue, requestedAt } from '../channels/cuePoints.ts';
import type { ContentItem, CuePoint } from '../channels/playlist.ts';
import { withoutUndefined } from '../invariant.ts';
import { type Flicks, flicks, flicksToSeconds } from '../time/units.ts';
import {
  arrangeBreaks,
  type BreakPlan,
  type PlannedBreak,
  type RefusedBreak,
  type RequestedBreak,
} from './breakPlan.ts';
import { PAST_THE_END, type Title, type TitleItem, titlePoints } from './title.ts';

const origin = 'cuePoint';

/** After the start of the item. A position at the duration that the editor declared means the end of the media. */
const positionOf = (cue: CuePoint, item: ContentItem, { asset }: TitleItem): Flicks =>
  item.spliceType !== 'percent' && cue.spliceTime === item.duration ? asset.duration : requestedAt(cue, item, asset);

function pastTheEnd(requested: Flicks, { asset, start }: TitleItem): RefusedBreak {
  const [at, end] = [requested, asset.duration].map((time) => flicksToSeconds(time).toFixed(1));
  const text = `The cue point at ${at} s is past the end of its item at ${end} s; move it, or use -1 for the end.`;
  return { origin, requested: flicks(start + requested), code: 'PAST_THE_END', text, sources: [] };
}

/** @param items of the title, in its order @param breakDuration seconds of a break whose cue point has no maxDuration */
export function planCuePoints(
  title: Title,
  items: readonly ContentItem[],
  breakDuration: number = DEFAULT_BREAK_DURATION,
): BreakPlan {
  const points = titlePoints(title);
  const requested: RequestedBreak[] = [];
  const refused: RefusedBreak[] = [];
  title.items.forEach((own, index) => {
    const item = items[index];
    if (item === undefined) return;
    for (const cue of item.cuePoints ?? []) {
      const position = positionOf(cue, item, own);
      if (position > own.asset.duration + PAST_THE_END) {
        refused.push(pastTheEnd(position, own));
        continue;
      }
      const landed = landCue(cue, position, points.of(index), title.ladder.frameRate, breakDuration);
      const wished = flicks(own.start + position);
      if ('reason' in landed) {
        const text = `The cue point at ${flicksToSeconds(position).toFixed(1)} s has no break: ${landed.reason}.`;
        refused.push({ origin, requested: wished, code: 'TOO_SHORT', text, sources: [] });
        continue;
      }
      requested.push({
        origin,
        at: flicks(own.start + landed.at),
        requested: wished,
        duration: landed.seconds,
        ...(cue.maxAds === undefined ? {} : { maxAds: cue.maxAds }),
        warnings: landed.warning === undefined ? [] : [landed.warning],
        sources: [],
      });
    }
  });
  return arrangeBreaks(requested, refused).plan;
}

// What a VMAP document can refer to by number (`#1`) if the content has cue points and no markers: the breaks of the cue points.
// A session stores them instead of its items, which may have thousands of cue points.

export type Opportunity = Pick<PlannedBreak, 'at' | 'until' | 'requested' | 'duration' | 'isOpen' | 'maxAds'>;

export const hasMarkers = ({ items }: Title): boolean =>
  items.some(({ asset: { markers = [] } }) => markers.length > 0);

/** @param items of the title, in its order @param breakDuration seconds of a break whose cue point has no maxDuration */
export function cueOpportunities(title: Title, items: readonly ContentItem[], breakDuration?: number): Opportunity[] {
  if (hasMarkers(title) || items.every(({ cuePoints = [] }) => cuePoints.length === 0)) return [];
  const { breaks } = planCuePoints(title, items, breakDuration);
  return breaks.map(({ at, requested, duration, maxAds }) => {
    return { at, requested, duration, ...withoutUndefined({ maxAds }) };
  });
}
