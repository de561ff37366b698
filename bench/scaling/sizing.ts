// SPDX-License-Identifier: Apache-2.0
// What an installation of a size needs, from measured costs. Pure.
import type { Measured } from './costs.ts';
import type { EventCosts, Use } from './eventCosts.ts';

/** The viewer whom docs/scaling.md calculates with: visits of 45 minutes, four breaks of four ads an hour. */
const PROFILE = { opens: 60 / 45, breaks: 4, adsPerBreak: 4, adSeconds: 15 };

/** Of an hour that one viewer watches. */
export type ViewerHour = { readonly [name in keyof Use]: number } & {
  readonly manifests: number;
  readonly manifestBytes: number;
  readonly adRequests: number;
  readonly ads: number;
  readonly adSegments: number;
  readonly beacons: number;
};

export function viewerHour(costs: EventCosts): ViewerHour {
  const { visit, minute, decision, ad } = costs;
  const ads = PROFILE.breaks * PROFILE.adsPerBreak;
  const names = Object.keys(visit) as (keyof Use)[];
  const used = names.map((name): [string, number] => [
    name,
    PROFILE.opens * visit[name] + 60 * minute[name] + PROFILE.breaks * decision[name] + ads * ad[name],
  ]);
  const manifests = 60 * costs.manifestsPerMinute;
  return {
    ...(Object.fromEntries(used) as Use),
    ...{ manifests, manifestBytes: manifests * costs.manifestBytes, ads },
    adRequests: PROFILE.breaks * costs.adRequestsPerDecision,
    adSegments: ads * costs.segmentsPerAd,
    beacons: ads * costs.beaconsPerAd,
  };
}

export type Size = {
  /** Processors of all nodes in the busiest hour, fully used. */
  readonly nodeCores: number;
  readonly redisCores: number;
  readonly redisGigabytes: number;
  readonly postgresCores: number;
  readonly rowsPerSecond: number;
  readonly walMegabytesPerSecond: number;
  readonly ledgerGigabytesPerDay: number;
  readonly ledgerTerabytes: number;
  readonly manifestGigabits: number;
  readonly adGigabits: number;
};

export type SizeOptions = {
  readonly viewers: number;
  /** Hours at the peak that make up the viewing of a day. */
  readonly hoursADay: number;
  readonly retentionDays: number;
  /** Minutes of a visit, and after its end, that a session is stored. */
  readonly visitMinutes: number;
  readonly ttlMinutes: number;
  /** A key of `redisMemory`. */
  readonly response: string;
  readonly megabits: number;
};

export const SIZE: Omit<SizeOptions, 'viewers'> = {
  ...{ hoursADay: 8, retentionDays: 30, visitMinutes: 45, ttlMinutes: 15, response: '8', megabits: 4 },
};

export function sizeOf(measured: Measured, costs: EventCosts, options: SizeOptions): Size {
  const { viewers, visitMinutes } = options;
  const hour = viewerHour(costs);
  const perSecond = (value: number) => (viewers * value) / 3600;
  const { watched, perBreak } = measured.redisMemory[options.response]!;
  // As long as visits have been on average, and as many as ended within the TTL.
  const stored = (viewers * (visitMinutes + options.ttlMinutes)) / visitMinutes;
  const records = (PROFILE.breaks * visitMinutes) / 60;
  const ledger = (viewers * options.hoursADay * hour.beacons * measured.rowBytes.beacons!) / 1e9;
  const breakShare = (PROFILE.breaks * PROFILE.adsPerBreak * PROFILE.adSeconds) / 3600;
  return {
    nodeCores: perSecond(hour.nodeMs) / 1000,
    redisCores: perSecond(hour.redisMs) / 1000,
    redisGigabytes: (stored * (watched + records * perBreak)) / 1e9,
    postgresCores: perSecond(hour.postgresMs) / 1000,
    rowsPerSecond: perSecond(hour.sessionRows + hour.deliveryRows + hour.beaconRows),
    walMegabytesPerSecond: perSecond(hour.walBytes) / 1e6,
    ledgerGigabytesPerDay: ledger,
    ledgerTerabytes: (ledger * options.retentionDays) / 1000,
    manifestGigabits: (perSecond(hour.manifestBytes) * 8) / 1e9,
    adGigabits: (viewers * breakShare * options.megabits) / 1000,
  };
}
