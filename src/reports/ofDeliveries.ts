// What the delivery of ads is to the reports.
import type { DeliveryFact } from '../tracking/deliveryFact.ts';
import type { AdEventName, ReportEvent } from './event.ts';
import { creativeName } from './ofBreaks.ts';

/** VAST's names of the events that are counted (VAST 4.2 §3.14.1). */
const names: Readonly<Record<string, AdEventName>> = {
  start: 'started',
  firstQuartile: 'firstQuartile',
  midpoint: 'midpoint',
  thirdQuartile: 'thirdQuartile',
  complete: 'completed',
};

export function deliveryEvents({ ad, at, withdrawn, ...told }: DeliveryFact): ReportEvent[] {
  const of = { channel: ad.channelId, tenant: ad.tenant };
  const creative = creativeName(ad);
  const say = ({ stretches, events }: Pick<DeliveryFact, 'stretches' | 'events'>, isWithdrawn: boolean) => {
    const progress = new Set(events.map((name) => names[name]).filter((name) => name !== undefined));
    return [
      ...stretches.map((stretch): ReportEvent => ({ ...of, ...stretch, type: 'adDelivered', isWithdrawn })),
      ...[...progress].map((event): ReportEvent => ({ ...of, type: 'adProgress', at, creative, event, isWithdrawn })),
    ];
  };
  return [...say(told, false), ...say(withdrawn, true)];
}
