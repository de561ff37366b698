// SPDX-License-Identifier: Apache-2.0
// Deliveries and beacons for the benchmark's server, composed as in the product, with break records of realistic size.
import { createEgressGuard } from '../src/adapters/http/egressGuard.ts';
import { createHostBreaker, createHttpBeacon } from '../src/adapters/http/httpBeacon.ts';
import type { Sql } from '../src/adapters/sql/sql.ts';
import { sqlBeacons } from '../src/adapters/sql/tracking/sqlBeacons.ts';
import { sqlDeliveries } from '../src/adapters/sql/tracking/sqlDeliveries.ts';
import { clipIdOf } from '../src/ads/placement/clipIds.ts';
import type { BreakRecord } from '../src/ads/record/breakRecord.ts';
import type { Millis } from '../src/time/units.ts';
import { createBeaconSender } from '../src/tracking/beacons/sendBeacons.ts';
import { deliveredBeacons } from '../src/tracking/beacons/writeBeacons.ts';
import { createRecordDelivery, type RecordDelivery } from '../src/tracking/deliveries/recordDelivery.ts';
import type { InLineAd } from '../src/vast/response.ts';

const EVENTS = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];

type Tracked = {
  /** The URL that beacons are sent to. */
  readonly receiver: string;
  readonly breakSeconds: number;
  /** Of each ad, at 25 frames per second. */
  readonly adFrames: readonly number[];
};

/** Ads whose InLine and wrapper track all six events, with 20 KB of their ad response. */
function recordText(breakId: string, startsAt: string, { receiver, breakSeconds, adFrames }: Tracked): string {
  const by = ['inline', 'wrapper'].map((who) => (event: string) => `${receiver}/${who}?e=${event}&cb=[CACHEBUSTING]`);
  const linear = { trackingEvents: EVENTS.flatMap((event) => by.map((url) => ({ event, url: url(event) }))) };
  const lists = { mediaFiles: [], mezzanines: [], interactiveFiles: [], closedCaptions: [], icons: [] };
  const vast = {
    impressions: by.map((url) => ({ url: url('impression') })),
    creatives: [{ universalAdIds: [], extensions: [], linear: { ...lists, ...linear } }],
  } as unknown as InLineAd;
  const record: BreakRecord = {
    ...{ id: breakId, startsAt, duration: breakSeconds, status: 'partial', warnings: [], slate: 0 },
    response: { version: '4.2', bytes: 20_000, raw: 'x'.repeat(20_000) },
    ads: adFrames.map((frames, ad) => ({
      ...{ adId: clipIdOf(breakId, ad), duration: frames / 25, outcome: 'stitched' },
      vast,
    })),
  };
  return JSON.stringify(record);
}

/** @returns what the live port needs. This process also sends the beacons, as a single node does. */
export function benchTracking(sql: Sql, tracked: Tracked, now: () => Millis): RecordDelivery {
  const beacons = sqlBeacons(sql);
  const startsAt = new Date(now()).toISOString();
  const log = (...what: unknown[]) => console.error(...what);
  const sender = createBeaconSender({
    store: beacons,
    send: createHttpBeacon(createEgressGuard({ allow: ['127.0.0.1'] })),
    breaker: createHostBreaker(),
    ...{ now, random: Math.random, log, onBeacon: () => undefined },
  });
  setInterval(() => void sender.sendDue(), 250);
  // As in a store: written once, read for each viewer.
  const texts = new Map<string, string>();
  const textOf = (breakId: string): string => {
    const text = texts.get(breakId) ?? recordText(breakId, startsAt, tracked);
    texts.set(breakId, text);
    return text;
  };
  return createRecordDelivery({
    deliveries: sqlDeliveries(sql),
    breakRecord: async (_, breakId) => JSON.parse(textOf(breakId)) as BreakRecord,
    recordBeacons: ({ session, adId, at }, record, due) =>
      beacons.record(deliveredBeacons(session, record, adId, due, at)),
  });
}
