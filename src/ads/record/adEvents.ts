// SPDX-License-Identifier: Apache-2.0
// The tracking events of an ad that follow from playback alone (VAST 4.2 §3.14), with their times. Events that only a player
// can detect, such as a click or mute, are passed on in the feed.
import { FLICKS_PER_MILLI } from '../../time/units.ts';
import type { InLineAd, TrackingEvent } from '../../vast/response.ts';
import { shownCreative } from '../pod/adMedia.ts';
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
