// SPDX-License-Identifier: Apache-2.0
// The nginx sample (deploy/nginx) in front of two nodes on one database, in real time.
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { Agent, request } from 'undici';
import { beforeAll, expect, test } from 'vitest';
import { startAdHost } from '../live/adHost.ts';
import { startMediaOrigin } from '../live/mediaOrigin.ts';
import { apiKey, type MidrollProcess, startMidroll } from '../live/midroll.ts';
import { mediaPlaylists } from '../live/openSession.ts';
import { makeSpot, makeVideo } from '../live/testVideos.ts';
import { opened, scratchFolder } from '../opened.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';
import { nginxClient, type Reply, VIEWER_ADDRESS } from './nginxClient.ts';
import { hostOf, startNginx } from './startNginx.ts';

const CHANNEL_KEY = 'secret-channel-key';
const folder = scratchFolder();

const [postgres, origin, adHost] = await Promise.all([
  opened(createDatabase()),
  opened(startMediaOrigin()),
  opened(startAdHost()),
]);
const settings = { DATABASE_URL: postgres.url, DATA_DIR: folder, TRUSTED_PROXIES: '127.0.0.1', DRAIN_SECONDS: '1' };
const first = await opened(startMidroll(settings));
const nodes: readonly MidrollProcess[] = [first, await opened(startMidroll(settings))];
const nginx = await opened(startNginx(nodes));
const get = await nginxClient(nginx);
beforeAll(async () => {
  const [video, spot] = await Promise.all([
    makeVideo(origin.folder, 'video', { seconds: 8 }),
    makeSpot(origin.folder, 'spot', 4),
  ]);
  adHost.offer('/vast', (viewer) => [{ id: `for-${viewer}`, seconds: 4, url: origin.url + spot }]);
  const contents = [
    { sourceType: 'url', url: origin.url + video, cuePoints: [{ spliceTime: 4, maxDuration: 8, maxAds: 2 }] },
  ];
  await first.create('playlists', { id: 'films', status: 'enabled', contents });
  await first.create('channels', {
    ...{ id: 'films', state: 'enabled', apiKey: CHANNEL_KEY, playlistId: 'films' },
    adSource: { url: `${adHost.url}/vast?viewer=[PLAYER.viewer]&break=[BREAK_ID]` },
  });
  while (!(await isOnAir('films'))) await sleep(100);
});

const text = async (path: string): Promise<string> => (await get(path)).body.toString();
const open = (channel: string, query: string) => get(`/hls/${channel}/master.m3u8?api-key=${CHANNEL_KEY}&${query}`);
const isOnAir = async (channel: string): Promise<boolean> => {
  const statuses = await Promise.all(
    nodes.map(async ({ liveUrl }) => {
      const response = await fetch(`${liveUrl}/hls/${channel}/master.m3u8?api-key=${CHANNEL_KEY}`);
      await response.arrayBuffer();
      return response.status;
    }),
  );
  return statuses.every((status) => status === 200);
};

/** @returns the session and the path of a media playlist */
async function openSession(viewer: string): Promise<{ session: string; playlist: string }> {
  const [first] = mediaPlaylists((await open('films', `viewer=${viewer}`)).body.toString());
  return { session: first!.split('/')[0]!, playlist: `/hls/films/${first!}` };
}

/** The address of the node in each line of the access log that contains a text. */
const nodesOf = (part: string): string[] =>
  nginx
    .accessLog()
    .filter((line) => line.includes(part))
    // The last line may not be written completely yet.
    .flatMap((line) => /node=(.*?) node_status=/.exec(line)?.[1] ?? []);

const segmentsOf = (playlist: string): string[] => playlist.split('\n').filter((line) => /^[^#\s]/.test(line));
/** The path of an ad segment of the viewer; waits for a break. */
async function adSegment(playlist: string): Promise<string> {
  let found: string | undefined;
  const isTracked = (line: string) => /^\d+-\d+-\d+\//.test(line);
  await expect
    .poll(async () => {
      found = segmentsOf(await text(playlist)).find(isTracked);
      return found;
    })
    .toBeDefined();
  return new URL(found!, `https://live.example.com${playlist}`).pathname;
}

test('redirects HTTP to HTTPS and speaks HTTP/2', async () => {
  const plain = new Agent();
  const path = `/hls/films/master.m3u8?api-key=${CHANNEL_KEY}`;
  const { statusCode, headers } = await request(`http://127.0.0.1:${nginx.httpPort}${path}`, {
    dispatcher: plain,
    headers: { host: 'live.example.com' },
  });
  expect([statusCode, headers.location]).toEqual([301, `https://live.example.com${path}`]);
  await plain.close();
  const protocol = await new Promise((resolve, reject) => {
    const socket = connectTls(
      { port: nginx.httpsPort, servername: 'live.example.com', ca: nginx.certificate, ALPNProtocols: ['h2'] },
      () => resolve(socket.end().alpnProtocol),
    ).once('error', reject);
  });
  expect(protocol).toBe('h2');
});

test("ad servers receive the viewer's address, not one that the viewer sent", async () => {
  const forged = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-host': 'evil.example', 'user-agent': 'Viewer/1' };
  const { body } = await get(`/hls/view/films?api-key=${CHANNEL_KEY}&viewer=address`, forged);
  expect(JSON.parse(body.toString()).mediaURL).toMatch(/^https:\/\/live\.example\.com\/hls\//);
  const session = /sid=(.+)/.exec(JSON.parse(body.toString()).mediaURL)![1]!;
  const received = async () => {
    await get(`/hls/films/${session}/v0.m3u8`);
    return adHost.seen.find(({ path }) => path.includes('viewer=address'))?.headers;
  };
  await expect.poll(received).toMatchObject({ 'x-forwarded-for': VIEWER_ADDRESS, 'user-agent': 'Viewer/1' });
});

test('an ad is cached once for all viewers; requests of its segments reach Midroll', async () => {
  const { session, playlist } = await openSession('anna');
  const segment = await adSegment(playlist);
  const redirects = [await get(segment), await get(segment)];
  const locations = redirects.map(({ status, headers }) => [status, headers.location, headers['cache-control']]);
  expect(locations[0]).toEqual([302, expect.stringContaining('/m/'), 'private, no-store']);
  expect(locations[1]).toEqual(locations[0]);
  await expect.poll(() => nodesOf(`"GET ${segment}"`).map((node) => node !== '-')).toEqual([true, true]);
  const delivered = async () => {
    const { json } = await nodes[0]!.api('GET', `/sessions/${session}`);
    return json.breaks.flatMap(({ ads }: { ads: { delivered?: { seconds: number } }[] }) =>
      ads.map((ad) => ad.delivered?.seconds ?? 0),
    );
  };
  await expect.poll(async () => Math.max(0, ...(await delivered()))).toBeGreaterThan(0);

  const media = new URL(String(redirects[0]!.headers.location), `https://live.example.com${segment}`).pathname;
  const [first, second] = [await get(media), await get(`${media}?cache=buster`)];
  expect([first.status, first.headers['x-cache']]).toEqual([200, 'MISS']);
  expect([second.status, second.headers['x-cache']]).toEqual([200, 'HIT']);
  expect(second.headers['access-control-allow-origin']).toBe('*');
  const direct = Buffer.from(await (await fetch(nodes[0]!.liveUrl + media)).arrayBuffer());
  expect(first.body.equals(direct)).toBe(true);
  expect(second.body.equals(direct)).toBe(true);
  const part = await get(media, { range: 'bytes=10-99' });
  expect([part.status, part.headers['x-cache']]).toEqual([206, 'HIT']);
  expect(part.headers['content-range']).toBe(`bytes 10-99/${direct.length}`);
  expect(part.body.equals(direct.subarray(10, 100))).toBe(true);
});

test("viewers' manifests are not cached, and are compressed", async () => {
  const viewers = [await openSession('ben'), await openSession('cleo')];
  const [ben, cleo] = viewers.map(({ playlist }) => playlist) as [string, string];
  const segments = await Promise.all([adSegment(ben), adSegment(cleo)]);
  expect(segments[0]).not.toBe(segments[1]);
  for (const { session, playlist } of viewers) {
    const { headers } = await get(playlist);
    expect([headers['x-cache'], headers['cache-control']]).toEqual([undefined, 'private, no-cache']);
    expect(nodesOf(`session=${session} cache=- `).every((node) => node !== '-')).toBe(true);
  }
  const { headers } = await get(ben, { 'accept-encoding': 'gzip' });
  expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'Accept-Encoding']);
});

test('a channel that is not on air does not stop the others', async () => {
  // Its origin does not respond.
  const contents = [{ sourceType: 'url', url: `${adHost.url}/never` }];
  await nodes[0]!.create('playlists', { id: 'waiting', status: 'enabled', contents });
  const channel = { id: 'waiting', state: 'enabled', apiKey: CHANNEL_KEY, playlistId: 'waiting' };
  await nodes[0]!.create('channels', channel);
  for (let count = 0; count < 10; count += 1) {
    const { status, headers } = await open('waiting', `count=${count}`);
    expect([status, headers['retry-after']]).toEqual([503, '2']);
  }
  expect((await open('films', 'viewer=dora')).status).toBe(200);
});

test('opening requests may have 4 KB of percent-encoded parameters', async () => {
  const query = (bytes: number) => `a=${'%C3%A9'.repeat(bytes / 4)}&b=${'%C3%A9'.repeat(bytes / 4)}`;
  expect((await open('films', query(4000))).status).toBe(200);
  expect((await open('films', query(12_000))).status).toBe(414);
});

test('serves the administrative API; health and metrics are not public', async () => {
  const key = { 'x-api-key': apiKey };
  const { status, headers } = await get('/api/v2/channels/films', key, 'admin');
  expect([status, headers['x-cache'], headers['cache-control']]).toEqual([200, undefined, 'private, no-cache']);
  const hidden = ['/metrics', '/metrics/', '//metrics', '/%6Detrics', '/health', '/ready'];
  for (const path of hidden) expect([path, (await get(path, key, 'admin')).status]).toEqual([path, 404]);
  for (const path of ['/health', '/ready']) expect([path, (await get(path)).status]).toEqual([path, 404]);
});

test("a session's requests reach one node; another one takes over when that node is killed", async () => {
  const sessions = await Promise.all(['e', 'f', 'g', 'h', 'i', 'j'].map(openSession));
  for (const { session, playlist } of sessions) {
    const paths = [playlist, `/hls/films/master.m3u8?sid=${session}`, `/dash/films/${session}.mpd`];
    paths.push(`/dash/films/guided.mpd?sid=${session}`);
    for (const path of [...paths, `/tracking/${session}`, `/hls/films/${session}/vast.xml`]) {
      expect([200, 204], path).toContain((await get(path)).status);
    }
    await expect.poll(() => nodesOf(`session=${session} `).length).toBe(6);
    expect(new Set(nodesOf(`session=${session} `)).size).toBe(1);
  }
  const [{ session, playlist }] = sessions as [(typeof sessions)[0]];
  const [address] = nodesOf(`session=${session} `);
  const [one, other] = nodes as [MidrollProcess, MidrollProcess];
  const [home, spare] = hostOf(one.liveUrl) === address ? [one, other] : [other, one];
  await home.kill();
  for (let count = 0; count < 10; count += 1) expect((await get(playlist)).status).toBe(200);
  expect(nodesOf(`session=${session} `).at(-1)).toContain(hostOf(spare.liveUrl));
  expect((await open('films', 'viewer=kim')).status).toBe(200);
  await home.restart();
  await expect
    .poll(async () => {
      await get(playlist);
      return nodesOf(`session=${session} `).at(-1);
    })
    .toBe(address);
});

test('no request fails while nodes are replaced one after the other', async () => {
  const sessions = await Promise.all(Array.from({ length: 12 }, (_, index) => openSession(`replaced${index}`)));
  const statuses = new Map<number, number>();
  let isOver = false;
  const count = ({ status }: Reply) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const polling = sessions.map(async ({ playlist }, index) => {
    for (let turn = 0; !isOver; turn += 1) {
      count(await get(playlist));
      if (turn % 10 === 0) count(await open('films', `viewer=late${index}`));
      await sleep(50);
    }
  });
  const served = () => [...statuses.values()].reduce((sum, one) => sum + one, 0);
  for (const node of nodes) {
    node.signal('SIGTERM');
    expect(await node.exited()).toBe(0);
    const before = served();
    await expect.poll(served).toBeGreaterThan(before + 50);
    await node.restart();
    // nginx sends requests to the new process.
    const address = hostOf(node.liveUrl);
    const lines = () => nginx.accessLog().slice(-20);
    await expect.poll(() => lines().some((line) => line.includes(`node=${address} `))).toBe(true);
  }
  isOver = true;
  await Promise.all(polling);
  expect([...statuses.keys()]).toEqual([200]);
});

test('another node responds for one that hangs', async () => {
  const { session, playlist } = await openSession('lea');
  await get(playlist);
  await expect.poll(() => nodesOf(`session=${session} `).length).toBe(1);
  const [address] = nodesOf(`session=${session} `);
  const home = nodes.find(({ liveUrl }) => hostOf(liveUrl) === address)!;
  home.suspend();
  try {
    const paths = [playlist, `/dash/films/${session}.mpd`];
    for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 200]);
    expect(nodesOf(`session=${session} `).at(-1)).not.toBe(address);
  } finally {
    home.resume();
  }
});

test('no log contains a key or a query', async () => {
  const distributorKey = 'secret-distributor-key';
  for (const path of [
    'hls/films/distributors/KEY/v0.m3u8',
    'dash/films/distributors/KEY/channel.mpd',
    'guide/films/KEY/xmltv.xml',
  ])
    expect((await get(`/${path.replace('KEY', distributorKey)}`)).status).toBe(403);
  expect(nginx.accessLog().length).toBeGreaterThan(20);
  const logs = nginx.accessLog().join('\n') + nginx.errorLog();
  for (const secret of [CHANNEL_KEY, distributorKey, apiKey, '?', 'viewer=']) expect(logs).not.toContain(secret);
});
