// A session's pod as VAST again: what is on now, or soon, or was last; with its place on the clock in an Extension. What we
// call ourselves is left out, so that a player that calls everything in it counts nothing twice.
import type { AdRecord, BreakRecord } from '../../ads/record/breakRecord.ts';
import type { Millis } from '../../time/units.ts';
import type { Creative, InLineAd } from '../../vast/response.ts';
import { writeVast } from '../../vast/write/writeVast.ts';
import { element } from '../../xml/write.ts';
import { elementsOnly } from './elementsOnly.ts';
import { eventSender } from './eventSender.ts';
import { stitchedAds } from './feed.ts';
import type { FeedContext } from './feedEvents.ts';
import { momentOf } from './feedTimes.ts';

/** A pod is near from this many milliseconds before it starts. */
const SOON = 30_000;

const startOf = ({ startsAt }: BreakRecord): number => Date.parse(startsAt);
const endOf = (record: BreakRecord): number => startOf(record) + record.duration * 1000;

/**
 * The break with ads that is nearest to an instant: on, else about to come, else the last that a player may still show.
 * @param depth milliseconds that a player may be behind
 */
export function nearestBreak(breaks: readonly BreakRecord[], now: Millis, depth: number): BreakRecord | undefined {
  const filled = breaks.filter((record) => stitchedAds(record).length > 0);
  const isOn = (record: BreakRecord) => startOf(record) <= now && now < endOf(record);
  const isSoon = (record: BreakRecord) => startOf(record) > now && startOf(record) - now <= SOON;
  const isShown = (record: BreakRecord) => endOf(record) <= now && endOf(record) > now - depth;
  return filled.find(isOn) ?? filled.find(isSoon) ?? filled.findLast(isShown);
}

function leftToPlayer(creative: Creative): Creative {
  const { linear } = creative;
  if (linear === undefined) return creative;
  const trackingEvents = linear.trackingEvents.filter(({ event }) => eventSender(event, 'server') === 'player');
  return { ...creative, linear: { ...linear, trackingEvents } };
}

/** Names the ad in the manifest and says when it plays: the instant, and seconds of the presentation. */
function timed(record: AdRecord, breakId: string, sequence: number | undefined, frame: FeedContext): InLineAd {
  const { adId, startsAt, duration } = record;
  const { sequence: _its, ...ad } = elementsOnly(record.vast as InLineAd);
  const { startTimeInSeconds } = momentOf(Date.parse(startsAt!), duration, frame.zero);
  const zero = new Date(frame.zero).toISOString();
  const said = { adId, breakId, startsAt, duration, startTimeInSeconds, zero, tracking: frame.tracking };
  const extension = { type: 'midroll:timing', attributes: {}, content: element('AdTiming', said) };
  return {
    ...ad,
    ...(frame.tracking === 'server' ? { impressions: [], creatives: ad.creatives.map(leftToPlayer) } : {}),
    extensions: [...ad.extensions, extension],
    ...(sequence === undefined ? {} : { sequence }),
  };
}

/** @param adId only this ad of the pod; @returns undefined when there is no such ad */
export function writePodVast(record: BreakRecord, frame: FeedContext, adId?: string): string | undefined {
  const ads = stitchedAds(record).filter((ad) => adId === undefined || ad.adId === adId);
  if (ads.length === 0) return undefined;
  const isPod = adId === undefined && ads.length > 1;
  return writeVast(ads.map((ad, index) => timed(ad, record.id, isPod ? index + 1 : undefined, frame)));
}
