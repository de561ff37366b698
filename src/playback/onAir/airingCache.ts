// The channels on air, compiled, in memory. What is stored is the truth: it is read when it has changed, a moment after
// somebody (any process) changed it, and always before the change takes effect.
import { LRUCache } from 'lru-cache';
import type { ConditionedMedia } from '../../ads/creative/creative.ts';
import { adClip, type ClipMaker, slateClip } from '../../ads/placement/breakClips.ts';
import { type AiringRecord, compileLineup, type EditionRecord, type SlotRecord } from '../../channels/airing.ts';
import type { Channel } from '../../channels/channel.ts';
import { type ChannelRef, channelKey } from '../../channels/channelKey.ts';
import type { Lineup } from '../../channels/lineup.ts';
import type { AiringStore, AssetStore, ChannelStore } from '../../channels/ports.ts';
import { sleep, type Timers } from '../../time/clock.ts';
import type { Asset } from '../../timeline/asset.ts';
import type { Clip } from '../../timeline/clip.ts';
import { declaredRungs } from '../../timeline/declaredRungs.ts';
import type { Ladder } from '../../timeline/ladder.ts';
import { MEDIA_BASE } from '../../timeline/mediaBase.ts';
import { shareWhileHeld } from '../../timeline/shareWhileHeld.ts';
import type { Span } from '../../timeline/span.ts';
import type { Airing, Airings, Enabled } from './airing.ts';

/** Conditioned media by id. */
export type FindMedia = (id: string) => ConditionedMedia | undefined;

export type AiringCacheDeps = {
  readonly channels: ChannelStore;
  readonly airings: AiringStore;
  readonly assets: AssetStore;
  readonly findMedia: FindMedia;
  /** Why a channel is not on air, in sentences that its viewers may read. */
  readonly whyNot: (channel: ChannelRef) => string;
  readonly timers: Timers;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

export type AiringCache = Airings & {
  /** Takes in what has changed in the store. */
  refresh(): Promise<void>;
  onAir(channel: ChannelRef): Promise<{ airing: AiringRecord; records: EditionRecord[]; lineup: Lineup } | undefined>;
};

const KEPT_CLIPS = 2000;
/** Milliseconds between two looks: whoever asks for what does not exist must not make us look all the time. */
const LOOK_AGAIN_AFTER = 200;

const UNREADABLE = 'The channel could not be read from the database. Try again soon.';
const none: readonly Enabled[] = [];

function createClips(ladder: Ladder, findMedia: FindMedia): ClipMaker {
  const clips = new LRUCache<string, Clip>({ max: KEPT_CLIPS });
  const keep = (key: string, make: () => Clip): Clip => {
    const known = clips.get(key) ?? make();
    clips.set(key, known);
    return known;
  };
  const mediaOf = (id: string): ConditionedMedia => {
    const known = findMedia(id);
    if (known === undefined) throw new Error(`media ${id} are gone from the shelf`);
    return known;
  };
  return {
    ad: (id, frames) => keep(`${id} ${frames}`, () => adClip(mediaOf(id), ladder, frames, MEDIA_BASE)),
    slate: (id, frames, shown = frames) =>
      keep(`${id} ${frames} ${shown}`, () => slateClip(mediaOf(id), ladder, frames, shown, MEDIA_BASE)),
  };
}

/** A source tells its encryption in its own format, and only both views together could lack it. */
function signallingOf({ editions }: Lineup): Airing['signalling'] {
  const told = editions.flatMap(({ slots }) =>
    slots.flatMap(({ clip }) => clip.cells.flatMap(({ track }) => (track.protection ? [track.protection] : []))),
  );
  if (told.length === 0) return undefined;
  const inHls = told.every(({ hls }) => hls !== undefined);
  const inDash = told.every(({ dash }) => dash !== undefined);
  return inHls && inDash ? 'both' : inHls ? 'hls' : 'dash';
}

function declaredLadder(ladder: Ladder, { editions }: Lineup): Ladder {
  const clips = editions.flatMap(({ slots }) => slots.map(({ clip }) => clip));
  return { ...ladder, rungs: declaredRungs(ladder, clips) };
}

const assetKeys = (slots: readonly SlotRecord[]): string[] =>
  slots.flatMap((slot) => (slot.kind === 'content' ? [slot.asset] : []));

export function createAiringCache(deps: AiringCacheDeps): AiringCache {
  const known = new Map<string, Enabled>();
  const byId = new Map<string, readonly Enabled[]>();
  const versions = new Map<string, string>();
  let changes = 0;
  let lastLook: Promise<unknown> = Promise.resolve();
  let nextLook: Promise<void> | undefined;

  async function loadAssets(keys: readonly string[]): Promise<Map<string, Asset>> {
    const found = new Map<string, Asset>();
    for (const key of new Set(keys)) {
      const asset = await deps.assets.find(key);
      if (asset === undefined) throw new Error(`asset ${key} is not in the store`);
      found.set(key, asset);
    }
    return found;
  }

  /** @param now undefined when the channel is enabled no more */
  function keep(channel: ChannelRef, now: Enabled | undefined): void {
    const key = channelKey(channel);
    const before = known.get(key);
    const others = (byId.get(channel.id) ?? none).filter((one) => one !== before);
    const all = now === undefined ? others : [...others, now];
    if (now === undefined) known.delete(key);
    else known.set(key, now);
    if (all.length === 0) byId.delete(channel.id);
    else byId.set(channel.id, all);
  }

  async function onAir(channel: ChannelRef) {
    const stored = await deps.airings.current(channel);
    if (stored === undefined) return undefined;
    const { airing, editions: records } = stored;
    const slots = records.flatMap((record) => record.slots);
    const assets = await loadAssets(assetKeys(slots));
    const clips = createClips(airing.ladder, deps.findMedia);
    const lineup = compileLineup(airing, records, { asset: (key) => assets.get(key)!, slate: clips.slate });
    return { airing, records, lineup, clips };
  }

  async function load(channel: Channel): Promise<void> {
    const before = known.get(channelKey(channel))?.airing;
    const found = await onAir(channel);
    if (found === undefined) {
      keep(channel, { channel, reason: () => deps.whyNot(channel) });
      return;
    }
    const sameLife = before?.life === found.airing.life;
    const airing: Airing = {
      channel,
      life: found.airing.life,
      ladder: found.airing.ladder,
      declared: declaredLadder(found.airing.ladder, found.lineup),
      lineup: found.lineup,
      signalling: signallingOf(found.lineup),
      hasMedia: (id) => deps.findMedia(id) !== undefined,
      clips: sameLife ? before.clips : found.clips,
      placements: sameLife ? before.placements : { share: shareWhileHeld<string, Span>() },
    };
    keep(channel, { channel, airing });
  }

  async function refresh(): Promise<void> {
    const [enabled, stored] = await Promise.all([deps.channels.enabled(), deps.airings.versions()]);
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
    async lookAgain() {
      const before = changes;
      nextLook ??= lookAfter(lastLook);
      await nextLook;
      return changes !== before;
    },
    refresh,
    onAir,
  };
}
