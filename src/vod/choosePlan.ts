// SPDX-License-Identifier: Apache-2.0
// What names the breaks of a title, by the channel's `breakSource`.
import type { BreakSource } from '../channels/channel.ts';
import type { ContentItem } from '../channels/playlist.ts';
import type { BreakPlan } from './breakPlan.ts';
import { hasMarkers, planCuePoints } from './planCuePoints.ts';
import { planMarkers } from './planMarkers.ts';
import type { Title } from './title.ts';

/** `auto`: cue points before markers, and the ad server when there are neither. */
function sourceOf(title: Title, items: readonly ContentItem[]): Exclude<BreakSource, 'auto'> {
  if (items.some(({ cuePoints = [] }) => cuePoints.length > 0)) return 'cuePoints';
  return hasMarkers(title) ? 'manifest' : 'vmap';
}

/** @returns undefined when the ad server names the breaks, so that no plan exists before its response (planVmap.ts) */
export function choosePlan(
  title: Title,
  items: readonly ContentItem[],
  breakSource: BreakSource = 'auto',
  breakDuration?: number,
): BreakPlan | undefined {
  switch (breakSource === 'auto' ? sourceOf(title, items) : breakSource) {
    case 'cuePoints':
      return planCuePoints(title, items, breakDuration);
    case 'manifest':
      return planMarkers(title, breakDuration);
    case 'vmap':
      return undefined;
  }
}
