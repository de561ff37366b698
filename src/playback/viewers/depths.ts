// SPDX-License-Identifier: Apache-2.0
import type { OnAirSession } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';
import { minWindowSeconds } from '../../timeline/programme/window.ts';
import type { Airing } from '../onAir/airing.ts';

/** What a session keeps of its channel's window when it is opened. */
export function reachOf({ playlistSize, timeShiftWindow, deltaUpdates }: Airing['channel']): OnAirSession['reach'] {
  return { playlistSize, timeShiftWindow, ...(deltaUpdates && { deltaUpdates }) };
}

/** How deep a session's window is in general, and at most: with a start of its own (`?start=`). In milliseconds. */
export type Depths = { readonly standard: number; readonly largest: number };

export function depthsOf({ reach }: OnAirSession, { ladder }: Pick<Airing, 'ladder'>): Depths {
  const { playlistSize, timeShiftWindow } = reach;
  const standard = Math.max(playlistSize, minWindowSeconds(ladder)) * 1000;
  return { standard, largest: Math.max(standard, timeShiftWindow * 1000) };
}

/** How deep a session's window becomes: one with a start of its own grows. In milliseconds. */
export function finalDepth(session: OnAirSession, airing: Pick<Airing, 'ladder'>): number {
  const { standard, largest } = depthsOf(session, airing);
  return session.start === undefined ? standard : largest;
}

/** The same if players can request updates of manifests instead of whole ones (`deltaUpdates`); otherwise 0. */
export const updatedDepth = (session: OnAirSession, airing: Pick<Airing, 'ladder'>): number =>
  session.reach.deltaUpdates === true ? finalDepth(session, airing) : 0;

/** Where windows start: a live origin may have deleted what is older. */
export const startOf = ({ programme }: Airing, from: number): Millis =>
  Math.max(from, programme.listedFrom ?? from) as Millis;

/**
 * The same for an edge that waits: the origin may have dropped what is before it, but no window starts after its edge. A session that
 * has a longer target duration than the feed does not start earlier than before (law 3).
 */
export const waitingFrom = ({ programme: { listedFrom }, declared }: Airing, from: number, edge: Millis): number =>
  Math.max(from, Math.min(listedFrom ?? from, edge - 1000 * minWindowSeconds(declared)));
