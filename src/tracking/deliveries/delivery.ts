// What a viewer was given, in plain values: it says all that the ledger needs, without the media and the clock that it was
// worked out from, so it can wait on a disk until it is written down.
import { type DeliveryGrid, deliveryGrid, gridSegments, type RequestedSegments } from '../../ads/record/delivery.ts';
import type { Session } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';
import type { Span } from '../../timeline/span.ts';

/** Segments of one ad that one viewer asked for at once. */
export type Delivery = {
  readonly session: Session;
  readonly adId: string;
  /** Where the ad starts on the channel's clock. */
  readonly startsAt: Millis;
  readonly grid: DeliveryGrid;
  readonly kind: keyof RequestedSegments;
  /** Of the grid. */
  readonly segments: readonly number[];
  readonly tracking: 'server' | 'client';
  /** Milliseconds that players keep from the live edge. */
  readonly holdBack: number;
  /** When it was asked for. */
  readonly at: Millis;
};

/** As it waits: of the viewer only who it is, because the session is kept where the ledger is. */
export type WaitingDelivery = Omit<Delivery, 'session'> & { readonly sessionId: string };

export type DeliveryRequest = Pick<Delivery, 'session' | 'tracking' | 'holdBack' | 'at'> & {
  /** The viewer's ad; its clip has the rung and the segment. */
  readonly span: Span;
  readonly rung: number;
  readonly index: number;
};

/** @returns undefined when the ad has no such rung or segment, or one that shows nothing */
export function deliveryOf({ span, rung, index, ...asked }: DeliveryRequest): Delivery | undefined {
  const { clip, startsAt } = span.placed;
  const grid = deliveryGrid(clip);
  const found = gridSegments(clip, grid, rung, index);
  return found && { ...asked, ...found, adId: span.adId!, startsAt, grid };
}
