// SPDX-License-Identifier: Apache-2.0
// Records how the origins change that this process reads. Causes a query only after a change. During a database outage, changes
// wait in memory.
import { withoutUndefined } from '../../../invariant.ts';
import type { LiveFeed } from '../../../live/feed.ts';
import {
  isSameCondition,
  type OnAir,
  type OriginCondition,
  type OriginEvent,
  type OriginEventStore,
  type OriginHealth,
} from '../../../live/originHealth.ts';
import type { Millis } from '../../../time/units.ts';
import type { FeedCondition } from '../feedKeeper.ts';
import type { LiveFeedHealth } from './feedHealth.ts';
import type { Standing } from './feedReading.ts';

export function onAirOf({ url }: LiveFeed, { isAway, source, since }: Standing): OnAir | undefined {
  if (since === undefined) return undefined;
  if (isAway) return { kind: 'slate', since };
  return source === undefined ? { kind: 'source', url, since } : { kind: 'backup', url: source, since };
}

type OriginTrouble = Pick<OriginHealth, 'since' | 'reason'> & {
  readonly state: 'stalled' | 'ended' | 'failing';
};

export function troubleOf({ failure, stall }: LiveFeedHealth): OriginTrouble | undefined {
  if (failure !== undefined) return { state: 'failing', since: failure.since, reason: failure.sentence };
  return stall && { state: stall.kind, since: stall.since, reason: stall.reason };
}

/** A single failure is not recorded unless it has consequences. */
const isSettled = ({ failure, readAt }: LiveFeedHealth, { isAway }: Standing): boolean =>
  failure === undefined ? readAt !== undefined : isAway || failure.count > 1;

/** @returns undefined while it is not certain: the origin has not been read yet, or reading it has failed for the first time */
function originConditionOf(
  feed: LiveFeed,
  health: LiveFeedHealth,
  standing: Standing,
): Omit<OriginEvent, 'at'> | undefined {
  const onAir = onAirOf(feed, standing);
  if (onAir === undefined || !isSettled(health, standing)) return undefined;
  const trouble = troubleOf(health);
  const reason = trouble?.reason ?? (standing.isAway ? standing.reason : undefined);
  return {
    origin: feed.format,
    state: trouble?.state ?? 'ok',
    onAir: onAir.kind,
    ...withoutUndefined({ url: onAir.url, reason }),
  };
}

type OriginRecorderDeps = {
  readonly store: Pick<OriginEventStore, 'record'>;
  /** The conditions of the feeds that this process reads. */
  readonly conditions: () => readonly FeedCondition[];
  readonly now: () => Millis;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
};

/** Changes of a feed that wait for the database. Older ones are dropped. */
const MAX_WAITING = 100;

type Watched = { last: OriginCondition | undefined; waiting: OriginEvent[] };

/** @returns what notices and stores changes; called periodically, never twice at once */
export function createOriginRecorder({ store, conditions, now, warn }: OriginRecorderDeps): () => Promise<void> {
  const watched = new Map<string, Watched>();
  let isFailing = false;

  function notice({ feed, health, standing }: FeedCondition): void {
    const known = watched.get(feed.life) ?? { last: undefined, waiting: [] };
    watched.set(feed.life, known);
    const condition = originConditionOf(feed, health, standing);
    if (condition === undefined || (known.last !== undefined && isSameCondition(known.last, condition))) return;
    known.last = condition;
    known.waiting = [...known.waiting, { ...condition, at: now() }].slice(-MAX_WAITING);
  }

  async function flush(): Promise<void> {
    for (const [life, known] of watched) {
      for (let event = known.waiting[0]; event !== undefined; event = known.waiting[0]) {
        await store.record(life, event);
        known.waiting.shift();
      }
    }
  }

  return async () => {
    const current = conditions();
    for (const one of current) notice(one);
    const lives = new Set(current.map(({ feed }) => feed.life));
    try {
      await flush();
      isFailing = false;
    } catch (error) {
      if (!isFailing) warn('recording changes of live origins failed; trying again every second', { error });
      isFailing = true;
    }
    for (const [life, { waiting }] of watched) if (!lives.has(life) && waiting.length === 0) watched.delete(life);
  };
}
