// SPDX-License-Identifier: Apache-2.0
// Counts deliveries from their database rows, a few seconds after they were recorded. If a process is killed, the rows remain
// and the next process counts them (docs/decisions/018-counting-deliveries.md).
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Millis } from '../../time/units.ts';
import { deliveryFact } from '../../tracking/deliveries/deliveryFact.ts';
import { createCounter } from '../count/counter.ts';
import { deliveryEvents } from '../count/deliveryEvents.ts';
import { reportIntervalOf } from '../event.ts';
import type { DeliveryCounts, UncountedAd } from '../ports.ts';
import { writeSpoolEntry } from './spoolEntry.ts';

/** Rows that are processed in one turn of the event loop and one transaction. */
const MAX_ROWS_AT_ONCE = 250;

/** Many viewers receive the same ads at the same time. Equal deliveries are computed once. */
function groupEqual(ads: readonly UncountedAd[]): { readonly one: UncountedAd; readonly times: number }[] {
  const groups = new Map<string, { readonly one: UncountedAd; times: number }>();
  for (const one of ads) {
    const { ad, ends, before, after, at } = one;
    const key = JSON.stringify([ad, ends, before, after, reportIntervalOf(at)]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { one, times: 1 });
    else known.times += 1;
  }
  return [...groups.values()];
}

function entryOf(ads: readonly UncountedAd[], now: Millis): string | undefined {
  const counter = createCounter();
  for (const { one, times } of groupEqual(ads)) {
    deliveryEvents(deliveryFact(one.ad, one.ends, one), times).forEach(counter.record);
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
