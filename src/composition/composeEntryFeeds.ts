// SPDX-License-Identifier: Apache-2.0
// Composes what reads the origins of live entries of schedules. What viewers are shown of them is stored in the editions of their
// channels, so the timelines of these feeds are kept in memory only.
import { randomUUID } from 'node:crypto';
import { clipMakerFor, type FindMedia } from '../ads/placement/breakClips.ts';
import { createOriginReader } from '../ingest/live/createOriginReader.ts';
import type { Origin } from '../ingest/ports.ts';
import type { LiveFeed } from '../live/feed.ts';
import type { LiveLog } from '../live/ports.ts';
import { initialState, type LiveState } from '../live/programme/liveState.ts';
import type { LiveEntry } from '../live/slot.ts';
import type { EntryFeed } from '../planning/schedule/liveRecorder.ts';
import { createLiveFeedKeeper } from '../playback/live/feedKeeper.ts';
import type { LiveFeedStatusDeps } from '../playback/live/feedStatus.ts';
import { secondsToFlicks } from '../time/units.ts';
import { type LogTail, liveRules } from './liveRules.ts';
import type { Services } from './openServices.ts';

/** Milliseconds of a timeline that are kept: more than is put on air at once. */
const KEPT_MS = 120_000;

export function composeEntryFeeds(
  { now, timers, warn, error }: Pick<Services, 'now' | 'timers' | 'warn' | 'error'>,
  origin: Origin,
  findMedia: FindMedia,
  countDefects: LiveFeedStatusDeps['countDefects'],
) {
  const used = new Map<string, EntryFeed>();
  const windowMillis = () => KEPT_MS;
  const keeper = createLiveFeedKeeper<LiveState, LogTail>({
    log: memoryLog(),
    isShared: false,
    node: randomUUID(),
    now,
    timers,
    warn,
    error,
    countDefects,
    visibleDelay: 0,
    readerFor: (feed, way) => createOriginReader({ origin, feed, now, way }),
    freshOrders: async () => {},
    ...liveRules({
      initial({ ladder, slateId, ...feed }: LiveFeed) {
        const media = { ladder, slateId, clips: clipMakerFor(ladder, findMedia) };
        return initialState({ ladder, slateId, ...feed }, media, KEPT_MS);
      },
      rulesOf: ({ life }) => ({ fill: 'slate', maxBreak: secondsToFlicks(used.get(life)?.maxBreakDuration ?? 0) }),
      windowMillis,
    }),
    // What operators insert is put on the schedule.
    ordered: (_, read) => read,
    backupsOf: ({ life }) => used.get(life)?.backups ?? [],
    keepMillis: windowMillis,
  });
  return {
    /** What is known of a feed. It is read for as long as it is used. */
    use(one: EntryFeed): LiveState | undefined {
      for (const life of used.keys()) if (!keeper.lives().includes(life)) used.delete(life);
      const { feed } = one;
      used.set(feed.life, one);
      const state = keeper.use(feed);
      if (!(state instanceof Promise)) return state;
      // An origin that cannot be read yet is tried again.
      state.catch(() => undefined);
      return keeper.peek(feed.life);
    },
    stop: keeper.stop,
  };
}

function memoryLog(): LiveLog {
  const logs = new Map<string, LiveEntry[]>();
  const read = async (life: string, from: number) => (logs.get(life) ?? []).filter(({ number }) => number >= from);
  const startOf = ({ slots: [first] }: LiveEntry): number => first?.start.millis ?? Number.POSITIVE_INFINITY;
  const neededOf = (entries: readonly LiveEntry[], millis: number): LiveEntry[] => {
    const newest = Math.max(...entries.flatMap(({ slots }) => slots.at(-1)?.start.millis ?? []));
    return entries.slice(
      Math.max(
        0,
        entries.findLastIndex((entry) => startOf(entry) <= newest - millis),
      ),
    );
  };
  return {
    read,
    append: async (added) =>
      added.map(({ life, entry }) => {
        const known = logs.get(life) ?? [];
        logs.set(life, known);
        const isNew = known.every(({ number }) => number !== entry.number);
        if (isNew) known.push(entry);
        return isNew;
      }),
    tail: async (life, millis) => neededOf(logs.get(life) ?? [], millis),
    readAll: async (after) =>
      new Map(await Promise.all(after.map(async ({ life, from }) => [life, await read(life, from)] as const))),
    async removeBefore(kept) {
      const lives = new Map(kept.map(({ life, millis }) => [life, millis]));
      for (const [life, entries] of logs) {
        const millis = lives.get(life);
        if (millis === undefined) logs.delete(life);
        else logs.set(life, neededOf(entries, millis));
      }
    },
  };
}
