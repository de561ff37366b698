// SPDX-License-Identifier: Apache-2.0
// The media playlist of one rung, one reading after the other.
import type { MediaPlaylist } from '../../../hls/mediaPlaylist.ts';
import { readMedia } from '../../../hls/readMedia.ts';
import type { Variables } from '../../../hls/readVariables.ts';
import type { OriginSegment } from '../../../live/origin.ts';
import type { OriginFailure } from '../../../live/ports.ts';
import { secondsToFlicks } from '../../../time/units.ts';
import { shortUrl } from '../../source/mediaReader.ts';
import type { FetchedPlaylist } from './requestPlaylist.ts';
import { rungSegments } from './rungSegments.ts';

export type ListedPlaylist = {
  readonly playlist: MediaPlaylist;
  /** The index of the first of `segments` in the playlist. */
  readonly first: number;
  readonly segments: readonly OriginSegment[];
  /** EXT-X-PART, which is not used. */
  readonly hasParts: boolean;
};

export type RungPlaylist = {
  /** @returns whether it has changed */
  take(fetched: FetchedPlaylist, variables: Variables): boolean | OriginFailure;
  /** Undefined until a playlist was taken. */
  listed(): ListedPlaylist | undefined;
};

/** What later readings list of what an earlier one listed. It lasts longer than an outage of the store. */
const OVERLAP = secondsToFlicks(900);

export function createRungPlaylist(): RungPlaylist {
  let text: string | undefined;
  let base = '';
  let listed: ListedPlaylist | undefined;
  /** The number of the first segment that is listed again. */
  let since = 0;
  return {
    listed: () => listed,
    take(fetched, variables) {
      if (fetched.text === text && fetched.url === base) return false;
      const { url } = fetched;
      const playlist = readMedia(fetched.text, { url, imports: variables });
      if ('refused' in playlist) return { refused: `${shortUrl(url)}: ${playlist.refused}` };
      if (playlist.iFramesOnly) return { refused: `${shortUrl(url)} lists only I-frames (EXT-X-I-FRAMES-ONLY)` };
      const first = firstIndex(playlist, since);
      const segments = rungSegments(playlist, url, first, listed?.segments ?? []);
      if ('refused' in segments) return { refused: `${shortUrl(url)}: ${segments.refused}` };
      listed = { playlist, first, segments, hasParts: /^#EXT-X-PART:/m.test(fetched.text) };
      since = overlapOf(segments);
      text = fetched.text;
      base = url;
      return true;
    },
  };
}

/** All segments if numbers start again. */
function firstIndex({ mediaSequence, segments }: MediaPlaylist, since: number): number {
  const index = since - mediaSequence;
  return index > 0 && index < segments.length ? index : 0;
}

function overlapOf(segments: readonly OriginSegment[]): number {
  let length = 0;
  let index = segments.length;
  while (index > 0 && length < OVERLAP) {
    index -= 1;
    length += segments[index]!.duration;
  }
  return segments[index]?.number ?? 0;
}
