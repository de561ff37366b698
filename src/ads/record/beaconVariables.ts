// What the macros of a tracking URL say (VAST 4.2 §6): those of the ad request, and what is known of the event. All of it
// follows from the session and the event, so a beacon that is sent again has the same URL and can be told from another.
import { type Millis, millis, millisToFlicks } from '../../time/units.ts';
import { formatVastTime, type MacroValues } from '../../vast/macros.ts';
import type { InLineAd } from '../../vast/response.ts';
import { type AdRequestSession, requestVariables } from '../request/requestVariables.ts';
import type { BreakRecord } from './breakRecord.ts';

export type BeaconEvent = {
  /** When it is due to be told. */
  readonly at: Millis;
  /** Milliseconds since the session was opened. */
  readonly mediaPlayhead: number;
  /** Milliseconds of the ad; absent where the event is no ad's. */
  readonly adPlayhead?: number;
  /** Place in the pod, from 1. */
  readonly podPlace?: number;
  readonly ad?: InLineAd;
  /** The ad's media file. */
  readonly assetUrl?: string;
  /** VAST's error code (§2.3.6.3). */
  readonly errorCode?: number;
  /** Eight digits and a UUID, the same whenever this beacon is sent. */
  readonly cacheBuster: string;
  readonly transactionId: string;
};

const playhead = (ms: number): string => formatVastTime(millisToFlicks(Math.max(0, Math.round(ms))));

/** What the URL of an InLine ad's first universal id says: registry and value (VAST 4.2 §6, [UNIVERSALADID]). */
function universalId({ creatives }: InLineAd): string | undefined {
  const [id] = creatives.flatMap(({ universalAdIds }) => universalAdIds);
  return id && [id.registry, id.value].filter((part) => part !== undefined && part !== '').join(' ');
}

type Telling = (told: BeaconEvent) => string | undefined;

const mediaPlayhead: Telling = (told) => playhead(told.mediaPlayhead);

const ours = new Map<string, Telling>([
  ['MEDIAPLAYHEAD', mediaPlayhead],
  // Its name before VAST 4.1.
  ['CONTENTPLAYHEAD', mediaPlayhead],
  ['ADPLAYHEAD', ({ adPlayhead }) => (adPlayhead === undefined ? undefined : playhead(adPlayhead))],
  ['PODSEQUENCE', ({ podPlace }) => (podPlace === undefined ? undefined : String(podPlace))],
  ['ADSERVINGID', ({ ad }) => ad?.adServingId],
  ['UNIVERSALADID', ({ ad }) => ad && universalId(ad)],
  // The value is not known where the record of the break is older than it (VAST 4.2 §6.1).
  ['ASSETURI', ({ ad, assetUrl }) => assetUrl ?? (ad && '-1')],
  ['ERRORCODE', ({ errorCode }) => (errorCode === undefined ? undefined : String(errorCode))],
]);

/** @param record the session's break; @returns undefined for a name that nobody knows: then the macro stays as it is */
export function beaconVariables(
  session: AdRequestSession,
  record: Pick<BreakRecord, 'id' | 'startsAt' | 'duration'>,
  told: BeaconEvent,
): MacroValues {
  const asked = { id: record.id, startsAt: millis(Date.parse(record.startsAt)), duration: record.duration };
  const { at, cacheBuster, transactionId } = told;
  const ofRequest = requestVariables(session, asked, { now: at, transactionId, cacheBuster });
  return (name) => ours.get(name.toUpperCase())?.(told) ?? ofRequest(name);
}
