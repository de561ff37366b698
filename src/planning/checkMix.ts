// SPDX-License-Identifier: Apache-2.0
// Which sources of a playlist a channel would leave out because they differ from the first: the rule of planning, before there is a
// channel.
import { inTurns, nextTurn } from '../ingest/source/inTurns.ts';
import type { Sliced } from '../time/sliced.ts';
import type { Asset } from '../timeline/asset/asset.ts';
import { audioFault } from '../timeline/asset/mpegAudio.ts';
import { fitToLadder, ladderOf } from '../timeline/ladder/ladderOf.ts';

type Source = { readonly url: string; readonly asset: Asset };

type SourceMix = {
  /** The source that the others are compared with: the first that can be played. Absent if none is known. */
  readonly first?: string;
  /** What is unlike the first continues the name of the source: `its segments are MPEG-TS, not fragmented MP4`. */
  readonly misfits: readonly { readonly url: string; readonly reason: string }[];
};

/** What no channel can play alone is no matter of the mix. */
const isPlayable = (asset: Asset): boolean =>
  audioFault(asset) === undefined && fitToLadder(asset, ladderOf([asset])).ok;

/** @param sources in the order of the playlist, without those that are not imported */
export function* mixing(sources: readonly Source[]): Sliced<SourceMix> {
  const playable: Source[] = [];
  for (const source of sources) {
    yield;
    if (isPlayable(source.asset)) playable.push(source);
  }
  const [first, ...others] = playable;
  if (first === undefined) return { misfits: [] };
  const ladder = ladderOf([first.asset, ...others.map(({ asset }) => asset)]);
  const misfits: { url: string; reason: string }[] = [];
  for (const { url, asset } of others) {
    yield;
    const fit = fitToLadder(asset, ladder);
    if (!fit.ok) misfits.push({ url, reason: fit.reason });
  }
  return { first: first.url, misfits };
}

export type MixChecker = (tenant: string, urls: readonly string[]) => Promise<SourceMix>;

/**
 * A playlist may have a thousand sources, each of which may have thousands of segments: other work gets a turn before each of them.
 * @param knownAsset what a tenant has checked or plays; nothing is imported
 */
export const createMixChecker =
  (knownAsset: (tenant: string, url: string) => Promise<Asset | undefined>): MixChecker =>
  async (tenant, urls) => {
    const sources: Source[] = [];
    for (const url of new Set(urls)) {
      await nextTurn();
      const asset = await knownAsset(tenant, url);
      if (asset !== undefined) sources.push({ url, asset });
    }
    return inTurns(0, mixing(sources));
  };
