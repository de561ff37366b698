// A creative that comes as HLS or DASH: its own segments are listed where they are exactly what the channel's ladder asks
// for. Nothing is encoded and nothing is kept of them but where they lie. What does not match says why, and is
// conditioned like any other.
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
  /** Seconds of it, and bytes of all of its renditions together. */
  readonly maxSeconds: number;
  readonly maxBytes: number;
};

/** Milliseconds in which all of it must have come. */
const WITHIN_MS = 120_000;
const AT_ONCE = 4;

/** @param imported what its manifest says */
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
    return { code: 'TOO_LONG', unlike: `it lasts ${Math.ceil(seconds)} s; ${limits.maxSeconds} s is the most` };
  const told = matchCreative(imported.asset, ladder);
  if ('unlike' in told) return told;
  const measured = await readAll(told.renditions, ladder, origin, limits);
  if ('unlike' in measured) return measured;
  const renditions = told.renditions.map((rendition) => measured.get(rendition)!);
  // Their bit rates were what a manifest says; now they are counted.
  const counted = matchCreative({ ...imported.asset, renditions }, ladder);
  return 'unlike' in counted ? counted : packaged(id, { ...imported.asset, ...counted }, ladder);
}

/** Reads all of it; what fails first ends the reading of the others. */
async function readAll(
  renditions: readonly Rendition[],
  { frameRate }: Ladder,
  origin: Origin,
  { httpsOnly, maxBytes }: ListLimits,
): Promise<Map<Rendition, Rendition> | Unlisted> {
  const over = new AbortController();
  const polite = limitOrigin(origin, { concurrency: AT_ONCE, timeoutMs: WITHIN_MS, signal: over.signal });
  const reading: ListedReading = { origin: polite, httpsOnly, left: maxBytes };
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
  // The address of its manifest may hold a secret, and is not needed again.
  const media = { id, frames, rungs, asset: { ...asset, url: '' } };
  return { kind: 'creative', container, frameRate, media, tracks: [], rungs: [] };
}
