// An ad as large as a break can use it. Ad servers may name any number of URLs; whatever is kept of an ad is handled for
// each of its viewers, so every list has a bound.
import { shortened } from './elements.ts';
import type { TrackingEvent } from './response.ts';
import { canonicalEvent } from './values.ts';

/** Lists of URLs that are called when something happens. */
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
const MEDIA = new Set(['mediaFiles', 'mezzanines']);
/** Of an ad, over all of its creatives: each is compared with the channel. */
const MOST_MEDIA = 40;
/** Of anything else that there may be several of: creatives, companions, extensions. */
const MOST_OTHERS = 100;

type Bound = { readonly what: string; readonly most: number };
type Counted = Bound & { count: number };

/** Events that VAST does not know share one bound. */
const boundOf = (key: string, item: unknown, mostUrls: number): Bound => {
  if (key === 'trackingEvents') {
    const event = canonicalEvent((item as TrackingEvent).event) ?? 'events that VAST does not define';
    return { what: `tracking URLs for ${event}`, most: mostUrls };
  }
  if (MEDIA.has(key)) return { what: 'media files', most: MOST_MEDIA };
  return { what: key, most: CALLED.has(key) ? mostUrls : MOST_OTHERS };
};

type Keep = (key: string, item: unknown) => boolean;

function counting(mostUrls: number): { keep: Keep; counts: ReadonlyMap<string, Counted> } {
  const counts = new Map<string, Counted>();
  const keep: Keep = (key, item) => {
    const bound = boundOf(key, item, mostUrls);
    const counted = counts.get(bound.what) ?? { ...bound, count: 0 };
    counts.set(bound.what, counted);
    counted.count += 1;
    return counted.count <= bound.most;
  };
  return { keep, counts };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function isWithin(value: unknown, key: string, keep: Keep): boolean {
  if (Array.isArray(value)) return value.every((item) => keep(key, item) && isWithin(item, key, keep));
  return !isObject(value) || Object.entries(value).every(([name, inner]) => isWithin(inner, name, keep));
}

function cut(value: unknown, key: string, keep: Keep): unknown {
  if (Array.isArray(value)) return value.filter((item) => keep(key, item)).map((item) => cut(item, key, keep));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner, name, keep)]));
}

/**
 * The same ad, or what else has tracking URLs, with at most `mostUrls` of them for each event.
 * @param name for warnings, e.g. `Ad "7"`
 * @param warn is called for each kind of thing of which there were too many
 */
export function boundAd<T extends object>(ad: T, mostUrls: number, name: string, warn: (text: string) => void): T {
  if (isWithin(ad, '', counting(mostUrls).keep)) return ad;
  const { keep, counts } = counting(mostUrls);
  const kept = cut(ad, '', keep) as T;
  for (const { what, most, count } of counts.values()) {
    if (count > most) warn(`${name} has ${count} ${what}; the first ${most} are used`);
  }
  return kept;
}

export const nameOfAd = ({ id }: { readonly id?: string }): string => (id ? `Ad "${shortened(id)}"` : 'An ad');
