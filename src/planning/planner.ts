// SPDX-License-Identifier: Apache-2.0
// Plans channels: after a change by an operator, or when an asset becomes available or unavailable, it computes what a channel
// plays and appends editions. Only the planner writes lives and editions. Several planners may run at once, because each edition
// number can be stored only once.
import type { Channel, LinearChannel } from '../channels/channel.ts';
import { type ChannelRef, channelKey } from '../channels/channelKey.ts';
import { playlistTitle } from '../channels/playlist.ts';
import type { ChannelStore } from '../channels/ports.ts';
import type { AiringStore } from '../channels/schedule/ports.ts';
import type { LiveFeedStore } from '../live/ports.ts';
import { type Millis, millis } from '../time/units.ts';
import { type AirDeps, airChannel, playlistContent } from './airChannel.ts';
import { type PlanLiveDeps, planLiveChannel } from './live/planLiveChannel.ts';
import { itemFaults, joinSentences, type Planning, type PlanOf, statusSoFar } from './preparation.ts';
import { assetsOf, findItems } from './readySchedule.ts';
import { type PlanScheduleDeps, planScheduledChannel } from './schedule/planSchedule.ts';
import type { FindOrigin } from './schedule/scheduleWindow.ts';
import { type ChannelStatus, retryFrom } from './status.ts';
import type { StatusBoard } from './statusBoard.ts';
import { type PlanVodDeps, planVodChannel } from './vod/planVodChannel.ts';

export type PlannerDeps = Omit<AirDeps, 'onSlateAwaited'> &
  PlanVodDeps &
  PlanLiveDeps &
  PlanScheduleDeps & {
    readonly channels: ChannelStore;
    readonly findOrigin: FindOrigin;
    /** The channel statuses that all nodes share. */
    readonly board: StatusBoard;
    readonly log: (message: string, facts: Record<string, unknown>) => void;
  };

export type Planner = ReturnType<typeof createPlanner>;

/** An edit imports assets again unless they were imported within this time. */
const FRESH_FOR_MS = 30_000;

/** @property isOver its status is being stored */
type UnderWay = { readonly channel: ChannelRef; readonly planning: Planning; isOver: boolean };

export function createPlanner(deps: PlannerDeps) {
  const lives = createLives(recorded(deps), deps.feeds);
  const statuses = new Map<string, ChannelStatus>();
  const planning = new Map<string, UnderWay>();
  const running = new Map<string, Promise<void>>();
  const again = new Map<string, { fresh: boolean }>();

  async function planOnce({ tenant, id }: ChannelRef, fresh: boolean): Promise<void> {
    const channel = await deps.channels.find(tenant, id);
    const key = channelKey({ tenant, id });
    if (channel?.state !== 'enabled') {
      // Players are not served while it is disabled. After it is enabled again, they continue at what it shows then.
      // A deleted channel may be restored; a new one with its id starts another life.
      if (deps.grace > 0) await lives.switchOff({ tenant, id }, deps.now());
      else await lives.end({ tenant, id });
      statuses.delete(key);
      await deps.board.remove({ tenant, id });
      return;
    }
    await lives.switchOn(channel, deps.now());
    // Another node may have planned it last.
    const last = await deps.board.find(channel);
    if (last !== undefined) {
      const { preparation: _, ...known } = last;
      statuses.set(key, known);
    }
    const started: Planning = { contents: [], results: new Map() };
    const underWay: UnderWay = { channel: { tenant, id }, planning: started, isOver: false };
    planning.set(key, underWay);
    try {
      const freshAfter = fresh ? deps.now() - FRESH_FOR_MS : 0;
      const status = await planByType({ deps, channel, fresh, freshAfter, planning: started, last });
      statuses.set(key, status);
      underWay.isOver = true;
      await deps.board.put(channel, status);
    } finally {
      planning.delete(key);
    }
  }

  /** The status in this process: a snapshot, which changes quickly while it has a `preparation`. */
  function status(channel: ChannelRef): ChannelStatus | undefined {
    const key = channelKey(channel);
    const [last, underWay] = [statuses.get(key), planning.get(key)];
    return underWay === undefined ? last : statusSoFar(underWay.planning, deps.library, last);
  }

  async function run(channel: ChannelRef): Promise<void> {
    const key = channelKey(channel);
    for (let next = again.get(key); next !== undefined; next = again.get(key)) {
      again.delete(key);
      try {
        await planOnce(channel, next.fresh);
      } catch (error) {
        deps.log('failed to plan a channel', { tenant: channel.tenant, channelId: channel.id, error });
      }
    }
    running.delete(key);
  }

  return {
    /** Plans a channel; calls during a planning cause one more. `fresh` imports its assets again. */
    plan(channel: ChannelRef, { fresh = false }: { fresh?: boolean } = {}): Promise<void> {
      const key = channelKey(channel);
      again.set(key, { fresh: fresh || (again.get(key)?.fresh ?? false) });
      const known = running.get(key);
      if (known !== undefined) return known;
      const started = run(channel);
      running.set(key, started);
      return started;
    },
    status,
    statusUnderWay: (channel: ChannelRef) => (planning.has(channelKey(channel)) ? status(channel) : undefined),
    /** The status from the shared board, or the current one while this process plans the channel. */
    sharedStatus: async (channel: ChannelRef) =>
      planning.has(channelKey(channel)) ? status(channel) : deps.board.find(channel),
    sharedState: async (channel: ChannelRef): Promise<Omit<ChannelStatus, 'items'> | undefined> =>
      planning.has(channelKey(channel)) ? status(channel) : deps.board.findWithoutItems(channel),
    /** Shares the progress of plannings with the other nodes. Call it twice a second. */
    share: () =>
      deps.board.share(
        [...planning].map(([key, one]) => ({
          channel: one.channel,
          statusNow: () => (planning.get(key) === one && !one.isOver ? status(one.channel) : undefined),
        })),
      ),
    /** Leaves the plannings in progress to other nodes. Call it when the process ends. */
    release: () =>
      deps.board.release([...planning.values()].filter(({ isOver }) => !isOver).map(({ channel }) => channel)),
    /** Which of the enabled channels need to be planned. */
    survey: deps.board.survey,
    /** Ends the lives of channels that have been disabled for longer than the grace period. */
    async endSwitchedOff(): Promise<void> {
      const before = millis(deps.now() - deps.grace);
      for (const channel of await lives.offSince(before)) {
        const record = await deps.channels.find(channel.tenant, channel.id);
        // Two planners may have recorded enabling and disabling in the wrong order.
        if (record?.state === 'enabled') await lives.switchOn(record, deps.now());
        else await lives.end(channel, before);
      }
    },
    /** The enabled channels, and others that still have a life because the process that should have ended it was killed. */
    async channelsToPlan(): Promise<readonly ChannelRef[]> {
      const [enabled, onAir] = await Promise.all([deps.channels.enabled(), lives.onAir()]);
      return distinct([...enabled, ...onAir]);
    },
  };
}

function planByType({ channel, ...plan }: PlanOf<PlannerDeps>): Promise<ChannelStatus> {
  if (channel.type === 'vod') return planVodChannel({ ...plan, channel });
  if (channel.type === 'live') return planLiveChannel({ ...plan, channel });
  return planLinearChannel({ ...plan, channel });
}

async function planLinearChannel(plan: PlanOf<PlannerDeps, LinearChannel>): Promise<ChannelStatus> {
  const { deps, channel, freshAfter, planning } = plan;
  const onSlateAwaited: AirDeps['onSlateAwaited'] = (slate, statuses) => {
    Object.assign(planning, { slate, statuses });
    deps.onSlateAwaited?.(channel);
  };
  const schedule = await deps.schedules.find(channel);
  if (schedule !== undefined) return planScheduledChannel(plan, schedule, onSlateAwaited);
  const { playlistId } = channel;
  const playlist = playlistId === undefined ? undefined : await deps.playlists.find(channel.tenant, playlistId);
  planning.contents = playlist?.contents ?? [];
  const items = await findItems(planning.contents, deps.assets, freshAfter, planning.results);
  const aired = await airChannel({ ...deps, onSlateAwaited }, channel, playlistContent(deps, channel, playlist, items));
  const { statuses, isPlaying, retryAt } = aired;
  const faults = [...aired.reasons];
  if (playlistId === undefined) faults.push('The channel has no playlist, so it shows slate.');
  else if (playlist === undefined) faults.push(`Playlist ${playlistId} does not exist, so the channel shows slate.`);
  else if (playlist.status === 'disabled')
    faults.push(`Playlist ${playlistTitle(playlist)} is disabled, so the channel shows slate.`);
  else if (items.length === 0) faults.push(`Playlist ${playlistTitle(playlist)} is empty, so the channel shows slate.`);
  else if (!statuses.some(({ state }) => state === 'ready')) {
    faults.push(`No item of playlist ${playlistTitle(playlist)} can be played, so the channel shows slate.`);
  }
  faults.push(...itemFaults(statuses));
  const playsPlaylist = isPlaying && assetsOf(items).length > 0 && playlist?.status === 'enabled';
  const failed = !playsPlaylist && playlist?.status !== 'disabled';
  const stateReason = faults.length === 0 ? {} : { stateReason: joinSentences(faults) };
  const state = failed ? 'failed' : 'enabled';
  return { state, ...stateReason, ...retryFrom(retryAt, deps.now()), items: statuses };
}

type Stored = Pick<AiringStore, 'switchOn' | 'switchOff' | 'end' | 'offSince' | 'versions'>;

const distinct = (channels: readonly ChannelRef[]): ChannelRef[] => [
  ...new Map(channels.map(({ tenant, id }) => [channelKey({ tenant, id }), { tenant, id }])).values(),
];

/** What has aired is recorded when a channel goes off air, before its editions are removed. */
const recorded = ({ airings, recordAsRun, now }: Pick<PlannerDeps, 'airings' | 'recordAsRun' | 'now'>): Stored => ({
  ...airings,
  async switchOff(channel, at) {
    await airings.switchOff(channel, at);
    await recordAsRun(channel);
  },
  async end(channel, offSince) {
    await recordAsRun(channel, now());
    await airings.end(channel, offSince);
  },
});

/** What channels have on air, whatever their type: the airing of a linear channel, the feeds of a live one. */
function createLives(airings: Stored, feeds: LiveFeedStore) {
  const stores: readonly Stored[] = [airings, feeds];
  const ofType: Readonly<Record<Channel['type'], Stored | undefined>> = {
    vod2live: airings,
    live: feeds,
    // A VoD channel has no schedule, so it has no life.
    vod: undefined,
  };
  return {
    /** Records that the channel is enabled, and ends what a channel of another type had on air. */
    async switchOn({ tenant, id, type }: Channel, at: Millis): Promise<void> {
      const own = ofType[type];
      await own?.switchOn({ tenant, id }, at);
      for (const store of stores) if (store !== own) await store.end({ tenant, id });
    },
    /** Records that the channel is disabled. What it has on air continues. */
    async switchOff(channel: ChannelRef, at: Millis): Promise<void> {
      for (const store of stores) await store.switchOff(channel, at);
    },
    /** With `offSince`, only if the channel was switched off before that instant. */
    async end(channel: ChannelRef, offSince?: Millis): Promise<void> {
      for (const store of stores) await store.end(channel, offSince);
    },
    offSince: async (before: Millis) =>
      distinct((await Promise.all(stores.map((store) => store.offSince(before)))).flat()),
    onAir: async () =>
      distinct((await Promise.all(stores.map((store) => store.versions()))).flat().map(({ channel }) => channel)),
  };
}
