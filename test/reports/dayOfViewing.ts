// SPDX-License-Identifier: Apache-2.0
// A day on three channels, generated from a fixed seed as a list of events. truth.ts computes the expected reports from the
// same list.
import type { ReportEvent } from '../../src/platform/reports/rules/event.ts';
import { type Millis, millis } from '../../src/time/units.ts';
import { seededRandom } from '../seededRandom.ts';

export type Happening =
  | {
      readonly kind: 'poll';
      readonly at: number;
      readonly channel: string;
      readonly session: string;
      readonly ms: number;
    }
  | { readonly kind: 'event'; readonly event: Exclude<ReportEvent, { type: 'manifests' | 'watching' | 'stored' }> };

const DAY = 86_400_000;
const SESSIONS = 40;
const tenant = 'acme';
const channels = ['news', 'movies', 'sport'];
const creatives = ['car', 'tea', 'shoe', 'bank'];
const adServers = ['ads.example.com', 'more.example.net:8443'];
const sources = ['partner', 'exchange', undefined];
const reasons = ['BREAK_FULL', 'CREATIVE_PREPARING', 'WRAPPER_TIMEOUT'] as const;

/** @param start midnight, in milliseconds since 1970. @returns events in the order of time */
export function dayOfViewing(start: number): Happening[] {
  const random = seededRandom(7);
  const between = (least: number, most: number) => Math.floor(least + random() * (most - least));
  const one = <Item>(items: readonly Item[]): Item => items[between(0, items.length)]!;
  const happenings: Happening[] = [];
  const add = (event: Extract<Happening, { kind: 'event' }>['event']) => happenings.push({ kind: 'event', event });

  function showBreak(channel: string, at: Millis): void {
    const ms = one([30_030, 60_000, 14_999]);
    const filled = one([0, ms, Math.floor(ms / 2)]);
    const chosen = one(sources);
    const from = chosen === undefined ? {} : { source: chosen };
    const ads = filled === 0 ? [] : [{ at, ms: filled, ...from }];
    const slate = filled === ms ? [] : [{ at: millis(at + filled), ms: ms - filled }];
    const isRequested = filled > 0 || random() < 0.5;
    const demand = isRequested ? { requestedMs: ms - 1000 } : { notRequested: 'STORE_AWAY' };
    add({ type: 'breakDecided', at, channel, tenant, ms, ads, slate, demand });
    const outcome = one(['answered', 'answered', 'empty', 'error', 'timeout'] as const);
    const took = outcome === 'timeout' ? 2000 : between(5, 900);
    add({ type: 'adRequest', at: millis(at - 3000), channel, tenant, adServer: one(adServers), outcome, ms: took });
    const requested = isRequested ? outcome : ('notSent' as const);
    const reason = outcome === 'answered' && isRequested ? {} : { reason: one(['NO_BID', 'RATE_REACHED', 'NO_ADS']) };
    const request = { outcome: requested, ...reason, requestedMs: isRequested ? ms - 1000 : 0, latencyMs: took };
    add({ type: 'sourceRequested', at, channel, tenant, ...from, ...request });
    if (random() < 0.4) {
      const skipped = { creative: one(creatives), reason: one(reasons), ms: between(5000, 40_000) };
      add({ type: 'adSkipped', at, channel, tenant, ...from, ...skipped });
    }
    if (filled === 0) return;
    const creative = one(creatives);
    add({ type: 'adDecided', at, channel, tenant, creative, ...from });
    if (random() < 0.2) return;
    const delivered = one([filled, Math.floor(filled / 3)]);
    add({ type: 'adDelivered', at, channel, tenant, ms: delivered, times: 1, ...from });
    const price = one([{}, { price: { micros: between(1, 9_000_000), currency: one(['EUR', 'USD']) } }]);
    const paid = { creative, ...from, ...price };
    const events = [
      'started',
      'firstQuartile',
      ...(delivered === filled ? ['midpoint', 'thirdQuartile', 'completed'] : []),
    ];
    for (const [index, event] of (events as 'started'[]).entries()) {
      add({ type: 'adProgress', at: millis(at + index * 5000), channel, tenant, ...paid, event, times: 1 });
      const host = one(['track.example.com', 'count.example.org']);
      add({ type: 'beacon', at: millis(at + index * 5000 + 40), channel, tenant, host, step: 'sent', times: 1 });
      if (random() < 0.1) {
        add({ type: 'beacon', at: millis(at + index * 5000 + 4000), channel, tenant, host, step: 'retried', times: 1 });
        const step = one(['recovered', 'failed'] as const);
        add({ type: 'beacon', at: millis(at + index * 5000 + 4100), channel, tenant, host, step, times: 1 });
      }
    }
  }

  for (let number = 0; number < SESSIONS; number += 1) {
    const channel = one(channels);
    const session = `session-${number}`;
    const opened = start + between(0, DAY - 3_600_000);
    const leaves = Math.min(start + DAY, opened + between(30_000, 5_000_000));
    add({ type: 'sessionOpened', at: millis(opened), channel, tenant });
    let breakAt = opened + between(10_000, 400_000);
    let seen = opened;
    for (let at = opened; at < leaves; at += between(3900, 4100)) {
      happenings.push({ kind: 'poll', at, channel, session, ms: 0.2 + random() * 3 });
      seen = at;
      if (at < breakAt) continue;
      showBreak(channel, millis(at + 10_000));
      breakAt = at + between(200_000, 700_000);
    }
    add({ type: 'sessionEnded', at: millis(seen), channel, tenant });
  }
  for (let number = 0; number < 25; number += 1) {
    const at = millis(start + between(0, DAY));
    const made = { creative: one(creatives), isMade: random() < 0.8, ms: between(800, 90_000) };
    add({ type: 'creativeConditioned', at, channel: one(channels), tenant, ...made });
  }
  return happenings.sort((a, b) => timeOf(a) - timeOf(b));
}

const timeOf = (happening: Happening): number => (happening.kind === 'poll' ? happening.at : happening.event.at);

/** Events from two minutes before the range to its end, which include all that extend into the range. */
export function near(day: readonly Happening[], from: number, to: number): Happening[] {
  const placeOf = (time: number) => {
    let [low, high] = [0, day.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (timeOf(day[middle]!) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return day.slice(placeOf(from - 120_000), placeOf(to));
}
