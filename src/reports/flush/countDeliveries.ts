// Counts what was delivered: not as it happens, but from the rows that say so, a few seconds later. A process that is killed
// leaves the rows, and the next one counts them.
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Millis } from '../../time/units.ts';
import { deliveryFact } from '../../tracking/deliveries/deliveryFact.ts';
import { createCounter } from '../count/counter.ts';
import { deliveryEvents } from '../count/deliveryEvents.ts';
import { reportIntervalOf } from '../event.ts';
import type { DeliveryCounts, UncountedAd } from '../ports.ts';
import { writeSpoolEntry } from './spoolEntry.ts';

/** Rows that are read in one turn of the loop, and written in one transaction. */
const AT_ONCE = 250;

/** Viewers of a crowd are given the same ads at the same time: what is the same is worked out once. */
function alike(ads: readonly UncountedAd[]): { readonly one: UncountedAd; readonly times: number }[] {
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

function parcelOf(ads: readonly UncountedAd[], now: Millis): string | undefined {
  const counter = createCounter();
  for (const { one, times } of alike(ads)) {
    deliveryEvents(deliveryFact(one.ad, one.ends, one), times).forEach(counter.record);
  }
  return writeSpoolEntry(randomUUID(), counter.take(now, true));
}

/** Counts until nothing is left, or another process is at it. */
export async function countDeliveries(counts: DeliveryCounts, now: () => Millis): Promise<void> {
  for (;;) {
    const { number, ads, isAll } = await counts.uncounted(AT_ONCE);
    if (ads.length === 0 || !(await counts.count(number, ads, parcelOf(ads, now()))) || isAll) return;
    await turn();
  }
}
