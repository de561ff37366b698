// An ad as large as a break can use it. Ad servers may name any number of URLs; whatever is kept of an ad is handled for
// each of its viewers, so every list has a bound.

import type { TrackingEvent } from '../response.ts';
import { canonicalEvent } from '../values.ts';
import { shortened } from '../xml/elements.ts';

/** Lists of URLs that are called when something happens. Nothing in them holds another list. */
const CALLED = new Set([
  'impressions',
  'errorUrls',
  'viewable',
  'notViewable',
  'viewUndetermined',
  'clickTrackings',
  'customClicks',
  'viewTrackings',
]);
/** Of an ad, over all of its creatives: each is compared with the channel. */
const MOST_MEDIA = 40;
/** Of anything else that there may be several of: creatives, companions, extensions. */
const MOST_OTHERS = 100;

type Counted = { readonly what: string; readonly most: number; count: number };

const isMedia = (key: string): boolean => key === 'mediaFiles' || key === 'mezzanines';
const isLeafList = (key: string): boolean => key === 'trackingEvents' || CALLED.has(key) || isMedia(key);

/** Counts what an ad has, by kind: an ad may have tens of thousands of items, so an item costs one look-up. */
class Counts {
  readonly #mostUrls: number;
  readonly #kinds = new Map<string, Counted>();
  readonly #events = new Map<string, Counted>();

  constructor(mostUrls: number) {
    this.#mostUrls = mostUrls;
  }

  /** @returns whether it is one of the first of its kind */
  keep(key: string, item: unknown): boolean {
    const counted = key === 'trackingEvents' ? this.#ofEvent((item as TrackingEvent).event) : this.#ofList(key);
    counted.count += 1;
    return counted.count <= counted.most;
  }

  /** Events that VAST does not know share one bound. */
  #ofEvent(event: string): Counted {
    const known = this.#events.get(event);
    if (known !== undefined) return known;
    const what = `tracking URLs for ${canonicalEvent(event) ?? 'events that VAST does not define'}`;
    const counted = this.#kind(what, this.#mostUrls);
    this.#events.set(event, counted);
    return counted;
  }

  #ofList(key: string): Counted {
    if (isMedia(key)) return this.#kind('media files', MOST_MEDIA);
    return this.#kind(key, CALLED.has(key) ? this.#mostUrls : MOST_OTHERS);
  }

  #kind(what: string, most: number): Counted {
    const counted = this.#kinds.get(what) ?? { what, most, count: 0 };
    this.#kinds.set(what, counted);
    return counted;
  }

  exceeded(): Counted[] {
    return [...this.#kinds.values()].filter(({ most, count }) => count > most);
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function isWithin(value: unknown, key: string, counts: Counts): boolean {
  if (Array.isArray(value)) {
    const isLeaf = isLeafList(key);
    return value.every((item) => counts.keep(key, item) && (isLeaf || isWithin(item, key, counts)));
  }
  return !isObject(value) || Object.entries(value).every(([name, inner]) => isWithin(inner, name, counts));
}

function cut(value: unknown, key: string, counts: Counts): unknown {
  if (Array.isArray(value)) {
    const kept = value.filter((item) => counts.keep(key, item));
    return isLeafList(key) ? kept : kept.map((item) => cut(item, key, counts));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner, name, counts)]));
}

/**
 * The same ad, or what else has tracking URLs, with at most `mostUrls` of them for each event.
 * @param name for warnings, e.g. `Ad "7"`
 * @param warn is called for each kind of thing of which there were too many
 */
export function limitAd<T extends object>(ad: T, mostUrls: number, name: string, warn: (text: string) => void): T {
  if (isWithin(ad, '', new Counts(mostUrls))) return ad;
  const counts = new Counts(mostUrls);
  const kept = cut(ad, '', counts) as T;
  for (const { what, most, count } of counts.exceeded()) {
    warn(`${name} has ${count} ${what}; the first ${most} are used`);
  }
  return kept;
}

export const nameOfAd = ({ id }: { readonly id?: string }): string => (id ? `Ad "${shortened(id)}"` : 'An ad');
