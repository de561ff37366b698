// What an ad wants to be told of, and when: the events that follow from playing alone (VAST 4.2 §3.14). Those that only a
// player can know, such as a click or a mute, are the feed's to hand on.
import { FLICKS_PER_MILLI } from '../../time/units.ts';
import type { InLineAd, TrackingEvent } from '../../vast/response.ts';
import { shownCreative } from '../pod/shownCreative.ts';
import type { AdRecord, BreakRecord } from './breakRecord.ts';

export type AdEvent = {
  /** As VAST calls it; of a `progress` event with its instant: `progress 5s`. */
  readonly name: string;
  /** Milliseconds after the ad's start. */
  readonly at: number;
  /** With macros in them; those of all wrappers. */
  readonly urls: readonly string[];
};

/** Shares of an ad at which its events lie. Ad servers name events as they like, so a name must not find what is not here. */
const shares: ReadonlyMap<string, number> = new Map([
  ['loaded', 0],
  ['creativeView', 0],
  ['start', 0],
  ['firstQuartile', 0.25],
  ['midpoint', 0.5],
  ['thirdQuartile', 0.75],
  ['complete', 1],
]);

/** @returns undefined for an event that may be at any time */
export const shareOf = (event: string): number | undefined => shares.get(event);

/** How far an ad was played, whether anybody wants to be told of it or not. @param duration seconds */
export const playedEvents = (duration: number): { readonly name: string; readonly at: number }[] =>
  ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'].map((name) => ({
    name,
    at: shareOf(name)! * duration * 1000,
  }));

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
  // What lies behind the end is never reached.
  if (at === undefined || at < 0 || at > duration) return undefined;
  return { name: `progress ${Math.round(at) / 1000}s`, at };
}

/** Events with their URLs, each once, in the order of their instants. */
function gathered(events: readonly { name: string; at: number; url: string }[]): AdEvent[] {
  const byName = new Map<string, { name: string; at: number; urls: string[] }>();
  for (const { name, at, url } of events) {
    const known = byName.get(name) ?? { name, at, urls: [] };
    known.urls.push(url);
    byName.set(name, known);
  }
  return [...byName.values()].sort((one, other) => one.at - other.at);
}

/** @param duration seconds that the ad plays here, which need not be those that its VAST says */
export function adEvents(vast: InLineAd, duration: number): AdEvent[] {
  const ms = duration * 1000;
  const tracked = (shownCreative(vast)?.linear?.trackingEvents ?? []).flatMap((event) => {
    const when = timed(event, ms);
    return when === undefined ? [] : [{ ...when, url: event.url }];
  });
  return gathered([...vast.impressions.map(({ url }) => ({ name: 'impression', at: 0, url })), ...tracked]);
}

/** Those of the break itself (VMAP 1.0.1 §2.4): told with its first ad and its last, since nothing else of it is delivered. */
export function breakEvents({ tracking = [], ads }: BreakRecord, { adId, duration }: AdRecord): AdEvent[] {
  const stitched = ads.filter(({ outcome }) => outcome === 'stitched');
  const of = (name: string, at: number) =>
    tracking.flatMap(({ event, url }) => (event === name ? [{ name, at, url }] : []));
  return gathered([
    ...(stitched[0]?.adId === adId ? of('breakStart', 0) : []),
    ...(stitched.at(-1)?.adId === adId ? of('breakEnd', duration * 1000) : []),
  ]);
}
