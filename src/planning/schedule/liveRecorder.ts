// SPDX-License-Identifier: Apache-2.0
// Puts what the origins of live entries show on air, while it is shown. Any node may do it: the first one that stores an edition
// decides, and another one takes over when nothing follows what that one has stored.
import { randomUUID } from 'node:crypto';
import type { CreativeLibrary } from '../../ads/creative/creative.ts';
import { DEFAULT_BREAK_DURATION, DEFAULT_MAX_BREAK_DURATION, type LinearChannel } from '../../channels/channel.ts';
import { type ChannelRef, channelKey } from '../../channels/channelKey.ts';
import type { ChannelStore } from '../../channels/ports.ts';
import type { Current } from '../../channels/schedule/nextEditions.ts';
import type { Slate } from '../../channels/schedule/planSlots.ts';
import type { AiringStore } from '../../channels/schedule/ports.ts';
import { inTurns } from '../../ingest/source/inTurns.ts';
import { backupsFor, type LiveFeed } from '../../live/feed.ts';
import type { LiveState } from '../../live/programme/liveState.ts';
import { expandRules } from '../../scheduling/expandRules.ts';
import { endableAfter, mayOverrun } from '../../scheduling/liveEntries.ts';
import type { ScheduleStore } from '../../scheduling/ports.ts';
import { isLiveSource, type LiveProgramme } from '../../scheduling/schedule.ts';
import { type Millis, millis, secondsToFlicks } from '../../time/units.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { type Change, currentOf, INSERT_LEAD_MS, type OnAir } from '../insertBreaks.ts';
import { rungsFor } from '../live/feedLadder.ts';
import { slateFor } from '../slateFor.ts';
import type { EndEntry } from './endEntry.ts';
import { type EntryOnLineup, editionsWith, liveEntryOn, nextOnAir } from './recordLive.ts';
import type { FindOrigin } from './scheduleWindow.ts';

/** A feed that is read for an entry. */
export type EntryFeed = {
  readonly feed: LiveFeed;
  readonly backups: readonly string[];
  readonly maxBreakDuration: number;
};

type LiveRecorderDeps = {
  readonly channels: Pick<ChannelStore, 'find'>;
  readonly schedules: Pick<ScheduleStore, 'byId' | 'find'>;
  readonly airings: Pick<AiringStore, 'append'>;
  readonly library: CreativeLibrary;
  readonly findOrigin: FindOrigin;
  /** What is known of a feed, which is read for as long as this is called. */
  readonly use: (feed: EntryFeed) => LiveState | undefined;
  readonly changeOf: (channel: LinearChannel, ladder: Ladder, slate: Slate) => Promise<Change | undefined>;
  /** Stores that an origin has ended an entry. */
  readonly end: EndEntry;
  readonly onStored: () => Promise<void>;
  readonly plan: (channel: ChannelRef) => Promise<void>;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  readonly now: () => Millis;
};

/** Milliseconds before its start from which on an origin is read. */
const READ_AHEAD_MS = 60_000;
/** An entry is read again after this time: an edit may have changed its origin. */
const ENTRY_MS = 10_000;

/** The place of an entry that is not over is made longer before it ends. */
const ENDING_MS = 90_000;
const EXTEND_EVERY_MS = 15_000;
/** How long ago the rule of an entry on air may have begun. */
const LOOK_BACK_MS = 24 * 3_600_000;

/** `isOpen`: it lasts until it is ended. `endableAfter`: as in `nextOnAir`. */
type Known = {
  readonly readAt: Millis;
  readonly one: EntryFeed | undefined;
  readonly text: string;
  readonly isOpen: boolean;
  readonly endableAfter: number | undefined;
};

const keyOf = (channel: ChannelRef, entryId: string): string => `${channelKey(channel)} ${entryId}`;

export function createLiveRecorder(deps: LiveRecorderDeps) {
  /** The lineups with live entries. */
  const watched = new Map<string, { readonly channel: ChannelRef; readonly onAir: OnAir }>();
  const feeds = new Map<string, Known>();
  const running = new Set<string>();
  const extendedAt = new Map<string, Millis>();

  /** The feed of an entry on a ladder; undefined if its origin cannot be used, or the entry has been removed. */
  async function feedOf(channel: LinearChannel, { airing }: OnAir, entryId: string, slate: Slate) {
    const key = keyOf(channel, entryId);
    const last = feeds.get(key);
    if (last !== undefined && last.readAt > deps.now() - ENTRY_MS) return last.one;
    const live = await sourceOf(channel, entryId);
    const text = `${airing.life} ${live?.sourceManifestUrl} ${live?.backupManifestUrls?.join()}`;
    const one =
      last?.one !== undefined && last.text === text
        ? last.one
        : live && (await begun(channel, airing.ladder, live, slate));
    const open = live?.endedAt === undefined ? live : undefined;
    const isOpen = open !== undefined && mayOverrun(open);
    feeds.set(key, { readAt: deps.now(), one, text, isOpen, endableAfter: open && endableAfter(open) });
    return one;
  }

  async function sourceOf(channel: ChannelRef, entryId: string): Promise<LiveProgramme | undefined> {
    const [placed] = await deps.schedules.byId(channel, [entryId]);
    const { rules = [] } = (placed === undefined ? await deps.schedules.find(channel) : undefined)?.settings ?? {};
    const now = deps.now();
    const ofRules = await inTurns(
      0,
      expandRules(rules, millis(now - LOOK_BACK_MS), millis(now + READ_AHEAD_MS), () => undefined),
    );
    const source = placed?.entry.source ?? ofRules.entries.find(({ entry }) => entry.id === entryId)?.entry.source;
    return source && isLiveSource(source) ? source.live : undefined;
  }

  async function begun(
    channel: LinearChannel,
    ladder: Ladder,
    { sourceManifestUrl: url, backupManifestUrls = [] }: LiveProgramme,
    slate: Slate,
  ): Promise<EntryFeed | undefined> {
    const { tenant, id: channelId, maxBreakDuration = DEFAULT_MAX_BREAK_DURATION } = channel;
    const origin = await deps.findOrigin({ tenant, id: channelId }, url);
    const rungs = 'problem' in origin ? origin.problem : rungsFor(ladder, origin);
    if ('problem' in origin || typeof rungs === 'string') return undefined;
    const { format, serves } = origin;
    const life = { life: randomUUID(), startedAt: deps.now(), slateId: slate.id };
    const feed: LiveFeed = { channelId, tenant, ...life, format, serves, url, ladder, rungs };
    return { feed, backups: backupsFor(backupManifestUrls, format), maxBreakDuration };
  }

  async function record(channel: LinearChannel, onAir: OnAir, lineup: readonly Current[], entry: EntryOnLineup) {
    const { ladder } = onAir.airing;
    const { slate } = await slateFor(deps.library, ladder, channel, async () => {});
    const one = slate && (await feedOf(channel, onAir, entry.id, slate));
    const state = one && deps.use(one);
    if (slate === undefined || one === undefined || state === undefined) return;
    const { breakDuration = DEFAULT_BREAK_DURATION } = channel;
    const openLength = secondsToFlicks(Math.min(breakDuration, one.maxBreakDuration));
    const known = feeds.get(keyOf(channel, entry.id));
    const source = { state, openLength, endableAfter: known?.endableAfter };
    const next = nextOnAir(lineup, entry, source, { now: deps.now(), lead: INSERT_LEAD_MS });
    // Another node, or an operator, may have ended it before.
    const endsAt = next?.endsAt && (await deps.end(channel, entry.id, next.endsAt));
    if (next?.endsAt !== undefined && endsAt === undefined) return;
    const change = next && (await deps.changeOf(channel, ladder, slate));
    if (next === undefined || change === undefined) return;
    const shown = endsAt === undefined ? entry : { ...entry, endsAt };
    const made = editionsWith(lineup, { entry: shown, next, feed: one.feed, slate }, change.schedule);
    if (made === undefined) return;
    const dropped = onAir.records.slice(next.left.index + 1).map(({ number }) => number);
    if (
      await deps.airings.append(
        made.map((current) => current.record),
        dropped,
      )
    )
      await deps.onStored();
  }

  async function work({ tenant, id }: ChannelRef, onAir: OnAir): Promise<void> {
    const lineup = currentOf(onAir);
    const now = deps.now();
    const entry = liveEntryOn(lineup, now, millis(now + READ_AHEAD_MS));
    if (entry === undefined) return;
    const channel = await deps.channels.find(tenant, id);
    if (channel?.type !== 'vod2live' || channel.state !== 'enabled') return;
    await record(channel, onAir, lineup, entry);
    // While the origin is away, nothing else makes its place longer.
    const isEnding = feeds.get(keyOf(channel, entry.id))?.isOpen && entry.endsAt < now + ENDING_MS;
    if (!isEnding || now < (extendedAt.get(channelKey(channel)) ?? 0) + EXTEND_EVERY_MS) return;
    extendedAt.set(channelKey(channel), now);
    await deps.plan(channel);
  }

  return {
    /** Called with each lineup that is loaded. */
    saw(channel: ChannelRef, onAir: OnAir | undefined): void {
      const key = channelKey(channel);
      const isLive = onAir?.records.some(({ entries }) => entries?.some((entry) => entry?.isLive));
      if (onAir !== undefined && isLive) watched.set(key, { channel, onAir });
      else watched.delete(key);
    },
    /** Call it every second. */
    async run(): Promise<void> {
      for (const [key, { readAt }] of feeds) if (readAt < deps.now() - READ_AHEAD_MS) feeds.delete(key);
      const due = [...watched].filter(([key]) => !running.has(key));
      await Promise.all(
        due.map(async ([key, { channel, onAir }]) => {
          running.add(key);
          const { tenant, id: channelId } = channel;
          await work(channel, onAir)
            .catch((error: unknown) => deps.log('failed to put a live entry on air', { tenant, channelId, error }))
            .finally(() => running.delete(key));
        }),
      );
    },
  };
}
