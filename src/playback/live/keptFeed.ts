// SPDX-License-Identifier: Apache-2.0
// One live feed of this process while it has viewers: loads its log, reads its origin periodically, and stores what is new.
// The rules of time are in pacing.ts, those of entries in feedTimeline.ts.
import type { LiveFeed } from '../../live/feed.ts';
import type { LiveLog, ReaderFor } from '../../live/ports.ts';
import type { LiveEntry } from '../../live/slot.ts';
import type { Timer, Timers } from '../../time/clock.ts';
import { type Millis, millis } from '../../time/units.ts';
import { type AppendQueue, inTurn, MAX_ENTRIES } from './appendQueue.ts';
import { entryOf, type LiveFeedRules, lenientRules } from './feedRules.ts';
import {
  createFirstState,
  createLiveFeedStatus,
  ENDED,
  type LiveFeedStatusDeps,
  NOT_LOADED,
  STOPPED,
} from './feedStatus.ts';
import { type LiveFeedTimeline, loadTimeline } from './feedTimeline.ts';
import { createLiveFeedReading, type LiveFeedReading } from './origins/feedReading.ts';
import { createLiveFeedSources } from './origins/feedSources.ts';
import { createStallWatch } from './origins/stallWatch.ts';
import { idleAfter, isFresh, isIdle, longestSlot, nextReadAt, phaseOf, readInterval, showsIn } from './pacing.ts';

/** How often a reading is compared with the log again, after other processes were faster. */
const MAX_LOSSES = 3;

export type KeptLiveFeedDeps<State, Tail> = LiveFeedRules<State, Tail> &
  LiveFeedStatusDeps & {
    readonly log: Pick<LiveLog, 'read' | 'tail'>;
    readonly queue: Pick<AppendQueue, 'append'>;
    readonly readerFor: ReaderFor;
    /** Resolves when what operators have ordered until now is known. */
    readonly freshOrders: () => Promise<void>;
    /** The URLs of its backup origins, in order; they may change. */
    readonly backupsOf: (feed: LiveFeed) => readonly string[];
    /** Names this process; processes read an origin at different times. */
    readonly node: string;
    readonly timers: Timers;
  };

/** @param onEnd called when the feed has no viewers, or its life has ended */
export function createKeptLiveFeed<State, Tail>(
  given: KeptLiveFeedDeps<State, Tail>,
  feed: LiveFeed,
  onEnd: () => void,
) {
  const { now, timers } = given;
  const { life } = feed;
  const phase = phaseOf(`${life} ${given.node}`);
  const first = createFirstState<State>(timers);
  const wokenAt = now();
  const status = createLiveFeedStatus(given, feed, () => sources.main().health());
  const deps = { ...given, ...lenientRules(given, status.broke), onDefect: status.defect };
  const openSources = () => createLiveFeedSources(deps, feed, () => deps.backupsOf(feed));
  const openReading = () => createLiveFeedReading(sources, { now, timers, wokenAt });
  let sources = openSources();
  let origins = openReading();
  let timeline: LiveFeedTimeline<State, Tail> | undefined;
  /** Until the origin or the log states another one, 4 s. */
  let targetMs = 4000;
  let usedAt = now();
  let isReady = false;
  /** No reading has been compared with the log yet. */
  let isWaking = true;
  /** What is in memory has led to a defect. */
  let isSuspect = false;
  let isStopped = false;
  /** The log has been read since it was loaded, when other processes read it, too. */
  let isFollowed = false;
  const failed = { load: false, append: false, reading: false };
  let timer: Timer | undefined;
  let showing: Timer | undefined;

  const stalls = createStallWatch(feed);

  async function load(): Promise<void> {
    const loaded = await loadTimeline(deps, feed, deps);
    if ('unavailable' in loaded) {
      failed.load = true;
      return status.failed(NOT_LOADED, loaded.unavailable);
    }
    // Other processes have shown during the outage what this one is about to read.
    if (failed.load) for (const isAway of [true, false]) loaded.showUnstored(isAway, now());
    failed.load = false;
    timeline = loaded;
    isSuspect = false;
    isFollowed = false;
    const newest = loaded.newest();
    if (newest === undefined) return;
    targetMs = longestSlot(newest) ?? targetMs;
    status.advanced(newest.readAt);
    if (isFresh(newest.readAt, targetMs, now())) showFirst(true);
  }

  /** A state that cannot be listed is a defect: viewers are shown the last one that can. */
  let checked: State | undefined;
  let listable: State | undefined;
  function stateAt(line: LiveFeedTimeline<State, Tail>, at: Millis): State {
    const state = line.stateAt(at);
    if (state === checked) return listable ?? state;
    checked = state;
    try {
      deps.list(state);
      listable = state;
    } catch (error) {
      status.defect(error);
    }
    return listable ?? state;
  }

  /** Viewers who wait get the state once it is current; `asItIs` also if newer entries are not shown yet. */
  function showFirst(asItIs: boolean): void {
    if (isReady || timeline === undefined || isStopped) return;
    const state = stateAt(timeline, now());
    const next = timeline.nextShownAt();
    if (timeline.hasSlots() && (asItIs || next === undefined)) {
      isReady = true;
      first.resolve(state);
    } else if (next !== undefined) {
      showing?.cancel();
      showing = timers.after(showsIn(next, now()), () => showFirst(asItIs));
    } else {
      const refusal = status.refusal();
      if (refusal !== undefined) first.reject(refusal);
    }
  }

  /** Stores what readings add, and what could not be stored before. @returns false if the life has ended */
  const settle = inTurn(settleNow);
  async function settleNow(line: LiveFeedTimeline<State, Tail>, found: LiveFeedReading | undefined): Promise<boolean> {
    for (let losses = 0; losses < MAX_LOSSES && !isStopped; losses += 1) {
      propose(line, found);
      const chain = line.unstored().slice(0, MAX_ENTRIES);
      if (chain.length === 0) return true;
      const result = await deps.queue.append(life, chain);
      failed.append = result === 'failed';
      line.showUnstored(failed.append || failed.reading, now());
      if (result === 'failed') return true;
      if (result === 'stored') {
        line.stored(chain, now());
        return true;
      }
      const from = line.next();
      const others = await deps.log.read(life, from).catch(() => undefined);
      if (others === undefined || line.next() < from) return true;
      if (others.length === 0 && line.unstored()[0] === chain[0]) return false;
      line.follow(others, now());
    }
    return true;
  }

  function propose(line: LiveFeedTimeline<State, Tail>, found: LiveFeedReading | undefined): void {
    const newest = line.newest();
    const frameOf = (readAt: Millis) => {
      // No other process shows this feed, so there is none that has to read the entry first.
      const isAlone = isWaking && (newest === undefined || readAt - newest.readAt > idleAfter(targetMs));
      return { readAt, visibleAt: isAlone ? now() : millis(now() + deps.visibleDelay) };
    };
    const tail = line.tail();
    const by = { frameOf, now: now(), reason: status.reason() };
    const read = found && entryOf(deps, feed, tail, origins.stillValid(found, deps.standing(tail), targetMs), by);
    // What is idle has not reached the place of new orders.
    const isOrdered = found !== undefined || !(isWaking || isIdle(now(), usedAt, targetMs));
    const entry = isOrdered ? deps.ordered(tail, read, frameOf(now()), feed) : read;
    if (entry === undefined) return;
    line.propose(entry);
    if (entry.slots.some(({ isAway }) => !isAway)) status.advanced(entry.readAt);
  }

  /** @returns false if the life has ended */
  async function work(): Promise<boolean> {
    // What is not stored would be lost.
    const mustLoad = timeline === undefined || (isSuspect && timeline.unstored().length === 0);
    if (mustLoad) await load();
    const line = timeline;
    if (line === undefined) return true;
    if (isIdle(now(), usedAt, targetMs)) return settle(line, undefined);
    const [found] = await Promise.all([
      origins.read(deps.standing(line.tail()), targetMs),
      isWaking ? deps.freshOrders() : undefined,
    ]);
    targetMs = found.targetMs ?? targetMs;
    status.begin();
    if (!(await settle(line, found))) {
      status.failed(ENDED);
      return false;
    }
    const { own } = found;
    status.read(own);
    if (own !== undefined) stalls.note('sentence' in own ? 'failed' : own.reading, now());
    status.stalled(stalls.stallAt(now(), found.statedMs ?? targetMs, deps.standing(line.tail()).contentAt));
    if (line.newest() !== undefined && (found.candidates.length > 0 || found.isTrouble)) isWaking = false;
    return true;
  }

  /** What this process remembers of the log and of the origins may be what it fails on: all of it is read again. */
  function beginAgain(error: unknown): void {
    status.broke(error);
    isSuspect = true;
    sources = openSources();
    origins = openReading();
  }

  function isOver(): boolean {
    if (!isIdle(now(), usedAt, targetMs)) return false;
    // What was shown and is not stored would be unknown after the feed has been loaded again.
    const isUnstored = timeline !== undefined && timeline.unstored().length > 0;
    return !isUnstored || now() - usedAt >= deps.keepMillis(feed) + idleAfter(targetMs);
  }

  /** @returns milliseconds until the next reading; undefined if the life has ended */
  async function read(startedAt: number): Promise<number | undefined> {
    const continues = await work();
    if (!continues || isStopped) return undefined;
    showFirst(false);
    const retryIn = timeline === undefined ? readInterval(targetMs) : origins.retryIn(targetMs);
    if (retryIn > 0) return retryIn;
    return nextReadAt(startedAt, readInterval(targetMs), phase) - timers.elapsed();
  }

  async function cycle(): Promise<void> {
    timer = undefined;
    const next = await read(timers.elapsed()).catch((error: unknown) => {
      beginAgain(error);
      return targetMs;
    });
    if (isStopped) return;
    if (next === undefined || isOver()) return onEnd();
    timer = timers.after(Math.max(1, next), () => void cycle());
  }

  void cycle();
  return {
    feed,
    /** Marks the feed as used. @throws {AppError} UNAVAILABLE, as a rejection */
    use(): State | Promise<State> {
      const at = now();
      usedAt = at;
      if (isReady && timeline !== undefined) return stateAt(timeline, at);
      // Between two attempts, another viewer does not wait for the next one.
      const refusal = status.refusal();
      if (timer !== undefined && refusal !== undefined && !timeline?.hasSlots()) return first.refuse(refusal);
      return first.wait(() => {
        showFirst(true);
        return status.refusal();
      });
    },
    /** The state that viewers are shown, once there is one. */
    peek: () => (isReady && timeline !== undefined ? stateAt(timeline, now()) : undefined),
    health: status.health,
    /** What is on air; undefined until the log is loaded. */
    standing: () => timeline && deps.standing(timeline.tail()),
    backups: () => sources.backups(),
    /** The first number that is not known to be in the log; undefined until the log is loaded. */
    next: () => timeline?.next(),
    /** Milliseconds of the log that are needed: the markers of the break on air are part of it. Undefined until it is loaded. */
    keepMillis: () => timeline && deps.keepMillis(feed) + deps.breakMillis(timeline.stateAt(now())),
    /** Takes the entries from a number on that the log had at an instant at which all processes read it. */
    follow(entries: readonly LiveEntry[], from: number): void {
      // Some were withdrawn after the reading was begun.
      if (timeline === undefined || timeline.next() < from) return;
      timeline.follow(entries, now());
      timeline.confirm((entries.at(-1)?.number ?? from - 1) + 1);
      isFollowed = true;
      if (entries.length === 0) return;
      const newest = timeline.newest();
      if (newest !== undefined) status.advanced(newest.readAt);
      showFirst(false);
    },
    /** The log could not be read at such an instant, or can be read again. */
    storeAway(isAway: boolean) {
      failed.reading = isAway;
      // Which of the entries that are not due yet others had read when this process loaded them is unknown.
      if (isAway && !isFollowed && timeline?.hasDue()) {
        status.failed(NOT_LOADED);
        return onEnd();
      }
      timeline?.showUnstored(failed.append || isAway, now());
    },
    /** Stores what operators have ordered, without waiting for the next reading. Resolves when it is stored, or cannot be. */
    async order() {
      if (timeline === undefined || isWaking || isStopped) return;
      if (deps.ordered(timeline.tail(), undefined, { readAt: now(), visibleAt: now() }, feed) === undefined) return;
      await settle(timeline, undefined).catch(beginAgain);
    },
    stop() {
      isStopped = true;
      timer?.cancel();
      showing?.cancel();
      first.reject(status.refusal() ?? STOPPED);
    },
  };
}

export type KeptLiveFeed<State, Tail> = ReturnType<typeof createKeptLiveFeed<State, Tail>>;
