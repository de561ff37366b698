// SPDX-License-Identifier: Apache-2.0
// Counts deliveries from their database rows, a few seconds after they were recorded. If a process is killed, the rows remain
// and the next process counts them (docs/decisions/010-report-counting.md).
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { groupBy } from '../../../../invariant.ts';
import { reportIntervalOf } from '../../../../time/reportInterval.ts';
import type { Millis } from '../../../../time/units.ts';
import { type DeliveryFact, deliveryFact } from '../../../../tracking/deliveries/deliveryFact.ts';
import { creativeName } from '../count/breakEvents.ts';
import { createCounter } from '../count/counter.ts';
import type { AdEventName, ReportEvent } from '../event.ts';
import type { DeliveryCounts, UncountedAd } from '../ports.ts';
import { writeSpoolEntry } from './flushReports.ts';

/** Rows that are processed in one turn of the event loop and one transaction. */
const MAX_ROWS_AT_ONCE = 250;

function entryOf(ads: readonly UncountedAd[], now: Millis): string | undefined {
  // Many viewers receive the same ads at the same time. Equal deliveries are computed once.
  const equal = groupBy(ads, ({ ad, ends, before, after, at }) =>
    JSON.stringify([ad, ends, before, after, reportIntervalOf(at)]),
  );
  const counter = createCounter();
  for (const group of equal.values()) {
    const [one] = group;
    deliveryEvents(deliveryFact(one.ad, one.ends, one), group.length).forEach(counter.record);
  }
  return writeSpoolEntry(randomUUID(), counter.take(now, true));
}

/** Returns when nothing is left to count, or when another process counts. */
export async function countDeliveries(counts: DeliveryCounts, now: () => Millis): Promise<void> {
  for (;;) {
    const { number, ads, isAll } = await counts.uncounted(MAX_ROWS_AT_ONCE);
    if (ads.length === 0 || !(await counts.count(number, ads, entryOf(ads, now()))) || isAll) return;
    await nextTurn();
  }
}

/** Report events by VAST event name (VAST 4.2 §3.14.1). */
const names: Readonly<Record<string, AdEventName>> = {
  start: 'started',
  firstQuartile: 'firstQuartile',
  midpoint: 'midpoint',
  thirdQuartile: 'thirdQuartile',
  complete: 'completed',
};

/** @param times the number of viewers with the same delivery */
function deliveryEvents({ ad, at, withdrawn, ...delivered }: DeliveryFact, times: number): ReportEvent[] {
  const of = { channel: ad.channelId, tenant: ad.tenant };
  const creative = creativeName(ad);
  const from = ad.source === undefined ? {} : { source: ad.source };
  const price = ad.price === undefined ? {} : { price: ad.price };
  const count = ({ ranges, events }: Pick<DeliveryFact, 'ranges' | 'events'>, signed: number) => {
    const progress = new Set(events.map((name) => names[name]).filter((name) => name !== undefined));
    return [
      ...ranges.map((range): ReportEvent => ({ ...of, ...from, ...range, type: 'adDelivered', times: signed })),
      ...[...progress].map((event): ReportEvent => {
        return { ...of, ...from, ...price, type: 'adProgress', at, creative, event, times: signed };
      }),
    ];
  };
  return [...count(delivered, times), ...count(withdrawn, -times)];
}
