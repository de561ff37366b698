// SPDX-License-Identifier: Apache-2.0
// What a VMAP document can refer to by number (`#1`) if the content has cue points and no markers: the breaks of the cue points.
// A session stores them instead of its items, which may have thousands of cue points.
import type { ContentItem } from '../channels/playlist.ts';
import type { PlannedBreak } from './breakPlan.ts';
import { planCuePoints } from './planCuePoints.ts';
import type { Title } from './title.ts';

export type Opportunity = Pick<PlannedBreak, 'at' | 'until' | 'requested' | 'duration' | 'isOpen' | 'maxAds'>;

export const hasMarkers = ({ items }: Title): boolean =>
  items.some(({ asset: { markers = [] } }) => markers.length > 0);

/**
 * @param items those of the playlist, in the order of the title's items
 * @param breakDuration seconds of a break whose cue point has no maxDuration
 */
export function cueOpportunities(title: Title, items: readonly ContentItem[], breakDuration?: number): Opportunity[] {
  if (hasMarkers(title) || items.every(({ cuePoints = [] }) => cuePoints.length === 0)) return [];
  return planCuePoints(title, items, breakDuration).breaks.map(({ at, requested, duration, maxAds }) => ({
    ...{ at, requested, duration },
    ...(maxAds === undefined ? {} : { maxAds }),
  }));
}
