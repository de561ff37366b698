// When a viewer's decision for a break is begun. Viewers are spread over the time before it, so that an ad server is not
// stormed; but the first few who come are asked for at once, and what their ads need is made for all the others.
import { LRUCache } from 'lru-cache';
import type { Millis } from '../../time/units.ts';
import { leadOf, type OwnBreak } from './breaks.ts';
import type { Viewer } from './viewers.ts';

/** Viewers of a break, in each process, who are not spread. */
const PIONEERS = 4;
/** Breaks of which they are counted. */
const KNOWN_BREAKS = 2000;

/** @returns true when it is the viewer's turn, or has been; a pioneer is told so once */
export type DecisionPacing = (life: string, viewer: Viewer, own: OwnBreak, at: Millis) => boolean;

export function createDecisionPacing(): DecisionPacing {
  const pioneers = new LRUCache<string, number>({ max: KNOWN_BREAKS });
  return (life, { spread }, own, at) => {
    if (at >= own.due - leadOf(own, spread)) return true;
    const key = `${life} ${own.span.break!.id}`;
    const before = pioneers.get(key) ?? 0;
    if (before >= PIONEERS) return false;
    pioneers.set(key, before + 1);
    return true;
  };
}
