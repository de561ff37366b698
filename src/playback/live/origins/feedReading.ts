// SPDX-License-Identifier: Apache-2.0
// Reads the origins of a feed once: the one on air, and others if they may be needed.
import { defined } from '../../../invariant.ts';
import type { OriginReading } from '../../../live/origin.ts';
import { type Clock, within } from '../../../time/clock.ts';
import type { Millis } from '../../../time/units.ts';
import type { LiveFeedSource, LiveFeedSources, SourceResult } from './feedSources.ts';

/** What is on air at the end of a log. */
export type Standing = {
  /** The URL of the backup origin; undefined for the feed's own. */
  readonly source?: string | undefined;
  /** Slate is on air, because no origin lists anything. */
  readonly isAway: boolean;
  readonly contentAt?: Millis | undefined;
  /** Since when this is on air. */
  readonly since?: Millis | undefined;
  readonly reason?: string | undefined;
};

type Mode =
  /** Content is added. */
  | 'calm'
  /** Nothing has been added for a while: backups are read, so that they are known when they are needed. */
  | 'wary'
  /** Any origin that has something is listed, and slate if none has. */
  | 'trouble';

/** Target durations without new content. */
const WARY = 2;
const TROUBLE = 3;
/** Milliseconds. An earlier origin is used again when it has been growing for so long. */
const PROVEN_MS = 30_000;
/** Earlier origins are checked this often. */
const CHECK_MS = 10_000;

/** A playlist has to grow within one and a half target durations (RFC 8216 §6.2.1). */
const LATE = 1.5;
/** Milliseconds. Longer segments are mistakes of the origin. */
const LONGEST = 30_000;

/**
 * How a process reads, by the log and not by what it could read: a process that cannot reach an origin puts no slate on air while
 * another one can.
 * @param wokenAt when this process began to read the feed
 * @param statedMs the target duration that the origin has now: while it makes a segment that is longer than those of before, it lists
 * nothing
 */
export function modeOf(
  { isAway, contentAt }: Standing,
  wokenAt: Millis,
  targetMs: number,
  now: Millis,
  statedMs = 0,
): Mode {
  const quiet = now - Math.max(wokenAt, contentAt ?? 0);
  if (isAway || quiet > Math.max(TROUBLE * targetMs, LATE * Math.min(statedMs, LONGEST) + targetMs)) return 'trouble';
  return quiet > WARY * targetMs ? 'wary' : 'calm';
}

/** Milliseconds for which a process waits for a reading before it decides. */
function patienceOf({ contentAt, isAway }: Standing, wokenAt: Millis, targetMs: number, now: Millis): number {
  if (isAway) return targetMs / 2;
  const quiet = now - Math.max(wokenAt, contentAt ?? 0);
  const limit = quiet < WARY * targetMs ? WARY : TROUBLE;
  return Math.max(targetMs / 4, limit * targetMs - quiet + 1);
}

const checkInterval = (targetMs: number): number => Math.max(CHECK_MS, 2 * targetMs);

/** The source on air; the first if it was removed. */
const activeOf = (sources: readonly LiveFeedSource[], { source }: Standing): LiveFeedSource =>
  defined(sources.find(({ backup }) => backup === source) ?? sources[0], 'a feed has a source');

/** The first of the sources before the active one that has been growing for long enough. */
function provenBefore(
  sources: readonly LiveFeedSource[],
  active: LiveFeedSource,
  now: Millis,
): LiveFeedSource | undefined {
  return sources.slice(0, sources.indexOf(active)).find((one) => {
    const since = one.growingSince();
    return since !== undefined && now - since >= PROVEN_MS;
  });
}

export type LiveFeedReading = {
  /** What may be listed, in order. */
  readonly candidates: readonly Candidate[];
  /** Redundant renditions are among them, for an origin that has added nothing for a while. */
  readonly isWary?: boolean;
  /** If none of them has something, slate is on air. */
  readonly isTrouble: boolean;
  /** What was found at the feed's own URL; undefined if that is not known yet. */
  readonly own: SourceResult | undefined;
  /** Milliseconds; undefined until the origin was read. */
  readonly targetMs: number | undefined;
  /** The target duration that the origin has now, which may be longer. */
  readonly statedMs: number | undefined;
};

type Candidate = {
  readonly reading: OriginReading;
  readonly at: Millis;
  /** The URL of the backup; undefined for the feed's own. */
  readonly backup: string | undefined;
};

type ReaderDeps = Clock & {
  /** When this process began to read the feed. */
  readonly wokenAt: Millis;
};

export function createLiveFeedReading(sources: LiveFeedSources, { now, timers, wokenAt }: ReaderDeps) {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let mode: Mode = 'calm';
  let active = sources.main();

  /** The sources that are read now. */
  function due(all: readonly LiveFeedSource[], targetMs: number): readonly LiveFeedSource[] {
    // Where dates do not show that a backup is current, it takes two readings until it can be used.
    if (mode !== 'calm' || active.health().failure !== undefined) return all;
    if (active === all[0] || now() - checkedAt < checkInterval(targetMs)) return [active];
    checkedAt = now();
    return [active, ...all.slice(0, all.indexOf(active))];
  }

  const modeNow = (standing: Standing, targetMs: number): Mode =>
    modeOf(standing, wokenAt, targetMs, now(), active.statedMs());

  const recent = (source: LiveFeedSource, targetMs: number, onAir: Standing): Candidate[] => {
    const known = source.reading();
    if (known === undefined || now() - known.at > 2 * targetMs) return [];
    const { reading, at } = known;
    // A cache may return an old playlist at first.
    const isUnproven = (onAir.isAway || source.backup !== onAir.source) && !source.isGrowing();
    return [{ reading: isUnproven ? { ...reading, isUnproven } : reading, at, backup: source.backup }];
  };

  /** A reading that has been used adds nothing later. */
  function news(result: SourceResult | undefined): Candidate[] {
    if (result === undefined || 'sentence' in result || result.reading === undefined) return [];
    return [{ reading: result.reading, at: active.reading()?.at ?? now(), backup: active.backup }];
  }

  return {
    async read(standing: Standing, targetMs: number): Promise<LiveFeedReading> {
      const all = sources.all(standing.source);
      active = activeOf(all, standing);
      mode = modeNow(standing, targetMs);
      const proven = mode === 'trouble' ? undefined : provenBefore(all, active, now());
      const read = proven === undefined ? due(all, targetMs) : [active, proven];
      const readings = read.map((source) => ({ source, isRead: source.read(targetMs) }));
      const isOfActive = (one: LiveFeedSource): boolean => one.url === active.url && one.way !== 'substitutes';
      const isAwaited = (one: LiveFeedSource): boolean =>
        mode === 'trouble' || proven !== undefined || one === active || (mode === 'wary' && isOfActive(one));
      const awaited = readings.filter(({ source }) => isAwaited(source)).map(({ isRead }) => isRead);
      await within(timers, patienceOf(standing, wokenAt, targetMs, now()), Promise.all(awaited));
      mode = modeNow(standing, targetMs);
      const isTrouble = mode === 'trouble';
      const isWary = mode === 'wary' && proven === undefined;
      const redundant = isWary ? all.filter((one) => one !== active && isOfActive(one)) : [];
      const result = active.take();
      const main = sources.main();
      const candidates = isTrouble
        ? all.flatMap((one) => recent(one, targetMs, standing))
        : proven === undefined
          ? [...news(result), ...redundant.flatMap((one) => recent(one, targetMs, standing))]
          : recent(proven, targetMs, standing);
      return {
        candidates,
        isTrouble,
        isWary,
        targetMs: active.targetMs(),
        statedMs: active.statedMs(),
        own: active === main ? result : main.take(),
      };
    },
    /**
     * The part of a reading that may still be listed after other processes have listed content: neither slate nor
     * another source.
     */
    stillValid(found: LiveFeedReading, standing: Standing, targetMs: number): LiveFeedReading {
      const after = modeNow(standing, targetMs);
      if (found.isTrouble ? after === 'trouble' : !found.isWary || after !== 'calm') return found;
      const candidates = found.candidates.filter(({ backup }) => backup === standing.source);
      return { ...found, candidates, isTrouble: false };
    },
    /** Milliseconds until reading makes sense again. */
    retryIn: (targetMs: number): number => (mode === 'calm' ? active.retryIn(targetMs) : 0),
  };
}
