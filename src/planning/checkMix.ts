// SPDX-License-Identifier: Apache-2.0
// Which sources of a playlist a channel would leave out because they differ from the first: the rule of planning, before there is a
// channel.
import type { Asset } from '../timeline/asset/asset.ts';
import { audioFault } from '../timeline/asset/mpegAudio.ts';
import { fitToLadder, ladderOf } from '../timeline/ladder/ladderOf.ts';

type Source = { readonly url: string; readonly asset: Asset };

export type SourceMix = {
  /** The source that the others are compared with: the first that can be played. Absent if none is known. */
  readonly first?: string;
  /** What is unlike the first continues the name of the source: `its segments are MPEG-TS, not fragmented MP4`. */
  readonly misfits: readonly { readonly url: string; readonly reason: string }[];
};

/** What no channel can play alone is no matter of the mix. */
const isPlayable = (asset: Asset): boolean =>
  audioFault(asset) === undefined && fitToLadder(asset, ladderOf([asset])).ok;

/** @param sources in the order of the playlist, without those that are not imported */
export function mixOf(sources: readonly Source[]): SourceMix {
  const [first, ...others] = sources.filter(({ asset }) => isPlayable(asset));
  if (first === undefined) return { misfits: [] };
  const ladder = ladderOf([first.asset, ...others.map(({ asset }) => asset)]);
  const misfits = others.flatMap(({ url, asset }) => {
    const fit = fitToLadder(asset, ladder);
    return fit.ok ? [] : [{ url, reason: fit.reason }];
  });
  return { first: first.url, misfits };
}

export type MixChecker = (tenant: string, urls: readonly string[]) => Promise<SourceMix>;

/** @param knownAsset what a tenant has checked or plays; nothing is imported */
export const createMixChecker =
  (knownAsset: (tenant: string, url: string) => Promise<Asset | undefined>): MixChecker =>
  async (tenant, urls) => {
    const sources: Source[] = [];
    for (const url of new Set(urls)) {
      const asset = await knownAsset(tenant, url);
      if (asset !== undefined) sources.push({ url, asset });
    }
    return mixOf(sources);
  };
