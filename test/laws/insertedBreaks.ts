// SPDX-License-Identifier: Apache-2.0
// Breaks that an operator inserts into a synthetic channel, ends and cancels, and edits of its list in between.

import { slotRecord } from '../../src/channels/schedule/airing.ts';
import { insertionOf } from '../../src/channels/schedule/insertionOf.ts';
import { leaveLineup } from '../../src/channels/schedule/leaveLineup.ts';
import {
  type Current,
  type InsertedPlan,
  playlistSchedule,
  type Schedule,
} from '../../src/channels/schedule/nextEditions.ts';
import { INSERT_AHEAD_MS, replan } from '../../src/channels/schedule/replan.ts';
import { millis } from '../../src/time/units.ts';
import { compiled, type SyntheticChannel, type SyntheticItem, scheduleOf } from './syntheticChannel.ts';

export type Order = {
  readonly id: string;
  readonly kind: 'ads' | 'blackout';
  readonly startsAt: number;
  /** Seconds; absent for a blackout until it is ended. */
  readonly duration?: number;
  readonly isOver?: boolean;
  /** The media of the asset of a blackout, once they are ready. */
  readonly asset?: string;
};

export const currentOf = ({ records, lineup }: Pick<SyntheticChannel, 'records' | 'lineup'>): Current[] =>
  records.map((record, index) => ({ record, edition: lineup.editions[index]! }));

/** The list on air, as it is stored with the last edition. */
function listOf({ records, lineup }: SyntheticChannel): Schedule {
  return playlistSchedule({
    plans: lineup.editions.at(-1)!.slots,
    items: records.at(-1)!.items,
    record: (plan) => slotRecord(plan, ({ id }) => id),
  });
}

export function planned(channel: SyntheticChannel, { id, kind, startsAt, duration, asset }: Order): InsertedPlan {
  const slateId = asset ?? 'slate';
  const slate = { id: slateId, clip: (frames: number) => channel.clips.slate(slateId, frames) };
  return insertionOf(
    {
      id,
      kind,
      startsAt: millis(startsAt),
      showsAsset: asset !== undefined,
      ...(duration === undefined ? {} : { length: millis(Math.round(duration * 1000)) }),
    },
    slate,
    channel.ladder.frameRate,
  );
}

/** The channel after its orders or its list have changed; the same value if nothing follows from that. */
export function operated(
  channel: SyntheticChannel,
  orders: readonly Order[],
  earliest: number,
  items?: readonly SyntheticItem[],
): SyntheticChannel {
  const changed = items && scheduleOf(items, channel.ladder, channel.clips);
  if (changed?.plans.length === 0) return channel;
  for (const { asset } of items ?? []) channel.assets.set(asset.id, asset);
  const inserted = orders
    .filter(({ isOver, startsAt }) => !isOver && startsAt < earliest + INSERT_AHEAD_MS)
    .sort((one, other) => one.startsAt - other.startsAt)
    .map((order) => planned(channel, order));
  const isOver = (id: string) => orders.find((order) => order.id === id)?.isOver === true;
  const longestSegment = channel.ladder.targetDuration * 1000;
  const current = currentOf(channel);
  const leave = changed && { leave: leaveLineup(current, millis(earliest)) };
  const wishes = { ...leave, inserted, isOver, longestSegment };
  const next = replan(current, changed ?? listOf(channel), wishes, millis(earliest));
  if (next === undefined) return channel;
  return compiled({ ...channel, records: next.lineup.map(({ record }) => record) });
}
