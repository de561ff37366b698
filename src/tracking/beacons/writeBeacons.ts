// SPDX-License-Identifier: Apache-2.0
// Converts delivered events to beacons: one row for each URL, with macros replaced. The result depends only on the session and
// the event, so every process writes the same row for the same event.
import { beaconVariables } from '../../ads/record/adEvents.ts';
import { type BreakRecord, stitchedAds } from '../../ads/record/breakRecord.ts';
import type { Session } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';
import { fillMacros } from '../../vast/macros.ts';
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

/** @returns the beacons of delivered events of an ad */
export function deliveredBeacons(
  session: Session,
  record: BreakRecord,
  adId: string,
  due: readonly DueEvent[],
  now: Millis,
): NewBeacon[] {
  const { id: sessionId, tenant, channelId, viewer, openedAt } = session;
  const stitched = stitchedAds(record);
  const index = stitched.findIndex((one) => one.adId === adId);
  const { vast: ad, assetUrl } = stitched[index] ?? {};
  const ofAd = ad && { ad, podPlace: index + 1, ...(assetUrl === undefined ? {} : { assetUrl }) };
  const variablesOf = beaconVariables(session, record);
  const beacons: NewBeacon[] = [];
  for (const { event, ownerId, happensAt, dueAt } of due) {
    const { name, urls } = event;
    for (const [nth, url] of urls.entries()) {
      const variables = variablesOf({
        at: dueAt,
        adPlayhead: event.at,
        mediaPlayhead: happensAt - openedAt,
        // Computing them is slow, and not every URL has them.
        cacheBuster: () => cacheBusterOf(`${sessionId} ${ownerId} ${name} ${nth}`),
        transactionId: () => transactionOf(`${sessionId} ${ownerId}`),
        ...ofAd,
      });
      const filled = fillMacros(url, variables);
      beacons.push({
        tenant,
        channelId,
        sessionId,
        ownerId,
        event: name,
        nth,
        url: filled,
        viewer,
        recordedAt: now,
        dueAt,
      });
    }
  }
  return beacons;
}
