// SPDX-License-Identifier: Apache-2.0
// A schedule as what the editions of a channel are made of: laid out for some hours, then its filler until more is laid out.
import type { EntryOnAir, SlotRecord } from '../channels/schedule/airing.ts';
import type { Place, SlotPlan } from '../channels/schedule/edition.ts';
import type { Schedule } from '../channels/schedule/nextEditions.ts';
import { withoutUndefined } from '../invariant.ts';
import { type FrameRate, flicks, type Millis } from '../time/units.ts';
import { type Filler, layOut, type PreparedEntry } from './layOut.ts';

export type ScheduledParts = {
  readonly entries: readonly PreparedEntry[];
  readonly filler: Filler;
  /** The URL of each item of the filler. */
  readonly fillerUrls: readonly string[];
  readonly rate: FrameRate;
  /** Until when it is laid out. */
  readonly until: Millis;
  /** What is played when nothing is laid out any more. */
  readonly cycle: readonly SlotPlan[];
  readonly record: (plan: SlotPlan) => SlotRecord;
};

const START: Place = { item: -1, at: flicks(0), played: 0 };

function endOf({ slots, length, endsBy }: Pick<PreparedEntry, 'slots' | 'length' | 'endsBy'>): Pick<EntryOnAir, 'end'> {
  const last = slots.findLast((slot) => slot.break === undefined);
  const isWhole = length === undefined && endsBy === undefined;
  return isWhole && last !== undefined ? { end: flicks(last.at + last.clip.duration) } : {};
}

export function scheduledList(parts: ScheduledParts): Schedule {
  const { entries, filler, fillerUrls, rate, until, cycle, record } = parts;
  const indexes = new Map(entries.map(({ id }, index) => [id, index]));
  const indexOf = (id: string | undefined): number => (id === undefined ? -1 : (indexes.get(id) ?? -1));
  return {
    plans: cycle,
    items: [...entries.map(() => null), ...fillerUrls],
    record,
    placeOf(next, before) {
      const entry = before.entries?.[next.item];
      const cycle = before.isBridge ? undefined : before.next;
      const followed = before.entries?.[next.follows ?? cycle?.follows ?? -1];
      const follows = indexOf(followed?.id);
      const following =
        follows < 0 || followed == null
          ? {}
          : { follows, since: followed.from, ...(cycle && { cycleFrom: before.from }) };
      if (entry != null) {
        const item = indexOf(entry.id);
        return item < 0 ? START : { ...next, item, since: entry.from };
      }
      const item = fillerUrls.indexOf(before.items[next.item] ?? '');
      if (item < 0) return { ...START, ...following };
      const { at, played } = next;
      return { at, played, item: entries.length + item, ...following };
    },
    bridge(place, at) {
      const layout = layOut(entries, filler, rate, { from: at, until, place });
      const laid = layout.entries.map(({ index, startsAt }) => [index, startsAt] as const);
      // The entry before the filler on air began earlier.
      const { follows = -1, since } = place;
      const from = new Map([...(since === undefined ? [] : [[follows, since] as const]), ...laid]);
      const onAir = entries.map(
        ({ id, title, upid, bumpers, startsAt, plannedAt, ...entry }, index): EntryOnAir => ({
          id,
          from: from.get(index) ?? plannedAt,
          ...withoutUndefined({ title, upid, bumpers, startsAt }),
          ...endOf(entry),
          ...(entry.isLive && { isLive: true }),
        }),
      );
      return {
        plans: layout.slots,
        scheduled: { entries: [...onAir, ...fillerUrls.map(() => null)], next: layout.next },
      };
    },
  };
}
