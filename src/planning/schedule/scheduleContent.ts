// SPDX-License-Identifier: Apache-2.0
// What a channel with a schedule plays in the next hours, for the planner to put on air.
import type { Channel, LinearChannel } from '../../channels/channel.ts';
import { slotRecord } from '../../channels/schedule/airing.ts';
import { planItem, type Slate } from '../../channels/schedule/planSlots.ts';
import { nextTurn } from '../../ingest/source/inTurns.ts';
import { firstDifference } from '../../scheduling/firstDifference.ts';
import type { PreparedEntry } from '../../scheduling/layOut.ts';
import { withOverruns } from '../../scheduling/liveEntries.ts';
import type { ScheduleSettings } from '../../scheduling/schedule.ts';
import { type ScheduledParts, scheduledList } from '../../scheduling/scheduledList.ts';
import { flicks, flicksToSeconds, type Millis } from '../../time/units.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { type AirContent, keysOf, plainSlate } from '../airChannel.ts';
import type { Imported } from '../ports.ts';
import type { FoundItem } from '../readySchedule.ts';
import type { ItemStatus } from '../status.ts';
import {
  type EntryMedia,
  type EntryOutcome,
  MAX_BLOCKING_MS,
  type MediaFinder,
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

/** The items of what fills the gaps of a channel. */
export async function findFiller(
  find: MediaFinder,
  { playlistId }: LinearChannel,
  { fillerPlaylistId = playlistId }: ScheduleSettings,
): Promise<{ readonly items: readonly FoundItem[]; readonly warnings: readonly string[] }> {
  if (fillerPlaylistId === undefined) return { items: [], warnings: [] };
  const found = await find({ id: 'filler', source: { playlistId: fillerPlaylistId } });
  const warnings = found.kind === 'missing' ? [`The filler is not available: ${found.reason}.`] : [];
  return { items: found.kind === 'playlist' ? found.items : [], warnings };
}

type Content = Omit<ScheduleContent, 'until'>;

/** What was read for a schedule. The ladder of a new life is one that all of it fits. */
export function foundOf({ window, filler }: Pick<Content, 'window' | 'filler'>): AirContent['found'] {
  const all = [...new Set(window.entries.map(({ media }) => media))];
  return [
    ...all.flatMap(foundIn),
    ...filler.flatMap((item) => (item.found.ok ? [item.found] : [])),
    ...all.flatMap((media) =>
      media?.kind === 'live' ? [{ ok: true as const, asset: media.origin.asset, key: '' }] : [],
    ),
  ];
}

/** The assets that were read of a source. */
function foundIn(media: EntryMedia | undefined): Extract<Imported, { ok: true }>[] {
  if (media === undefined || media.kind === 'missing' || media.kind === 'live') return [];
  const all = media.kind === 'asset' ? [media.found] : media.items.map(({ found }) => found);
  return all.flatMap((one) => (one.ok ? [one] : []));
}

type Prepared = {
  readonly entry: WindowEntry;
  /** Undefined if the entry was not read, because it starts later. */
  readonly outcome: EntryOutcome | undefined;
  readonly prepared: PreparedEntry;
};

/** The entries as they are laid out. Other work gets turns in between. */
export async function prepareEntries(
  { window, settings }: Content,
  { breakDuration }: Channel,
  ladder: Ladder,
  slate: Slate | undefined,
): Promise<Prepared[]> {
  const maker = { ladder, slate, breakDuration, rate: ladder.frameRate, breaks: settings.breaks };
  const made: Prepared[] = [];
  let since = performance.now();
  for (const [index, entry] of window.entries.entries()) {
    const outcome = entry.media && slotsOfEntry(entry.entry, entry.media, maker, index);
    made.push({ entry, outcome, prepared: prepareEntry(entry, outcome) });
    if (performance.now() - since < MAX_BLOCKING_MS) continue;
    await nextTurn();
    since = performance.now();
  }
  return made;
}

/** What is laid out. */
export function partsOf(
  content: Content,
  { breakDuration }: Channel,
  made: readonly Prepared[],
  ladder: Ladder,
  slate: Slate,
): Omit<ScheduledParts, 'until'> {
  const entries = withOverruns(made.map(({ prepared }) => prepared));
  const ready = readyItems(content.filler, ladder);
  const rate = ladder.frameRate;
  const items = ready.map(
    (item, index) => planItem({ ...item, index: entries.length + index }, rate, slate, breakDuration).slots,
  );
  const keyOf = keysOf(foundOf(content));
  return {
    entries,
    filler: { items, slate },
    fillerUrls: ready.map(({ asset }) => asset.url),
    rate,
    cycle: items.length > 0 ? items.flat() : [plainSlate(slate, ladder)],
    record: (plan) => slotRecord(plan, keyOf),
  };
}

export function scheduleContent(channel: Channel, content: ScheduleContent): AirContent {
  const statusesOf = (made: readonly Prepared[]): ItemStatus[] =>
    made.flatMap(({ entry, outcome }, index) => (outcome === undefined ? [] : [statusOf(entry, outcome, index)]));
  return {
    found: foundOf(content),
    async statuses(ladder) {
      await nextTurn();
      return statusesOf(await prepareEntries(content, channel, ladder, undefined));
    },
    async compose(ladder, slate) {
      await nextTurn();
      const made = await prepareEntries(content, channel, ladder, slate);
      const statuses = statusesOf(made);
      const isPlaying = made.some(({ prepared }) => prepared.slots.length > 0 || prepared.isLive);
      if (slate === undefined) return { statuses, isPlaying };
      const { until } = content;
      const schedule = scheduledList({ ...partsOf(content, channel, made, ladder, slate), until });
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
