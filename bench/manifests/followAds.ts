// SPDX-License-Identifier: Apache-2.0
// Viewers who play their ads: each segment of an ad is requested once, in order, when a media playlist lists it.

/** Only ads have URLs relative to the session; content has those of its origin, slate a path. */
const isAd = (line: string): boolean => /^[^#/]/.test(line) && !line.startsWith('http');

/** @returns the paths of the segments that a playlist lists and the viewer has not requested yet */
export function followAds(): (viewer: number, playlist: string, base: string) => string[] {
  /** By viewer: the newest segment listed so far; empty if none was. */
  const newest = new Map<number, string>();
  return (viewer, playlist, base) => {
    const ads = playlist.split('\n').filter(isAd);
    const last = newest.get(viewer);
    newest.set(viewer, ads.at(-1) ?? last ?? '');
    // A player that joins does not request what has been listed before.
    if (last === undefined) return [];
    return ads.slice(ads.lastIndexOf(last) + 1).map((ad) => `${base}/${ad}`);
  };
}
