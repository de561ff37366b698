// SPDX-License-Identifier: Apache-2.0
// What the administrative API reads and changes of channels on air.
import type { OnAir, Problems } from '../http/admin/routes/ports.ts';
import type { LiveStatus as ShownStatus } from '../http/contract/liveContract.ts';
import type { DeepReadonly } from '../http/contract/matching.ts';
import { withoutUndefined } from '../invariant.ts';
import type { BackupHealth, OriginHealth } from '../live/originHealth.ts';
import type { LiveOriginStatus, LiveStatus } from '../planning/live/liveStatus.ts';
import type { TitleImport } from '../planning/ports.ts';
import { describePreparation } from '../planning/preparation.ts';
import type { ChannelStatus } from '../planning/status.ts';
import { changesBetween, entriesBetween } from '../playback/onAir/timelineEntries.ts';
import { listSessions, type TraceStores, traceSession } from '../playback/view/trace.ts';
import { viewerCounter } from '../sessions/sessionRules.ts';
import { flicksToSeconds, isoText, type Millis } from '../time/units.ts';
import type { OriginHealths } from './composeLive.ts';
import type { OnAirServices } from './composeOnAir.ts';
import type { Services } from './openServices.ts';

/** Titles that viewers have requested, in the status of a VoD channel. */
const MAX_TITLES = 50;

const describeTitle = ({ url, state, reason, duration, startedAt, updatedAt }: TitleImport) => ({
  url,
  state,
  ...withoutUndefined({ reason, duration: duration === undefined ? duration : flicksToSeconds(duration) }),
  startedAt: isoText(startedAt),
  updatedAt: isoText(updatedAt),
});

export const onAirView = (
  { channels, now }: Services,
  { cache, statusOf, stateOf, plan, namingPlaylist, titleImports, originHealth }: OnAirServices,
  problems: Problems,
  stores: TraceStores,
): OnAir => ({
  async channelStatus(channel, withItems) {
    const { state } = channel;
    if (state === 'disabled') return { state };
    const found = (await problems.ofTenant(channel.tenant)).get(channel.id);
    const known: Partial<ChannelStatus> | undefined = await (withItems ? statusOf(channel) : stateOf(channel));
    if (known === undefined) return { state: 'enabled', stateReason: describePreparation(undefined) };
    const { preparation, items, live, retryAt: _, isUnchecked: __, ...status } = known;
    const isOnAir = cache.find(channel)?.airing !== undefined;
    const titles =
      withItems && channel.type === 'vod' ? (await titleImports(channel, MAX_TITLES)).map(describeTitle) : [];
    return {
      state,
      ...status,
      ...(found ? { problems: found } : {}),
      ...(preparation ? { preparation: { ...preparation, isOnAir } } : {}),
      ...(items && withItems ? { items: [...items] } : {}),
      ...(titles.length > 0 ? { titles } : {}),
      ...(live && withItems ? { live: describeLive(live, await originHealth(channel)) } : {}),
    };
  },
  async channelTimeline(channel, from, to, limit) {
    const programme = cache.find(channel)?.airing?.programme;
    const range = { from: isoText(from), to: isoText(to) };
    // The breaks of a live channel have a list of their own.
    if (programme === undefined || channel.type === 'live') return { ...range, entries: [], editions: [] };
    return {
      ...range,
      ...entriesBetween(programme, from, to, limit),
      editions: changesBetween(programme, from, to),
      knownFrom: isoText(programme.historyFrom),
    };
  },
  channelSessions: (channel, page) => listSessions(stores.sessions, channel, page),
  sessionTrace: (id, tenant) => traceSession(stores, id, tenant),
  async onChannelChanged(channel) {
    // Before planning, so that players get the new state of the channel without delay.
    await cache.refresh();
    await plan(channel, true);
  },
  async onPlaylistChanged(id, tenant) {
    const [playing, naming] = await Promise.all([channels.playing(tenant, id), namingPlaylist(tenant, id)]);
    const all = new Map([...naming, ...playing].map((channel) => [channel.id, channel]));
    await Promise.all([...all.values()].map((channel) => plan(channel, true)));
  },
  viewerCounts: viewerCounter(stores.sessions, now),
});

const isoOf = (time: Millis | undefined): string | undefined => (time === undefined ? time : isoText(time));

const describeBackup = ({ checkedAt, ...backup }: BackupHealth) => ({
  ...backup,
  ...withoutUndefined({ checkedAt: isoOf(checkedAt) }),
});

const describeHealth = ({ state, reason, since, readAt, onAir, backups, warnings }: OriginHealth) => ({
  state,
  ...withoutUndefined({
    since: isoOf(since),
    reason,
    onAir: onAir && { ...onAir, since: isoText(onAir.since) },
    backups: backups?.map(describeBackup),
    warnings,
    readAt: isoOf(readAt),
  }),
});

const describeOrigin = ({ startedAt, ...facts }: LiveOriginStatus, health: OriginHealth | undefined) => {
  return { ...facts, startedAt: isoText(startedAt), ...withoutUndefined({ health: health && describeHealth(health) }) };
};

const describeLive = ({ hls, dash }: LiveStatus, of: OriginHealths): DeepReadonly<ShownStatus> =>
  withoutUndefined({ hls: hls && describeOrigin(hls, of.hls), dash: dash && describeOrigin(dash, of.dash) });
