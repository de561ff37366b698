// SPDX-License-Identifier: Apache-2.0
// The report events of delivered ads.
import type { DeliveryFact } from '../../tracking/deliveries/deliveryFact.ts';
import type { AdEventName, ReportEvent } from '../event.ts';
import { creativeName } from './breakEvents.ts';

/** Report events by VAST event name (VAST 4.2 §3.14.1). */
const names: Readonly<Record<string, AdEventName>> = {
  start: 'started',
  firstQuartile: 'firstQuartile',
  midpoint: 'midpoint',
  thirdQuartile: 'thirdQuartile',
  complete: 'completed',
};

/** @param times the number of viewers with the same delivery */
export function deliveryEvents({ ad, at, withdrawn, ...delivered }: DeliveryFact, times: number): ReportEvent[] {
  const of = { channel: ad.channelId, tenant: ad.tenant };
  const creative = creativeName(ad);
  const count = ({ ranges, events }: Pick<DeliveryFact, 'ranges' | 'events'>, signed: number) => {
    const progress = new Set(events.map((name) => names[name]).filter((name) => name !== undefined));
    return [
      ...ranges.map((range): ReportEvent => ({ ...of, ...range, type: 'adDelivered', times: signed })),
      ...[...progress].map((event): ReportEvent => ({ ...of, type: 'adProgress', at, creative, event, times: signed })),
    ];
  };
  return [...count(delivered, times), ...count(withdrawn, -times)];
}
