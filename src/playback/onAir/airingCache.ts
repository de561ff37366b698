// SPDX-License-Identifier: Apache-2.0
// The channels on air, in memory. The store is authoritative: a change by any process is read within about a second, which is
// before it takes effect.
import { type FindMedia, MissingMedia } from '../../ads/placement/breakClips.ts';
import type { Channel, LiveChannel } from '../../channels/channel.ts';
import { type ChannelRef, channelKey } from '../../channels/channelKey.ts';
import type { ChannelStore } from '../../channels/ports.ts';
import { sleep, type Timers } from '../../time/clock.ts';
import { shareNext } from '../../time/shareNext.ts';
import { type Airing, createPlacements, type EnabledChannel } from './airing.ts';

/** What one kind of channel provides to playback. */
type ProgrammeSource = {
  /** A string per channel that changes whenever `load` would return something else. Cheap to poll. */
  versions(): Promise<readonly { readonly channel: ChannelRef; readonly version: string }[]>;
  load(channel: ChannelRef): Promise<LoadedProgramme | undefined>;
};

/** Live channels: their timelines grow, so each request gets the newest value. */
type LiveSource = Pick<ProgrammeSource, 'versions'> & {
  load(channel: LiveChannel, reason: () => string): Promise<EnabledChannel>;
};

const versionsOf = async ({ source, live }: Pick<AiringCacheDeps, 'source' | 'live'>) =>
  (await Promise.all([source.versions(), live?.versions() ?? []])).flat();

type LoadedProgramme = Pick<Airing, 'life' | 'ladder' | 'declared' | 'signalling' | 'programme' | 'clips'>;

type AiringCacheDeps = {
  readonly channels: ChannelStore;
  readonly source: ProgrammeSource;
  /** Without it, live channels are not on air. */
  readonly live?: LiveSource;
  readonly findMedia: FindMedia;
  /** Why a channel is not on air, in sentences for its viewers. */
  readonly offAirReason: (channel: ChannelRef) => string;
  readonly timers: Timers;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** Requests for unknown channels share a read of the store within this interval. */
const MIN_READ_INTERVAL_MS = 200;

const UNREADABLE = 'The channel could not be read from the database. Try again later.';
const none: readonly EnabledChannel[] = [];

export function createAiringCache(deps: AiringCacheDeps) {
  const known = new Map<string, EnabledChannel>();
  const byId = new Map<string, readonly EnabledChannel[]>();
  const versions = new Map<string, string>();
  /** The last fault of each channel that cannot be loaded. Each is logged once. */
  const faults = new Map<string, string>();
  let changes = 0;
  let revision = 0;
  let lastRead: Promise<unknown> = Promise.resolve();
  let nextRead: Promise<void> | undefined;

  /** @param now undefined when the channel is no longer enabled */
  function set(channel: ChannelRef, now: EnabledChannel | undefined): void {
    const key = channelKey(channel);
    revision += 1;
    const before = known.get(key);
    const others = (byId.get(channel.id) ?? none).filter((one) => one !== before);
    const all = now === undefined ? others : [...others, now];
    if (now === undefined) known.delete(key);
    else known.set(key, now);
    if (all.length === 0) byId.delete(channel.id);
    else byId.set(channel.id, all);
  }

  async function load(channel: Channel): Promise<void> {
    // Sessions of VoD channels have their own presentations; nothing is on air.
    if (channel.type === 'vod') return set(channel, { channel });
    if (channel.type === 'live') {
      const reason = () => deps.offAirReason(channel);
      return set(channel, (await deps.live?.load(channel, reason)) ?? { channel, reason });
    }
    const before = known.get(channelKey(channel))?.airing;
    const found = await deps.source.load(channel);
    if (found === undefined) {
      set(channel, { channel, reason: () => deps.offAirReason(channel) });
      return;
    }
    const sameLife = before?.life === found.life ? before : undefined;
    const isSame = sameLife?.programme.revision === found.programme.revision;
    const { life, ladder, declared, signalling } = found;
    const airing: Airing = {
      channel,
      life,
      ladder,
      declared,
      signalling,
      programme: isSame ? sameLife.programme : found.programme,
      clips: sameLife?.clips ?? found.clips,
      placements: sameLife?.placements ?? createPlacements(),
      hasMedia: (id) => deps.findMedia(id) !== undefined,
    };
    set(channel, { channel, airing });
  }

  // After a start, all channels are planned at once, and each planning refreshes.
  const refresh = shareNext(async (): Promise<void> => {
    const [enabled, stored] = await Promise.all([deps.channels.enabled(), versionsOf(deps)]);
    const present = new Set(enabled.map(channelKey));
    for (const [key, { channel }] of known) {
      if (present.has(key)) continue;
      versions.delete(key);
      faults.delete(key);
      set(channel, undefined);
      changes += 1;
    }
    const lives = new Map(stored.map(({ channel, version }) => [channelKey(channel), version]));
    for (const channel of enabled) {
      const key = channelKey(channel);
      const version = `${channel.version} ${lives.get(key) ?? ''}`;
      if (versions.get(key) === version) continue;
      try {
        await load(channel);
        versions.set(key, version);
        faults.delete(key);
        changes += 1;
      } catch (error) {
        // A channel on air stays as it is; the next refresh tries again.
        const isPreparing = error instanceof MissingMedia; // the planner makes the slate again
        const reason = () => (isPreparing ? deps.offAirReason(channel) : UNREADABLE);
        if (known.get(key)?.airing === undefined) set(channel, { channel, reason });
        const fault = String(error);
        if (faults.get(key) === fault) continue;
        faults.set(key, fault);
        deps.log('failed to load a channel', { tenant: channel.tenant, channelId: channel.id, error });
      }
    }
  });

  async function readAfter(last: Promise<unknown>): Promise<void> {
    await last;
    // Callers from here on need another read: this one may miss what they look for.
    nextRead = undefined;
    const read = refresh();
    lastRead = Promise.allSettled([read, sleep(deps.timers, MIN_READ_INTERVAL_MS)]);
    await read;
  }

  return {
    /** undefined when the channel does not exist or is disabled. */
    find: (channel: ChannelRef): EnabledChannel | undefined => known.get(channelKey(channel)),
    /** Enabled channels with this id: one of each tenant at most. */
    named: (channelId: string): readonly EnabledChannel[] => byId.get(channelId) ?? none,
    /**
     * Reads the store again after a lookup that found nothing; includes everything stored before the call. Concurrent calls
     * share one read.
     * @returns whether anything has changed
     */
    async refreshOnMiss() {
      const before = changes;
      nextRead ??= readAfter(lastRead);
      await nextRead;
      return changes !== before;
    },
    /** Grows with each change: while it is the same, so is what `find` and `named` return. */
    revision: (): number => revision,
    refresh,
    /** Whether a channel could not be loaded, for example because its slate is being made again. */
    hasFaults: (): boolean => faults.size > 0,
    all: (): Iterable<EnabledChannel> => known.values(),
  };
}

type AiringCache = ReturnType<typeof createAiringCache>;
export type Airings = Pick<AiringCache, 'find' | 'named' | 'refreshOnMiss' | 'revision'>;
