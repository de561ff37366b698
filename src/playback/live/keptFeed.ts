// SPDX-License-Identifier: Apache-2.0
// One live feed of this process while it has viewers: loads its log, reads its origin periodically, and stores what is new.
// The rules of time are in pacing.ts, those of entries in feedTimeline.ts.
import type { LiveFeed } from '../../live/feed.ts';
import type { OriginReading } from '../../live/origin.ts';
import type { LiveLog, OriginReader } from '../../live/ports.ts';
import type { EntryFrame, LiveEntry } from '../../live/slot.ts';
import type { Timer, Timers } from '../../time/clock.ts';
import { type Millis, millis } from '../../time/units.ts';
import { type AppendQueue, MAX_ENTRIES } from './appendQueue.ts';
import { advanced, type FeedHealth, failed, stalled, succeeded } from './feedHealth.ts';
import { createFeedLog } from './feedLog.ts';
import type { FeedTimeline } from './feedTimeline.ts';
import { createFirstState } from './firstState.ts';
import { loadTimeline, type TimelineDeps } from './loadTimeline.ts';
import { createOriginPoll } from './originPoll.ts';
import { idleAfter, isFresh, isIdle, longestSlot, nextReadAt, phaseOf, readInterval, retryDelay } from './pacing.ts';
import { createStallWatch } from './stallWatch.ts';

export type KeptFeedDeps<State, Tail> = TimelineDeps<State, Tail> & {
  readonly log: Pick<LiveLog, 'read' | 'tail'>;
  readonly queue: Pick<AppendQueue, 'append'>;
  readonly readerFor: (feed: LiveFeed) => OriginReader;
  /** What a reading adds; undefined if nothing. */
  readonly nextEntry: (
    tail: Tail,
    reading: OriginReading,
    frame: Pick<EntryFrame, 'readAt' | 'visibleAt'>,
    feed: LiveFeed,
  ) => LiveEntry | undefined;
  /** Names this process; processes read an origin at different times. */
  readonly node: string;
  readonly timers: Timers;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
};

export type KeptFeed<State> = {
  readonly feed: LiveFeed;
  /** Marks the feed as used. @throws {AppError} UNAVAILABLE, as a rejection */
  use(): State | Promise<State>;
  /** The state that viewers are shown, once there is one. */
  peek(): State | undefined;
  health(): FeedHealth;
  /** The first number that is not known to be in the log; undefined until the log is loaded. */
  next(): number | undefined;
  /** Milliseconds of the log that are needed: the markers of the break on air are part of it. Undefined until it is loaded. */
  keepMillis(): number | undefined;
  /** Takes entries of the log that another process wrote. */
  follow(entries: readonly LiveEntry[]): void;
  stop(): void;
};

/** Until the origin or the log states otherwise. */
const DEFAULT_TARGET_MS = 4000;
/** How often a reading is compared with the log again, after other processes were faster. */
const MAX_LOSSES = 3;

const NOT_ALIGNED = 'The origin of this channel lists segments that cannot be aligned. Retry soon.';
const NOT_LOADED = 'The timeline of this channel cannot be read from the database. Retry soon.';
const ENDED = 'This channel starts again. Retry soon.';
const STOPPED = 'This server is shutting down. Retry soon.';

/** @param onEnd called when the feed has no viewers, or its life has ended */
export function createKeptFeed<State, Tail>(
  deps: KeptFeedDeps<State, Tail>,
  feed: LiveFeed,
  onEnd: () => void,
): KeptFeed<State> {
  const { now, timers } = deps;
  const { life, tenant, channelId } = feed;
  const phase = phaseOf(`${life} ${deps.node}`);
  const first = createFirstState<State>(timers);
  const origin = createOriginPoll(deps.readerFor, timers, feed);
  let timeline: FeedTimeline<State, Tail> | undefined;
  let targetMs = DEFAULT_TARGET_MS;
  let usedAt = now();
  let health: FeedHealth = {};
  let isReady = false;
  /** No reading has been compared with the log yet. */
  let isWaking = true;
  let isStopped = false;
  let timer: Timer | undefined;
  let showing: Timer | undefined;

  const log = createFeedLog(deps.warn, { tenant, channelId, life }, now);
  const stalls = createStallWatch(feed);

  function fail(sentence: string, error?: unknown): void {
    log.failed(sentence, error);
    health = failed(health, now(), sentence);
  }

  async function load(): Promise<void> {
    const loaded = await loadTimeline(deps, feed);
    timeline = loaded;
    const newest = loaded.newest();
    if (newest === undefined) return;
    targetMs = longestSlot(newest) ?? targetMs;
    health = advanced(health, newest.readAt);
    if (isFresh(newest.readAt, targetMs, now())) showFirst(true);
  }

  /** Viewers who wait get the state once it is current; `asItIs` also if newer entries are not shown yet. */
  function showFirst(asItIs: boolean): void {
    if (isReady || timeline === undefined || isStopped) return;
    const state = timeline.stateAt(now());
    const next = timeline.nextShownAt();
    if (timeline.hasSlots() && (asItIs || next === undefined)) {
      isReady = true;
      first.resolve(state);
    } else if (next !== undefined) {
      showing?.cancel();
      showing = timers.after(Math.max(1, next - now()), () => showFirst(asItIs));
    } else if (health.failure !== undefined) first.reject(health.failure.sentence);
  }

  /** Stores what a reading adds, and what could not be stored before. @returns false if the life has ended */
  async function settle(line: FeedTimeline<State, Tail>, reading: OriginReading | undefined): Promise<boolean> {
    const readAt = now();
    for (let losses = 0; losses < MAX_LOSSES && !isStopped; losses += 1) {
      propose(line, reading, readAt);
      const chain = line.unstored().slice(0, MAX_ENTRIES);
      if (chain.length === 0) return true;
      const result = await deps.queue.append(life, chain);
      line.showUnstored(result === 'failed');
      if (result === 'failed') return true;
      if (result === 'stored') {
        line.stored(chain, now());
        return true;
      }
      const others = await deps.log.read(life, line.next()).catch(() => undefined);
      if (others === undefined) return true;
      if (others.length === 0 && line.unstored()[0] === chain[0]) return false;
      line.follow(others, now());
    }
    return true;
  }

  function propose(line: FeedTimeline<State, Tail>, reading: OriginReading | undefined, readAt: Millis): void {
    if (reading === undefined) return;
    const newest = line.newest();
    // No other process shows this feed, so there is none that has to read the entry first.
    const isAlone = isWaking && (newest === undefined || readAt - newest.readAt > idleAfter(targetMs));
    const visibleAt = isAlone ? readAt : millis(now() + deps.visibleDelay);
    const entry = deps.nextEntry(line.tail(), reading, { readAt, visibleAt }, feed);
    if (entry === undefined) return;
    line.propose(entry);
    if (entry.slots.length > 0) health = advanced(health, readAt);
  }

  /** @returns false if the life has ended */
  async function work(): Promise<boolean> {
    try {
      if (timeline === undefined) await load();
    } catch (error) {
      fail(NOT_LOADED, error);
      return true;
    }
    const line = timeline!;
    if (isIdle(now(), usedAt, targetMs)) return settle(line, undefined);
    const result = await origin.read(targetMs);
    targetMs = origin.targetMs() ?? targetMs;
    if ('sentence' in result) fail(result.sentence, result.error);
    try {
      const reading = 'reading' in result ? result.reading : undefined;
      if (!(await settle(line, reading))) {
        fail(ENDED);
        return false;
      }
      if ('reading' in result) {
        stalls.note(reading, now());
        const succeededNow = succeeded(health, now(), reading?.warnings);
        health = stalled(succeededNow, stalls.stallAt(now(), targetMs, health.advancedAt));
        log.stalled(health.stall);
      }
      if (reading !== undefined) isWaking = false;
    } catch (error) {
      fail(NOT_ALIGNED, error);
    }
    return true;
  }

  async function cycle(): Promise<void> {
    const startedAt = timers.elapsed();
    timer = undefined;
    const continues = await work();
    if (isStopped) return;
    showFirst(false);
    const isUsed = !isIdle(now(), usedAt, targetMs);
    // What was shown and is not stored would be unknown after the feed has been loaded again.
    const isKept =
      (timeline?.unstored().length ?? 0) > 0 && now() - usedAt < deps.keepMillis(feed) + idleAfter(targetMs);
    if (!continues || (!isUsed && !isKept)) return onEnd();
    const { failure } = health;
    const at =
      failure === undefined
        ? nextReadAt(startedAt, readInterval(targetMs), phase)
        : timers.elapsed() + retryDelay(failure.count, targetMs);
    timer = timers.after(Math.max(1, at - timers.elapsed()), () => void cycle());
  }

  void cycle();
  return {
    feed,
    use() {
      const at = now();
      usedAt = at;
      if (isReady) return timeline!.stateAt(at);
      // Between two attempts, another viewer does not wait for the next one.
      if (timer !== undefined && health.failure !== undefined && !timeline?.hasSlots())
        return first.refuse(health.failure.sentence);
      return first.wait(() => showFirst(true));
    },
    peek: () => (isReady ? timeline!.stateAt(now()) : undefined),
    health: () => health,
    next: () => timeline?.next(),
    keepMillis: () => timeline && deps.keepMillis(feed) + deps.breakMillis(timeline.stateAt(now())),
    follow(entries) {
      if (timeline === undefined || entries.length === 0) return;
      timeline.follow(entries, now());
      const newest = timeline.newest();
      if (newest !== undefined) health = advanced(health, newest.readAt);
      showFirst(false);
    },
    stop() {
      isStopped = true;
      timer?.cancel();
      showing?.cancel();
      first.reject(health.failure?.sentence ?? STOPPED);
    },
  };
}
