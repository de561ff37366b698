// SPDX-License-Identifier: Apache-2.0
// The tracking events of an ad that follow from playback alone (VAST 4.2 §3.14), with their times. Events that only a player
// can detect, such as a click or mute, are passed on in the feed.
import { FLICKS_PER_MILLI, type Millis, millis, millisToFlicks } from '../../time/units.ts';
import { formatVastTime, type MacroValues } from '../../vast/macros.ts';
import type { InLineAd, TrackingEvent } from '../../vast/response.ts';
import { shownCreative } from '../pod/chooseMediaFiles.ts';
import { isRequestMacro } from '../request/macroNames.ts';
import { type AdRequestSession, requestVariables } from '../request/requestVariables.ts';
import type { AdRecord, BreakRecord } from './breakRecord.ts';

export type AdEvent = {
  /** The name in VAST; for a `progress` event with its time, as in `progress 5s`. */
  readonly name: string;
  /** Milliseconds after the ad's start. */
  readonly at: number;
  /** With unfilled macros; including those of all wrappers. */
  readonly urls: readonly string[];
};

/** The fraction of an ad at which each event occurs. A Map, because event names come from ad servers. */
const shares: ReadonlyMap<string, number> = new Map([
  ['loaded', 0],
  ['creativeView', 0],
  ['start', 0],
  ['firstQuartile', 0.25],
  ['midpoint', 0.5],
  ['thirdQuartile', 0.75],
  ['complete', 1],
]);

/** @returns undefined for an event that may occur at any time */
export const shareOf = (event: string): number | undefined => shares.get(event);

/** The events that mark how far an ad was played, whether or not they have tracking URLs. @param duration seconds */
export const playedEvents = (duration: number): { readonly name: string; readonly at: number }[] =>
  [...shares]
    .filter(([name]) => name !== 'loaded' && name !== 'creativeView')
    .map(([name, share]) => ({ name, at: share * duration * 1000 }));

const offsetOf = ({ offset }: TrackingEvent, duration: number): number | undefined => {
  if (offset === undefined) return undefined;
  return offset.kind === 'time' ? offset.at / FLICKS_PER_MILLI : (duration * offset.percent) / 100;
};

function timed(event: TrackingEvent, duration: number): { name: string; at: number } | undefined {
  if (event.event !== 'progress') {
    const share = shareOf(event.event);
    return share === undefined ? undefined : { name: event.event, at: share * duration };
  }
  const at = offsetOf(event, duration);
  // An offset after the end is never reached.
  if (at === undefined || at < 0 || at > duration) return undefined;
  return { name: `progress ${Math.round(at) / 1000}s`, at };
}

/** Events in time order, each with all its URLs. */
function groupedByName(events: readonly { name: string; at: number; url: string }[]): AdEvent[] {
  const byName = new Map<string, { name: string; at: number; urls: string[] }>();
  for (const { name, at, url } of events) {
    const known = byName.get(name) ?? { name, at, urls: [] };
    known.urls.push(url);
    byName.set(name, known);
  }
  return [...byName.values()].sort((one, other) => one.at - other.at);
}

/** @param duration seconds that the ad plays here, which may differ from those in its VAST */
export function adEvents(vast: InLineAd, duration: number): AdEvent[] {
  const ms = duration * 1000;
  const tracked = (shownCreative(vast)?.linear?.trackingEvents ?? []).flatMap((event) => {
    const when = timed(event, ms);
    return when === undefined ? [] : [{ ...when, url: event.url }];
  });
  return groupedByName([...vast.impressions.map(({ url }) => ({ name: 'impression', at: 0, url })), ...tracked]);
}

/** The events of the break itself (VMAP 1.0.1 §2.4). They occur with its first and last ad, since only ads are delivered. */
export function breakEvents({ tracking = [], ads }: BreakRecord, { adId, duration }: AdRecord): AdEvent[] {
  const stitched = ads.filter(({ outcome }) => outcome === 'stitched');
  const of = (name: string, at: number) =>
    tracking.flatMap(({ event, url }) => (event === name ? [{ name, at, url }] : []));
  return groupedByName([
    ...(stitched[0]?.adId === adId ? of('breakStart', 0) : []),
    ...(stitched.at(-1)?.adId === adId ? of('breakEnd', duration * 1000) : []),
  ]);
}

type BeaconEvent = {
  /** When the beacon is due. */
  readonly at: Millis;
  /** Milliseconds since the session was opened. In a VoD presentation, the content time of the break is used instead. */
  readonly mediaPlayhead: number;
  /** Milliseconds since the start of the ad; absent for an event that is not an ad's. */
  readonly adPlayhead?: number;
  /** Position in the pod, from 1. */
  readonly podPlace?: number;
  readonly ad?: InLineAd;
  /** The ad's media file. */
  readonly assetUrl?: string;
  /** VAST error code (§2.3.6.3). */
  readonly errorCode?: number;
  /** Eight digits and a UUID, the same each time this beacon is sent. */
  readonly cacheBuster: () => string;
  readonly transactionId: () => string;
};

const playhead = (ms: number): string => formatVastTime(millisToFlicks(Math.max(0, Math.round(ms))));

/** Registry and value of the ad's first UniversalAdId (VAST 4.2 §6, [UNIVERSALADID]). */
function universalId({ creatives }: InLineAd): string | undefined {
  const [id] = creatives.flatMap(({ universalAdIds }) => universalAdIds);
  return id && [id.registry, id.value].filter((part) => part !== undefined && part !== '').join(' ');
}

type EventMacro = (event: BeaconEvent) => string | undefined;

const eventMacros = new Map<string, EventMacro>([
  ['ADPLAYHEAD', ({ adPlayhead }) => (adPlayhead === undefined ? undefined : playhead(adPlayhead))],
  ['PODSEQUENCE', ({ podPlace }) => (podPlace === undefined ? undefined : String(podPlace))],
  ['ADSERVINGID', ({ ad }) => ad?.adServingId],
  ['UNIVERSALADID', ({ ad }) => ad && universalId(ad)],
  // Unknown (VAST 4.2 §6.1) if the ad was skipped.
  ['ASSETURI', ({ ad, assetUrl }) => assetUrl ?? (ad && '-1')],
  ['ERRORCODE', ({ errorCode }) => (errorCode === undefined ? undefined : String(errorCode))],
]);

/** The part of a break's record that its beacons depend on. */
type TrackedBreak = Pick<BreakRecord, 'id' | 'startsAt' | 'duration' | 'position'>;

/** CONTENTPLAYHEAD is its name before VAST 4.1. */
const isMediaPlayhead = (name: string): boolean => name === 'MEDIAPLAYHEAD' || name === 'CONTENTPLAYHEAD';

/** Whether a macro of this name is replaced in tracking URLs. */
export const isBeaconMacro = (name: string): boolean => eventMacros.has(name.toUpperCase()) || isRequestMacro(name);

/**
 * The values of macros in tracking URLs (VAST 4.2 §6): those of ad requests, and those of the event. They depend only on the
 * session and the event, so a beacon that is sent again has the same URL and can be recognized as a repetition.
 * @returns the value of a macro; undefined for an unknown macro, which is left unchanged
 */
export function beaconVariables(
  session: AdRequestSession,
  { id, startsAt, duration, position }: TrackedBreak,
): (event: BeaconEvent) => MacroValues {
  const place = position === undefined ? {} : { position: position.kind, contentTime: position.contentTime };
  const adBreak = { id, startsAt: millis(Date.parse(startsAt)), duration, ...place };
  return (event) => {
    const { at, cacheBuster, transactionId } = event;
    const requestValue = requestVariables(session, adBreak, { now: at, transactionId, cacheBuster });
    const mediaPlayhead = () => playhead(position === undefined ? event.mediaPlayhead : 1000 * position.contentTime);
    return (name) => {
      const upper = name.toUpperCase();
      return isMediaPlayhead(upper) ? mediaPlayhead() : (eventMacros.get(upper)?.(event) ?? requestValue(name));
    };
  };
}
