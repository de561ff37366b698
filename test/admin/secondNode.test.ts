// Two nodes of one installation, as processes over one PostgreSQL: what an operator reads does not depend on the node.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MediaOrigin, startMediaOrigin } from '../live/mediaOrigin.ts';
import { apiKey, type Midroll, startMidroll } from '../live/midroll.ts';
import { createDatabase, type PostgresDatabase } from '../servers/postgresDatabase.ts';

const folder = mkdtempSync(join(tmpdir(), 'midroll-nodes-'));
let postgres: PostgresDatabase;
let origin: MediaOrigin;
let nodes: readonly Midroll[] = [];

beforeAll(async () => {
  [postgres, origin] = await Promise.all([createDatabase(), startMediaOrigin()]);
  const settings = { DATABASE_URL: postgres.url, DATA_DIR: folder, ADMIN_RATE_LIMIT: '100000' };
  const first = await startMidroll(settings);
  nodes = [first, await startMidroll(settings)];
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await Promise.all([origin?.close(), postgres?.drop()]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test('a channel that one node has made is the same on the other: state, items, durations, MRSS', async () => {
  const [one, other] = nodes as [Midroll, Midroll];
  const contents = [
    {
      ...{ sourceType: 'url', url: `${origin.url}/tide/master.m3u8`, spliceType: 'percent' },
      cuePoints: [{ spliceTime: 50, maxDuration: 10 }],
    },
    { sourceType: 'url', url: `${origin.url}/none/master.m3u8` },
  ];
  await one.create('playlists', { id: 'films', status: 'enabled', contents });
  await one.create('channels', { id: 'made', state: 'enabled', playlistId: 'films' });
  const channel = async (node: Midroll) => (await node.api('GET', '/channels/made')).json;
  const states = async (node: Midroll) =>
    ((await channel(node)).items ?? []).map(({ state }: { state: string }) => state).join(' ');
  const isPrepared = async (node: Midroll) =>
    (await channel(node)).preparation === undefined && (await states(node)) === 'ready failed';
  await expect.poll(() => isPrepared(one), { timeout: 120_000 }).toBe(true);
  expect(await channel(other)).toEqual(await channel(one));
  const listed = async (node: Midroll) => (await node.api('GET', '/channels')).json;
  expect(await listed(other)).toEqual(await listed(one));
  const items = async (node: Midroll) => (await node.api('GET', '/playlists/films/items')).json;
  expect(await items(one)).toMatchObject([{ duration: expect.any(Number) }, { state: 'failed' }]);
  expect(await items(other)).toEqual(await items(one));
  const feed = async ({ adminUrl }: Midroll) => {
    const path = `${adminUrl}/api/v2/playlists/films?format=mrss`;
    return (await (await fetch(path, { headers: { 'x-api-key': apiKey } })).text()).replaceAll(adminUrl, '');
  };
  expect(await feed(one)).toContain('<splicetime>');
  expect(await feed(other)).toBe(await feed(one));

  // An edit on the second node is what the first one says from then on.
  await other.api('PATCH', '/playlists/films', { contents: contents.slice(0, 1) });
  await expect.poll(() => states(one), { timeout: 60_000 }).toBe('ready');
  await expect.poll(() => states(other), { timeout: 60_000 }).toBe('ready');
});

test('both nodes count the requests of a tenant together', async () => {
  const limits = async ({ adminUrl }: Midroll) => {
    const { headers } = await fetch(`${adminUrl}/api/v2/systems`, { headers: { 'x-api-key': apiKey } });
    return [Number(headers.get('x-rate-limit-remaining')), headers.get('x-rate-limit-reset')] as const;
  };
  await expect
    .poll(async () => {
      const [first, second, third] = [await limits(nodes[0]!), await limits(nodes[1]!), await limits(nodes[0]!)];
      // Only when a minute ends in between are they of different windows.
      return first[1] === third[1] && first[1] === second[1] ? [first[0] - second[0], first[0] - third[0]] : 'again';
    })
    .toEqual([1, 2]);
});
