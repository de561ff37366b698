// SPDX-License-Identifier: Apache-2.0
// The current, next or last pod of a session as VAST, with its time in an Extension. URLs that the server requests itself are
// left out, so a player that requests all URLs counts nothing twice.
import { type BreakRecord, type StitchedAd, stitchedAds } from '../../ads/record/breakRecord.ts';
import type { Millis } from '../../time/units.ts';
import type { Creative, InLineAd, TrackingEvent, VastExtension } from '../../vast/response.ts';
import { writeVast } from '../../vast/write/writeVast.ts';
import { readXml } from '../../xml/read.ts';
import { element, escapeText, inlineElement } from '../../xml/write.ts';
import { eventSender, type FeedContext, isBeforeCut, momentOf, shownRange } from './feedEvents.ts';

/** Milliseconds before its start from which a pod is listed. */
const LISTED_AHEAD = 30_000;

const startOf = ({ startsAt }: BreakRecord): number => Date.parse(startsAt);
const endOf = (record: BreakRecord): number => startOf(record) + record.duration * 1000;

/** The break with ads that is on air, else the next one, else the last one that a player `depth` ms behind may show. */
export function nearestBreak(breaks: readonly BreakRecord[], now: Millis, depth: number): BreakRecord | undefined {
  const filled = breaks.filter((record) => stitchedAds(record).length > 0);
  const isOnAir = (record: BreakRecord) => startOf(record) <= now && now < endOf(record);
  const isSoon = (record: BreakRecord) => startOf(record) > now && startOf(record) - now <= LISTED_AHEAD;
  const isShown = (record: BreakRecord) => endOf(record) <= now && endOf(record) > now - depth;
  return filled.find(isOnAir) ?? filled.find(isSoon) ?? filled.findLast(isShown);
}

/** The creative without events that the server sends, and without events of a cut ad that were not reached. */
function playerEvents(creative: Creative, record: StitchedAd, tracking: FeedContext['tracking']): Creative {
  const { linear } = creative;
  if (linear === undefined) return creative;
  const isOwn = ({ event }: TrackingEvent) => tracking === 'client' || eventSender(event, 'server') === 'player';
  const trackingEvents = linear.trackingEvents.filter((event) => isOwn(event) && isBeforeCut(event, record));
  return { ...creative, linear: { ...linear, trackingEvents } };
}

/** Adds an Extension with the ad's id in the manifest and its time: the date and the seconds of the presentation. */
function withTiming(record: StitchedAd, breakId: string, sequence: number | undefined, context: FeedContext): InLineAd {
  const { adId, startsAt } = record;
  const range = shownRange(record);
  const { duration } = range;
  const { sequence: _, ...ad } = elementsOnly(record.vast);
  const { startTimeInSeconds } = momentOf(range, context.zero);
  const zero = new Date(context.zero).toISOString();
  const timing = { adId, breakId, startsAt, duration, startTimeInSeconds, zero, tracking: context.tracking };
  const extension = { type: 'midroll:timing', attributes: {}, content: element('AdTiming', timing) };
  return {
    ...ad,
    ...(context.tracking === 'server' ? { impressions: [] } : {}),
    creatives: ad.creatives.map((creative) => playerEvents(creative, record, context.tracking)),
    extensions: [...ad.extensions, extension],
    ...(sequence === undefined ? {} : { sequence }),
  };
}

/** The ads of breaks, one after the other. @param adId only this ad. @returns undefined if there is none */
export function writePodVast(records: readonly BreakRecord[], context: FeedContext, adId?: string): string | undefined {
  const all = records.flatMap((record) => stitchedAds(record).map((ad) => ({ ad, breakId: record.id })));
  const ads = all.filter(({ ad }) => adId === undefined || ad.adId === adId);
  if (ads.length === 0) return undefined;
  const isPod = adId === undefined && ads.length > 1;
  return writeVast(
    ads.map(({ ad, breakId }, index) => withTiming(ad, breakId, isPod ? index + 1 : undefined, context)),
  );
}

// Makes extensions valid against the schema of VAST 4.2, which allows elements only and no attribute but `type`. Ad servers
// also write text and other attributes; these are moved into a wrapping element.

/** @param allowsAttributes the schema allows other attributes on CreativeExtension, but not on Extension */
function tidy(extension: VastExtension, allowsAttributes: boolean): VastExtension {
  const { attributes, content } = extension;
  const read = readXml(`<Content>${content}</Content>`);
  const hasElementsOnly = 'root' in read && read.root.text.trim() === '' && read.root.mixed === undefined;
  if (hasElementsOnly && (allowsAttributes || Object.keys(attributes).length === 0)) return extension;
  const inner = 'root' in read ? content : escapeText(content);
  const wrapped = inlineElement('Content', allowsAttributes ? {} : attributes, inner);
  return { ...extension, attributes: allowsAttributes ? attributes : {}, content: wrapped };
}

const tidyCreative = (creative: Creative): Creative => ({
  ...creative,
  extensions: creative.extensions.map((one) => tidy(one, true)),
  ...(creative.companionAds === undefined
    ? {}
    : {
        companionAds: {
          ...creative.companionAds,
          companions: creative.companionAds.companions.map((one) => ({
            ...one,
            extensions: one.extensions.map((extension) => tidy(extension, true)),
          })),
        },
      }),
});

/** @returns the ad with extensions that are valid against the schema */
export const elementsOnly = (ad: InLineAd): InLineAd => ({
  ...ad,
  extensions: ad.extensions.map((one) => tidy(one, false)),
  creatives: ad.creatives.map(tidyCreative),
});
