// SPDX-License-Identifier: Apache-2.0
// The origins of a feed: its own URL and its backups, each with what its last readings found. Readings run in the background, so
// that one which does not respond delays nothing.
import type { LiveFeed } from '../../../live/feed.ts';
import type { OriginReading } from '../../../live/origin.ts';
import type { OriginReader } from '../../../live/ports.ts';
import type { Timers } from '../../../time/clock.ts';
import type { Millis } from '../../../time/units.ts';
import { retryDelay } from '../pacing.ts';
import { type FeedHealth, failed, succeeded } from './feedHealth.ts';
import { createOriginPoll, type PollFailure } from './originPoll.ts';

export type FeedSource = {
  readonly url: string;
  /** Undefined for the feed's own URL. */
  readonly backup: string | undefined;
  health(): FeedHealth;
  /** The newest reading with a change. */
  reading(): { readonly reading: OriginReading; readonly at: Millis } | undefined;
  /** The result of the last reading, once. */
  take(): SourceResult | undefined;
  /** Since when each check has found new segments. */
  growingSince(): Millis | undefined;
  /** The newest reading lists segments that the one before it, a moment earlier, did not. */
  isGrowing(): boolean;
  /** Reads unless a reading is under way, or failed a moment ago. Settles when the reading does. */
  read(targetMs: number): Promise<void>;
  /** Milliseconds until it may be read again, after failures. */
  retryIn(targetMs: number): number;
  targetMs(): number | undefined;
  /** The target duration that the origin has now; undefined while it cannot be read. */
  statedMs(): number | undefined;
};

export type SourceResult = { readonly reading: OriginReading | undefined } | PollFailure;

type Deps = {
  readonly readerFor: (feed: LiveFeed) => OriginReader;
  readonly timers: Timers;
  readonly now: () => Millis;
  /** Called with what a reader has thrown. */
  readonly onDefect: (error: unknown) => void;
};

const newestOf = ({ renditions }: OriginReading): string =>
  renditions.map(({ segments }) => segments.at(-1)?.media.url ?? '').join(' ');

/** Milliseconds between two readings that can be compared. */
const repeatedWithin = (targetMs: number): number => Math.max(20_000, 4 * targetMs);

function createFeedSource(
  { readerFor, timers, now, onDefect }: Deps,
  feed: LiveFeed,
  backup: string | undefined,
): FeedSource {
  const url = backup ?? feed.url;
  const poll = createOriginPoll(readerFor, timers, { ...feed, url });
  let health: FeedHealth = {};
  let latest: { readonly reading: OriginReading; readonly at: Millis } | undefined;
  let result: SourceResult | undefined;
  let underWay: Promise<void> | undefined;
  let growingSince: Millis | undefined;
  let newest: string | undefined;
  let isGrowing = false;
  let failedAt = 0;

  const retryIn = (targetMs: number): number =>
    health.failure === undefined ? 0 : failedAt + retryDelay(health.failure.count, targetMs) - timers.elapsed();

  function note(read: SourceResult, targetMs: number): void {
    const at = now();
    result = read;
    if ('sentence' in read) {
      if ('error' in read) onDefect(read.error);
      failedAt = timers.elapsed();
      growingSince = undefined;
      health = failed(health, at, read.sentence);
      return;
    }
    const isRepeated = health.readAt !== undefined && at - health.readAt <= repeatedWithin(targetMs);
    health = succeeded(health, at, read.reading?.warnings);
    const edge = read.reading && newestOf(read.reading);
    const hasGrown = edge !== undefined && edge !== newest && !read.reading!.isEnded;
    const isLate = latest === undefined || at - latest.at > 2 * targetMs;
    if (hasGrown) growingSince ??= at;
    else if (isLate) growingSince = undefined;
    if (read.reading === undefined) return;
    isGrowing = hasGrown && isRepeated;
    newest = edge;
    latest = { reading: read.reading, at };
  }

  return {
    url,
    backup,
    health: () => health,
    reading: () => latest,
    take() {
      const taken = result;
      result = undefined;
      return taken;
    },
    growingSince: () => growingSince,
    isGrowing: () => isGrowing,
    read(targetMs) {
      if (underWay === undefined && retryIn(targetMs) > targetMs / 4) return Promise.resolve();
      underWay ??= poll.read(targetMs).then((read) => {
        underWay = undefined;
        note(read, targetMs);
      });
      return underWay;
    },
    retryIn,
    targetMs: poll.targetMs,
    statedMs: () => (health.failure === undefined ? poll.statedMs() : undefined),
  };
}

export type FeedSources = {
  /** The feed's own URL, then its backups in order. */
  all(): readonly FeedSource[];
  main(): FeedSource;
};

/** @param backups may change while the feed is on air */
export function createFeedSources(deps: Deps, feed: LiveFeed, backups: () => readonly string[]): FeedSources {
  const main = createFeedSource(deps, feed, undefined);
  const made = new Map<string, FeedSource>();
  return {
    main: () => main,
    all() {
      const urls = backups();
      for (const url of made.keys()) if (!urls.includes(url)) made.delete(url);
      for (const url of urls) if (!made.has(url)) made.set(url, createFeedSource(deps, feed, url));
      return [main, ...urls.map((url) => made.get(url)!)];
    },
  };
}
