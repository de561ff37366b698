// SPDX-License-Identifier: Apache-2.0
// Recorded deliveries match the requests in the browser's network log: hls.js with HLS and shaka with DASH, at the same time,
// through three breaks. The test computes the expected beacons from the log by its own rule.

import { beforeAll, test } from 'vitest';
import { openView } from '../live/openSession.ts';
import { adSource, item, openRealStage, titlesOf } from '../live/stage.ts';
import { opened } from '../opened.ts';
import { adsOf, type ListedAd, played } from '../tracking/soakPlayers.ts';
import { openPlayers } from './players.ts';

/** Three breaks of two ads each. */
const COMPLETE = 6;
/** Received beacons: event, session and CACHEBUSTING value. */
const arrived: string[] = [];

type Row = { readonly event: string; readonly ad: string; readonly outcome: string; readonly url: string };

const stage = await opened(openRealStage());
const players = await opened(openPlayers());
beforeAll(async () => {
  const { adHost } = stage;
  const tracking = `${adHost.url}/beacons?e=[EVENT]&s=[SESSION_ID]&cb=[CACHEBUSTING]`;
  adHost.on('/beacons', (response, _, query) => {
    arrived.push(`${query.get('e')} ${query.get('s')} ${query.get('cb')}`);
    response.writeHead(204).end();
  });
  const [video, three, four] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(3), stage.spot(4)]);
  adHost.offer('/pod', () => [
    { id: 'three', seconds: 3, url: three, tracking },
    { id: 'four', seconds: 4, url: four, tracking },
  ]);
  // A long window, so that a late poll still sees every ad.
  const channel = { adSource: adSource(adHost, '/pod'), playlistSize: 600 };
  await stage.air('delivery', [item(video, { spliceTime: 4, maxDuration: 8 })], channel);
  // Breaks are full once both creatives are ready.
  const first = await stage.watch('delivery', { fetches: false });
  await first.until('a break has both ads', async () =>
    (await stage.breaks(first)).some((one) => titlesOf(one).length === 2),
  );
  await first.leave();
});

async function beaconsOf(session: string): Promise<Row[]> {
  return (await stage.midroll.api('GET', `/beacons?session=${session}&limit=1000`)).json as Row[];
}

/** The shortest ad lasts 3 s; an ad that seems shorter is not completely listed yet. */
const isWhole = ({ rungs }: ListedAd): boolean =>
  ['v0', 'a0'].every((rung) => (rungs.get(rung)?.at(-1)?.end ?? 0) > 2.9);

/** Polls the session's media playlists and collects their ads. */
function collectAds(session: string, ads: Map<string, Map<string, ListedAd>>) {
  const look = async (): Promise<void> => {
    const texts = new Map<string, string>();
    for (const rung of ['v0', 'a0']) {
      texts.set(rung, await (await fetch(`${stage.midroll.liveUrl}/hls/delivery/${session}/${rung}.m3u8`)).text());
    }
    for (const ad of adsOf(texts)) {
      const looks = ads.get(ad.adId) ?? new Map<string, ListedAd>();
      // The poll that lists most of the ad is used: the window moves.
      const size = [...ad.rungs.values()].reduce((sum, listed) => sum + listed.length, 0);
      looks.set(String(size).padStart(6, '0'), ad);
      ads.set(ad.adId, looks);
    }
  };
  const timer = setInterval(() => void look(), 2000);
  return { look, stop: () => clearInterval(timer) };
}

const SHARES = { impression: 0, start: 0, firstQuartile: 0.25, midpoint: 0.5, thirdQuartile: 0.75, complete: 1 };

function expectedOf(ads: readonly ListedAd[], requested: ReadonlySet<string>): string[] {
  return ads.flatMap((ad) => {
    const until = played(ad, requested);
    const length = ad.rungs.get('v0')!.at(-1)!.end;
    return Object.entries(SHARES).flatMap(([event, share]) =>
      until > 0 && (share * length < until - 0.001 || until > length - 0.05) ? [`${event} ${ad.adId}`] : [],
    );
  });
}

const isComplete = (recorded: string): boolean => recorded.startsWith('complete ');

test.concurrent.for([
  ['hls.js', 'hls'],
  ['shaka', 'dash'],
] as const)(
  'the recorded deliveries of %s in %s match its requests through three breaks',
  async ([player, format], { expect }) => {
    const mediaURL = await openView(stage.midroll.liveUrl, format, 'delivery');
    const session = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(mediaURL)![0];
    const [sent, answered] = [new Set<string>(), new Set<string>()];
    const onNetwork = (url: string, isResponse: boolean) => {
      const path = url.split(`/${session}/`)[1];
      if (path !== undefined) (isResponse ? answered : sent).add(path);
    };
    const looks = new Map<string, Map<string, ListedAd>>();
    const { look, stop } = collectAds(session, looks);
    const ads = () => [...looks.values()].map((one) => one.get([...one.keys()].sort().at(-1)!)!);
    const hasThem = () => expectedOf(ads().filter(isWhole), answered).filter(isComplete).length >= COMPLETE;
    const report = await players.playUntil(player, mediaURL, hasThem, { onNetwork });
    stop();
    await expect
      .poll(async () => {
        await look();
        return ads().filter((ad) => !isWhole(ad));
      })
      .toEqual([]);
    // Other tests check smooth playback: a stall changes when segments are requested, not which beacons follow.
    expect(report.errors.filter(({ fatal }) => fatal)).toEqual([]);
    const [atLeast, atMost] = [expectedOf(ads(), answered), expectedOf(ads(), sent)];
    // Each complete ad has all six events.
    expect(atLeast.filter(isComplete).length).toBeGreaterThanOrEqual(COMPLETE);

    let rows: Row[] = [];
    let recorded: string[] = [];
    await expect
      .poll(async () => {
        rows = await beaconsOf(session);
        recorded = rows.map(({ event, ad }) => `${event} ${ad}`);
        return [rows.filter(({ outcome }) => outcome === 'pending'), atLeast.filter((one) => !recorded.includes(one))];
      })
      .toEqual([[], []]);
    expect(atMost).toEqual(expect.arrayContaining(recorded));
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['sent']));

    // Each beacon arrived once, and the trace contains the same events.
    const urls = rows.map(({ url }) => new URL(url).searchParams);
    const keys = urls.map((query) => `${query.get('e')} ${query.get('s')} ${query.get('cb')}`);
    expect(arrived.filter((key) => key.includes(session)).sort()).toEqual(keys.sort());
    const { json } = await stage.midroll.api('GET', `/sessions/${session}`);
    type Traced = { ads: { adId: string; delivered?: { seconds: number; events: string[] } }[] };
    const traced = (json.breaks as Traced[]).flatMap(({ ads: own }) =>
      own.flatMap(({ adId, delivered }) => (delivered?.events ?? []).map((event) => `${event} ${adId}`)),
    );
    expect(traced.sort()).toEqual(recorded.sort());
  },
);
