// SPDX-License-Identifier: Apache-2.0
// What a channel with a schedule plays in the next hours, for the planner to put on air.
import type { Channel } from '../../channels/channel.ts';
import { slotRecord } from '../../channels/schedule/airing.ts';
import type { SlotPlan } from '../../channels/schedule/edition.ts';
import { planItem, type Slate } from '../../channels/schedule/planSlots.ts';
import { nextTurn } from '../../ingest/source/inTurns.ts';
import { firstDifference } from '../../scheduling/firstDifference.ts';
import { withOverruns } from '../../scheduling/liveEntries.ts';
import type { ScheduleSettings } from '../../scheduling/schedule.ts';
import { scheduledList } from '../../scheduling/scheduledList.ts';
import { flicks, flicksToSeconds, type Millis } from '../../time/units.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { type AirContent, keysOf, plainSlate } from '../airChannel.ts';
import type { FoundItem } from '../readySchedule.ts';
import type { ItemStatus } from '../status.ts';
import {
  type EntryOutcome,
  foundIn,
  prepareEntry,
  readyItems,
  type ScheduleWindow,
  slotsOfEntry,
  type WindowEntry,
} from './scheduleWindow.ts';

export type ScheduleContent = {
  readonly settings: ScheduleSettings;
  readonly window: ScheduleWindow;
  /** What fills gaps. */
  readonly filler: readonly FoundItem[];
  /** Until when it is laid out. */
  readonly until: Millis;
};

export function scheduleContent({ breakDuration }: Channel, content: ScheduleContent): AirContent {
  const { window, filler, until, settings } = content;
  const found = [
    ...window.entries.flatMap(({ media }) => foundIn(media)),
    ...filler.flatMap((item) => (item.found.ok ? [item.found] : [])),
    // The ladder of a new life is one that they fit.
    ...window.entries.flatMap(({ media }) =>
      media?.kind === 'live' ? [{ ok: true as const, asset: media.origin.asset, key: '' }] : [],
    ),
  ];
  const keyOf = keysOf(found);
  const prepare = (ladder: Ladder, slate: Slate | undefined) => {
    const maker = { ladder, slate, breakDuration, rate: ladder.frameRate, breaks: settings.breaks };
    return window.entries.map((entry, index) => {
      const outcome = entry.media && slotsOfEntry(entry.entry, entry.media, maker, index);
      return { entry, outcome, prepared: prepareEntry(entry, outcome) };
    });
  };
  const statusesOf = (made: ReturnType<typeof prepare>): ItemStatus[] =>
    made.flatMap(({ entry, outcome }, index) => (outcome === undefined ? [] : [statusOf(entry, outcome, index)]));
  return {
    found,
    async statuses(ladder) {
      await nextTurn();
      return statusesOf(prepare(ladder, undefined));
    },
    async compose(ladder, slate) {
      await nextTurn();
      const made = prepare(ladder, slate);
      const statuses = statusesOf(made);
      const isPlaying = made.some(({ prepared }) => prepared.slots.length > 0 || prepared.isLive);
      if (slate === undefined) return { statuses, isPlaying };
      const entries = withOverruns(made.map(({ prepared }) => prepared));
      const ready = readyItems(filler, ladder);
      const items = ready.map(
        (item, index) =>
          planItem({ ...item, index: entries.length + index }, ladder.frameRate, slate, breakDuration).slots,
      );
      const fillerUrls = ready.map(({ asset }) => asset.url);
      const cycle = ready.length > 0 ? items.flat() : [plainSlate(slate, ladder)];
      const schedule = scheduledList({
        entries,
        filler: { items, slate },
        fillerUrls,
        rate: ladder.frameRate,
        until,
        cycle,
        record: (plan: SlotPlan) => slotRecord(plan, keyOf),
      });
      return {
        statuses,
        isPlaying,
        schedule,
        leave: (lineup, earliest) => firstDifference(lineup, schedule, earliest),
      };
    },
  };
}

function statusOf({ entry }: WindowEntry, outcome: EntryOutcome, index: number): ItemStatus {
  // The watch imports failed URLs again. Origins are analysed again by entryOrigins.ts.
  const url = 'url' in entry.source ? { url: entry.source.url } : {};
  const named = { index, entryId: entry.id, ...url };
  if (!outcome.ok) return { ...named, state: 'failed', reason: outcome.reason };
  const { length, warnings, reports } = outcome;
  return {
    ...named,
    state: 'ready',
    duration: flicksToSeconds(flicks(length)),
    warnings: [...warnings],
    cuePoints: [...reports],
  };
}
