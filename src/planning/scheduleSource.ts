// SPDX-License-Identifier: Apache-2.0
// Loads the schedule of a vod2live channel on air: its stored editions, compiled with their assets.
import { clipMakerFor, type FindMedia, type LoadMedia } from '../ads/placement/breakClips.ts';
import type { ChannelRef } from '../channels/channelKey.ts';
import type { AssetStore } from '../channels/ports.ts';
import { compileLineup } from '../channels/schedule/airing.ts';
import type { AiringStore } from '../channels/schedule/ports.ts';
import { scheduleProgramme } from '../channels/schedule/scheduleProgramme.ts';
import { signallingOf } from '../channels/signalling.ts';
import { defined } from '../invariant.ts';
import { recordedClip } from '../live/programme/recordedContent.ts';
import type { Asset } from '../timeline/asset/asset.ts';
import { declaredRungs } from '../timeline/ladder/ladder.ts';

type ScheduleDeps = {
  readonly airings: AiringStore;
  readonly assets: AssetStore;
  readonly findMedia: FindMedia;
  /** Default: `findMedia` finds all media that exist. */
  readonly loadMedia?: LoadMedia;
};

async function loadAssets(assets: AssetStore, keys: readonly string[]): Promise<Map<string, Asset>> {
  const found = new Map<string, Asset>();
  for (const key of new Set(keys)) {
    const asset = await assets.find(key);
    if (asset === undefined) throw new Error(`Asset ${key} is not in the store.`);
    found.set(key, asset);
  }
  return found;
}

export const createScheduleSource = ({ airings, assets, findMedia, loadMedia }: ScheduleDeps) => ({
  versions: () => airings.versions(),
  /** The stored schedule, and what playback uses of it. */
  async load(channel: ChannelRef) {
    const stored = await airings.current(channel);
    if (stored === undefined) return undefined;
    const { airing, editions: records } = stored;
    const { life, ladder } = airing;
    const slots = records.flatMap((record) => record.slots);
    const keys = slots.flatMap((slot) => (slot.kind === 'content' ? [slot.asset] : []));
    const found = await loadAssets(assets, keys);
    await loadMedia?.(slots.flatMap((slot) => ('slateId' in slot ? [slot.slateId] : [])));
    const clips = clipMakerFor(ladder, findMedia);
    const assetOf = (key: string): Asset => defined(found.get(key), 'the assets of a schedule are loaded');
    const lineup = compileLineup(airing, records, { asset: assetOf, slate: clips.slate, live: recordedClip });
    const clipsPlayed = lineup.editions.flatMap((edition) => edition.slots.map(({ clip }) => clip));
    return {
      airing,
      records,
      lineup,
      life,
      ladder,
      clips,
      declared: { ...ladder, rungs: declaredRungs(ladder, clipsPlayed) },
      signalling: signallingOf(clipsPlayed),
      programme: scheduleProgramme(lineup),
    };
  },
});
