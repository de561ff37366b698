// SPDX-License-Identifier: Apache-2.0
// VoD sessions across processes: two processes on one PostgreSQL, which is killed, restarted, frozen or asked at the same moment.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeVast } from '../live/adHost.ts';
import { startMidroll } from '../live/midroll.ts';
import { adSource, item, openRealStage } from '../live/stage.ts';
import { opened, scratchFolder } from '../opened.ts';
import { startFreezingProxyOf } from '../servers/freezingProxy.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';
import { airVod, openVod, readVod, untilHolds } from './watchVod.ts';

const AD = 3;
const BREAKS = 3;
const BUDGET = 2000;

/** Ad requests by viewer and break. */
const requests = new Map<string, number>();
/** While true, the ad server does not respond. */
let isSilent = false;

const database = await opened(createDatabase());
const proxy = await opened(startFreezingProxyOf(database.url));
const dataDir = scratchFolder();
const settings = { DATABASE_URL: proxy.url, DATA_DIR: dataDir, DATABASE_STATEMENT_TIMEOUT_MS: '3000' };
const stage = await opened(openRealStage(settings));
const second = await opened(startMidroll({ ...settings, ROLE: 'serve' }));
beforeAll(async () => {
  const [video, spot] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(AD)]);
  stage.adHost.on('/ads', (response, _, query) => {
    const key = `${query.get('viewer')} ${query.get('break')}`;
    requests.set(key, (requests.get(key) ?? 0) + 1);
    if (isSilent) return;
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(writeVast([{ id: `ad-${requests.size}`, seconds: AD, url: spot }]));
  });
  const cued = { ...item(video), cuePoints: [{ spliceTime: 0 }, { spliceTime: 4 }, { spliceTime: -1 }] };
  await airVod(stage, 'films', [cued], { adSource: adSource(stage.adHost, '/ads'), vodBudgetMs: BUDGET });
  await untilHolds(stage, 'the creative is conditioned', async () => {
    return (await openVod(stage, 'films', { query: 'viewer=first' })).breaks.length === BREAKS;
  });
  await openVod({ clock: stage.clock, midroll: second }, 'films', { query: 'viewer=second' });
});
afterAll(proxy.thaw);

const requestsOf = (viewer: string): Record<string, number> =>
  Object.fromEntries(
    [...requests].filter(([key]) => key.startsWith(`${viewer} `)).map(([key, count]) => [key.split(' ')[1], count]),
  );
const eachOnce = { '0-1': 1, '0-2': 1, '0-3': 1 };

const open = async (viewer: string): Promise<string> => {
  const response = await fetch(`${stage.midroll.liveUrl}/hls/films/master.m3u8?api-key=key&viewer=${viewer}`);
  expect(response.status).toBe(200);
  return /^([0-9a-f-]{36})\//m.exec(await response.text())![1]!;
};

test('both processes list the same, also after a restart', async () => {
  const { sessionId } = await openVod(stage, 'films', { query: 'viewer=twin' });
  const before = await readVod(stage.midroll, 'films', sessionId);
  const other = await readVod(second, 'films', sessionId);
  const sameHost = (text: string): string => text.replaceAll(second.liveUrl, stage.midroll.liveUrl);
  expect(JSON.parse(sameHost(JSON.stringify(other)))).toEqual(before);
  await stage.midroll.kill();
  await stage.midroll.restart();
  expect(await readVod(stage.midroll, 'films', sessionId)).toEqual(before);
  expect(requestsOf('twin')).toEqual(eachOnce);
});

test('two processes that are asked at the same moment agree, with one set of ad requests', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, (_, index) => open(`pair${index}`)));
  const texts = await Promise.all(
    ids.map((id) =>
      Promise.all(
        [stage.midroll, second, stage.midroll, second].map(async ({ liveUrl }) => {
          const response = await fetch(`${liveUrl}/hls/films/${id}/v0.m3u8`);
          return [response.status, await response.text()];
        }),
      ),
    ),
  );
  texts.forEach((copies, index) => {
    expect(copies[0]![0]).toBe(200);
    for (const copy of copies) expect(copy).toEqual(copies[0]);
    expect(requestsOf(`pair${index}`)).toEqual(eachOnce);
  });
});

test('another process decides when the one that opened the session was killed', async () => {
  isSilent = true;
  const id = await open('orphan');
  await untilHolds(stage, 'ads are requested', async () => Object.keys(requestsOf('orphan')).length === BREAKS);
  await stage.midroll.kill();
  isSilent = false;
  const read = async () => (await fetch(`${second.liveUrl}/hls/films/${id}/v0.m3u8`)).text();
  const text = await read();
  expect(text.match(/^#EXT-X-DISCONTINUITY$/gm)).toHaveLength(4);
  await stage.midroll.restart();
  expect((await readVod(stage.midroll, 'films', id)).playlists.v0).toBe(text);
  expect(await read()).toBe(text);
});

test('sessions in memory are served while the database does not respond', async () => {
  const { sessionId } = await openVod(stage, 'films', { query: 'viewer=outage' });
  const before = await readVod(stage.midroll, 'films', sessionId);
  const path = `/hls/films/${sessionId}/`;
  const segments = before.playlists.v0!.split('\n').filter((line) => line.startsWith('0-1-0/'));
  const [ad] = segments;
  proxy.freeze();
  try {
    for (const rung of ['v0', 'a0']) {
      const response = await fetch(`${stage.midroll.liveUrl}${path}${rung}.m3u8`);
      expect([response.status, await response.text()]).toEqual([200, before.playlists[rung]]);
    }
    expect(await (await fetch(`${stage.midroll.liveUrl}/dash/films/${sessionId}.mpd`)).text()).toBe(before.mpd);
    const segment = await fetch(`${stage.midroll.liveUrl}${path}${ad}`);
    expect(segment.status).toBe(200);
    expect((await segment.arrayBuffer()).byteLength).toBeGreaterThan(1000);
    // A session that this process does not know cannot be read, and none can be opened.
    const refused = [`${second.liveUrl}${path}v0.m3u8`, `${stage.midroll.liveUrl}/hls/films/master.m3u8?api-key=key`];
    expect(await Promise.all(refused.map(async (url) => (await fetch(url)).status))).toEqual([503, 503]);
    // Its ads are served all the same, and their delivery is recorded afterwards.
    const redirects = segments.map((each) => fetch(`${second.liveUrl}${path}${each}`, { redirect: 'manual' }));
    for (const { status } of await Promise.all(redirects)) expect(status).toBe(302);
  } finally {
    proxy.thaw();
  }
  await untilHolds(stage, 'the other process reads the session', async () => {
    return (await fetch(`${second.liveUrl}${path}v0.m3u8`)).status === 200;
  });
  expect(await readVod(second, 'films', sessionId)).toMatchObject({ playlists: before.playlists });
  await untilHolds(stage, 'the whole ad counts as delivered', async () => {
    const { breaks } = (await stage.midroll.api('GET', `/sessions/${sessionId}`)).json;
    return breaks.some(({ id, ads }: { id: string; ads: { delivered?: { seconds: number } }[] }) => {
      return id === '0-1' && ads[0]?.delivered?.seconds === AD;
    });
  });
});

test('no process logs an error', () => {
  const bugs = [...stage.midroll.bugs(), ...second.bugs()].filter((line) => !line.includes('"level":40'));
  expect(bugs).toEqual([]);
});
