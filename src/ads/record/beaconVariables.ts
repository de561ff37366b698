// SPDX-License-Identifier: Apache-2.0
// The values of macros in tracking URLs (VAST 4.2 §6): those of ad requests, and those of the event. They depend only on the
// session and the event, so a beacon that is sent again has the same URL and can be recognized as a repetition.
import { type Millis, millis, millisToFlicks } from '../../time/units.ts';
import { formatVastTime, type MacroValues } from '../../vast/macros.ts';
import type { InLineAd } from '../../vast/response.ts';
import { type AdRequestSession, isRequestMacro, requestVariables } from '../request/requestVariables.ts';
import type { BreakRecord } from './breakRecord.ts';

export type BeaconEvent = {
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
  readonly cacheBuster: string;
  readonly transactionId: string;
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
  // Unknown (VAST 4.2 §6.1) for break records that were stored before Midroll kept it.
  ['ASSETURI', ({ ad, assetUrl }) => assetUrl ?? (ad && '-1')],
  ['ERRORCODE', ({ errorCode }) => (errorCode === undefined ? undefined : String(errorCode))],
]);

/** The part of a break's record that its beacons depend on. */
export type TrackedBreak = Pick<BreakRecord, 'id' | 'startsAt' | 'duration' | 'position'>;

/** CONTENTPLAYHEAD is its name before VAST 4.1. */
const isMediaPlayhead = (name: string): boolean => name === 'MEDIAPLAYHEAD' || name === 'CONTENTPLAYHEAD';

/** Whether a macro of this name is replaced in tracking URLs. */
export const isBeaconMacro = (name: string): boolean => eventMacros.has(name.toUpperCase()) || isRequestMacro(name);

/** @returns the value of a macro; undefined for an unknown macro, which is left unchanged */
export function beaconVariables(session: AdRequestSession, record: TrackedBreak, event: BeaconEvent): MacroValues {
  const { id, startsAt, duration, position } = record;
  const place = position === undefined ? {} : { position: position.kind, contentTime: position.contentTime };
  const adBreak = { id, startsAt: millis(Date.parse(startsAt)), duration, ...place };
  const { at, cacheBuster, transactionId } = event;
  const requestValue = requestVariables(session, adBreak, { now: at, transactionId, cacheBuster });
  const mediaPlayhead = () => playhead(position === undefined ? event.mediaPlayhead : 1000 * position.contentTime);
  return (name) => {
    const upper = name.toUpperCase();
    return isMediaPlayhead(upper) ? mediaPlayhead() : (eventMacros.get(upper)?.(event) ?? requestValue(name));
  };
}
