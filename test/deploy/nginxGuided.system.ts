// SPDX-License-Identifier: Apache-2.0
// The nginx sample (deploy/nginx) with guided viewers, in real time: it keeps the playlists that they share, and nothing else.
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { signOpening } from '../../src/http/live/openingRequest.ts';
import { startAdHost } from '../live/adHost.ts';
import { startMediaOrigin } from '../live/mediaOrigin.ts';
import { startMidroll } from '../live/midroll.ts';
import { mediaPlaylists } from '../live/openSession.ts';
import { makeSpot, makeVideo } from '../live/testVideos.ts';
import { opened, scratchFolder } from '../opened.ts';
import { nginxClient, type Reply } from './nginxClient.ts';
import { startNginx } from './startNginx.ts';

const KEY = 'watch';
const SECRET = 'a-secret-of-16-or-more';
const [origin, adHost] = await Promise.all([opened(startMediaOrigin()), opened(startAdHost())]);
const midroll = await opened(
  startMidroll({ DATA_DIR: scratchFolder(), TRUSTED_PROXIES: '127.0.0.1', SESSIONS_PER_ADDRESS: '0' }),
);
const nginx = await opened(startNginx([midroll]));
const get = await nginxClient(nginx);
const text = async (path: string): Promise<string> => (await get(path)).body.toString();
const cacheOf = ({ headers }: Reply) => headers['x-cache'];

beforeAll(async () => {
  const [video, other, spot] = await Promise.all([
    makeVideo(origin.folder, 'video', { seconds: 8 }),
    makeVideo(origin.folder, 'other', { seconds: 4 }),
    makeSpot(origin.folder, 'spot', 4),
  ]);
  adHost.offer('/vast', (viewer) => [{ id: `for-${viewer}`, seconds: 4, url: origin.url + spot }]);
  const cuePoints = [{ spliceTime: 4, maxDuration: 8, maxAds: 2 }];
  const contents = [{ sourceType: 'url', url: origin.url + video, cuePoints }];
  await midroll.create('playlists', { id: 'films', status: 'enabled', contents });
  const adSource = { url: `${adHost.url}/vast?viewer=[PLAYER.viewer]&break=[BREAK_ID]` };
  const channel = { state: 'enabled', apiKey: KEY, playlistId: 'films', adSource };
  await midroll.create('channels', { id: 'films', ...channel });
  await midroll.create('channels', { id: 'signed', signingSecret: SECRET, ...channel });
  const placeholder = [{ sourceType: 'placeholder', cuePoints: [{ spliceTime: 0 }] }];
  await midroll.create('playlists', { id: 'any', type: 'vod', status: 'enabled', contents: placeholder });
  const library = { type: 'vod', playlistId: 'any', contentHosts: ['127.0.0.1'] };
  await midroll.create('channels', { id: 'library', ...channel, ...library });
  for (const film of [video, other]) films.push(`${origin.url}${film}`);
  for (const path of ['/hls/films/master.m3u8?api-key=watch', ...films.map(viewOfFilm)])
    while ((await get(path)).status !== 200) await sleep(100);
});
const films: string[] = [];
const viewOfFilm = (film: string) => `/dash/view/library?api-key=${KEY}&insertion=guided&content=${film}`;

type View = { readonly sessionId: string; readonly guidedURL: string };
const pathOf = (url: string): string => url.slice(new URL(url).origin.length);
const view = async (path: string): Promise<View> => JSON.parse(await text(path));
const openGuided = (format: string, viewer: string): Promise<View> =>
  view(`/${format}/view/films?api-key=${KEY}&insertion=guided&viewer=${viewer}`);

/** The paths of the media playlists of a guided HLS viewer. */
const playlistsOf = async ({ guidedURL }: View): Promise<string[]> =>
  mediaPlaylists(await text(pathOf(guidedURL))).map((path) => `/hls/films/${path}`);

/** Requests that nginx sent to Midroll, by its log. */
const passedOn = (path: string): number =>
  nginx.accessLog().filter((line) => line.includes(`"GET ${path}" `) && !line.includes('node=- ')).length;

/** Repeats requests until all of them were made within one second, in which nginx keeps what it got. */
async function withinOneSecond<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    const second = Math.floor(Date.now() / 1000);
    const result = await work();
    if (Math.floor(Date.now() / 1000) === second) return result;
  }
}

test('two sessions get the same bytes at the same URL, the second from the cache', async () => {
  const [anna, ben] = await Promise.all(['anna', 'ben'].map((viewer) => openGuided('hls', viewer)));
  const [[playlist], [same]] = await Promise.all([playlistsOf(anna!), playlistsOf(ben!)]);
  expect(same).toBe(playlist);
  const [first, second] = await withinOneSecond(async () => [await get(playlist!), await get(`${same}&CMCD=sid`)]);
  expect([first!.status, second!.status, cacheOf(second!)]).toEqual([200, 200, 'HIT']);
  expect(second!.body.equals(first!.body)).toBe(true);
  expect(first!.headers['cache-control']).toBe('public, max-age=1');
  for (const { sessionId } of [anna!, ben!]) expect(first!.body.toString()).not.toContain(sessionId);
});

test('the MPD is the same whatever its session', async () => {
  const [anna, ben] = await Promise.all(['anna', 'ben'].map((viewer) => openGuided('dash', viewer)));
  expect(anna!.guidedURL).not.toBe(ben!.guidedURL);
  const [first, second] = await withinOneSecond(async () => [
    await get(pathOf(anna!.guidedURL)),
    await get(pathOf(ben!.guidedURL)),
  ]);
  expect([first!.status, cacheOf(second!)]).toEqual([200, 'HIT']);
  expect(second!.body.equals(first!.body)).toBe(true);
});

test("a viewer's own lists, playlists and segments are not cached, and are not those of another viewer", async () => {
  const viewers = await Promise.all(['cleo', 'dora'].map((viewer) => openGuided('hls', viewer)));
  const [playlist] = await playlistsOf(viewers[0]!);
  let breakId: string | undefined;
  await expect
    .poll(async () => {
      breakId = /\/breaks\/([\d-]+)\.json/.exec(await text(playlist!))?.[1];
      return breakId;
    })
    .toBeDefined();
  const clips: string[] = [];
  for (const { sessionId, guidedURL } of viewers) {
    const list = `/hls/films/${sessionId}/breaks/${breakId}.json`;
    for (const path of [list, list, pathOf(guidedURL), `/dash/films/breaks/${breakId}.mpd?sid=${sessionId}`]) {
      const { status, headers } = await get(path);
      expect([path, status, headers['x-cache'], headers['cache-control']]).toEqual([
        path,
        200,
        undefined,
        expect.stringContaining('private'),
      ]);
    }
    const { ASSETS } = JSON.parse(await text(list)) as { ASSETS: { URI: string }[] };
    for (const { URI } of ASSETS) expect(URI).toContain(sessionId);
    clips.push(pathOf(ASSETS[0]!.URI));
  }
  expect(clips[0]).not.toBe(clips[1]);
  for (const clip of clips) expect(cacheOf(await get(clip))).toBeUndefined();
});

const durationOf = ({ body }: Reply) => /mediaPresentationDuration="([^"]+)"/.exec(body.toString())?.[1];

test('manifests of films, whose URLs differ in the session alone, are not mixed up', async () => {
  const [one, other] = await Promise.all(films.map((film) => view(viewOfFilm(film))));
  const paths = [one!, other!, one!, other!].map(({ guidedURL }) => pathOf(guidedURL));
  const replies = await withinOneSecond(() => Promise.all(paths.map((path) => get(path))));
  expect(replies.map(durationOf)).toEqual(['PT8S', 'PT4S', 'PT8S', 'PT4S']);
  for (const reply of replies) {
    expect(cacheOf(reply)).toBeUndefined();
    expect(reply.headers['cache-control']).toBe('private, max-age=3600');
  }
});

test('films without a viewer are kept apart, whatever else a request contains', async () => {
  const [one, other] = films.map(encodeURIComponent);
  const queries = [
    `CONTENT=${one}&content=${other}`,
    `c%6Fntent=${other}&content=${one}`,
    `content=${one}`,
    `content=${other}`,
    `sid=content&content=${one}`,
  ];
  const replies = await withinOneSecond(async () => {
    const found: Reply[] = [];
    for (const query of [...queries, ...queries])
      found.push(await get(`/dash/library/channel.mpd?api-key=${KEY}&${query}`));
    return found;
  });
  expect(replies.map(durationOf)).toEqual([...expected, ...expected]);
  expect(replies.slice(queries.length).map(cacheOf)).toEqual(queries.map(() => 'HIT'));
});
const expected = ['PT4S', 'PT4S', 'PT8S', 'PT4S', 'PT8S'];

test('nginx answers who has the playlist with a 304, and compresses for those who accept it', async () => {
  const path = `/hls/films/channel/v0.m3u8?api-key=${KEY}`;
  const [plain, zipped, unchanged] = await withinOneSecond(async () => {
    const first = await get(path);
    const etag = String(first.headers.etag);
    const brotli = { 'accept-encoding': 'br, gzip;q=0.5' };
    return [first, await get(path, brotli), await get(path, { 'if-none-match': etag })];
  });
  expect([plain!.headers['content-encoding'], zipped!.headers['content-encoding']]).toEqual([undefined, 'gzip']);
  expect([unchanged!.status, unchanged!.body.length, cacheOf(unchanged!)]).toEqual([304, 0, 'HIT']);
});

test('what is kept is refused to those without the key of the channel', async () => {
  const path = '/hls/films/channel/v0.m3u8';
  const found = await withinOneSecond(() =>
    Promise.all([`${path}?api-key=${KEY}`, `${path}?api-key=other`, path].map((one) => get(one))),
  );
  expect(found.map(({ status }) => status)).toEqual([200, 403, 401]);
});

test('what is kept of a signed channel is refused to those without its token or a signature', async () => {
  const exp = `${Math.ceil(Date.now() / 1000) + 600}`;
  const signed = `api-key=${KEY}&exp=${exp}&sig=${signOpening(SECRET, 'signed', exp)}`;
  const [listed] = mediaPlaylists(await text(`/hls/signed/channel.m3u8?${signed}`));
  const [playlist, query] = listed!.split('?') as [string, string];
  const queries = [query, signed, `api-key=${KEY}`, `api-key=${KEY}&token=${'0'.repeat(64)}`];
  const found = await withinOneSecond(async () => {
    for (const one of queries) await get(`/hls/signed/${playlist}?${one}`);
    return Promise.all(queries.map((one) => get(`/hls/signed/${playlist}?${one}`)));
  });
  expect(found.map(({ status }) => status)).toEqual([200, 200, 403, 403]);
  expect(found.slice(0, 2).map(cacheOf)).toEqual(['HIT', 'HIT']);
});

test('what is kept is at most a second old', async () => {
  const path = `/hls/films/channel/v0.m3u8?api-key=${KEY}`;
  const edgeOf = (playlist: string) =>
    Number(/MEDIA-SEQUENCE:(\d+)/.exec(playlist)![1]) + playlist.match(/#EXTINF/g)!.length;
  for (let count = 0; count < 5; count += 1) {
    await get(path);
    const direct = await (await fetch(midroll.liveUrl + path)).text();
    await sleep(1000);
    expect(edgeOf(await text(path))).toBeGreaterThanOrEqual(edgeOf(direct));
  }
});

test('10,000 viewers cause less than three requests for playlists a second', async () => {
  const playlists = await playlistsOf(await openGuided('hls', 'many'));
  expect(playlists.length).toBe(2);
  const paths = playlists.map((path) => path.split('?')[0]!);
  const before = paths.map(passedOn);
  const start = Date.now();
  const VIEWERS = 10_000;
  const AT_ONCE = 100;
  for (let viewer = 0; viewer < VIEWERS; viewer += AT_ONCE) {
    const polls = Array.from({ length: AT_ONCE }, (_, index) =>
      playlists.map((path) => get(`${path}&CMCD=sid%3D${viewer + index}`)),
    );
    for (const { status } of await Promise.all(polls.flat())) expect(status).toBe(200);
  }
  const seconds = Math.ceil((Date.now() - start) / 1000) + 1;
  const requests = () => paths.map((path, index) => passedOn(path) - before[index]!);
  for (const count of requests()) expect(count).toBeLessThanOrEqual(seconds);
});
