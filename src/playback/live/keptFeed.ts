// SPDX-License-Identifier: Apache-2.0
// One live feed of this process while it has viewers: loads its log, reads its origin periodically, and stores what is new.
// The rules of time are in pacing.ts, those of entries in feedTimeline.ts.
import type { LiveFeed } from '../../live/feed.ts';
import type { LiveEntry } from '../../live/slot.ts';
import type { Timer } from '../../time/clock.ts';
import { type Millis, millis } from '../../time/units.ts';
import { MAX_ENTRIES } from './appendQueue.ts';
import { entryOf } from './entryOf.ts';
import { createFeedLog } from './feedLog.ts';
import type { FeedTimeline } from './feedTimeline.ts';
import { createFirstState } from './firstState.ts';
import { inTurn } from './inTurn.ts';
import type { KeptFeedDeps } from './keptFeedDeps.ts';
import { loadTimeline } from './loadTimeline.ts';
import { advanced, type FeedHealth, failed, stalled } from './origins/feedHealth.ts';
import { createFeedReading, type FeedReading } from './origins/feedReading.ts';
import { createFeedSources, type FeedSource } from './origins/feedSources.ts';
import type { Standing } from './origins/sourceChoice.ts';
import { createStallWatch } from './origins/stallWatch.ts';
import { idleAfter, isFresh, isIdle, longestSlot, nextReadAt, phaseOf, readInterval } from './pacing.ts';

export type KeptFeed<State> = {
  readonly feed: LiveFeed;
  /** Marks the feed as used. @throws {AppError} UNAVAILABLE, as a rejection */
  use(): State | Promise<State>;
  /** The state that viewers are shown, once there is one. */
  peek(): State | undefined;
  health(): FeedHealth;
  /** What is on air; undefined until the log is loaded. */
  standing(): Standing | undefined;
  backups(): readonly FeedSource[];
  /** The first number that is not known to be in the log; undefined until the log is loaded. */
  next(): number | undefined;
  /** Milliseconds of the log that are needed: the markers of the break on air are part of it. Undefined until it is loaded. */
  keepMillis(): number | undefined;
  /** Takes entries of the log that another process wrote. */
  follow(entries: readonly LiveEntry[]): void;
  /** Stores what operators have ordered, without waiting for the next reading. Resolves when it is stored, or cannot be. */
  order(): Promise<void>;
  stop(): void;
};

/** Until the origin or the log states otherwise. */
const DEFAULT_TARGET_MS = 4000;
/** How often a reading is compared with the log again, after other processes were faster. */
const MAX_LOSSES = 3;

const NOT_ALIGNED = 'The origin of this channel lists segments that cannot be aligned. Retry soon.';
const NOT_LOADED = 'The timeline of this channel cannot be read from the database. Retry soon.';
const NOTHING = 'The origin lists no new segments.';
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
  const sources = createFeedSources(deps, feed, () => deps.backupsOf(feed));
  const wokenAt = now();
  const origins = createFeedReading(sources, { now, timers, wokenAt });
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
  const healthNow = (): FeedHealth => {
    const { advancedAt, stall, failure } = health;
    const main = sources.main().health();
    return { ...main, ...(advancedAt && { advancedAt }), ...(stall && { stall }), ...(failure && { failure }) };
  };

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
    } else {
      const { failure } = healthNow();
      if (failure !== undefined) first.reject(failure.sentence);
    }
  }

  /** Stores what readings add, and what could not be stored before. @returns false if the life has ended */
  const settle = inTurn(settleNow);
  async function settleNow(line: FeedTimeline<State, Tail>, found: FeedReading | undefined): Promise<boolean> {
    for (let losses = 0; losses < MAX_LOSSES && !isStopped; losses += 1) {
      propose(line, found);
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

  function propose(line: FeedTimeline<State, Tail>, found: FeedReading | undefined): void {
    const newest = line.newest();
    const frameOf = (readAt: Millis) => {
      // No other process shows this feed, so there is none that has to read the entry first.
      const isAlone = isWaking && (newest === undefined || readAt - newest.readAt > idleAfter(targetMs));
      return { readAt, visibleAt: isAlone ? now() : millis(now() + deps.visibleDelay) };
    };
    const tail = line.tail();
    const by = { frameOf, now: now(), reason: reasonOf(healthNow()) };
    const read = found && entryOf(deps, feed, tail, origins.stillValid(found, deps.standing(tail), targetMs), by);
    // What is idle has not reached the place of new orders.
    const isOrdered = found !== undefined || !(isWaking || isIdle(now(), usedAt, targetMs));
    const entry = (isOrdered && deps.ordered?.(tail, read, frameOf(now()), feed)) || read;
    if (entry === undefined) return;
    line.propose(entry);
    if (entry.slots.some(({ isAway }) => !isAway)) health = advanced(health, entry.readAt);
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
    const [found] = await Promise.all([
      origins.read(deps.standing(line.tail()), targetMs),
      isWaking ? deps.freshOrders?.() : undefined,
    ]);
    targetMs = found.targetMs ?? targetMs;
    try {
      health = withoutFailure(health);
      if (!(await settle(line, found))) {
        fail(ENDED);
        return false;
      }
      const { own } = found;
      log.read(own);
      if (own !== undefined) stalls.note('sentence' in own ? 'failed' : own.reading, now());
      const stall = stalls.stallAt(now(), found.statedMs ?? targetMs, deps.standing(line.tail()).contentAt);
      health = stalled(health, sources.main().health().failure === undefined ? stall : undefined);
      log.stalled(health.stall);
      if (line.newest() !== undefined && (found.candidates.length > 0 || found.isTrouble)) isWaking = false;
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
    const retryIn = timeline === undefined ? readInterval(targetMs) : origins.retryIn(targetMs);
    const at = retryIn > 0 ? timers.elapsed() + retryIn : nextReadAt(startedAt, readInterval(targetMs), phase);
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
      const { failure } = healthNow();
      if (timer !== undefined && failure !== undefined && !timeline?.hasSlots()) return first.refuse(failure.sentence);
      return first.wait(() => showFirst(true));
    },
    peek: () => (isReady ? timeline!.stateAt(now()) : undefined),
    health: healthNow,
    standing: () => timeline && deps.standing(timeline.tail()),
    backups: () => sources.all().slice(1),
    next: () => timeline?.next(),
    keepMillis: () => timeline && deps.keepMillis(feed) + deps.breakMillis(timeline.stateAt(now())),
    follow(entries) {
      if (timeline === undefined || entries.length === 0) return;
      timeline.follow(entries, now());
      const newest = timeline.newest();
      if (newest !== undefined) health = advanced(health, newest.readAt);
      showFirst(false);
    },
    async order() {
      if (timeline === undefined || isWaking || isStopped) return;
      if (deps.ordered?.(timeline.tail(), undefined, { readAt: now(), visibleAt: now() }, feed) === undefined) return;
      await settle(timeline, undefined).catch((error: unknown) => fail(NOT_ALIGNED, error));
    },
    stop() {
      isStopped = true;
      timer?.cancel();
      showing?.cancel();
      first.reject(healthNow().failure?.sentence ?? STOPPED);
    },
  };
}

const withoutFailure = ({ failure: _, ...health }: FeedHealth): FeedHealth => health;

const reasonOf = ({ failure, stall }: FeedHealth): string => failure?.sentence ?? stall?.reason ?? NOTHING;
