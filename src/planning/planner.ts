// The planner: when an operator changes something, or an asset comes or goes, it works out what each channel should
// play and appends editions. It is the only writer of lives and editions; two of them at once do no harm, because the
// number of an edition can be taken once.
import type { CreativeLibrary } from '../ads/creative.ts';
import type { Channel } from '../channels/channel.ts';
import { type ChannelRef, channelKey } from '../channels/channelKey.ts';
import type { AiringStore, ChannelStore, PlaylistStore } from '../channels/ports.ts';
import { type Millis, millis } from '../time/units.ts';
import { airChannel, type OnAir } from './airChannel.ts';
import type { AssetSource } from './ports.ts';
import { assetsOf, findItems } from './readySchedule.ts';
import type { ChannelStatus } from './status.ts';

export type PlannerDeps = {
  readonly channels: ChannelStore;
  readonly playlists: PlaylistStore;
  readonly airings: AiringStore;
  readonly assets: AssetSource;
  readonly library: CreativeLibrary;
  /** Compiles the life that is on air. */
  readonly onAir: (channel: ChannelRef) => Promise<OnAir | undefined>;
  readonly now: () => Millis;
  /** Milliseconds for which the life of a channel that is switched off goes on. */
  readonly grace: number;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

export type Planner = {
  /** Plans a channel again, soon and never twice at once; `fresh` imports its assets anew. */
  plan(channel: ChannelRef, options?: { fresh?: boolean }): Promise<void>;
  status(channel: ChannelRef): ChannelStatus | undefined;
  /** What is enabled; and what is not but has a life, because whoever should have ended it was killed. */
  toPlan(): Promise<readonly ChannelRef[]>;
  /** Ends the lives of channels that have been switched off for longer than the grace period. */
  endOff(): Promise<void>;
};

/** Assets imported within this many milliseconds are fresh enough for an edit. */
const FRESH = 30_000;

export function createPlanner(deps: PlannerDeps): Planner {
  const statuses = new Map<string, ChannelStatus>();
  const running = new Map<string, Promise<void>>();
  const again = new Map<string, { fresh: boolean }>();

  async function planOnce({ tenant, id }: ChannelRef, fresh: boolean): Promise<void> {
    const channel = await deps.channels.find(tenant, id);
    const key = channelKey({ tenant, id });
    if (channel?.state !== 'enabled') {
      // Players are not served meanwhile. Once it is on again they go on where the schedule is by then.
      if (channel !== undefined && deps.grace > 0) await deps.airings.switchOff({ tenant, id }, deps.now());
      else await deps.airings.end({ tenant, id });
      statuses.delete(key);
      return;
    }
    await deps.airings.switchOn({ tenant, id }, deps.now());
    statuses.set(key, await planEnabled(deps, channel, fresh ? deps.now() - FRESH : 0));
  }

  async function run(channel: ChannelRef): Promise<void> {
    const key = channelKey(channel);
    for (let next = again.get(key); next !== undefined; next = again.get(key)) {
      again.delete(key);
      try {
        await planOnce(channel, next.fresh);
      } catch (error) {
        deps.log('planning a channel failed', { tenant: channel.tenant, channelId: channel.id, error });
      }
    }
    running.delete(key);
  }

  return {
    plan(channel, { fresh = false } = {}) {
      const key = channelKey(channel);
      again.set(key, { fresh: fresh || (again.get(key)?.fresh ?? false) });
      const known = running.get(key);
      if (known !== undefined) return known;
      const started = run(channel);
      running.set(key, started);
      return started;
    },
    status: (channel) => statuses.get(channelKey(channel)),
    async endOff() {
      const before = millis(deps.now() - deps.grace);
      for (const channel of await deps.airings.offSince(before)) {
        const record = await deps.channels.find(channel.tenant, channel.id);
        // Two planners may have noted a change and its opposite in the wrong order.
        if (record?.state === 'enabled') await deps.airings.switchOn(channel, deps.now());
        else await deps.airings.end(channel, before);
      }
    },
    async toPlan() {
      const [enabled, stored] = await Promise.all([deps.channels.enabled(), deps.airings.versions()]);
      const wanted = [...enabled.map(({ tenant, id }) => ({ tenant, id })), ...stored.map(({ channel }) => channel)];
      return [...new Map(wanted.map((channel) => [channelKey(channel), channel])).values()];
    },
  };
}

async function planEnabled(deps: PlannerDeps, channel: Channel, freshAfter: number): Promise<ChannelStatus> {
  const { playlistId } = channel;
  const playlist = playlistId === undefined ? undefined : await deps.playlists.find(channel.tenant, playlistId);
  const items = await findItems(playlist?.contents ?? [], deps.assets, freshAfter);
  const { reasons, statuses, isPlaying } = await airChannel(deps, channel, playlist, items);
  const faults = [...reasons];
  if (playlistId === undefined) faults.push('The channel has no playlistId, so it shows slate.');
  else if (playlist === undefined) faults.push(`There is no playlist ${playlistId}, so the channel shows slate.`);
  else if (playlist.status === 'disabled')
    faults.push(`Playlist ${playlistId} is disabled, so the channel shows slate.`);
  else if (items.length === 0) faults.push(`Playlist ${playlistId} is empty, so the channel shows slate.`);
  else if (!statuses.some(({ state }) => state === 'ready')) {
    faults.push(`No item of playlist ${playlistId} can be played, so the channel shows slate.`);
  }
  for (const { index, state, reason, url } of statuses) {
    if (state !== 'ready') faults.push(`contents[${index}] (${url ?? 'placeholder'}) does not play: ${reason}.`);
  }
  const isAsAsked = isPlaying && assetsOf(items).length > 0 && playlist?.status === 'enabled';
  const failed = !isAsAsked && playlist?.status !== 'disabled';
  const stateReason = faults.length === 0 ? {} : { stateReason: faults.slice(0, 20).join(' ') };
  return { state: failed ? 'failed' : 'enabled', ...stateReason, items: statuses };
}
