// SPDX-License-Identifier: Apache-2.0
// What is changed at one node, the other one shows. No node polls, so that whatever is seen was announced by a notice.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startMediaOrigin } from '../live/mediaOrigin.ts';
import { apiKey } from '../live/midroll.ts';
import { opened, scratchFolder } from '../opened.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';
import { type Node, startCreativeWorker, startNode } from './startNode.ts';

const folder = scratchFolder();
let worker: { close(): Promise<void> } | undefined;

const [database, origin] = await Promise.all([opened(createDatabase()), opened(startMediaOrigin())]);
const settings: Record<string, string> = { DATABASE_URL: database.url, DATA_DIR: folder, ROLE: 'serve' };
const one = await opened(startNode(settings));
const other = await opened(startNode(settings));
afterAll(() => worker?.close());
beforeAll(() => vi.waitFor(async () => expect(await other.metric('midroll_notices_connected')).toBe(1), 60_000));

const item = (video: string) => ({ sourceType: 'url', url: `${origin.url}/${video}/master.m3u8` });
const channelAt = async (node: Node) => (await node.api('GET', '/channels/shared')).json;
/** The response to a player that opens the channel. */
async function open(node: Node, key: string, id = 'shared'): Promise<{ status: number; text: string }> {
  const response = await fetch(`${node.liveUrl}/hls/${id}/master.m3u8?api-key=${key}`);
  return { status: response.status, text: await response.text() };
}
const reasonAt = async (node: Node): Promise<string> => JSON.parse((await open(node, 'first')).text).message;
const entriesAt = async (node: Node) => {
  const { json } = await node.api('GET', '/channels/shared/timeline');
  return (json.editions as unknown[]).length;
};

test('a channel waits for slate: both nodes say what it waits for, to operators and to players', async () => {
  await one.create('playlists', { id: 'loop', status: 'enabled', contents: [item('tide')] });
  await one.create('channels', { id: 'shared', state: 'enabled', playlistId: 'loop', apiKey: 'first' });
  const isWaiting = (text: string) => text.includes('all assets are imported');
  await expect.poll(async () => isWaiting(await reasonAt(one))).toBe(true);
  await expect.poll(async () => (await reasonAt(other)) === (await reasonAt(one))).toBe(true);
  expect(isWaiting(await reasonAt(other))).toBe(true);
  await expect
    .poll(async () => {
      const [first, second] = [await channelAt(one), await channelAt(other)];
      return JSON.stringify(first) === JSON.stringify(second) && second.preparation.step;
    })
    .toBe('slate');
});

test('slate that a worker makes elsewhere puts the channel on air at both nodes', async () => {
  worker = await startCreativeWorker(settings);
  for (const node of [one, other]) {
    await expect
      .poll(async () => (await node.api('GET', '/channels/shared/timeline')).json.entries.length)
      .toBeGreaterThan(0);
    await expect.poll(async () => (await channelAt(node)).preparation).toBeUndefined();
    expect((await open(node, 'first')).status).toBe(200);
  }
  expect(await channelAt(other)).toEqual(await channelAt(one));
  expect((await channelAt(other)).items).toMatchObject([{ state: 'ready' }]);
});

test('an edited playlist, and the failure of an item, are shown by the node that did not plan them', async () => {
  const before = await entriesAt(other);
  await one.api('PATCH', '/playlists/loop', { contents: [item('tide'), item('orbits'), item('none')] });
  await expect.poll(() => entriesAt(other)).toBeGreaterThan(before);
  await expect
    .poll(async () => (await channelAt(other)).items.map(({ state }: { state: string }) => state))
    .toEqual(['ready', 'ready', 'failed']);
});

test('a schedule that is edited at either node is on air and in the guide of both, and so are distributors', async () => {
  await one.create('channels', { id: 'planned', state: 'enabled', playlistId: 'loop', apiKey: 'planned' });
  const start = Math.ceil(Date.now() / 1000) * 1000 + 60_000;
  const iso = (after: number) => new Date(start + after * 1000).toISOString();
  const source = { url: `${origin.url}/tide/master.m3u8` };
  const path = '/channels/planned/schedule';
  const entries = [{ id: 'first', title: 'First', start: iso(0), source }];
  expect((await one.api('PUT', path, { entries })).status).toBe(200);
  const added = { entries: [{ id: 'next', title: 'Next', start: iso(120), source }] };
  expect((await other.api('PATCH', path, added)).status).toBe(200);
  const shown = async (node: Node) => {
    const { json } = await node.api('GET', `${path}/timeline?from=${iso(-20)}&to=${iso(180)}`);
    return json.timeline?.map(({ entryId, startsAt }: { entryId?: string; startsAt: string }) => [entryId, startsAt]);
  };
  const both = (read: (node: Node) => Promise<unknown>) => Promise.all([one, other].map(read));
  await expect
    .poll(async () => {
      const [first, second] = await both(shown);
      return JSON.stringify(first) === JSON.stringify(second) && JSON.stringify(first);
    })
    .toMatch(/"first".*"next"/);
  const { key, keys } = (await other.api('POST', '/channels/planned/distributors', { id: 'd', name: 'D' })).json;
  const guide = async ({ liveUrl }: Node) => {
    const response = await fetch(`${liveUrl}/guide/planned/${key}/guide.json`);
    return response.status === 200 ? ((await response.json()) as { programmes: unknown }).programmes : response.status;
  };
  await expect.poll(() => guide(one)).toMatchObject([{ title: 'First' }, { title: 'Next' }]);
  expect(await guide(one)).toEqual(await guide(other));
  // What is published at a border is the same at both nodes: segments by their numbers.
  const listed = async ({ liveUrl }: Node) => {
    const text = await (await fetch(`${liveUrl}/hls/planned/distributors/${key}/v0.m3u8`)).text();
    const first = Number(/MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1]);
    return text.match(/^[^#\n].*$/gm)?.map((uri, index) => `${first + index} ${uri.replace(/^.*\/m\//, '')}`) ?? [];
  };
  await expect.poll(async () => (await listed(one)).length, { timeout: 120_000 }).toBeGreaterThan(1);
  const [first, second] = await Promise.all([listed(one), listed(other)]);
  const numbers = new Set(second.map((line) => line.split(' ')[0]));
  const shared = first.filter((line) => numbers.has(line.split(' ')[0]));
  expect(shared.length).toBeGreaterThan(1);
  expect(second).toEqual(expect.arrayContaining(shared));
  await one.api('DELETE', `/channels/planned/distributors/d/keys/${keys[0].id}`);
  await expect.poll(() => guide(other)).toBe(403);
});

test('the key of an edited channel changes at the other node', async () => {
  expect((await open(other, 'first')).status).toBe(200);
  expect((await one.api('PATCH', '/channels/shared', { apiKey: 'second' })).status).toBe(200);
  // A session is opened with the old key as long as the node has the old channel in memory.
  await expect.poll(async () => (await open(other, 'first')).status).toBe(403);
  expect((await open(other, 'second')).status).toBe(200);
});

test('a revoked API key is rejected by the next request, and keys are never in memory', async () => {
  const { json } = await one.api('POST', '/keys', { email: 'eve@example.com', name: 'eve' });
  const secret = json.key ?? json.secret ?? json.apiKey;
  const status = async () =>
    (await fetch(`${other.adminUrl}/api/v2/channels`, { headers: { 'x-api-key': secret } })).status;
  expect(await status()).toBe(200);
  expect((await one.api('DELETE', `/keys/${json.id}`)).status).toBeLessThan(300);
  expect(await status()).toBe(403);
});

test('a disabled channel ends at the other node, and so does a deleted one', async () => {
  for (const id of ['off', 'gone']) {
    await one.create('channels', { id, state: 'enabled', playlistId: 'loop', apiKey: id });
    await expect.poll(async () => (await open(other, id, id)).status).toBe(200);
  }
  await one.api('PATCH', '/channels/off', { state: 'disabled' });
  await one.api('DELETE', '/channels/gone');
  for (const id of ['off', 'gone']) await expect.poll(async () => (await open(other, id, id)).status).toBe(404);
});

test('the limit of a tenant is one for both nodes', async () => {
  const limited = await Promise.all([1, 2].map(() => startNode({ ...settings, ADMIN_RATE_LIMIT: '30' })));
  try {
    const headers = { 'x-api-key': apiKey };
    const ask = async ({ adminUrl }: Node) => (await fetch(`${adminUrl}/api/v2/systems`, { headers })).status;
    const both = async () => (await Promise.all(limited.map(ask))).every((status) => status === 429);
    // Of a window of a minute, in which both count together.
    let requests = 0;
    while (!(await both())) requests += 2;
    expect(requests).toBeLessThanOrEqual(60);
    expect(requests).toBeGreaterThan(0);
  } finally {
    await Promise.all(limited.map((node) => node.close()));
  }
});

test('every kind of notice has been read, and the metrics contain how late', async () => {
  for (const topic of ['channels', 'schedules', 'statuses', 'creatives']) {
    const labels = `{topic="${topic}"}`;
    await expect.poll(() => other.metric(`midroll_notices_total${labels}`)).toBeGreaterThan(0);
    await expect.poll(() => other.metric(`midroll_notice_delay_seconds_count${labels}`)).toBeGreaterThan(0);
  }
  expect(await other.metric('midroll_notice_delay_seconds_count{topic="echo"}')).toBeGreaterThan(0);
  expect([...one.bugs(), ...other.bugs()]).toEqual([]);
});
