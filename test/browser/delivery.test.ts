// What the ledger says was delivered is what the browser's own network log shows that players asked for: hls.js on HLS and
// shaka on DASH, side by side through three breaks. What is expected is counted from the log by the test's own rule.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adSource, item, openRealStage, type Stage, titlesOf } from '../live/stage.ts';
import { adsOf, type ListedAd, played } from '../tracking/soakPlayers.ts';
import { openPlayers, type Players } from './players.ts';

/** Three breaks of two ads each. */
const COMPLETE = 6;
let stage: Stage;
let players: Players;
/** Beacons as they arrived: event and session and ad. */
const arrived: string[] = [];

type Row = { readonly event: string; readonly ad: string; readonly outcome: string; readonly url: string };

beforeAll(async () => {
  stage = await openRealStage();
  const { adHost } = stage;
  const tracking = `${adHost.url}/told?e=[EVENT]&s=[SESSION_ID]&cb=[CACHEBUSTING]`;
  adHost.on('/told', (response, _, query) => {
    arrived.push(`${query.get('e')} ${query.get('s')} ${query.get('cb')}`);
    response.writeHead(204).end();
  });
  const [video, three, four] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(3), stage.spot(4)]);
  adHost.offer('/pod', () => [
    { id: 'three', seconds: 3, url: three, tracking },
    { id: 'four', seconds: 4, url: four, tracking },
  ]);
  // So long a window that a look that comes late still sees every ad.
  const channel = { adSource: adSource(adHost, '/pod'), playlistSize: 600 };
  await stage.air('told', [item(video, { spliceTime: 4, maxDuration: 8 })], channel);
  // Until both creatives are ready, breaks have less to show.
  const first = await stage.watch('told', { fetches: false });
  await first.until('a break that is full', async () =>
    (await stage.breaks(first)).some((one) => titlesOf(one).length === 2),
  );
  await first.leave();
  players = await openPlayers();
});
afterAll(async () => {
  await players?.close();
  await stage?.close();
});

async function beaconsOf(session: string): Promise<Row[]> {
  return (await stage.midroll.api('GET', `/beacons?session=${session}&limit=1000`)).json as Row[];
}

/** The shortest ad lasts three seconds; one that seems to be shorter is not all listed yet. */
const isWhole = ({ rungs }: ListedAd): boolean =>
  ['v0', 'a0'].every((rung) => (rungs.get(rung)?.at(-1)?.end ?? 0) > 2.9);

/** Everything that the session's media playlists ever list of ads. */
function listen(session: string, ads: Map<string, Map<string, ListedAd>>) {
  const look = async (): Promise<void> => {
    const texts = new Map<string, string>();
    for (const rung of ['v0', 'a0']) {
      texts.set(rung, await (await fetch(`${stage.midroll.liveUrl}/hls/told/${session}/${rung}.m3u8`)).text());
    }
    for (const ad of adsOf(texts)) {
      const looks = ads.get(ad.adId) ?? new Map<string, ListedAd>();
      // The one that lists most of it: the window moves on.
      const size = [...ad.rungs.values()].reduce((sum, listed) => sum + listed.length, 0);
      looks.set(String(size).padStart(6, '0'), ad);
      ads.set(ad.adId, looks);
    }
  };
  const timer = setInterval(() => void look(), 2000);
  return { look, stop: () => clearInterval(timer) };
}

const SHARES = { impression: 0, start: 0, firstQuartile: 0.25, midpoint: 0.5, thirdQuartile: 0.75, complete: 1 };

function expectedOf(ads: readonly ListedAd[], asked: ReadonlySet<string>): string[] {
  return ads.flatMap((ad) => {
    const until = played(ad, asked);
    const length = ad.rungs.get('v0')!.at(-1)!.end;
    return Object.entries(SHARES).flatMap(([event, share]) =>
      until > 0 && (share * length < until - 0.001 || until > length - 0.05) ? [`${event} ${ad.adId}`] : [],
    );
  });
}

const isComplete = (told: string): boolean => told.startsWith('complete ');

test.concurrent.each([
  ['hls.js', 'hls'],
  ['shaka', 'dash'],
] as const)(
  'what %s asks for in %s through three breaks is what the ledger tells',
  async (player, format) => {
    const opened = await fetch(`${stage.midroll.liveUrl}/${format}/view/told?api-key=key`);
    const { mediaURL } = (await opened.json()) as { mediaURL: string };
    const session = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(mediaURL)![0];
    const [sent, answered] = [new Set<string>(), new Set<string>()];
    const heard = (url: string, isAnswered: boolean) => {
      const path = url.split(`/${session}/`)[1];
      if (path !== undefined) (isAnswered ? answered : sent).add(path);
    };
    const looks = new Map<string, Map<string, ListedAd>>();
    const { look, stop } = listen(session, looks);
    const ads = () => [...looks.values()].map((one) => one.get([...one.keys()].sort().at(-1)!)!);
    const hasThem = () => expectedOf(ads().filter(isWhole), answered).filter(isComplete).length >= COMPLETE;
    const report = await players.playUntil(player, mediaURL, hasThem, { heard });
    stop();
    await expect
      .poll(async () => {
        await look();
        return ads().filter((ad) => !isWhole(ad));
      })
      .toEqual([]);
    // Whether it plays smoothly is asked elsewhere: a stall changes when segments are asked for, not what follows.
    expect(report.errors.filter(({ fatal }) => fatal)).toEqual([]);
    const [atLeast, atMost] = [expectedOf(ads(), answered), expectedOf(ads(), sent)];
    // Each from the first to the last of six events.
    expect(atLeast.filter(isComplete).length).toBeGreaterThanOrEqual(COMPLETE);

    let rows: Row[] = [];
    let told: string[] = [];
    await expect
      .poll(async () => {
        rows = await beaconsOf(session);
        told = rows.map(({ event, ad }) => `${event} ${ad}`);
        return [rows.filter(({ outcome }) => outcome === 'pending'), atLeast.filter((one) => !told.includes(one))];
      })
      .toEqual([[], []]);
    expect(atMost).toEqual(expect.arrayContaining(told));
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['sent']));

    // Each arrived, once; and the trace tells the same.
    const urls = rows.map(({ url }) => new URL(url).searchParams);
    const keys = urls.map((query) => `${query.get('e')} ${query.get('s')} ${query.get('cb')}`);
    expect(arrived.filter((key) => key.includes(session)).sort()).toEqual(keys.sort());
    const { json } = await stage.midroll.api('GET', `/sessions/${session}`);
    type Traced = { ads: { adId: string; delivered?: { seconds: number; events: string[] } }[] };
    const traced = (json.breaks as Traced[]).flatMap(({ ads: own }) =>
      own.flatMap(({ adId, delivered }) => (delivered?.events ?? []).map((event) => `${event} ${adId}`)),
    );
    expect(traced.sort()).toEqual(told.sort());
  },
  600_000,
);
