// A creative that is shown from its own host can go from there at any time. Before a break is decided with it, it is
// looked after: a creative whose segments are gone is one that failed, and the ad's next media file takes its place.
import { LRUCache } from 'lru-cache';
import type { ConditionedMedia, CreativeLibrary, CreativeState } from '../../../ads/creative/creative.ts';
import type { Asset, Track } from '../../../timeline/asset/asset.ts';
import { segmentUrl } from '../../../timeline/asset/segmentUrl.ts';
import type { Origin } from '../../ports.ts';
import { fetchFault } from '../fetch/conditionFailure.ts';

/** Milliseconds for which an answer is believed. */
const BELIEVED = 30_000;
const ANSWER_MS = 3000;

const lastSegment = (track: Track) => segmentUrl(track, track.borders.length - 2).url;

/**
 * @param library what it says is ready is looked after, when it is listed as it is
 * @param markUsed hears which of those are shown: nobody asks us for their segments
 */
export function checkListed(
  library: CreativeLibrary,
  origin: Origin,
  markUsed: (mediaId: string) => void = () => undefined,
): CreativeLibrary {
  const checks = new LRUCache<string, Promise<CreativeState | undefined>>({ max: 1000, ttl: BELIEVED });

  async function check({ renditions }: Asset): Promise<CreativeState | undefined> {
    const tracks = [...new Set(renditions.map(({ tracks: [track] }) => track!))];
    const answers = await Promise.all(
      tracks.map((track) =>
        origin.read(lastSegment(track), { range: { start: 0, length: 1 }, maxBytes: 1 << 26, timeoutMs: ANSWER_MS }),
      ),
    );
    const failed = answers.find((answer) => !answer.ok);
    if (failed === undefined) return undefined;
    const reason = `its own segments are no longer there: the last one ${failed.reason}`;
    return { state: 'failed', fault: fetchFault(failed), reason };
  }

  async function checked(state: CreativeState): Promise<CreativeState> {
    if (state.state !== 'ready' || state.media.asset === undefined) return state;
    const { id, asset } = state.media as Required<Pick<ConditionedMedia, 'id' | 'asset'>>;
    const known = checks.get(id) ?? check(asset);
    checks.set(id, known);
    const gone = await known;
    if (gone === undefined) markUsed(id);
    return gone ?? state;
  }

  return { ...library, settled: async (key, ladder) => checked(await library.settled(key, ladder)) };
}
