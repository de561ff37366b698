// SPDX-License-Identifier: Apache-2.0
// The entries of a schedule within some hours, those of its rules included, with what their sources contain.

import type { ChannelRef } from '../../channels/channelKey.ts';
import type { Playlist } from '../../channels/playlist.ts';
import type { PlaylistStore } from '../../channels/ports.ts';
import type { ReadyItem } from '../../channels/schedule/planSlots.ts';
import type { PlayableOrigin } from '../../ingest/live/originAnalysis.ts';
import { inTurns, nextTurn } from '../../ingest/source/inTurns.ts';
import { defined, withoutUndefined } from '../../invariant.ts';
import { type EntrySlots, type SlotMaker, slotsOfAsset, slotsOfPlaylist } from '../../scheduling/entrySlots.ts';
import { type ExpandedEntry, expandRules } from '../../scheduling/expandRules.ts';
import type { PreparedEntry } from '../../scheduling/layOut.ts';
import { liveLength, mayOverrun } from '../../scheduling/liveEntries.ts';
import { placeInOrder } from '../../scheduling/placeInOrder.ts';
import type { PlacedEntry, ScheduleStore } from '../../scheduling/ports.ts';
import {
  type Entry,
  type EntryBreaks,
  type EntrySource,
  isLiveSource,
  isPlaylistSource,
  type RuleEntry,
  type ScheduleSettings,
} from '../../scheduling/schedule.ts';
import {
  type Flicks,
  flicks,
  flicksToMillis,
  type Millis,
  millis,
  millisToFlicks,
  secondsToFlicks,
} from '../../time/units.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { fitToLadder } from '../../timeline/ladder/ladderOf.ts';
import { rungsFor } from '../live/feedLadder.ts';
import type { AssetSource, Imported } from '../ports.ts';
import { type FoundItem, findItems } from '../readySchedule.ts';

/** @returns what an origin plays; `problem`: why it cannot be used, or is not known yet */
export type FindOrigin = (channel: ChannelRef, url: string) => Promise<PlayableOrigin | { readonly problem: string }>;

export type WindowDeps = {
  readonly schedules: ScheduleStore;
  readonly findOrigin: FindOrigin;
  readonly playlists: Pick<PlaylistStore, 'find'>;
  readonly assets: AssetSource;
};

/** What the source of an entry contains. */
export type EntryMedia =
  | { readonly kind: 'asset'; readonly found: Imported }
  | { readonly kind: 'playlist'; readonly items: readonly FoundItem[] }
  | { readonly kind: 'live'; readonly origin: PlayableOrigin }
  | { readonly kind: 'missing'; readonly reason: string };

export type WindowEntry = PlacedEntry & {
  /** The end of a loop. */
  readonly endsBy?: Millis;
  readonly isOfRule: boolean;
  /** Absent for an entry that starts later than what is laid out. */
  readonly media?: EntryMedia;
};

export type ScheduleWindow = {
  /** In order. */
  readonly entries: readonly WindowEntry[];
  readonly warnings: readonly string[];
};

/** What is on air may be late by as much, because an operator has inserted something. */
const LOOK_BACK_MS = 6 * 3_600_000;
/** Starts so much later are known: what is on air is cut by them. */
const LOOK_AHEAD_MS = 24 * 3_600_000;

export type WindowRange = {
  readonly now: Millis;
  readonly from: Millis;
  /** The sources of entries that start before are read. */
  readonly until: Millis;
};

export type MediaFinder = (entry: RuleEntry) => Promise<EntryMedia>;

/** Reads sources once. @param results receives each asset as soon as it is available */
export function mediaFinder(
  { playlists, assets, findOrigin }: Omit<WindowDeps, 'schedules'>,
  { tenant, id }: ChannelRef,
  freshAfter: number,
  results: Map<string, Imported> = new Map(),
) {
  const known = new Map<string, Promise<EntryMedia>>();
  async function ofPlaylist(playlistId: string): Promise<EntryMedia> {
    const playlist = await playlists.find(tenant, playlistId);
    if (playlist === undefined) return { kind: 'missing', reason: `playlist ${playlistId} does not exist` };
    return { kind: 'playlist', items: await itemsOf(playlist) };
  }
  const itemsOf = ({ contents = [] }: Playlist) => findItems(contents, assets, freshAfter, results);
  async function ofAsset(url: string): Promise<EntryMedia> {
    const found = await assets.find(url, freshAfter);
    results.set(url, found);
    return { kind: 'asset', found };
  }
  async function ofOrigin(url: string): Promise<EntryMedia> {
    const origin = await findOrigin({ tenant, id }, url);
    return 'problem' in origin ? { kind: 'missing', reason: origin.problem } : { kind: 'live', origin };
  }
  function read(source: EntrySource): [string, () => Promise<EntryMedia>] {
    if (isPlaylistSource(source)) return [`playlist ${source.playlistId}`, () => ofPlaylist(source.playlistId)];
    if (!isLiveSource(source)) return [source.url, () => ofAsset(source.url)];
    const { sourceManifestUrl: url } = source.live;
    return [`live ${url}`, () => ofOrigin(url)];
  }
  return ({ source }: RuleEntry): Promise<EntryMedia> => {
    const [key, make] = read(source);
    const media = known.get(key) ?? make();
    known.set(key, media);
    return media;
  };
}

const AT_ONCE = 4;
export const MAX_BLOCKING_MS = 10;

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const waiting = items.values();
  let since = performance.now();
  const workOn = async () => {
    for (const item of waiting) {
      await work(item);
      // What is known already is not waited for.
      if (performance.now() - since < MAX_BLOCKING_MS) continue;
      await nextTurn();
      since = performance.now();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workOn));
}

/** Lengths by what an entry plays, and its breaks. */
export type Measured = Map<string, Millis | undefined>;

/** The lengths of entries, as far as they are known. @param measured what is known; what is found is added */
export async function lengthsOf(
  entries: readonly Entry[],
  find: MediaFinder,
  measure: Measure,
  now: Millis,
  measured: Measured = new Map(),
): Promise<Map<Entry, Millis>> {
  const lengths = new Map<Entry, Millis>();
  await inParallel(entries, async (entry) => {
    const { source, breaks, duration, start } = entry;
    const startsAt = start === undefined ? undefined : millis(Date.parse(start));
    if (isLiveSource(source)) return lengths.set(entry, flicksToMillis(liveLength(source.live, startsAt, now)));
    const key = JSON.stringify([source, breaks]);
    const media = duration === undefined && !measured.has(key) ? await find(entry) : undefined;
    if (media !== undefined) measured.set(key, inMillis(measure(entry, media)));
    const length = duration === undefined ? measured.get(key) : millis(Math.round(duration * 1000));
    return length === undefined ? undefined : lengths.set(entry, length);
  });
  return lengths;
}

/** How long what the source of an entry contains is; undefined if it cannot be played. */
export type Measure = (entry: RuleEntry, media: EntryMedia) => Flicks | undefined;

export async function readWindow(
  entriesOf: ScheduleStore['entries'],
  channel: ChannelRef,
  { rules = [] }: ScheduleSettings,
  { now, from, until }: WindowRange,
  { find, measure }: { readonly find: MediaFinder; readonly measure: Measure },
): Promise<ScheduleWindow> {
  const range = { from: millis(from - LOOK_BACK_MS), to: millis(until + LOOK_AHEAD_MS) };
  const stored = await entriesOf(channel, range.from, range.to);
  const media = new Map<RuleEntry['source'], EntryMedia>();
  const soon = stored.filter(({ at }) => at < until).map(({ entry }) => entry);
  await inParallel([...rules.flatMap(({ entries }) => entries), ...soon], async (entry) =>
    media.set(entry.source, await find(entry)),
  );
  const lengthOf: LengthOf = (entry, at) => {
    if (isLiveSource(entry.source)) return liveLength(entry.source.live, at, now);
    const found = media.get(entry.source);
    return entry.duration === undefined ? found && measure(entry, found) : secondsToFlicks(entry.duration);
  };
  const expanded = await inTurns(
    0,
    expandRules(rules, range.from, range.to, (entry) => lengthOf(entry)),
  );
  const items = [
    ...stored.map((one, index) => storedItem(one, index, lengthOf)),
    ...expanded.entries.map((one) => expandedItem(one, lengthOf)),
  ];
  await nextTurn();
  const placed = placeInOrder(items, range.from);
  await nextTurn();
  const entries = placed.map(({ item, at, order, length }): WindowEntry => {
    const { start: _start, length: _length, ...own } = item;
    const found = media.get(own.entry.source);
    return {
      ...own,
      at,
      order,
      ...(length === undefined ? {} : { length }),
      ...(found === undefined || at >= until ? {} : { media: found }),
    };
  });
  return { entries, warnings: expanded.warnings };
}

type Item = {
  readonly entry: Entry;
  readonly start: Millis | undefined;
  readonly length: Millis | undefined | ((at: Millis) => Millis | undefined);
  readonly endsBy?: Millis;
  readonly isOfRule: boolean;
};

const inMillis = (length: Flicks | undefined): Millis | undefined =>
  length === undefined ? undefined : flicksToMillis(length);

type LengthOf = (entry: RuleEntry, at?: Millis) => Flicks | undefined;

/** The window may begin within entries that follow each other. */
const storedItem = ({ entry, at, length }: PlacedEntry, index: number, lengthOf: LengthOf): Item => ({
  entry,
  start: entry.start === undefined && index > 0 ? undefined : at,
  length: inMillis(lengthOf(entry, at)) ?? length,
  isOfRule: false,
});

function expandedItem({ entry, endsBy }: ExpandedEntry, lengthOf: LengthOf): Item {
  const start = entry.start === undefined ? undefined : millis(Date.parse(entry.start));
  const length = (at: Millis) => inMillis(lengthOf(entry, at));
  return { entry, start, length, isOfRule: true, ...(endsBy === undefined ? {} : { endsBy }) };
}

/** The items of a playlist that fit a ladder. */
export const readyItems = (items: readonly FoundItem[], ladder: Ladder): ReadyItem[] =>
  items.flatMap(({ index, item, found }) => {
    const fit = found.ok ? fitToLadder(found.asset, ladder, found.key) : undefined;
    return found.ok && fit?.ok ? [{ index, item, asset: found.asset, renditions: fit.renditions }] : [];
  });

export type EntryOutcome = ({ readonly ok: true } & EntrySlots) | { readonly ok: false; readonly reason: string };

/** What an entry plays, as the item `index` of its schedule. @param breaks of entries that have none of their own */
export function slotsOfEntry(
  entry: RuleEntry,
  media: EntryMedia,
  { ladder, breaks = [], ...maker }: SlotMaker & { readonly ladder: Ladder; readonly breaks?: EntryBreaks | undefined },
  index = 0,
): EntryOutcome {
  const { source } = entry;
  if (media.kind === 'missing') return { ok: false, reason: media.reason };
  if (media.kind === 'live') {
    const rungs = rungsFor(ladder, media.origin);
    if (typeof rungs === 'string') return { ok: false, reason: rungs };
    const length = isLiveSource(source) ? secondsToFlicks(source.live.plannedDuration) : flicks(0);
    return { ok: true, slots: [], length, reports: [], warnings: [] };
  }
  if (media.kind === 'playlist') {
    const ready = readyItems(media.items, ladder);
    return ready.length === 0
      ? { ok: false, reason: 'no item of its playlist can be played' }
      : { ok: true, ...slotsOfPlaylist(ready, index, maker) };
  }
  const { found } = media;
  if (!found.ok) return { ok: false, reason: found.reason };
  const fit = fitToLadder(found.asset, ladder, found.key);
  if (!fit.ok) return { ok: false, reason: fit.reason };
  const ready = { index, asset: found.asset, renditions: fit.renditions };
  const played = defined('url' in source ? source : undefined, 'the media of an asset has a URL');
  return { ok: true, ...slotsOfAsset(ready, played, entry.breaks ?? breaks, maker) };
}

/** The entry to lay out. @param outcome of its source; absent if it was not read, because the entry starts later */
export function prepareEntry(
  { entry, at, length, endsBy }: WindowEntry,
  outcome: EntryOutcome | undefined,
): PreparedEntry {
  const { id, title, upid, bumpers, duration, start, source } = entry;
  const startsAt = start === undefined ? undefined : at;
  const live = isLiveSource(source) ? source.live : undefined;
  const slots = outcome?.ok ? outcome.slots : [];
  // The time of an entry that cannot be played is filled.
  const isMissing = live !== undefined || (outcome !== undefined && slots.length === 0);
  const missing = isMissing && length !== undefined ? millisToFlicks(length) : undefined;
  const fixed = duration === undefined || live !== undefined ? missing : secondsToFlicks(duration);
  return {
    id,
    plannedAt: at,
    slots,
    ...withoutUndefined({ title, upid, bumpers, startsAt, length: fixed, endsBy }),
    ...(live && { isLive: true, ...(mayOverrun(live) && { overrun: live.overrun ?? 'join' }) }),
  };
}
