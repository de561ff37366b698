// SPDX-License-Identifier: Apache-2.0
// What viewers of a channel receive. Checks each playlist; some viewers also request each segment of an ad that theirs lists.
import type { Break } from '../channel.ts';
import type { Connections } from '../pollers.ts';
import { SEGMENTS_PER_AD } from './stage.ts';

/** A break that began so long ago is listed. The window of 40 s lists some of its ads until it is over. */
const LISTED_AFTER_MS = 6000;
const LISTED_UNTIL_MS = 40_000;

/** Only ads have URLs that are relative to the session. */
const AD_SEGMENT = /^\d+-\d+-\d+\/.*$/gm;

/** @param listed the break whose ads the window must list, if any */
function playlistFault(playlist: string, listed: Break | undefined): string | undefined {
  if (!playlist.startsWith('#EXTM3U\n')) return 'it does not begin with #EXTM3U';
  if (!playlist.endsWith('\n')) return 'its last line has no end';
  if (!playlist.includes('\n#EXTINF:')) return 'it lists no segments';
  if (listed !== undefined && !playlist.includes(`\n${listed.breakId}-`)) return `it lists no ads of ${listed.breakId}`;
  return undefined;
}

export type Watched = {
  readonly polls: number;
  /** Segments of ads that were requested. */
  readonly segments: number;
  /** Ads of which segments were requested, and those of which each was. */
  readonly ads: number;
  readonly wholeAds: number;
  readonly faults: number;
  /** What was wrong first. */
  readonly fault?: string;
};

/** @param followers the paths of the playlists of viewers who request ads */
export function watchBreaks({ get }: Connections, breaks: readonly Break[], followers: readonly string[]) {
  const following = new Set(followers);
  const requested = new Set<string>();
  /** By ad: how many of its segments have been requested. */
  const ads = new Map<string, number>();
  const counts = { polls: 0, segments: 0, faults: 0 };
  let fault: string | undefined;
  let underWay = 0;

  const note = (path: string, text: string, playlist = ''): void => {
    counts.faults += 1;
    fault ??= `GET ${path}: ${text}\n${playlist}`;
  };

  async function request(path: string): Promise<void> {
    underWay += 1;
    const { status } = await get(path);
    underWay -= 1;
    counts.segments += 1;
    if (status !== 302) note(path, `expected a redirect; got ${status}`);
  }

  return {
    onPlaylist(path: string, playlist: string): void {
      counts.polls += 1;
      const now = Date.now();
      const listed = breaks.find(({ startsAt: at }) => now > at + LISTED_AFTER_MS && now < at + LISTED_UNTIL_MS);
      const found = playlistFault(playlist, listed);
      if (found !== undefined) note(path, found, playlist);
      if (!following.has(path)) return;
      const base = path.slice(0, path.lastIndexOf('/'));
      for (const url of playlist.match(AD_SEGMENT) ?? []) {
        const segment = `${base}/${url}`;
        if (requested.has(segment)) continue;
        requested.add(segment);
        const ad = `${base}/${url.slice(0, url.indexOf('/'))}`;
        ads.set(ad, (ads.get(ad) ?? 0) + 1);
        void request(segment);
      }
    },
    watched(): Watched {
      const wholeAds = [...ads.values()].filter((segments) => segments === SEGMENTS_PER_AD).length;
      return { ...counts, ads: ads.size, wholeAds, ...(fault !== undefined && { fault }) };
    },
    isWaiting: () => underWay > 0,
  };
}
