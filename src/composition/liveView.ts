// SPDX-License-Identifier: Apache-2.0
// What the administrative API shows of live channels.
import type { LiveStatus as ShownStatus } from '../http/contract/liveContract.ts';
import type { DeepReadonly } from '../http/contract/matching.ts';
import type { BackupHealth, OriginHealth } from '../live/originHealth.ts';
import type { LiveOriginStatus, LiveStatus } from '../planning/live/liveStatus.ts';
import type { Millis } from '../time/units.ts';

export type OriginHealths = { readonly [Format in keyof LiveStatus]?: OriginHealth };

const iso = (time: Millis): string => new Date(time).toISOString();

const describeBackup = ({ checkedAt, ...backup }: BackupHealth) => ({
  ...backup,
  ...(checkedAt === undefined ? {} : { checkedAt: iso(checkedAt) }),
});

const describeHealth = ({ state, reason, since, readAt, onAir, backups, warnings }: OriginHealth) => ({
  state,
  ...(since === undefined ? {} : { since: iso(since) }),
  ...(reason === undefined ? {} : { reason }),
  ...(onAir === undefined ? {} : { onAir: { ...onAir, since: iso(onAir.since) } }),
  ...(backups === undefined ? {} : { backups: backups.map(describeBackup) }),
  ...(warnings === undefined ? {} : { warnings }),
  ...(readAt === undefined ? {} : { readAt: iso(readAt) }),
});

const describeOrigin = ({ startedAt, ...facts }: LiveOriginStatus, health: OriginHealth | undefined) => ({
  ...facts,
  startedAt: iso(startedAt),
  ...(health === undefined ? {} : { health: describeHealth(health) }),
});

export const describeLive = ({ hls, dash }: LiveStatus, healths: OriginHealths): DeepReadonly<ShownStatus> => ({
  ...(hls ? { hls: describeOrigin(hls, healths.hls) } : {}),
  ...(dash ? { dash: describeOrigin(dash, healths.dash) } : {}),
});
