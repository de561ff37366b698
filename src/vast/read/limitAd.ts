// SPDX-License-Identifier: Apache-2.0
// Limits the size of an ad. Ad servers may list any number of URLs, and everything that is kept of an ad is processed for
// each of its viewers, so every list has a limit.

import type { TrackingEvent } from '../response.ts';
import { canonicalEvent } from '../trackingEvents.ts';
import { shortened } from '../xml/elements.ts';

/** Lists of URLs to request when something happens, with their names in warnings. They contain no other lists. */
const trackingLists: ReadonlyMap<string, string> = new Map([
  ['impressions', 'impression URLs'],
  ['errorUrls', 'Error URLs'],
  ['viewable', 'viewable URLs'],
  ['notViewable', 'notViewable URLs'],
  ['viewUndetermined', 'viewUndetermined URLs'],
  ['clickTrackings', 'click tracking URLs'],
  ['customClicks', 'custom click URLs'],
  ['viewTrackings', 'icon view tracking URLs'],
]);
/** Media files of an ad, over all its creatives: each is compared with the channel. */
const MAX_MEDIA_FILES = 40;
/** Items of any other list, such as creatives, companions and extensions. */
const MAX_OTHER_ITEMS = 100;

type ItemCount = { readonly kind: string; readonly limit: number; count: number };

const isMediaList = (key: string): boolean => key === 'mediaFiles' || key === 'mezzanines';
const isLeafList = (key: string): boolean => key === 'trackingEvents' || trackingLists.has(key) || isMediaList(key);

/** Counts the items of an ad by kind. An ad may have tens of thousands of items, so counting one is a single look-up. */
class ItemCounts {
  readonly #maxUrls: number;
  readonly #kinds = new Map<string, ItemCount>();
  readonly #events = new Map<string, ItemCount>();

  constructor(maxUrls: number) {
    this.#maxUrls = maxUrls;
  }

  /** @returns whether the item is within the limit of its kind */
  add(key: string, item: unknown): boolean {
    const counted = key === 'trackingEvents' ? this.#ofEvent((item as TrackingEvent).event) : this.#ofList(key);
    counted.count += 1;
    return counted.count <= counted.limit;
  }

  /** All events that VAST does not define share one limit. */
  #ofEvent(event: string): ItemCount {
    const known = this.#events.get(event);
    if (known !== undefined) return known;
    const kind = `tracking URLs for ${canonicalEvent(event) ?? 'events that VAST does not define'}`;
    const counted = this.#ofKind(kind, this.#maxUrls);
    this.#events.set(event, counted);
    return counted;
  }

  #ofList(key: string): ItemCount {
    if (isMediaList(key)) return this.#ofKind('media files', MAX_MEDIA_FILES);
    const urls = trackingLists.get(key);
    return urls === undefined ? this.#ofKind(key, MAX_OTHER_ITEMS) : this.#ofKind(urls, this.#maxUrls);
  }

  #ofKind(kind: string, limit: number): ItemCount {
    const counted = this.#kinds.get(kind) ?? { kind, limit, count: 0 };
    this.#kinds.set(kind, counted);
    return counted;
  }

  exceeded(): ItemCount[] {
    return [...this.#kinds.values()].filter(({ limit, count }) => count > limit);
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Of all lists. */
function countItems(value: object, key: string): number {
  let count = 0;
  if (Array.isArray(value)) {
    if (!isLeafList(key)) for (const item of value) if (isObject(item)) count += countItems(item, key);
    return count + value.length;
  }
  for (const name in value as object) {
    const inner = (value as Record<string, unknown>)[name];
    if (isObject(inner)) count += countItems(inner, name);
  }
  return count;
}

function isWithinLimits(value: object, key: string, counts: ItemCounts): boolean {
  if (Array.isArray(value)) {
    const isLeaf = isLeafList(key);
    return value.every(
      (item) => counts.add(key, item) && (isLeaf || !isObject(item) || isWithinLimits(item, key, counts)),
    );
  }
  for (const name in value as object) {
    const inner = (value as Record<string, unknown>)[name];
    if (isObject(inner) && !isWithinLimits(inner, name, counts)) return false;
  }
  return true;
}

function cut(value: unknown, key: string, counts: ItemCounts): unknown {
  if (Array.isArray(value)) {
    const kept = value.filter((item) => counts.add(key, item));
    return isLeafList(key) ? kept : kept.map((item) => cut(item, key, counts));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner, name, counts)]));
}

/**
 * Limits the lists of an ad, or of another object with tracking URLs.
 * @param maxUrls tracking URLs for each event
 * @param name for warnings, e.g. `Ad "7"`
 * @param warn called for each kind of item that exceeds its limit
 */
export function limitAd<T extends object>(ad: T, maxUrls: number, name: string, warn: (text: string) => void): T {
  // Most ads have fewer items in all than any list may have.
  if (countItems(ad, '') <= Math.min(maxUrls, MAX_MEDIA_FILES)) return ad;
  if (isWithinLimits(ad, '', new ItemCounts(maxUrls))) return ad;
  const counts = new ItemCounts(maxUrls);
  const kept = cut(ad, '', counts) as T;
  for (const { kind, limit, count } of counts.exceeded()) {
    warn(`${name} has ${count} ${kind}; the first ${limit} are used`);
  }
  return kept;
}

export const nameOfAd = ({ id }: { readonly id?: string }): string => (id ? `Ad "${shortened(id)}"` : 'An ad');
