// SPDX-License-Identifier: Apache-2.0
// What a batch costs and causes: planning, the rate limit, and turns of the event loop.

import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { offAir } from '../servers/adminServer.ts';
import { clientOf } from './client.ts';
import { startInTest } from './startInTest.ts';

const created = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    method: 'POST',
    path: '/api/v2/channels',
    body: { id: `c${index}` },
  }));

test('an atomic batch is planned once it is stored, and not at all if it is not', async () => {
  const planned: unknown[] = [];
  const { admin, call } = await startInTest({
    onAir: {
      ...offAir,
      async onChannelChanged({ tenant, id }) {
        planned.push([id, (await admin.deps.channels.find(tenant, id)) !== undefined]);
      },
    },
  });
  const invalid = { method: 'POST', path: '/api/v2/channels', body: { id: 'c0' } };
  const send = (changes: object[]) => call('POST', '/api/v2/batch', { atomic: true, changes });
  expect((await send([...created(3), invalid])).json.applied).toBe(false);
  expect(planned).toEqual([]);
  expect((await send(created(3))).json.applied).toBe(true);
  await expect.poll(() => planned).toEqual([0, 1, 2].map((index) => [`c${index}`, true]));
});

test('fifty changes count as one request', async () => {
  const { call } = await startInTest({ rateLimit: 12 });
  const send = async (count: number) => {
    const changes = Array(count).fill({ method: 'DELETE', path: '/api/v2/channels/none' });
    const { status, headers } = await call('POST', '/api/v2/batch', { changes });
    return [status, Number(headers['x-rate-limit-remaining'])];
  };
  expect(await send(1)).toEqual([200, 11]);
  expect(await send(50)).toEqual([200, 10]);
  expect(await send(51)).toEqual([200, 8]);
  expect((await send(450))[0]).toBe(429);
});

test('other requests get a turn between two changes', async () => {
  const { call } = await startInTest();
  for (const atomic of [false, true]) {
    let turns = 0;
    let isOver = false;
    const counting = (async () => {
      for (; !isOver; turns += 1) await turn();
    })();
    const changes = created(200).map((change) => ({
      ...change,
      body: { ...change.body, id: `${change.body.id}-${atomic}` },
    }));
    const { json } = await call('POST', '/api/v2/batch', { atomic, changes });
    isOver = true;
    await counting;
    expect([json.applied, json.results.every(({ status }: { status: number }) => status === 201)]).toEqual([
      true,
      true,
    ]);
    expect(turns).toBeGreaterThanOrEqual(200);
  }
});

test('the viewers of many channels and playlists are counted at once, and each of them once', async () => {
  const counts = new Map([
    ['c0', 2],
    ['c1', 3],
    ['c2', 4],
  ]);
  const { admin, call } = await startInTest({
    onAir: {
      ...offAir,
      viewerCounts: async (_tenant, ids) => new Map([...counts].filter(([id]) => ids.includes(id))),
    },
  });
  await call('POST', '/api/v2/playlists', { id: 'p' });
  await call('POST', '/api/v2/batch', { changes: created(4) });
  for (const id of ['c0', 'c1']) await call('PATCH', `/api/v2/channels/${id}`, { playlistId: 'p' });
  const count = async (body: object, by = call) => (await by('POST', '/api/v2/viewers', body)).json;
  expect(await count({ channels: ['c0', 'c2', 'c3', 'none'], playlists: ['p'] })).toEqual({
    viewers: 9,
    channels: [
      { id: 'c0', viewers: 2 },
      { id: 'c1', viewers: 3 },
      { id: 'c2', viewers: 4 },
    ],
  });
  expect(await count({})).toEqual({ viewers: 0, channels: [] });
  const { json } = await call('POST', '/api/v2/keys', { scope: 'read', channels: ['c1'] });
  expect(await count({ channels: ['c0'], playlists: ['p'] }, clientOf(admin.app, json.key))).toEqual({
    viewers: 3,
    channels: [{ id: 'c1', viewers: 3 }],
  });
});

test('after a failure of the server, no further change is begun', async () => {
  let calls = 0;
  const { call } = await startInTest({
    onAir: {
      ...offAir,
      async channelStatus({ state }) {
        calls += 1;
        if (calls === 2) throw new Error('defect');
        return { state };
      },
    },
  });
  const { status, json } = await call('POST', '/api/v2/batch', { changes: created(4) });
  expect([status, json.results.map((one: { status: number }) => one.status)]).toEqual([200, [201, 500, 424, 424]]);
  expect(json.results[1].error.requestId).toBe(json.results[1].error.message.match(/request (.*)\./)[1]);
  calls = 0;
  const again = created(3).map(({ body, ...change }) => ({ ...change, body: { id: `new-${body.id}` } }));
  expect((await call('POST', '/api/v2/batch', { atomic: true, changes: again })).status).toBe(500);
  expect((await call('GET', '/api/v2/channels?q=new')).headers['x-total-count']).toBe('0');
});
