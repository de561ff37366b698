// How viewers ask for the segments of an ad: played through, left, skipped, asked for twice, from other rungs, backwards,
// as sound alone. And what they were given by that, counted anew: from the texts of manifests, by one's own rule.
import { readHls } from '../laws/readBack.ts';

/** A segment as a media playlist lists it: its address below the session, and where it ends, in seconds of its ad. */
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

/** A request, so many seconds after the start of the ad. */
export type Request = { readonly at: number; readonly path: string; readonly method: 'GET' | 'HEAD' };

/** @param latency seconds behind the live edge */
export function requestsOf({ rungs }: ListedAd, behaviour: number, latency: number): Request[] {
  const [v0, v1, a0] = ['v0', 'v1', 'a0'].map((rung) => rungs.get(rung)!) as [Listed[], Listed[], Listed[]];
  const ask = ({ path, end }: Listed, more = 0): Request => ({ at: end + latency + more, path, method: 'GET' });
  const count = v0.length;
  switch (behaviour) {
    case 0:
      return v0.flatMap((one, index) => [ask(one), ...(a0[index] ? [ask(a0[index])] : [])]);
    case 1:
      return v0.slice(0, Math.ceil(count / 2)).map((one) => ask(one));
    case 2:
      return v0.filter((_, index) => index === 0 || index >= count - 2).map((one) => ask(one));
    case 3:
      return v0.flatMap((one) => [ask(one), ask(one), ask(one, 1)]);
    case 4:
      return v0.map((one, index) => ask(index % 2 ? v1[index]! : one));
    case 5:
      return [...v1].reverse().map((one) => ({ ...ask(one), at: v1.at(-1)!.end }));
    case 6:
      return a0.map((one) => ask(one));
    case 7:
      return v0.slice(1).map((one) => ask(one));
    case 8:
      return v0.map((one) => ({ ...ask(one), method: 'HEAD' }));
    default:
      return v1.map((one) => ask(one));
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

/** Seconds of the ad that were given without a gap. */
export function played({ rungs }: ListedAd, asked: ReadonlySet<string>): number {
  const ofPictures = ['v0', 'v1'].flatMap((rung) => (rungs.has(rung) ? [rungs.get(rung)!] : []));
  const hasPictures = ofPictures.some((listed) => listed.some(({ path }) => asked.has(path)));
  const columns = hasPictures ? ofPictures : [rungs.get('a0')!];
  let until = 0;
  for (let index = 0; index < columns[0]!.length; index += 1) {
    if (!columns.some((listed) => asked.has(listed[index]!.path))) break;
    until = columns[0]![index]!.end;
  }
  return until;
}

/** Every beacon that the requests of a viewer lead to, as `by session ad event`. */
export function expectedOf(session: string, ad: ListedAd, asked: ReadonlySet<string>): string[] {
  const until = played(ad, asked);
  if (until === 0) return [];
  const length = ad.rungs.get('v0')!.at(-1)!.end;
  const isDue = (at: number) => at < until - 0.001 || until > length - 0.05;
  const told = INSTANTS.flatMap(([event, share, by]) =>
    isDue(share * length) ? by.map((who) => `${who} ${session} ${ad.adId} ${event}`) : [],
  );
  return isDue(4) ? [...told, `wrapper ${session} ${ad.adId} progress`] : told;
}
