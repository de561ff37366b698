// SPDX-License-Identifier: Apache-2.0
// Delivered segments of an ad as plain values, independent of media and clock, so that they can wait in the journal until they
// are recorded.
import { type DeliveryGrid, deliveryGrid, gridSegments, type RequestedSegments } from '../../ads/record/delivery.ts';
import type { Session } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';
import type { Clip } from '../../timeline/asset/clip.ts';

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
  readonly at: Millis;
};

/** A delivery in the journal. It contains only the id of the session, because the session is in the store. */
export type WaitingDelivery = Omit<Delivery, 'session'> & { readonly sessionId: string };

type DeliveryRequest = Omit<Delivery, 'grid' | 'kind' | 'segments'> & {
  /** The whole ad: a live break that ended early lists only a part of it. */
  readonly clip: Clip;
  /** The rung of the clip, and the index of the segment in it. */
  readonly rung: number;
  readonly index: number;
};

type Found = ReturnType<typeof gridSegments>;
/** The segments of a clip that a request delivers, by rung and index. */
type ClipGrid = { readonly grid: DeliveryGrid; readonly found: Map<number, Found> };

/** Clips are shared by all viewers. */
const grids = new WeakMap<Clip, ClipGrid>();
/** More than the segments of any rung. */
const MAX_SEGMENTS = 2 ** 24;

function gridOf(clip: Clip): ClipGrid {
  let known = grids.get(clip);
  if (known === undefined) {
    known = { grid: deliveryGrid(clip), found: new Map() };
    grids.set(clip, known);
  }
  return known;
}

function segmentsOf(clip: Clip, { grid, found }: ClipGrid, rung: number, index: number): Found {
  // Requests name any index; only segments of the clip are kept.
  if (index >= (clip.cells[rung]?.end ?? 0)) return undefined;
  const key = rung * MAX_SEGMENTS + index;
  let known = found.get(key);
  if (known === undefined) {
    known = gridSegments(clip, grid, rung, index);
    if (known !== undefined) found.set(key, known);
  }
  return known;
}

/** @returns undefined if the ad has no such segment, or if the segment shows nothing of it */
export function deliveryOf({ clip, rung, index, ...request }: DeliveryRequest): Delivery | undefined {
  const known = gridOf(clip);
  const found = segmentsOf(clip, known, rung, index);
  return found && { grid: known.grid, ...request, ...found };
}

const gridTexts = new WeakMap<DeliveryGrid, string>();

function textOf(grid: DeliveryGrid): string {
  let text = gridTexts.get(grid);
  if (text === undefined) {
    text = JSON.stringify(grid);
    gridTexts.set(grid, text);
  }
  return text;
}

/** A `WaitingDelivery` as a line of JSON. Written by hand: the grid is the same for all viewers of an ad. */
export function deliveryLine({ session, ...delivery }: Delivery): string {
  const { adId, startsAt, grid, kind, segments, tracking, holdBack, at } = delivery;
  const ids = `{"sessionId":${JSON.stringify(session.id)},"adId":${JSON.stringify(adId)}`;
  const what = `"grid":${textOf(grid)},"kind":"${kind}","segments":[${segments.join()}],"tracking":"${tracking}"`;
  return `${ids},"startsAt":${startsAt},${what},"holdBack":${holdBack},"at":${at}}\n`;
}
