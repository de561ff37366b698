// SPDX-License-Identifier: Apache-2.0
// An inserted break is on the timeline of each origin of its channel. For operators it is one break.
import type { LiveBreak } from './liveTypes.ts';

export const isInserted = ({ source }: Pick<LiveBreak, 'source'>): boolean => source === 'api';

/** The id by which the API ends or cancels a break. An id of the origin may contain any characters. */
export const breakId = (one: Pick<LiveBreak, 'source' | 'sourceId' | 'id'>): string =>
  isInserted(one) ? (one.sourceId ?? one.id) : one.id;

/** The same before and after an inserted break is placed on the timeline of an origin, which gives it another `id`. */
export const breakKey = (one: Pick<LiveBreak, 'source' | 'sourceId' | 'id' | 'origin'>): string =>
  isInserted(one) ? `api ${breakId(one)}` : `${one.origin} ${one.id}`;

const none = { decided: 0, withAds: 0 };

function sumViewers({ viewers: one }: LiveBreak, { viewers: other }: LiveBreak): Pick<LiveBreak, 'viewers'> {
  if (one === undefined && other === undefined) return {};
  const [a, b] = [one ?? none, other ?? none];
  return { viewers: { decided: a.decided + b.decided, withAds: a.withAds + b.withAds } };
}

/** Inserted breaks once, with the viewers of all origins; breaks of origins unchanged. */
export function mergeInserted(items: readonly LiveBreak[]): LiveBreak[] {
  const merged = new Map<string, LiveBreak>();
  for (const each of items) {
    const key = breakKey(each);
    const first = merged.get(key);
    merged.set(key, first === undefined ? each : { ...first, ...sumViewers(first, each) });
  }
  return [...merged.values()];
}
