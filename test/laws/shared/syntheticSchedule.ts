// SPDX-License-Identifier: Apache-2.0
// Channels on air that play a schedule of synthetic assets, planned and planned again.
import { type AiringRecord, slotRecord } from '../../../src/channels/schedule/airing.ts';
import type { SlotPlan } from '../../../src/channels/schedule/edition.ts';
import { continueAfter, firstEditions, type Schedule } from '../../../src/channels/schedule/nextEditions.ts';
import { defined } from '../../../src/invariant.ts';
import { slotsOfAsset } from '../../../src/scheduling/entrySlots.ts';
import { firstDifference } from '../../../src/scheduling/firstDifference.ts';
import type { PreparedEntry } from '../../../src/scheduling/layOut.ts';
import type { EntryBreaks } from '../../../src/scheduling/schedule.ts';
import { scheduledList } from '../../../src/scheduling/scheduledList.ts';
import { flicks, millis } from '../../../src/time/units.ts';
import type { Asset } from '../../../src/timeline/asset/asset.ts';
import { fitToLadder, ladderOf } from '../../../src/timeline/ladder/ladderOf.ts';
import { currentOf } from '../insertedBreaks.ts';
import { clipsFor, compiled, type SyntheticChannel } from '../syntheticChannel.ts';
import { syntheticAsset } from '../syntheticMedia.ts';

/** The start of schedules. */
export const START = Date.parse('2026-03-01T00:00:00Z');
export const LEAD_MS = 8000;
const rate = { n: 25, d: 1 };

export const assets = [40, 130, 22, 61].map((count, index) =>
  syntheticAsset({ name: `programme${index}`, rate, segments: new Array(count).fill([50, 75, 100, 48][index]) }),
);
const fillers = [8, 3, 21].map((count, index) =>
  syntheticAsset({ name: `filler${index}`, rate, segments: new Array(count).fill(50 + index * 13) }),
);
export const ladder = ladderOf([...assets, ...fillers] as [Asset, ...Asset[]]);
const clips = clipsFor(ladder);
export const slate = { id: 'slate', clip: (frames: number) => clips.slate('slate', frames) };
const maker = { rate, slate, breakDuration: 30 };

export type TestEntry = {
  readonly id: string;
  readonly asset: number;
  /** Seconds after START; after the one before when absent. */
  readonly start?: number;
  readonly in?: number;
  readonly length?: number;
  readonly breaks: EntryBreaks;
  /** Set for a live entry, which has a length. */
  readonly isLive?: boolean;
};

function slotsOf(asset: Asset, index: number, source: { in?: number }, breaks: EntryBreaks): readonly SlotPlan[] {
  const fit = fitToLadder(asset, ladder, asset.id);
  if (!fit.ok) throw new Error(fit.reason);
  return slotsOfAsset({ index, asset, renditions: fit.renditions }, { url: asset.url, ...source }, breaks, maker).slots;
}

export function timedList(list: readonly TestEntry[], until: number): Schedule {
  let plannedAt = START;
  const entries = list.map((one, index): PreparedEntry => {
    const source = one.in === undefined ? {} : { in: one.in };
    const slots = one.isLive ? [] : slotsOf(defined(assets[one.asset], 'an asset'), index, source, one.breaks);
    if (one.start !== undefined) plannedAt = START + one.start * 1000;
    const length = one.length === undefined ? undefined : flicks(one.length * 705_600_000);
    const entry: PreparedEntry = {
      id: one.id,
      plannedAt: millis(plannedAt),
      slots,
      ...(one.start === undefined ? {} : { startsAt: millis(plannedAt) }),
      ...(length === undefined ? {} : { length }),
      ...(one.isLive && { isLive: true }),
    };
    plannedAt += Math.round((length ?? slots.reduce((sum, { clip }) => sum + clip.duration, 0)) / 705_600);
    return entry;
  });
  const items = fillers.map((asset, index) => slotsOf(asset, entries.length + index, {}, []));
  return scheduledList({
    entries,
    filler: { items, slate },
    fillerUrls: fillers.map(({ url }) => url),
    rate,
    until: millis(until),
    cycle: items.flat(),
    record: (plan) => slotRecord(plan, ({ id }) => id),
  });
}

export function begun(schedule: Schedule, at: number): SyntheticChannel {
  const airing: AiringRecord = { tenant: 't', channelId: 'c', life: 'l', startedAt: millis(at), ladder };
  const stored = new Map([...assets, ...fillers].map((asset) => [asset.id, asset]));
  return compiled({ ladder, clips, airing, assets: stored, records: firstEditions(airing, schedule) });
}

export function replanned(channel: SyntheticChannel, schedule: Schedule, now: number): SyntheticChannel {
  const lineup = currentOf(channel);
  const left = firstDifference(lineup, schedule, millis(now + LEAD_MS));
  if (left === undefined) return channel;
  const kept = channel.records.slice(0, left.index + 1);
  const { edition: whole, record } = defined(lineup[left.index], 'the edition that is left');
  const { last: _, ...edition } = whole;
  const number = defined(channel.records.at(-1), 'a record').number + 1;
  const next = continueAfter({ edition, record }, left.leaving, schedule, number);
  return compiled({ ...channel, records: [...kept, ...next.map((one) => one.record)] });
}
