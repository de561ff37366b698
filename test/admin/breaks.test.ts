// SPDX-License-Identifier: Apache-2.0
// Breaks that operators insert, end and cancel, on both stores.
import { beforeAll, expect, test } from 'vitest';
import { clientOf } from './client.ts';
import { expectError } from './expectError.ts';
import { onBothStores } from './onBothStores.ts';

const in10Minutes = () => new Date(Date.now() + 600_000).toISOString();

onBothStores(({ admin, call, other }) => {
  const order = (body: unknown, headers?: Record<string, string>, channel = 'news') =>
    call('POST', `/api/v2/channels/${channel}/breaks`, body, headers);
  beforeAll(async () => {
    await call('POST', '/api/v2/channels', { id: 'news', type: 'live', maxBreakDuration: 100 });
    await call('POST', '/api/v2/channels', { id: 'linear' });
    await call('POST', '/api/v2/channels', { id: 'film', type: 'vod' });
  });

  test('a break is inserted once, however often the request is repeated', async () => {
    const startsAt = in10Minutes();
    const body = { id: 'half-time', duration: 30, startsAt };
    const all = await Promise.all([order(body), order(body), order({ startsAt, duration: 30, id: 'half-time' })]);
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(all[0]!.json).toEqual({
      ...{ id: 'half-time', kind: 'ads', state: 'scheduled', startsAt, duration: 30 },
      ...{ endsAt: new Date(Date.parse(startsAt) + 30_000).toISOString(), createdAt: expect.any(String) },
    });
    expect(all[1]!.json).toEqual(all[0]!.json);
    expectError(await order({ ...body, duration: 31 }), 409, 'CONFLICT');
    const key = { 'idempotency-key': 'my key / 1' };
    const first = await order({ duration: 5 }, key);
    expect([first.status, first.json.state]).toEqual([201, 'running']);
    expect(await order({ duration: 5 }, key)).toMatchObject({ status: 200, json: { id: first.json.id } });
    expect((await order({ duration: 6 }, key)).status).toBe(409);
    expect((await order({ duration: 5 }, { 'idempotency-key': 'x'.repeat(300) })).status).toBe(400);
    const other = await order({ duration: 5 });
    expect(other.json.id).not.toBe(first.json.id);
  });

  test('the asset of a blackout is listed', async () => {
    const asset = 'https://media.test/card.mp4';
    await order({ kind: 'blackout', id: 'card', startsAt: in10Minutes(), asset });
    const { json } = await call('GET', '/api/v2/channels/news/breaks');
    expect(json.items).toContainEqual(expect.objectContaining({ sourceId: 'card', kind: 'blackout', asset }));
    await order({ action: 'cancel', id: 'card' });
  });

  test('a break is ended or cancelled as its state allows, as often as requested', async () => {
    await order({ id: 'later', duration: 30, startsAt: in10Minutes() });
    expect((await order({ action: 'end', id: 'later' })).json.message).toContain('cancel it');
    expect(await order({ action: 'cancel', id: 'later' })).toMatchObject({ status: 200, json: { state: 'cancelled' } });
    expect(await order({ action: 'cancel', id: 'later' })).toMatchObject({ status: 200, json: { state: 'cancelled' } });
    expect((await order({ action: 'end', id: 'later' })).status).toBe(409);
    const dark = await order({ kind: 'blackout', id: 'dark' });
    expect(dark.json).toEqual(expect.not.objectContaining({ endsAt: expect.anything() }));
    expect((await order({ action: 'cancel', id: 'dark' })).json.message).toContain('end it');
    const ended = await order({ action: 'end' });
    expect(ended.json).toMatchObject({ id: 'dark', state: 'ended', endsAt: expect.any(String) });
    expect((await order({ action: 'end', id: 'dark' })).status).toBe(200);
    expectError(await order({ action: 'end', id: 'unknown' }), 404, 'NOT_FOUND');
  });

  test.each([
    [{}, '/duration'],
    [{ duration: 101 }, '/duration'],
    [{ duration: '30' }, '/duration'],
    [{ duration: -1 }, '/duration'],
    [{ duration: 30, startsAt: '2026-03-01' }, '/startsAt'],
    [{ duration: 30, startsAt: '2020-03-01T00:00:00Z' }, '/startsAt'],
    [{ duration: 30, startsAt: '2999-03-01T00:00:00Z' }, '/startsAt'],
    [{ duration: 30, asset: 'https://media.test/a.mp4' }, '/asset'],
    [{ kind: 'blackout', asset: 'ftp://media.test/a' }, '/asset'],
    [{ duration: 30, id: '../x' }, '/id'],
    [{ duration: 30, unknown: true }, '/unknown'],
    [{ action: 'stop' }, '/action'],
    [{ action: 'end', duration: 3 }, '/duration'],
    [{ action: 'cancel' }, '/id'],
    [[], ''],
    ['text', ''],
    [null, ''],
  ])('refuses %j', async (body, path) => {
    const reply = await order(JSON.stringify(body));
    expectError(reply, 422, 'VALIDATION_ERROR');
    expect(reply.json.data.map(({ dataPath }: { dataPath: string }) => dataPath)).toContain(path);
  });

  test('refuses what is no JSON, or too large', async () => {
    expect((await order('{"duration":')).status).toBe(400);
    expect((await order(`{"id":"${'x'.repeat(2 ** 20)}"}`)).status).toBe(413);
    expect((await order('duration=3', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await order(undefined)).status).toBe(400);
  });

  test('lists inserted breaks of channels of both types, newest first, without cancelled ones', async () => {
    const startsAt = in10Minutes();
    await order({ id: 'b1', duration: 30, startsAt }, {}, 'linear');
    await order({ id: 'b0', duration: 20 }, {}, 'linear');
    await order({ id: 'gone', duration: 30, startsAt }, {}, 'linear');
    await order({ action: 'cancel', id: 'gone' }, {}, 'linear');
    const { status, json } = await call('GET', '/api/v2/channels/linear/breaks');
    expect([status, json.total]).toEqual([200, 2]);
    expect(json.items[0]).toMatchObject({
      ...{ id: 'b1', sourceId: 'b1', source: 'api', kind: 'ads', state: 'scheduled', startsAt, duration: 30 },
      viewers: { decided: 0, withAds: 0 },
    });
    expect(json.items[1].id).toBe('b0');
    const page = await call('GET', `/api/v2/channels/linear/breaks?offset=1&limit=1&to=${startsAt}`);
    expect(page.json.items).toEqual([]);
    const news = await call('GET', '/api/v2/channels/news/breaks');
    expect(news.json.items.map(({ id }: { id: string }) => id)).toContain('half-time');
  });

  test('channels of type vod have no breaks by the clock', async () => {
    expectError(await order({ duration: 30 }, {}, 'film'), 409, 'CONFLICT');
    expectError(await call('GET', '/api/v2/channels/film/breaks'), 409, 'CONFLICT');
  });

  test('breaks of another tenant are neither seen nor changed', async () => {
    await order({ id: 'mine', kind: 'blackout' });
    const path = '/api/v2/channels/news/breaks';
    for (const [method, body] of [
      ['GET', undefined],
      ['POST', { action: 'end' }],
      ['POST', { duration: 30 }],
    ] as const)
      expectError(await other(method, path, body), 404, 'NOT_FOUND');
    await other('POST', '/api/v2/channels', { id: 'news', type: 'live' });
    expect((await other('POST', path, { action: 'end', id: 'mine' })).status).toBe(404);
    expect((await other('GET', path)).json.total).toBe(0);
    expect((await order({ action: 'end', id: 'mine' })).json.state).toBe('ended');
    expect((await clientOf(admin.app)('POST', path, { duration: 30 })).status).toBe(401);
  });

  test('a channel has a limited number of breaks that are not over', async () => {
    await call('POST', '/api/v2/channels', { id: 'full', type: 'live' });
    const startsAt = in10Minutes();
    for (let n = 0; n < 100; n += 1) await order({ id: `n${n}`, duration: 5, startsAt }, {}, 'full');
    expectError(await order({ id: 'n100', duration: 5, startsAt }, {}, 'full'), 409, 'CONFLICT');
    expect((await order({ id: 'n0', duration: 5, startsAt }, {}, 'full')).status).toBe(200);
  });

  test('breaks are removed with their channel', async () => {
    await order({ id: 'old', kind: 'blackout' });
    await call('DELETE', '/api/v2/channels/news');
    await call('POST', '/api/v2/channels', { id: 'news', type: 'live' });
    expect((await call('GET', '/api/v2/channels/news/breaks')).json.total).toBe(0);
  });
});
