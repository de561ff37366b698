// SPDX-License-Identifier: Apache-2.0
// Delivered segments of an ad as plain values, independent of media and clock, so that they can wait in the spool until they
// are recorded.
import { type DeliveryGrid, deliveryGrid, gridSegments, type RequestedSegments } from '../../ads/record/delivery.ts';
import type { Session } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';
import type { Span } from '../../timeline/programme/span.ts';

/** Segments of an ad that one request of a viewer delivers. */
export type Delivery = {
  readonly session: Session;
  readonly adId: string;
  /** Where the ad starts on the channel's clock. */
  readonly startsAt: Millis;
  readonly grid: DeliveryGrid;
  readonly kind: keyof RequestedSegments;
  /** Indices in the grid. */
  readonly segments: readonly number[];
  readonly tracking: 'server' | 'client';
  /** Milliseconds between the player and the live edge. */
  readonly holdBack: number;
  /** The time of the request. */
  readonly at: Millis;
};

/** A delivery in the spool. It contains only the id of the session, because the session is in the store. */
export type WaitingDelivery = Omit<Delivery, 'session'> & { readonly sessionId: string };

export type DeliveryRequest = Pick<Delivery, 'session' | 'tracking' | 'holdBack' | 'at'> & {
  /** The span of the ad; `rung` and `index` refer to its clip. */
  readonly span: Span;
  readonly rung: number;
  readonly index: number;
};

/** @returns undefined if the ad has no such segment, or if the segment shows nothing of it */
export function deliveryOf({ span, rung, index, ...request }: DeliveryRequest): Delivery | undefined {
  const { clip, startsAt } = span.placed;
  const grid = deliveryGrid(clip);
  const found = gridSegments(clip, grid, rung, index);
  return found && { ...request, ...found, adId: span.adId!, startsAt, grid };
}
