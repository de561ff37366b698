// SPDX-License-Identifier: Apache-2.0
// Reads the bytes of an ad response, as far as a break, or the breaks of a presentation, can use them: a number of ads, each of
// limited size. Warnings report what was dropped.
import { charsetOf, decodeXml } from '../../xml/decodeXml.ts';
import type { TrackingEvent, VastAd, VastResponse } from '../response.ts';
import { inPlayingOrder } from '../response.ts';
import { canonicalEvent } from '../trackingEvents.ts';
import type { VastWarning } from '../vastWarning.ts';
import { isVmapRoot, readAdXml, type VastReadFailure } from '../xml/adXml.ts';
import { shortened } from '../xml/elements.ts';
import { readVastElement } from './readVast.ts';
import { readVmapElement, type VmapBreak, type VmapResponse, type VmapSource } from './readVmap.ts';

export type AdResponseBytes = {
  /** After redirects. */
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
};

export type ParsedAdResponse = {
  readonly document: VastResponse | VmapResponse | VastReadFailure;
  /** The start of its text. */
  readonly raw: string;
};

/** Kept of the text of a response. */
export const MAX_RAW_CHARACTERS = 64 * 1024;

export function readAdResponse({ url, bytes, contentType }: AdResponseBytes, limits: ResponseLimits): ParsedAdResponse {
  const text = decodeXml(bytes, charsetOf(contentType));
  return { document: limitResponse(readAdDocument(text, url), limits), raw: text.slice(0, MAX_RAW_CHARACTERS) };
}

/** VAST or VMAP. @param base URL of the document after redirects, against which relative URLs are resolved */
export function readAdDocument(
  input: Uint8Array | string,
  base?: string,
): VastResponse | VmapResponse | VastReadFailure {
  const xml = readAdXml(input);
  if (!('root' in xml)) return xml;
  const read = isVmapRoot(xml.root) ? readVmapElement : readVastElement;
  return read(xml.root, xml.warnings, base);
}

export type ResponseLimits = {
  /** Tracking URLs for each event of an ad. */
  readonly maxUrls: number;
  /** Characters of all ads together, as JSON. */
  readonly maxCharacters?: number;
};

/** Ads of a VAST document, including wrappers. No break holds more. */
export const MAX_ADS_PER_RESPONSE = 50;
/** Breaks of a VMAP document, and the ads of all of them. */
const MAX_BREAKS = 100;
const MAX_ADS_OF_BREAKS = 300;

/** Drops the extensions and custom data of VMAP, because Midroll does not use them. */
export function limitResponse<T extends VastResponse | VmapResponse | VastReadFailure>(
  response: T,
  limits: ResponseLimits,
): T {
  const ads = 'adBreaks' in response ? MAX_ADS_OF_BREAKS : MAX_ADS_PER_RESPONSE;
  const budget: Budget = { ads, characters: limits.maxCharacters ?? Number.POSITIVE_INFINITY };
  if ('ads' in response) return { ...response, ...limitVast(response, limits, budget) };
  if ('adBreaks' in response) return { ...response, ...limitVmap(response, limits, budget) };
  return response;
}

/** What remains of the limits of a document. */
type Budget = { ads: number; characters: number };

/** Warnings about the document as a whole have no line. */
const noteInto =
  (notes: VastWarning[]) =>
  (text: string): void =>
    void notes.push({ code: 'TOO_MANY_ITEMS', text });

function limitVast({ ads, errorUrls, warnings }: VastResponse, { maxUrls }: ResponseLimits, budget: Budget) {
  const notes: VastWarning[] = [];
  const first = inPlayingOrder(ads).slice(0, Math.min(budget.ads, MAX_ADS_PER_RESPONSE));
  if (ads.length > first.length) {
    const text = `the response has ${ads.length} ads; the first ${first.length} are used`;
    notes.push({ code: 'TOO_MANY_ADS', text });
  }
  const kept = new Map<VastAd, VastAd>();
  for (const ad of first) {
    const limited = limitAd(ad, maxUrls, nameOfAd(ad), noteInto(notes));
    const size = budget.characters === Number.POSITIVE_INFINITY ? 0 : JSON.stringify(limited).length;
    if (size > budget.characters) {
      const text = `${nameOfAd(ad)} is dropped because the response exceeds the size limit with it`;
      notes.push({ code: 'AD_TOO_LARGE', text });
      continue;
    }
    budget.characters -= size;
    kept.set(ad, limited);
  }
  budget.ads -= kept.size;
  const limited = limitAd({ errorUrls }, maxUrls, 'The response', noteInto(notes));
  return { ...limited, ads: ads.flatMap((ad) => kept.get(ad) ?? []), warnings: [...notes, ...warnings] };
}

function limitVmap({ adBreaks, warnings }: VmapResponse, limits: ResponseLimits, budget: Budget) {
  const notes: VastWarning[] = [];
  const kept: VmapBreak[] = [];
  for (const adBreak of adBreaks) {
    if (budget.ads <= 0 || kept.length >= MAX_BREAKS) {
      const text = `the response has ${adBreaks.length} breaks; the first ${kept.length} are used`;
      notes.push({ code: 'TOO_MANY_BREAKS', text });
      break;
    }
    const { source, trackingEvents, ...rest } = adBreak;
    const limited = limitAd({ trackingEvents }, limits.maxUrls, 'A break', noteInto(notes));
    kept.push({ ...rest, ...limited, extensions: [], ...(source && { source: limitSource(source, limits, budget) }) });
  }
  return { adBreaks: kept, extensions: [], warnings: [...notes, ...warnings] };
}

function limitSource(source: VmapSource, limits: ResponseLimits, budget: Budget): VmapSource {
  if (source.kind === 'vast') return { ...source, vast: { ...source.vast, ...limitVast(source.vast, limits, budget) } };
  return source.kind === 'custom' ? { ...source, data: '' } : source;
}

// Limits the size of an ad. Ad servers may list any number of URLs, and everything that is kept of an ad is processed for
// each of its viewers, so every list has a limit.

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

const isMediaList = (key: string): boolean => key === 'mediaFiles' || key === 'mezzanines';
const isLeafList = (key: string): boolean => key === 'trackingEvents' || trackingLists.has(key) || isMediaList(key);

/** The kind of an item of a list, and how many of them an ad may have. All events that VAST does not define share one limit. */
function kindOf(key: string, item: unknown, maxUrls: number): { readonly kind: string; readonly limit: number } {
  if (isMediaList(key)) return { kind: 'media files', limit: MAX_MEDIA_FILES };
  if (key === 'trackingEvents') {
    const event = canonicalEvent((item as TrackingEvent).event) ?? 'events that VAST does not define';
    return { kind: `tracking URLs for ${event}`, limit: maxUrls };
  }
  const urls = trackingLists.get(key);
  return urls === undefined ? { kind: key, limit: MAX_OTHER_ITEMS } : { kind: urls, limit: maxUrls };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

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

/** @param isKept whether an item is within the limit of its kind */
function cut(value: unknown, key: string, isKept: (key: string, item: unknown) => boolean): unknown {
  if (Array.isArray(value)) {
    const kept = value.filter((item) => isKept(key, item));
    return isLeafList(key) ? kept : kept.map((item) => cut(item, key, isKept));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner, name, isKept)]));
}

/** Limits the lists of an object with tracking URLs. @param maxUrls for each event @param name for warnings */
export function limitAd<T extends object>(ad: T, maxUrls: number, name: string, warn: (text: string) => void): T {
  // Most ads have fewer items in all than any list may have.
  if (countItems(ad, '') <= Math.min(maxUrls, MAX_MEDIA_FILES)) return ad;
  const counts = new Map<string, { readonly limit: number; count: number }>();
  const kept = cut(ad, '', (key, item) => {
    const { kind, limit } = kindOf(key, item, maxUrls);
    const counted = counts.get(kind) ?? { limit, count: 0 };
    counts.set(kind, counted);
    counted.count += 1;
    return counted.count <= limit;
  }) as T;
  const exceeded = [...counts].filter(([, { limit, count }]) => count > limit);
  for (const [kind, { limit, count }] of exceeded) warn(`${name} has ${count} ${kind}; the first ${limit} are used`);
  return exceeded.length === 0 ? ad : kept;
}

export const nameOfAd = ({ id }: { readonly id?: string }): string => (id ? `Ad "${shortened(id)}"` : 'An ad');
