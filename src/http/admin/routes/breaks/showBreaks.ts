// SPDX-License-Identifier: Apache-2.0
// Breaks as the API returns them.
import type { InsertedBreak } from '../../../../channels/inserted/breakOrder.ts';
import { endsAt, insertedState } from '../../../../channels/inserted/insertedState.ts';
import type { InsertedOnAir } from '../../../../channels/schedule/insertedOnAir.ts';
import type { BreakFact, BreakWarning } from '../../../../live/breaks/breakFact.ts';
import { BY_HAND } from '../../../../live/breaks/insertedFacts.ts';
import type { MarkedBreakState } from '../../../../planning/breaks/breakDesk.ts';
import type { AssetState } from '../../../../planning/live/blackoutMedia.ts';
import type { OriginBreaks } from '../../../../planning/live/readBreaks.ts';
import { flicksToMillis, flicksToSeconds, type Millis } from '../../../../time/units.ts';
import type { Instant } from '../../../../timeline/programme/span.ts';
import type { OrderedBreak } from '../../../contract/breakContract.ts';
import type { LiveBreaks } from '../../../contract/liveContract.ts';
import type { DeepReadonly } from '../../../contract/matching.ts';

export type Listed<T> = { readonly origin: OriginBreaks['origin']; readonly of: T };
export type ShownBreak = DeepReadonly<LiveBreaks>['items'][number];

export const iso = (time: Millis): string => new Date(time).toISOString();
const instant = ({ millis, rest }: Instant): string => iso((millis + flicksToMillis(rest)) as Millis);

const showAsset = ({ assetUrl }: InsertedBreak, asset: AssetState | undefined) => ({
  ...(assetUrl === undefined ? {} : { asset: assetUrl }),
  ...(asset === undefined ? {} : { assetState: asset.state }),
  ...(asset?.state === 'failed' ? { assetReason: asset.reason } : {}),
});

/** @param order of a break that was inserted by hand, if it is still stored @param asset of its blackout */
export function showFact(
  { origin, of }: Listed<BreakFact>,
  warnings: readonly Listed<BreakWarning>[],
  order: InsertedBreak | undefined,
  asset: AssetState | undefined,
  now: Millis,
): ShownBreak {
  const { id, startsAt, duration, endsAt: end, announcedAt, isInsertionPoint, source, sourceId, upid, raw, line } = of;
  const warning = warnings.find((one) => one.origin === origin && one.of.at === announcedAt && one.of.line === line);
  return {
    id,
    origin,
    kind: of.inserted ?? 'ads',
    startsAt: instant(startsAt),
    ...(order === undefined ? {} : { state: insertedState(order, now), ...showAsset(order, asset) }),
    ...(duration === undefined ? {} : { duration: flicksToSeconds(duration) }),
    ...(end === undefined ? {} : { endsAt: instant(end) }),
    announcedAt: iso(announcedAt),
    ...(isInsertionPoint ? { isInsertionPoint } : {}),
    source,
    ...(sourceId === undefined ? {} : { sourceId }),
    ...(upid === undefined ? {} : { upid }),
    raw,
    line,
    ...(warning === undefined || of.inserted !== undefined ? {} : { warning: warning.of.text }),
  };
}

/**
 * A break that is on no timeline of an origin, or not yet.
 * @param placed where it is on the schedule of a vod2live channel
 */
export function showOrder(
  order: InsertedBreak,
  asset: AssetState | undefined,
  now: Millis,
  placed?: InsertedOnAir,
): ShownBreak {
  const { id, kind, duration, endedAt, createdAt } = order;
  const startsAt = placed?.startsAt ?? order.startsAt;
  // The slate of a blackout without an end is planned for a year.
  const hasEnd = duration !== undefined || endedAt !== undefined;
  const end = placed !== undefined && hasEnd ? placed.endsAt : endedAt;
  return {
    id,
    kind,
    state: insertedState(order, now),
    startsAt: iso(startsAt),
    ...(duration === undefined ? {} : { duration: duration / 1000 }),
    ...(end === undefined ? {} : { endsAt: iso(end) }),
    ...showAsset(order, asset),
    announcedAt: iso(createdAt),
    source: BY_HAND,
    sourceId: id,
    raw: kind,
    line: 0,
  };
}

export function showInserted(order: InsertedBreak, now: Millis, asset: AssetState | undefined): OrderedBreak {
  const { id, kind, startsAt, duration, createdAt } = order;
  const state = insertedState(order, now);
  const end = state === 'cancelled' ? undefined : endsAt(order);
  return {
    id,
    kind,
    state,
    startsAt: iso(startsAt),
    ...(duration === undefined ? {} : { duration: duration / 1000 }),
    ...(end === undefined ? {} : { endsAt: iso(end) }),
    ...showAsset(order, asset),
    createdAt: iso(createdAt),
  };
}

export const showMarked = ({
  id,
  state,
  startsAt,
  duration,
  endsAt: end,
  createdAt,
}: MarkedBreakState): OrderedBreak => ({
  id,
  kind: 'ads',
  state,
  startsAt: iso(startsAt),
  ...(duration === undefined ? {} : { duration: duration / 1000 }),
  ...(end === undefined ? {} : { endsAt: iso(end) }),
  createdAt: iso(createdAt),
});
