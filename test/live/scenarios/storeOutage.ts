// SPDX-License-Identifier: Apache-2.0
// Two nodes with one PostgreSQL, which stops responding for longer than a playlist window while its connections stay open.
// Viewers of each node, and one whose requests alternate between them, continue.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startFreezingProxyOf } from '../../servers/freezingProxy.ts';
import { createDatabase } from '../../servers/postgresDatabase.ts';
import { writeVast } from '../adHost.ts';
import { type Midroll, startMidroll } from '../midroll.ts';
import { mediaPlaylists, openSession } from '../openSession.ts';
import { adSource, item, openRealStage, type Stage } from '../stage.ts';
import { watch } from '../viewer.ts';

/** Seconds. */
const WINDOW = 20;
const OUTAGE = 45;

/** Polls one session at the nodes in turn. @param served receives the nodes that have listed segments. @returns what was wrong */
async function alternate(stage: Stage, nodes: readonly Midroll[], served: Set<Midroll>, isOver: () => boolean) {
  const viewing = { clock: stage.clock, channel: 'c', apiKey: 'key', query: 'viewer=both' };
  const [first] = mediaPlaylists(await openSession({ ...viewing, liveUrl: nodes[0]!.liveUrl }));
  const faults: string[] = [];
  for (let turn = 0; !isOver(); turn += 1) {
    const node = nodes[turn % nodes.length]!;
    const response = await fetch(`${node.liveUrl}/hls/c/${first}?api-key=key`);
    const text = await response.text();
    if (response.status !== 200) faults.push(`node ${turn % nodes.length}: ${response.status} ${text}`);
    else if (!text.includes('#EXTINF')) faults.push(`node ${turn % nodes.length} lists nothing`);
    else served.add(node);
    await stage.clock.sleep(700);
  }
  return faults;
}

async function watchWithoutStore(stage: Stage, second: Midroll, freeze: () => void, thaw: () => void): Promise<void> {
  const { midroll, adHost, clock } = stage;
  const requests = new Map<string, number>();
  const spot = await stage.spot(3);
  adHost.on('/ads', (response, _, query) => {
    const key = `${query.get('viewer')} ${query.get('break')}`;
    requests.set(key, (requests.get(key) ?? 0) + 1);
    response.writeHead(200, { 'content-type': 'application/xml' }).end(writeVast([{ id: 'a', seconds: 3, url: spot }]));
  });
  const channel = { adSource: adSource(adHost, '/ads'), playlistSize: WINDOW };
  await stage.air('c', [item(await stage.video({ seconds: 8 }), { spliceTime: 4, maxDuration: 6 })], channel);
  const one = await stage.watch('c', { query: 'viewer=one', fetches: false });
  const viewing = { clock, channel: 'c', apiKey: 'key', fetches: false };
  const two = await watch({ ...viewing, liveUrl: second.liveUrl, query: 'viewer=two' });
  let isOver = false;
  const served = new Set<Midroll>();
  const both = alternate(stage, [midroll, second], served, () => isOver);
  const edge = () => Math.max(...one.listed.get('v0')!.keys());
  const isFilled = async () => (await stage.breaks(one)).some(({ status }) => status !== 'empty');
  await one.until('a break has ads', isFilled);
  // A node that does not know the session needs the store.
  await one.until('both nodes know the session that alternates', async () => served.size === 2);

  freeze();
  const before = edge();
  await clock.sleep(OUTAGE * 1000);
  expect(edge(), 'the edge after the outage').toBeGreaterThan(before + 10);
  thaw();
  await one.until('a break is slate because of the outage', async () =>
    (await stage.breaks(one).catch(() => [])).some(({ reason }) => reason?.code === 'STORE_AWAY'),
  );
  const seen = (await stage.breaks(one)).length;
  await one.until('two more breaks are decided, the last with ads', async () => {
    const breaks = await stage.breaks(one);
    return breaks.length > seen + 1 && breaks.at(-1)?.status !== 'empty';
  });
  isOver = true;
  await Promise.all([one.leave(), two.leave()]);
  expect([...one.faults, ...two.faults, ...(await both)]).toEqual([]);
  expect([...requests].filter(([, count]) => count > 1)).toEqual([]);
  // Failures during the outage are warnings.
  const bugs = [...midroll.bugs(), ...second.bugs()].filter((line) => !line.includes('"level":40'));
  expect(bugs).toEqual([]);
}

export async function servesDuringStoreOutage(): Promise<void> {
  const database = await createDatabase();
  const proxy = await startFreezingProxyOf(database.url);
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'midroll-nodes-'));
  const settings = { DATABASE_URL: proxy.url, DATA_DIR, DATABASE_STATEMENT_TIMEOUT_MS: '3000' };
  const stage = await openRealStage(settings);
  const second = await startMidroll({ ...settings, ROLE: 'serve' });
  try {
    await watchWithoutStore(stage, second, proxy.freeze, proxy.thaw);
  } finally {
    proxy.thaw();
    await Promise.all([stage.close(), second.close()]);
    await proxy.close();
    await database.drop();
    rmSync(DATA_DIR, { recursive: true, force: true, maxRetries: 5 });
  }
}
