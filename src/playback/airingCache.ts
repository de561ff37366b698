// The channels on air, compiled, in memory. What is stored is the truth: it is read when it has changed, a moment after
// somebody (any process) changed it, and always before the change takes effect.
import { LRUCache } from 'lru-cache';
import { adClip, type ClipMaker, slateClip } from '../ads/breakClips.ts';
import type { ConditionedMedia } from '../ads/creative.ts';
import { type AiringRecord, compileLineup, type EditionRecord, isLifeOf, type SlotRecord } from '../channels/airing.ts';
import type { Channel } from '../channels/channel.ts';
import type { Lineup } from '../channels/lineup.ts';
import type { AiringStore, AssetStore, ChannelStore } from '../channels/ports.ts';
import { sleep, type Timers } from '../time/clock.ts';
import type { Asset } from '../timeline/asset.ts';
import type { Clip } from '../timeline/clip.ts';
import { declaredRungs } from '../timeline/declaredRungs.ts';
import type { Ladder } from '../timeline/ladder.ts';
import { MEDIA_BASE } from '../timeline/mediaBase.ts';
import { shareWhileHeld } from '../timeline/shareWhileHeld.ts';
import type { Span } from '../timeline/span.ts';
import type { Airing, Airings } from './airing.ts';

/** Conditioned media by id. */
export type FindMedia = (id: string) => ConditionedMedia | undefined;

export type AiringCacheDeps = {
  readonly channels: ChannelStore;
  readonly airings: AiringStore;
  readonly assets: AssetStore;
  readonly findMedia: FindMedia;
  readonly timers: Timers;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

export type AiringCache = Airings & {
  /** Takes in what has changed in the store. */
  refresh(): Promise<void>;
  onAir(channelId: string): Promise<{ airing: AiringRecord; records: EditionRecord[]; lineup: Lineup } | undefined>;
};

const KEPT_CLIPS = 2000;
/** Milliseconds between two looks: whoever asks for what does not exist must not make us look all the time. */
const LOOK_AGAIN_AFTER = 200;

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
  const airings = new Map<string, Airing>();
  const reasons = new Map<string, string>();
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

  async function onAir(channelId: string) {
    const stored = await deps.airings.current(channelId);
    if (stored === undefined) return undefined;
    const { airing, editions: records } = stored;
    const slots = records.flatMap((record) => record.slots);
    const assets = await loadAssets(assetKeys(slots));
    const clips = createClips(airing.ladder, deps.findMedia);
    const lineup = compileLineup(airing, records, { asset: (key) => assets.get(key)!, slate: clips.slate });
    return { airing, records, lineup, clips };
  }

  async function load(channel: Channel): Promise<void> {
    const known = airings.get(channel.id);
    const found = await onAir(channel.id);
    if (found === undefined || !isLifeOf(found.airing, channel)) {
      airings.delete(channel.id);
      reasons.set(channel.id, 'The channel is being prepared: its assets are read for the first time. Try again soon.');
      return;
    }
    const sameLife = known?.life === found.airing.life;
    airings.set(channel.id, {
      channel,
      life: found.airing.life,
      ladder: found.airing.ladder,
      declared: declaredLadder(found.airing.ladder, found.lineup),
      lineup: found.lineup,
      signalling: signallingOf(found.lineup),
      hasMedia: (id) => deps.findMedia(id) !== undefined,
      clips: sameLife ? known.clips : found.clips,
      placements: sameLife ? known.placements : { share: shareWhileHeld<string, Span>() },
    });
  }

  async function refresh(): Promise<void> {
    const [enabled, stored] = await Promise.all([deps.channels.enabled(), deps.airings.versions()]);
    const present = new Set(enabled.map(({ id }) => id));
    for (const id of versions.keys()) {
      if (present.has(id)) continue;
      versions.delete(id);
      airings.delete(id);
      reasons.delete(id);
      changes += 1;
    }
    for (const channel of enabled) {
      const version = `${channel.version} ${stored.get(channel.id) ?? ''}`;
      if (versions.get(channel.id) === version) continue;
      try {
        await load(channel);
        versions.set(channel.id, version);
        changes += 1;
      } catch (error) {
        // What is on air goes on as it is; the next refresh tries again.
        deps.log('a channel could not be read', { channelId: channel.id, error });
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
    find: (channelId) => airings.get(channelId),
    why: (channelId) => (airings.has(channelId) ? undefined : reasons.get(channelId)),
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
