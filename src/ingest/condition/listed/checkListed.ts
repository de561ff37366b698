// SPDX-License-Identifier: Apache-2.0
// A creative that is used as is can disappear from its host at any time. Before a break is decided, its last segments are
// requested. If one is missing, the creative counts as failed, and the next media file of the ad is used.
import { LRUCache } from 'lru-cache';
import type { CreativeLibrary, CreativeState } from '../../../ads/creative/creative.ts';
import type { Asset, Track } from '../../../timeline/asset/asset.ts';
import { segmentUrl } from '../../../timeline/asset/segmentUrl.ts';
import type { Origin } from '../../ports.ts';
import { fetchFault } from '../fetch/conditionFailure.ts';

/** Milliseconds for which a result is cached. */
const CHECK_TTL_MS = 30_000;
const READ_TIMEOUT_MS = 3000;

const lastSegment = (track: Track) => segmentUrl(track, track.borders.length - 2).url;

/**
 * @param library whose ready creatives are checked if they are used as is
 * @param markUsed receives the ids of creatives that are available: until a viewer requests their segments, which Midroll may
 * not serve, nothing else marks them as used
 */
export function checkListed<Library extends Pick<CreativeLibrary, 'settled'>>(
  library: Library,
  origin: Origin,
  markUsed: (mediaId: string) => void = () => undefined,
): Library {
  const checks = new LRUCache<string, Promise<CreativeState | undefined>>({ max: 1000, ttl: CHECK_TTL_MS });

  async function check({ renditions }: Asset): Promise<CreativeState | undefined> {
    const tracks = [...new Set(renditions.flatMap(({ tracks: [track] }) => track ?? []))];
    const options = { range: { start: 0, length: 1 }, maxBytes: 1 << 26, timeoutMs: READ_TIMEOUT_MS };
    const results = await Promise.all(tracks.map((track) => origin.read(lastSegment(track), options)));
    const failed = results.find((result) => !result.ok);
    if (failed === undefined) return undefined;
    const reason = `its segments are no longer available at its host; the last one ${failed.reason}`;
    return { state: 'failed', fault: fetchFault(failed), reason };
  }

  async function checked(state: CreativeState): Promise<CreativeState> {
    if (state.state !== 'ready') return state;
    const { id, asset } = state.media;
    if (asset === undefined) {
      markUsed(id);
      return state;
    }
    const checking = checks.get(id) ?? check(asset);
    checks.set(id, checking);
    const failure = await checking;
    if (failure === undefined) markUsed(id);
    return failure ?? state;
  }

  return { ...library, settled: async (key, ladder) => checked(await library.settled(key, ladder)) };
}
