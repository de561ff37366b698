// SPDX-License-Identifier: Apache-2.0
// Two nodes as processes on one PostgreSQL database: both return the same to an operator.
import { expect, test } from 'vitest';
import { startMediaOrigin } from '../live/mediaOrigin.ts';
import { apiKey, type Midroll, startMidroll } from '../live/midroll.ts';
import { opened, scratchFolder } from '../opened.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';

const folder = scratchFolder();

const [postgres, origin] = await Promise.all([opened(createDatabase()), opened(startMediaOrigin())]);
const settings = { DATABASE_URL: postgres.url, DATA_DIR: folder, ADMIN_RATE_LIMIT: '100000' };
const one = await opened(startMidroll(settings));
const other = await opened(startMidroll(settings));

test('both nodes return the same state, items, durations and MRSS of a channel', async () => {
  const contents = [
    {
      ...{ sourceType: 'url', url: `${origin.url}/tide/master.m3u8`, spliceType: 'percent' },
      cuePoints: [{ spliceTime: 50, maxDuration: 10 }],
    },
    { sourceType: 'url', url: `${origin.url}/none/master.m3u8` },
  ];
  await one.create('playlists', { id: 'loop', status: 'enabled', contents });
  await one.create('channels', { id: 'made', state: 'enabled', playlistId: 'loop' });
  const channel = async (node: Midroll) => (await node.api('GET', '/channels/made')).json;
  const states = async (node: Midroll) =>
    ((await channel(node)).items ?? []).map(({ state }: { state: string }) => state).join(' ');
  const isPrepared = async (node: Midroll) =>
    (await channel(node)).preparation === undefined && (await states(node)) === 'ready failed';
  await expect.poll(() => isPrepared(one), { timeout: 120_000 }).toBe(true);
  // Each node reads problems once a second.
  for (const node of [one, other]) await expect.poll(async () => (await channel(node)).problems).toHaveLength(1);
  expect(await channel(other)).toEqual(await channel(one));
  const listed = async (node: Midroll) => (await node.api('GET', '/channels')).json;
  expect(await listed(other)).toEqual(await listed(one));
  const items = async (node: Midroll) => (await node.api('GET', '/playlists/loop/items')).json;
  expect(await items(one)).toMatchObject([{ duration: expect.any(Number) }, { state: 'failed' }]);
  expect(await items(other)).toEqual(await items(one));
  const feed = async ({ adminUrl }: Midroll) => {
    const path = `${adminUrl}/api/v2/playlists/loop?format=mrss`;
    return (await (await fetch(path, { headers: { 'x-api-key': apiKey } })).text()).replaceAll(adminUrl, '');
  };
  expect(await feed(one)).toContain('<splicetime>');
  expect(await feed(other)).toBe(await feed(one));

  // The first node returns an edit that was made on the second one.
  await other.api('PATCH', '/playlists/loop', { contents: contents.slice(0, 1) });
  await expect.poll(() => states(one), { timeout: 60_000 }).toBe('ready');
  await expect.poll(() => states(other), { timeout: 60_000 }).toBe('ready');
});

test('both nodes share the rate limit of a tenant', async () => {
  const limits = async ({ adminUrl }: Midroll) => {
    const { headers } = await fetch(`${adminUrl}/api/v2/systems`, { headers: { 'x-api-key': apiKey } });
    return [Number(headers.get('x-rate-limit-remaining')), headers.get('x-rate-limit-reset')] as const;
  };
  await expect
    .poll(async () => {
      const [first, second, third] = [await limits(one), await limits(other), await limits(one)];
      // Windows differ only if a minute ends in between.
      return first[1] === third[1] && first[1] === second[1] ? [first[0] - second[0], first[0] - third[0]] : 'again';
    })
    .toEqual([1, 2]);
});
