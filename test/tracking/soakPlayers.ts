// SPDX-License-Identifier: Apache-2.0
// How players request the segments of an ad: completely, only the first part, with a gap, repeatedly, from several rungs, in
// reverse order, or audio only. And which events follow from that, computed from manifests independently of the server.
import { readHls } from '../laws/readBack.ts';

/** A segment of a media playlist: its path relative to the session, and its end in seconds after the start of the ad. */
export type Listed = { readonly path: string; readonly end: number };
export type ListedAd = {
  readonly adId: string;
  readonly start: number;
  readonly rungs: ReadonlyMap<string, readonly Listed[]>;
};

/** The ads that the media playlists of one viewer list. */
export function adsOf(playlists: ReadonlyMap<string, string>): ListedAd[] {
  const ads = new Map<string, { adId: string; start: number; rungs: Map<string, Listed[]> }>();
  for (const [rung, text] of playlists) {
    for (const { uri, date, duration } of readHls(text).segments) {
      const adId = /^(\d+-\d+-\d+)\//.exec(uri)?.[1];
      if (adId === undefined) continue;
      const ad = ads.get(adId) ?? { adId, start: date, rungs: new Map() };
      const listed = ad.rungs.get(rung) ?? [];
      ad.rungs.set(rung, [...listed, { path: uri, end: (listed.at(-1)?.end ?? 0) + duration / 1e6 }]);
      ads.set(adId, ad);
    }
  }
  return [...ads.values()];
}

/** A request; `at` is in seconds after the start of the ad. */
export type Request = { readonly at: number; readonly path: string; readonly method: 'GET' | 'HEAD' };

/** @param latency seconds behind the live edge */
export function requestsOf({ rungs }: ListedAd, behaviour: number, latency: number): Request[] {
  const [v0, v1, a0] = ['v0', 'v1', 'a0'].map((rung) => rungs.get(rung)!) as [Listed[], Listed[], Listed[]];
  const get = ({ path, end }: Listed, more = 0): Request => ({ at: end + latency + more, path, method: 'GET' });
  const count = v0.length;
  switch (behaviour) {
    case 0:
      return v0.flatMap((one, index) => [get(one), ...(a0[index] ? [get(a0[index])] : [])]);
    case 1:
      return v0.slice(0, Math.ceil(count / 2)).map((one) => get(one));
    case 2:
      return v0.filter((_, index) => index === 0 || index >= count - 2).map((one) => get(one));
    case 3:
      return v0.flatMap((one) => [get(one), get(one), get(one, 1)]);
    case 4:
      return v0.map((one, index) => get(index % 2 ? v1[index]! : one));
    case 5:
      return [...v1].reverse().map((one) => ({ ...get(one), at: v1.at(-1)!.end }));
    case 6:
      return a0.map((one) => get(one));
    case 7:
      return v0.slice(1).map((one) => get(one));
    case 8:
      return v0.map((one) => ({ ...get(one), method: 'HEAD' }));
    default:
      return v1.map((one) => get(one));
  }
}

const INSTANTS: readonly (readonly [event: string, share: number, by: readonly string[]])[] = [
  ['impression', 0, ['inline', 'wrapper']],
  ['creativeView', 0, ['inline']],
  ['start', 0, ['inline']],
  ['firstQuartile', 0.25, ['inline']],
  ['midpoint', 0.5, ['inline']],
  ['thirdQuartile', 0.75, ['inline']],
  ['complete', 1, ['inline']],
];

/** Seconds of the ad that were delivered without a gap from the start. */
export function played({ rungs }: ListedAd, requested: ReadonlySet<string>): number {
  const video = ['v0', 'v1'].flatMap((rung) => (rungs.has(rung) ? [rungs.get(rung)!] : []));
  const hasVideo = video.some((listed) => listed.some(({ path }) => requested.has(path)));
  const columns = hasVideo ? video : [rungs.get('a0')!];
  let until = 0;
  for (let index = 0; index < columns[0]!.length; index += 1) {
    if (!columns.some((listed) => requested.has(listed[index]!.path))) break;
    until = columns[0]![index]!.end;
  }
  return until;
}

/** All beacons that follow from the requests of a viewer, as `by session ad event`. */
export function expectedOf(session: string, ad: ListedAd, requested: ReadonlySet<string>): string[] {
  const until = played(ad, requested);
  if (until === 0) return [];
  const length = ad.rungs.get('v0')!.at(-1)!.end;
  const isDue = (at: number) => at < until - 0.001 || until > length - 0.05;
  const events = INSTANTS.flatMap(([event, share, by]) =>
    isDue(share * length) ? by.map((who) => `${who} ${session} ${ad.adId} ${event}`) : [],
  );
  return isDue(4) ? [...events, `wrapper ${session} ${ad.adId} progress`] : events;
}
