// The channels on air, in memory. What is stored is the truth: it is read again when it has changed, within a moment of
// the change by any process, and always before the change takes effect.
import type { ClipMaker } from '../../ads/placement/breakClips.ts';
import type { FindMedia } from '../../ads/placement/clipMaker.ts';
import type { Channel } from '../../channels/channel.ts';
import { type ChannelRef, channelKey } from '../../channels/channelKey.ts';
import type { ChannelStore } from '../../channels/ports.ts';
import { sleep, type Timers } from '../../time/clock.ts';
import { shareWhileHeld } from '../../timeline/shareWhileHeld.ts';
import type { Span } from '../../timeline/span.ts';
import type { Airing, Airings, EnabledChannel } from './airing.ts';

/** What one kind of channel provides to playback. */
export type ProgrammeSource = {
  /** A text for each channel that changes whenever `load` would return something else. Cheap to poll. */
  versions(): Promise<readonly { readonly channel: ChannelRef; readonly version: string }[]>;
  /** @returns undefined while there is nothing to play */
  load(channel: ChannelRef): Promise<LoadedProgramme | undefined>;
};

export type LoadedProgramme = Pick<Airing, 'life' | 'ladder' | 'declared' | 'signalling' | 'programme'> & {
  readonly clips: ClipMaker;
};

export type AiringCacheDeps = {
  readonly channels: ChannelStore;
  readonly source: ProgrammeSource;
  readonly findMedia: FindMedia;
  /** Why a channel is not on air, in sentences that its viewers may read. */
  readonly offAirReason: (channel: ChannelRef) => string;
  readonly timers: Timers;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

export type AiringCache = Airings & {
  /** Loads what has changed in the store. */
  refresh(): Promise<void>;
};

/** Milliseconds between two looks: requests for unknown channels must not cause a query each. */
const LOOK_AGAIN_AFTER = 200;

const UNREADABLE = 'The channel could not be read from the database. Try again soon.';
const none: readonly EnabledChannel[] = [];

export function createAiringCache(deps: AiringCacheDeps): AiringCache {
  const known = new Map<string, EnabledChannel>();
  const byId = new Map<string, readonly EnabledChannel[]>();
  const versions = new Map<string, string>();
  let changes = 0;
  let lastLook: Promise<unknown> = Promise.resolve();
  let nextLook: Promise<void> | undefined;

  /** @param now undefined when the channel is no longer enabled */
  function keep(channel: ChannelRef, now: EnabledChannel | undefined): void {
    const key = channelKey(channel);
    const before = known.get(key);
    const others = (byId.get(channel.id) ?? none).filter((one) => one !== before);
    const all = now === undefined ? others : [...others, now];
    if (now === undefined) known.delete(key);
    else known.set(key, now);
    if (all.length === 0) byId.delete(channel.id);
    else byId.set(channel.id, all);
  }

  async function load(channel: Channel): Promise<void> {
    const before = known.get(channelKey(channel))?.airing;
    const found = await deps.source.load(channel);
    if (found === undefined) {
      keep(channel, { channel, reason: () => deps.offAirReason(channel) });
      return;
    }
    const { life, ladder, declared, signalling } = found;
    const sameLife = before?.life === life ? before : undefined;
    const isSame = sameLife?.programme.revision === found.programme.revision;
    const airing: Airing = {
      ...{ channel, life, ladder, declared, signalling },
      programme: isSame ? sameLife.programme : found.programme,
      hasMedia: (id) => deps.findMedia(id) !== undefined,
      clips: sameLife?.clips ?? found.clips,
      placements: sameLife?.placements ?? { share: shareWhileHeld<string, Span>() },
    };
    keep(channel, { channel, airing });
  }

  async function refresh(): Promise<void> {
    const [enabled, stored] = await Promise.all([deps.channels.enabled(), deps.source.versions()]);
    const present = new Set(enabled.map(channelKey));
    for (const [key, { channel }] of known) {
      if (present.has(key)) continue;
      versions.delete(key);
      keep(channel, undefined);
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
        changes += 1;
      } catch (error) {
        // What is on air goes on as it is; the next refresh tries again.
        if (!known.has(key)) keep(channel, { channel, reason: () => UNREADABLE });
        deps.log('a channel could not be read', { tenant: channel.tenant, channelId: channel.id, error });
      }
    }
  }

  async function lookAfter(last: Promise<unknown>): Promise<void> {
    await last;
    // Who asks from here on cannot know whether this look sees what they ask for.
    nextLook = undefined;
    const look = refresh();
    lastLook = Promise.allSettled([look, sleep(deps.timers, LOOK_AGAIN_AFTER)]);
    await look;
  }

  return {
    find: (channel) => known.get(channelKey(channel)),
    named: (channelId) => byId.get(channelId) ?? none,
    async refreshOnMiss() {
      const before = changes;
      nextLook ??= lookAfter(lastLook);
      await nextLook;
      return changes !== before;
    },
    refresh,
  };
}
