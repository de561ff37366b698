// Makes beacons of what happened: a row for each URL of each event, with its macros filled in. What the URL says follows
// from the session and the event alone, so whoever writes the same event writes the same row.

import { type BeaconEvent, beaconVariables } from '../../ads/record/beaconVariables.ts';
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import type { Session } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';
import { fillMacros } from '../../vast/macros.ts';
import type { InLineAd } from '../../vast/response.ts';
import type { DueEvent } from '../deliveries/recordDelivery.ts';
import type { NewBeacon } from './beacon.ts';

/** FNV-1a: spreads, and is the same everywhere. */
function hashOf(text: string, seed: number): number {
  let hash = 2166136261 ^ seed;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return hash >>> 0;
}

/** Eight digits that are a beacon's own (VAST 4.2 §6, [CACHEBUSTING]). */
const cacheBusterOf = (key: string): string => String(10_000_000 + (hashOf(key, 1) % 90_000_000));

/** In the shape of a UUID of version 8, which says nothing of how it came about (RFC 9562 §5.8). */
function transactionOf(key: string): string {
  const hex = [1, 2, 3, 4].map((seed) => hashOf(key, seed).toString(16).padStart(8, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

type Written = {
  readonly name: string;
  readonly urls: readonly string[];
  readonly ownerId: string;
  readonly dueAt: Millis;
  readonly told: Omit<BeaconEvent, 'at' | 'cacheBuster' | 'transactionId' | 'mediaPlayhead'> & {
    readonly happensAt: Millis;
  };
};

export function beaconsOf(
  session: Session,
  record: Pick<BreakRecord, 'id' | 'startsAt' | 'duration'>,
  { name, urls, ownerId, dueAt, told: { happensAt, ...told } }: Written,
  now: Millis,
): NewBeacon[] {
  const { id, tenant, channelId, viewer, openedAt } = session;
  // It is long in the making, and few want it.
  const transactionId = urls.some((url) => /transactionid/i.test(url)) ? transactionOf(`${id} ${ownerId}`) : '';
  return urls.map((url, nth): NewBeacon => {
    const key = `${id} ${ownerId} ${name} ${nth}`;
    const event: BeaconEvent = {
      ...told,
      at: dueAt,
      mediaPlayhead: happensAt - openedAt,
      cacheBuster: cacheBusterOf(key),
      transactionId,
    };
    const filled = fillMacros(url, beaconVariables(session, record, event));
    const common = { tenant, channelId, sessionId: id, ownerId, viewer, recordedAt: now };
    return { ...common, event: name, nth, url: filled, dueAt };
  });
}

/** The beacons of events that were delivered. */
export function deliveredBeacons(
  session: Session,
  record: BreakRecord,
  adId: string,
  due: readonly DueEvent[],
  now: Millis,
): NewBeacon[] {
  const stitched = record.ads.filter(({ outcome }) => outcome === 'stitched');
  const place = stitched.findIndex((one) => one.adId === adId);
  const { vast, assetUrl } = stitched[place] ?? {};
  return due.flatMap(({ event, ownerId, happensAt, dueAt }) => {
    const ofAsset = assetUrl === undefined ? {} : { assetUrl };
    const ofAd = vast === undefined ? {} : { ad: vast as InLineAd, podPlace: place + 1, ...ofAsset };
    const told = { happensAt, adPlayhead: event.at, ...ofAd };
    return beaconsOf(session, record, { name: event.name, urls: event.urls, ownerId, dueAt, told }, now);
  });
}
