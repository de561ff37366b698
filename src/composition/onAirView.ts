// What the administrative interface sees of the air, and what it sets in motion there.
import type { OnAir } from '../http/admin/routes/ports.ts';
import { describePreparation } from '../planning/preparation.ts';
import type { ChannelStatus } from '../planning/status.ts';
import { changesBetween, entriesBetween } from '../playback/onAir/timelineEntries.ts';
import { listSessions, type TraceStores, traceSession } from '../playback/view/trace.ts';
import { millis } from '../time/units.ts';
import type { Air } from './composeAir.ts';
import type { Ground } from './openGround.ts';

/** Milliseconds since a viewer's last request within which they watch; it is noted every 15 s. */
const WATCHING = 60_000;

export const onAirView = (
  { channels, now }: Ground,
  { cache, statusOf, stateOf, plan }: Air,
  stores: TraceStores,
): OnAir => ({
  async channelStatus(channel, withItems) {
    const { state } = channel;
    if (state === 'disabled') return { state };
    const known: Partial<ChannelStatus> | undefined = await (withItems ? statusOf(channel) : stateOf(channel));
    if (known === undefined) return { state: 'enabled', stateReason: describePreparation(undefined) };
    const { preparation, items, ...status } = known;
    const isOnAir = cache.find(channel)?.airing !== undefined;
    return {
      ...{ state, ...status },
      ...(preparation ? { preparation: { ...preparation, isOnAir } } : {}),
      ...(items && withItems ? { items: [...items] } : {}),
    };
  },
  async channelTimeline(channel, from, to) {
    const programme = cache.find(channel)?.airing?.programme;
    const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    if (programme === undefined) return { ...range, entries: [], editions: [] };
    return { ...range, entries: entriesBetween(programme, from, to), editions: changesBetween(programme, from, to) };
  },
  channelSessions: (channel, page) => listSessions(stores.sessions, channel, page),
  sessionTrace: (id, tenant) => traceSession(stores, id, tenant),
  async onChannelChanged(channel) {
    // Players are told at once that the channel is coming, or that it is no more.
    await cache.refresh();
    await plan(channel, true);
  },
  async onPlaylistChanged(id, tenant) {
    await Promise.all((await channels.playing(tenant, id)).map((channel) => plan(channel, true)));
  },
  viewerCounts: (tenant, ids) => stores.sessions.watching(tenant, ids, millis(now() - WATCHING)),
});
