// SPDX-License-Identifier: Apache-2.0
// The health of the origin of a feed, from what this process has read, or from the log if another process reads it.
import { type Tail, tailAfter } from '../live/align/tail.ts';
import { backupsFor } from '../live/backupsFor.ts';
import type { LiveFeed } from '../live/feed.ts';
import type { BackupHealth, OriginHealth } from '../live/originHealth.ts';
import type { LiveEntry } from '../live/slot.ts';
import type { FeedKeeper } from '../playback/live/feedKeeper.ts';
import type { FeedSource } from '../playback/live/origins/feedSources.ts';
import { onAirOf, troubleOf } from '../playback/live/origins/originCondition.ts';
import type { Standing } from '../playback/live/origins/sourceChoice.ts';
import { ENDED, NOTHING_NEW, stalledAfter } from '../playback/live/origins/stallWatch.ts';
import type { Millis } from '../time/units.ts';

/** Another process reads the origin if its last entry is not older. */
const IDLE_AFTER_MS = 30_000;

export const standingOf = (tail: Tail | undefined): Standing =>
  tail === undefined
    ? { isAway: false }
    : {
        ...{ source: tail.source, isAway: tail.awaySince !== undefined, contentAt: tail.contentAt },
        ...{ since: tail.onAirSince, reason: tail.awayReason },
      };

function backupHealth(source: FeedSource, format: LiveFeed['format']): BackupHealth {
  const { url } = source;
  const { readAt, failedAt } = source.health();
  const checkedAt = Math.max(readAt ?? 0, failedAt ?? 0) as Millis;
  if (checkedAt === 0) return { url, state: 'unknown' };
  const reason = faultOf(source, format);
  return reason === undefined ? { url, state: 'ok', checkedAt } : { url, state: 'failing', reason, checkedAt };
}

/** A backup that can be read is of no use if it does not continue. */
function faultOf(source: FeedSource, format: LiveFeed['format']): string | undefined {
  const { failure, readAt } = source.health();
  const last = source.reading();
  if (failure !== undefined || last === undefined || readAt === undefined) return failure?.sentence;
  if (last.reading.isEnded) return ENDED[format];
  return readAt - last.at > stalledAfter(source.targetMs() ?? 0) ? NOTHING_NEW : undefined;
}

export type HealthSources = {
  readonly keeper: Pick<FeedKeeper<unknown>, 'health' | 'origins'>;
  /** The newest entries of a life. */
  readonly newest: (life: string) => Promise<readonly LiveEntry[]>;
  readonly backups: readonly string[];
  readonly now: () => Millis;
};

export async function originHealthOf(
  { keeper, newest, backups, now }: HealthSources,
  feed: LiveFeed,
): Promise<OriginHealth> {
  const own = keeper.health(feed.life);
  const known = keeper.origins(feed.life);
  const entries = known?.standing?.since === undefined ? await newest(feed.life) : [];
  const logged = standingOf(entries.reduce<Tail | undefined>(tailAfter, undefined));
  const standing = known?.standing?.since === undefined ? logged : known.standing;
  const onAir = onAirOf(feed, standing);
  const described = known
    ? known.backups.map((one) => backupHealth(one, feed.format))
    : backupsFor(backups, feed.format).map((url): BackupHealth => ({ url, state: 'unknown' }));
  const common = {
    ...(onAir === undefined ? {} : { onAir }),
    ...(described.length === 0 ? {} : { backups: described }),
    ...(own?.warnings?.length ? { warnings: own.warnings } : {}),
  };
  const readAt = own?.readAt ?? entries.at(-1)?.readAt;
  const dated = readAt === undefined ? common : { ...common, readAt };
  const trouble = own && troubleOf(own);
  if (trouble !== undefined) return { ...trouble, ...dated };
  const isRead = own !== undefined || (readAt !== undefined && now() - readAt < IDLE_AFTER_MS);
  if (isRead && own === undefined && standing.isAway)
    return {
      state: 'failing',
      ...(standing.since === undefined ? {} : { since: standing.since }),
      ...(standing.reason === undefined ? {} : { reason: standing.reason }),
      ...dated,
    };
  return { state: isRead ? 'ok' : 'idle', ...dated };
}
