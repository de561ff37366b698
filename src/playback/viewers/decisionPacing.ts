// SPDX-License-Identifier: Apache-2.0
// When a viewer's decision for a break begins. Decisions are spread over the lead time so that the ad server does not receive
// all requests at once. Those of the first few viewers begin immediately, so that their creatives are prepared early.
import { LRUCache } from 'lru-cache';
import type { Millis } from '../../time/units.ts';
import { leadOf, type OwnBreak } from './breaks.ts';
import type { Viewer } from './viewers.ts';

/** Viewers per break and process who are not spread. */
const UNPACED_VIEWERS = 4;
/** Breaks for which they are counted. */
const MAX_COUNTED_BREAKS = 2000;

/** @returns whether the viewer's decision may begin; for an unpaced viewer, true only once */
export type DecisionPacing = (life: string, viewer: Viewer, own: OwnBreak, at: Millis) => boolean;

export function createDecisionPacing(): DecisionPacing {
  const unpaced = new LRUCache<string, number>({ max: MAX_COUNTED_BREAKS });
  return (life, { spread }, own, at) => {
    if (at >= own.due - leadOf(own, spread)) return true;
    const key = `${life} ${own.span.break!.id}`;
    const before = unpaced.get(key) ?? 0;
    if (before >= UNPACED_VIEWERS) return false;
    unpaced.set(key, before + 1);
    return true;
  };
}
