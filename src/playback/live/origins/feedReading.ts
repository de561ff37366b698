// SPDX-License-Identifier: Apache-2.0
// Reads the origins of a feed once: the one on air, and others if they may be needed (sourceChoice.ts).
import type { OriginReading } from '../../../live/origin.ts';
import { type Timers, within } from '../../../time/clock.ts';
import type { Millis } from '../../../time/units.ts';
import type { LiveFeedSource, LiveFeedSources, SourceResult } from './feedSources.ts';
import { activeOf, checkInterval, type Mode, modeOf, patienceOf, provenBefore, type Standing } from './sourceChoice.ts';

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

export type Candidate = {
  readonly reading: OriginReading;
  readonly at: Millis;
  /** Its URL; undefined for the feed's own. */
  readonly backup: string | undefined;
};

type Clock = {
  readonly now: () => Millis;
  readonly timers: Timers;
  /** When this process began to read the feed. */
  readonly wokenAt: Millis;
};

export function createLiveFeedReading(sources: LiveFeedSources, { now, timers, wokenAt }: Clock) {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let mode: Mode = 'calm';
  let active = sources.main();

  /** Those that are read now. */
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
        ...{ candidates, isTrouble, isWary, targetMs: active.targetMs(), statedMs: active.statedMs() },
        own: active === main ? result : main.take(),
      };
    },
    /** What of a reading may still be listed, after other processes have listed content: neither slate nor another source. */
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

export type FeedReader = ReturnType<typeof createLiveFeedReading>;
