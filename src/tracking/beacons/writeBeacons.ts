// SPDX-License-Identifier: Apache-2.0
// Converts delivered events to beacons: one row for each URL, with macros replaced. The result depends only on the session and
// the event, so every process writes the same row for the same event.
import { type BeaconEvent, beaconVariables, type TrackedBreak } from '../../ads/record/adEvents.ts';
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import type { Session } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';
import { fillMacros } from '../../vast/macros.ts';
import type { InLineAd } from '../../vast/response.ts';
import type { DueEvent } from '../deliveries/dueEvents.ts';
import type { NewBeacon } from './beacon.ts';

/** FNV-1a. */
function hashOf(text: string, seed: number): number {
  let hash = 2166136261 ^ seed;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return hash >>> 0;
}

/** Eight digits, different for each beacon (VAST 4.2 §6, [CACHEBUSTING]). */
const cacheBusterOf = (key: string): string => String(10_000_000 + (hashOf(key, 1) % 90_000_000));

/** A UUID of version 8, which leaves its content to the implementation (RFC 9562 §5.8). */
function transactionOf(key: string): string {
  const hex = [1, 2, 3, 4].map((seed) => hashOf(key, seed).toString(16).padStart(8, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

type OwnedEvent = {
  readonly name: string;
  readonly urls: readonly string[];
  readonly ownerId: string;
  readonly dueAt: Millis;
  readonly variables: Omit<BeaconEvent, 'at' | 'cacheBuster' | 'transactionId' | 'mediaPlayhead'> & {
    readonly happensAt: Millis;
  };
};

function beaconsOf(
  session: Session,
  record: TrackedBreak,
  { name, urls, ownerId, dueAt, variables: { happensAt, ...variables } }: OwnedEvent,
  now: Millis,
): NewBeacon[] {
  const { id, tenant, channelId, viewer, openedAt } = session;
  // Computing it is slow, and few URLs contain it.
  const transactionId = urls.some((url) => /transactionid/i.test(url)) ? transactionOf(`${id} ${ownerId}`) : '';
  return urls.map((url, nth): NewBeacon => {
    const key = `${id} ${ownerId} ${name} ${nth}`;
    const event: BeaconEvent = {
      ...variables,
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

/** @returns the beacons of delivered events of an ad */
export function deliveredBeacons(
  session: Session,
  record: BreakRecord,
  adId: string,
  due: readonly DueEvent[],
  now: Millis,
): NewBeacon[] {
  const stitched = record.ads.filter(({ outcome }) => outcome === 'stitched');
  const index = stitched.findIndex((one) => one.adId === adId);
  const { vast, assetUrl } = stitched[index] ?? {};
  return due.flatMap(({ event, ownerId, happensAt, dueAt }) => {
    const ofAsset = assetUrl === undefined ? {} : { assetUrl };
    const ofAd = vast === undefined ? {} : { ad: vast as InLineAd, podPlace: index + 1, ...ofAsset };
    const variables = { happensAt, adPlayhead: event.at, ...ofAd };
    return beaconsOf(session, record, { name: event.name, urls: event.urls, ownerId, dueAt, variables }, now);
  });
}
