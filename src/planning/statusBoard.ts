// How channels are, where every node can read it. Whoever plans a channel says so here, again and again while it lasts;
// a planner that falls silent has died, and its channel is somebody else's to plan.
import { type ChannelRef, channelKey } from '../channels/channelKey.ts';
import { type Millis, millis } from '../time/units.ts';
import type { ChannelStatusStore } from './ports.ts';
import type { ChannelStatus } from './status.ts';

export type Survey = {
  /** Channels that nobody has planned or is planning. */
  readonly unplanned: readonly ChannelRef[];
  /** Channels of which an item has failed. */
  readonly failing: readonly ChannelRef[];
};

export type StatusBoard = {
  find(channel: ChannelRef): Promise<ChannelStatus | undefined>;
  findWithoutItems(channel: ChannelRef): Promise<Omit<ChannelStatus, 'items'> | undefined>;
  /** What cannot be stored is shown by this node, and stored when `share` is called next. */
  put(channel: ChannelRef, status: ChannelStatus): Promise<void>;
  /** Stores how far plannings under way are, when that has changed, and every few seconds. */
  share(underWay: readonly (readonly [ChannelRef, ChannelStatus])[]): Promise<void>;
  remove(channel: ChannelRef): Promise<void>;
  /** Which of the enabled channels need somebody; what is kept of others is forgotten. */
  survey(enabled: readonly ChannelRef[]): Promise<Survey>;
};

export type StatusBoardDeps = {
  readonly store: ChannelStatusStore;
  readonly now: () => Millis;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** Milliseconds after which a planning under way is told again. */
const AGAIN = 5000;
/** Milliseconds without a word after which its planner is taken for dead. */
const SILENT = 20_000;

export function createStatusBoard({ store, now, log }: StatusBoardDeps): StatusBoard {
  const unsaved = new Map<string, readonly [ChannelRef, ChannelStatus]>();
  const shared = new Map<string, { readonly text: string; readonly at: number }>();
  const missingSince = new Map<string, number>();
  let lastStamp = 0;
  /** What is put later wins, also within a millisecond and on connections that overtake each other. */
  const stamp = (): Millis => {
    lastStamp = Math.max(now(), lastStamp + 1);
    return millis(lastStamp);
  };

  async function put(channel: ChannelRef, status: ChannelStatus): Promise<void> {
    const key = channelKey(channel);
    try {
      await store.put(channel, status, stamp());
      unsaved.delete(key);
    } catch (error) {
      unsaved.set(key, [channel, status]);
      log('how a channel is could not be stored', { tenant: channel.tenant, channelId: channel.id, error });
    }
  }

  return {
    find: async (channel) => unsaved.get(channelKey(channel))?.[1] ?? store.find(channel),
    findWithoutItems: async (channel) => unsaved.get(channelKey(channel))?.[1] ?? store.findWithoutItems(channel),
    put,
    async share(underWay) {
      for (const [channel, status] of unsaved.values()) await put(channel, status);
      const keys = new Set(underWay.map(([channel]) => channelKey(channel)));
      for (const key of shared.keys()) if (!keys.has(key)) shared.delete(key);
      for (const [channel, status] of underWay) {
        const [key, text] = [channelKey(channel), JSON.stringify(status)];
        const last = shared.get(key);
        if (last?.text === text && now() - last.at < AGAIN) continue;
        shared.set(key, { text, at: now() });
        await put(channel, status);
      }
    },
    async remove(channel) {
      unsaved.delete(channelKey(channel));
      await store.remove(channel);
    },
    async survey(enabled) {
      const wanted = new Map(enabled.map((channel) => [channelKey(channel), channel]));
      const told = new Map((await store.all()).map((one) => [channelKey(one.channel), one]));
      for (const [key, { channel, at }] of told) {
        if (!wanted.has(key) && now() - at >= SILENT) await store.remove(channel);
      }
      for (const key of missingSince.keys()) if (!wanted.has(key) || told.has(key)) missingSince.delete(key);
      const unplanned = [...wanted].flatMap(([key, channel]) => {
        const one = told.get(key);
        if (one !== undefined) return one.isPreparing && now() - one.at >= SILENT ? [channel] : [];
        // It may have been enabled a moment ago, and its planner has not come so far.
        const since = missingSince.get(key) ?? now();
        missingSince.set(key, since);
        return now() - since >= SILENT ? [channel] : [];
      });
      const failing = [...wanted].flatMap(([key, channel]) => (told.get(key)?.hasFailed ? [channel] : []));
      return { unplanned, failing };
    },
  };
}
