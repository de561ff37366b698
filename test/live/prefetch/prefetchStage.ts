// SPDX-License-Identifier: Apache-2.0
// What tests of prefetch share: an origin whose breaks are not announced, and an ad server that takes its time.
import { type Ad, writeVast } from '../adHost.ts';
import { airLive, startOrigin, untilConditioned } from '../liveStage.ts';
import type { LiveOrigin } from '../origin/liveOrigin.ts';
import { adSource, type Stage, type TracedBreak } from '../stage.ts';
import type { Viewer } from '../viewer.ts';

export type PrefetchedBreak = TracedBreak & { readonly prefetched?: true; readonly requestedAt?: string };

export type SlowAds = {
  /** Milliseconds of the clock until a response. */
  delay: number;
  /** While set, the status of each response. */
  status?: number;
  ads: readonly Ad[];
};

/** Ads of 4 s, 6 s and 8 s, whose creatives are ready. */
export async function spotsOf(stage: Stage): Promise<readonly Ad[]> {
  const { adHost } = stage;
  const tracking = `${adHost.url}/beacon?event=[EVENT]`;
  adHost.on('/beacon', (response) => void response.writeHead(204).end());
  const urls = await Promise.all([4, 6, 8].map((seconds) => stage.spot(seconds)));
  return [4, 6, 8].map((seconds, index) => ({
    ...{ id: `s${seconds}`, seconds, url: urls[index]!, sequence: index + 1, tracking },
  }));
}

/** Offers ads at the path `/ID` of the ad host. */
export function offerSlowly({ adHost, clock }: Stage, id: string, offer: SlowAds): SlowAds {
  adHost.on(`/${id}`, (response) => {
    const { status = 200, ads, delay } = offer;
    void clock.sleep(delay).then(() => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(status === 200 ? writeVast(ads) : 'no');
    });
  });
  return offer;
}

export const conditioned = (stage: Stage, id: string, ads: readonly Ad[]) =>
  untilConditioned(stage, id, { vast: writeVast(ads) });

/** A live channel whose breaks are added by the test, without notice. */
export async function airUnannounced(
  stage: Stage,
  id: string,
  channel: object,
  hlsMarkers: 'cue' | 'cue-slash' = 'cue',
  media: 'base' | 'long' = 'base',
): Promise<LiveOrigin> {
  const origin = await startOrigin(stage, { hlsMarkers, window: 8, media });
  const source = { ...adSource(stage.adHost, `/${id}`), timeoutMs: 4000 };
  source.url += '&seconds=[BREAK_DURATION]';
  await airLive(stage, id, { sourceManifestUrl: origin.hlsUrl }, { adSource: source, ...channel });
  return origin;
}

/** The ad requests of a channel, in order. */
export const adRequests = ({ adHost }: Stage, id: string): { breakId: string; seconds: number; viewer: string }[] =>
  adHost.seen.flatMap(({ path }) => {
    const { pathname, searchParams: query } = new URL(path, adHost.url);
    if (pathname !== `/${id}`) return [];
    return [{ breakId: query.get('break')!, seconds: Number(query.get('seconds')), viewer: query.get('viewer')! }];
  });

export const breaksOf = async (stage: Stage, viewer: Viewer): Promise<readonly PrefetchedBreak[]> =>
  (await stage.breaks(viewer)) as readonly PrefetchedBreak[];

/** Whether an ad is on screen at the start of a break. */
export const startsWithAd = ({ ads, at }: TracedBreak): boolean =>
  ads.some(({ outcome, startsAt }) => outcome === 'stitched' && Math.abs(Date.parse(startsAt!) - at) < 100);
