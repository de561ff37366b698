// SPDX-License-Identifier: Apache-2.0
// The origins of a feed: its own URL and its backups, each with what its last readings found. Readings run in the background, so
// that one which does not respond delays nothing.
import type { LiveFeed } from '../../../live/feed.ts';
import type { OriginReading } from '../../../live/origin.ts';
import type { ReaderFor, ReadingWay } from '../../../live/ports.ts';
import { type Clock, within } from '../../../time/clock.ts';
import type { Millis } from '../../../time/units.ts';
import { readTimeout, retryDelay } from '../pacing.ts';
import { failed, type LiveFeedHealth, succeeded } from './feedHealth.ts';

/** `reading` is undefined if nothing has changed. */
export type SourceResult = { readonly reading: OriginReading | undefined } | PollFailure;

type Deps = Clock & {
  readonly readerFor: ReaderFor;
  /** Called with what a reader has thrown. */
  readonly onDefect: (error: unknown) => void;
};

type PollFailure = {
  /** One sentence, without secrets. */
  readonly sentence: string;
  /** What the reader has thrown: a defect of Midroll. */
  readonly error?: unknown;
};

/** Readers state what is wrong with an origin. What they throw is not its fault. */
export const UNREADABLE =
  'Midroll failed to read the origin of this channel: a defect of Midroll, not of the origin. Retry soon.';

/** RFC 8216 §4.3.3.1 forbids such segments, and §6.2.1 another target duration. */
const longer = (stated: number, given: number): string =>
  `the target duration of the origin is ${stated} s, but was ${given} s when the channel went on air: open sessions keep it, so that their players may stall; new ones have that of the segments that are listed`;

/** Reads the origin of a feed once at a time, and not for longer than readings are apart. */
function createOriginPoll({ readerFor, timers }: Deps, feed: LiveFeed, way: ReadingWay) {
  let reader = readerFor(feed, way);
  let ways = 1;
  let targetMs: number | undefined;
  let statedMs: number | undefined;

  async function request(timeout: number): Promise<SourceResult> {
    const abort = new AbortController();
    const read = reader.read(abort.signal).then((result) => ({ result }));
    const settled = await within(timers, timeout, read);
    if (settled === undefined) {
      abort.abort();
      // The reader may ignore the signal, and must not be called twice at once.
      reader = readerFor(feed, way);
      return { sentence: `The origin did not respond within ${timeout} ms.` };
    }
    const { result } = settled;
    ways = reader.ways?.() ?? 1;
    if (result !== undefined && 'refused' in result) return { sentence: result.refused };
    const stated = reader.targetDuration() * 1000;
    // Viewers were given the target duration that the feed had when it went on air.
    const given = feed.ladder.targetDuration;
    if (stated > 0) [targetMs, statedMs] = [Math.min(stated, given * 1000), stated];
    if (result === undefined || stated <= given * 1000) return { reading: result };
    const targetDuration = stated / 1000;
    return { reading: { ...result, targetDuration, warnings: [longer(targetDuration, given), ...result.warnings] } };
  }

  return {
    ways: () => ways,
    targetMs: () => targetMs,
    statedMs: () => statedMs,
    /** @param known target duration in milliseconds */
    read: (known: number): Promise<SourceResult> =>
      request(readTimeout(known)).catch((error: unknown) => {
        // What the reader remembers may be what it fails on.
        reader = readerFor(feed, way);
        return { sentence: UNREADABLE, error };
      }),
  };
}

const newestOf = ({ renditions }: OriginReading): string =>
  renditions.map(({ segments }) => segments.at(-1)?.media.url ?? '').join(' ');

/** Milliseconds between two readings that can be compared. */
const repeatedWithin = (targetMs: number): number => Math.max(20_000, 4 * targetMs);

function createLiveFeedSource(deps: Deps, feed: LiveFeed, { url, way }: Place) {
  const { timers, now, onDefect } = deps;
  const backup = nameOf(feed, { url, way });
  const poll = createOriginPoll(deps, { ...feed, url }, way);
  let health: LiveFeedHealth = {};
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
    const hasGrown = edge !== undefined && edge !== newest && read.reading?.isEnded === false;
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
    /**
     * Names the source in the log: its URL, and after `#` the way it is read if that is not the first; undefined for the feed's
     * own.
     */
    backup,
    way,
    ways: poll.ways,
    health: (): LiveFeedHealth => health,
    /** The newest reading with a change. */
    reading: (): { readonly reading: OriginReading; readonly at: Millis } | undefined => latest,
    /** The result of the last reading, once. */
    take(): SourceResult | undefined {
      const taken = result;
      result = undefined;
      return taken;
    },
    /** Since when each check has found new segments. */
    growingSince: (): Millis | undefined => growingSince,
    /** The newest reading lists segments that the one before it, a moment earlier, did not. */
    isGrowing: (): boolean => isGrowing,
    /** Reads unless a reading is under way, or failed a moment ago. Settles when the reading does. */
    read(targetMs: number): Promise<void> {
      if (underWay === undefined && retryIn(targetMs) > targetMs / 4) return Promise.resolve();
      underWay ??= poll.read(targetMs).then((read) => {
        underWay = undefined;
        note(read, targetMs);
      });
      return underWay;
    },
    /** Milliseconds until it may be read again, after failures. */
    retryIn,
    /** Milliseconds; undefined until the origin was read. */
    targetMs: poll.targetMs,
    /** The target duration that the origin has now; undefined while it cannot be read. */
    statedMs: (): number | undefined => (health.failure === undefined ? poll.statedMs() : undefined),
  };
}

export type LiveFeedSource = ReturnType<typeof createLiveFeedSource>;

type Place = { readonly url: string; readonly way: ReadingWay };

const nameOf = ({ url: own }: LiveFeed, { url, way }: Place): string | undefined => {
  if (way === 0) return url === own ? undefined : url;
  return `${url}#${way === 'substitutes' ? way : way + 1}`;
};

/** Whether another rung may take the place of one. */
const hasSubstitutes = ({ rungs }: LiveFeed): boolean =>
  rungs.some(({ kind }, index) => kind !== 'text' && rungs.findIndex((one) => one.kind === kind) !== index);

/** @param backups may change while the feed is on air */
export function createLiveFeedSources(deps: Deps, feed: LiveFeed, backups: () => readonly string[]) {
  const made = new Map<string | undefined, LiveFeedSource>();

  function sourceAt(place: Place): LiveFeedSource {
    const name = nameOf(feed, place);
    const known = made.get(name) ?? createLiveFeedSource(deps, feed, place);
    made.set(name, known);
    return known;
  }

  function eachWay(url: string, onAir: string | undefined): LiveFeedSource[] {
    const first = sourceAt({ url, way: 0 });
    const stated = onAir?.startsWith(`${url}#`) ? Number(onAir.slice(url.length + 1)) || 1 : 1;
    const count = Math.max(first.ways(), stated);
    return [first, ...Array.from({ length: count - 1 }, (_, index) => sourceAt({ url, way: index + 1 }))];
  }

  const own = sourceAt({ url: feed.url, way: 0 });
  const failureOf = (source: LiveFeedSource) => source.health().failure;
  /** The feed's own URL. Its failure names what was tried in its place. */
  const main: LiveFeedSource = {
    ...own,
    health() {
      const health = own.health();
      if (health.failure === undefined) return health;
      const others = [...made.values()].filter(
        ({ url, way }) => url === feed.url && way !== 0 && way !== 'substitutes',
      );
      const sentences = [own, ...others].flatMap((one) => failureOf(one)?.sentence ?? []);
      return { ...health, failure: { ...health.failure, sentence: [...new Set(sentences)].join('; ') } };
    },
  };
  made.set(undefined, main);

  return {
    main: (): LiveFeedSource => main,
    backups: (): readonly LiveFeedSource[] => backups().map((url) => sourceAt({ url, way: 0 })),
    /**
     * In order: the feed's own URL, with each of its redundant renditions, then its backups, and at last the feed's own URL with
     * substitutes for single renditions.
     * @param onAir the name of the source on air, which may have been found by another process
     */
    all(onAir?: string): readonly LiveFeedSource[] {
      const urls = [feed.url, ...backups()];
      for (const [name, { url }] of made) if (!urls.includes(url)) made.delete(name);
      const substitutes: Place = { url: feed.url, way: 'substitutes' };
      return [...urls.flatMap((url) => eachWay(url, onAir)), ...(hasSubstitutes(feed) ? [sourceAt(substitutes)] : [])];
    },
  };
}

export type LiveFeedSources = ReturnType<typeof createLiveFeedSources>;
