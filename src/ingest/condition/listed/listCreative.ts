// SPDX-License-Identifier: Apache-2.0
// Decides whether a creative in HLS or DASH is used as is: if it matches the channel's ladder exactly, manifests list its
// segments at its own host, and only their URLs are stored. Otherwise the reason is kept and the creative is conditioned.
import { matchCreative } from '../../../ads/creative/matchCreative.ts';
import { flicksToSeconds } from '../../../time/units.ts';
import type { Asset, Rendition } from '../../../timeline/asset/asset.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import type { ImportResult } from '../../import/importAsset.ts';
import type { PackagedMedia } from '../../package/packagedMedia.ts';
import type { Origin } from '../../ports.ts';
import { limitOrigin } from '../../source/limitOrigin.ts';
import { type ListedReading, readListed, type Unlisted } from './readListed.ts';

export type ListLimits = {
  readonly httpsOnly: boolean;
  /** Seconds of the creative, and bytes of all of its renditions together. */
  readonly maxSeconds: number;
  readonly maxBytes: number;
};

/** For reading the whole creative. */
const TOTAL_TIMEOUT_MS = 120_000;
const CONCURRENT_READS = 4;

/** @param imported the result of importing its manifest */
export async function listCreative(
  id: string,
  imported: ImportResult,
  ladder: Ladder,
  origin: Origin,
  limits: ListLimits,
): Promise<PackagedMedia | Unlisted> {
  if (!imported.ok) return { unlike: imported.reason };
  const seconds = flicksToSeconds(imported.asset.duration);
  if (seconds > limits.maxSeconds)
    return {
      code: 'TOO_LONG',
      unlike: `it must last at most ${limits.maxSeconds} s; it lasts ${Math.ceil(seconds)} s`,
    };
  const declared = matchCreative(imported.asset, ladder);
  if ('unlike' in declared) return declared;
  const measured = await readAll(declared.renditions, ladder, origin, limits);
  if ('unlike' in measured) return measured;
  const renditions = declared.renditions.map((rendition) => measured.get(rendition)!);
  // The first match used the bit rates of the manifest, the second one uses the measured ones.
  const matched = matchCreative({ ...imported.asset, renditions }, ladder);
  return 'unlike' in matched ? matched : packaged(id, { ...imported.asset, ...matched }, ladder);
}

/** Reads all renditions. The first failure cancels the others. */
async function readAll(
  renditions: readonly Rendition[],
  { frameRate }: Ladder,
  origin: Origin,
  { httpsOnly, maxBytes }: ListLimits,
): Promise<Map<Rendition, Rendition> | Unlisted> {
  const over = new AbortController();
  const limited = limitOrigin(origin, {
    concurrency: CONCURRENT_READS,
    timeoutMs: TOTAL_TIMEOUT_MS,
    signal: over.signal,
  });
  const reading: ListedReading = { origin: limited, httpsOnly, left: maxBytes };
  const measured = new Map<Rendition, Rendition>();
  let unlisted: Unlisted | undefined;
  await Promise.all(
    [...new Set(renditions)].map(async (rendition) => {
      const rates = await readListed(rendition, frameRate, reading);
      if (!('unlike' in rates)) measured.set(rendition, { ...rendition, ...rates });
      else {
        unlisted ??= { ...rates, unlike: `${rendition.id}: ${rates.unlike}` };
        over.abort();
      }
    }),
  );
  return unlisted ?? measured;
}

type Listed = Asset & { readonly frames: number };

function packaged(id: string, { frames, ...asset }: Listed, { container, frameRate }: Ladder): PackagedMedia {
  const rungs = asset.renditions.map(({ codecs, timescale, bandwidth, averageBandwidth }) => ({
    ...{ codecs, timescale, bandwidth, averageBandwidth },
  }));
  // The URL of its manifest may contain a secret and is not needed any more.
  const media = { id, frames, rungs, asset: { ...asset, url: '' } };
  return { kind: 'creative', container, frameRate, media, tracks: [], rungs: [] };
}
