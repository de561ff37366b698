// SPDX-License-Identifier: Apache-2.0
// The report events of conditioning creatives. A creative that several channels of a tenant use counts for one of them.
import type { CreativeOwner } from '../../../../ads/creative/creative.ts';
import type { CreativeEvent } from '../../../../ingest/creatives/creativeWorker.ts';
import type { Millis } from '../../../../time/units.ts';
import type { ReportEvent } from '../event.ts';

/** Slate is not counted as a creative. */
export function creativeEvents(
  { id, kind, owners, seconds }: CreativeEvent,
  isMade: boolean,
  at: Millis,
): ReportEvent[] {
  if (kind !== 'creative') return [];
  const byTenant = new Map<string, string>();
  for (const { tenant, channelId } of owners) {
    const known = byTenant.get(tenant);
    if (known === undefined || channelId < known) byTenant.set(tenant, channelId);
  }
  return [...byTenant].map(([tenant, channel]) => ({
    type: 'creativeConditioned',
    at,
    tenant,
    channel,
    creative: id,
    isMade,
    ms: Math.round(seconds * 1000),
  }));
}

export const waitingEvents = (
  waiting: readonly (CreativeOwner & { readonly count: number })[],
  at: Millis,
): ReportEvent[] =>
  waiting.map(({ tenant, channelId, count }) => ({ type: 'creativesWaiting', at, tenant, channel: channelId, count }));
