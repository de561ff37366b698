// SPDX-License-Identifier: Apache-2.0
// The overview on each database: what it compares, its order, its bounds, and what it leaves out.
import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { expect, test, vi } from 'vitest';
import { createSecretBox } from '../../src/adapters/sql/secrets/secretBox.ts';
import { AppError } from '../../src/errors.ts';
import { issueKey } from '../../src/platform/access/rules/apiKey.ts';
import { sqlTenants } from '../../src/platform/access/store/sqlTenants.ts';
import type { OverviewResponse } from '../../src/platform/overview/contract/overviewContract.ts';
import { binOf } from '../../src/platform/reports/rules/bins.ts';
import type { Measurement } from '../../src/platform/reports/rules/ports.ts';
import { ownSystem, type System, systemKey } from '../../src/platform/systems/rules/system.ts';
import { sqlSystems } from '../../src/platform/systems/store/sqlSystems.ts';
import { type Millis, millis } from '../../src/time/units.ts';
import { naming } from '../naming.ts';
import { createTestServer } from '../servers/adminRoutes.ts';
import { type Client, clientOf } from './client.ts';
import { expectError } from './expectError.ts';
import { onBothStores } from './onBothStores.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const now = Date.parse('2026-03-12T09:30:04Z');
const at = (before: number): Millis => millis(now - before - ((now - before) % 10_000));

const breaks = (channel: string, before: number, offered: number, filled: number): Measurement => ({
  ...{ report: 'breaks', channel, at: at(before), keys: {} },
  amounts: { breaks: 1, offeredMs: offered * 1000, filledMs: filled * 1000, slateMs: (offered - filled) * 1000 },
});
const requests = (channel: string, adServer: string, amounts: Record<string, number>, ms = 100): Measurement => ({
  ...{ report: 'ad-requests', channel, at: at(MINUTE), keys: { adServer }, amounts },
  bins: { [binOf(ms)]: amounts.sent ?? 0 },
});
const skips = (channel: string, creative: string, reason: string, total: number): Measurement => ({
  ...{ report: 'skips', channel, at: at(MINUTE), keys: { creative, reason } },
  amounts: { total, [reason]: total },
});
const watching = (channel: string, before: number, viewers: number): Measurement => ({
  ...{ report: 'viewers', channel, at: at(before), keys: {}, amounts: { watching: viewers } },
});

onBothStores(
  ({ admin }) => {
    /** A tenant that was created a month ago, with these counts. */
    async function tenantWith(measurements: readonly Measurement[], createdAt = now - 30 * DAY) {
      const { app, store, deps } = admin;
      const name = `tenant-${randomUUID()}`;
      const email = `ann@${name}.example`;
      const system = ownSystem(name, email, new Date(now).toISOString());
      const first = issueKey({ tenant: name, email }, email, new Date(now).toISOString());
      const tenants = sqlTenants(store, sqlSystems(store, createSecretBox('a secret for tests')));
      await tenants.create({ name, createdAt: new Date(createdAt).toISOString(), createdBy: email }, system, first);
      const key = systemKey(system);
      await deps.reportStore(system).add({ id: `${key}/counts`, system: key, measurements });
      const call = clientOf(app, first.secret);
      const read = async (query = ''): Promise<OverviewResponse> => {
        const { status, json } = await call('GET', `/api/v2/overview${query}`);
        expect([status, json]).toEqual([200, expect.anything()]);
        return json;
      };
      return { call, read, system, secret: first.secret };
    }

    test('compares the last hour and the range with the same hours before', async () => {
      const on = await tenantWith([
        breaks('one', 10 * MINUTE, 60, 30),
        breaks('one', 3 * HOUR, 60, 60),
        breaks('one', 70 * MINUTE, 60, 15),
        breaks('one', DAY + 10 * MINUTE, 60, 45),
        // Yesterday after this time of day, and before midnight the day before.
        breaks('one', DAY - 10 * MINUTE, 600, 0),
        breaks('one', DAY + 10 * HOUR, 600, 0),
        watching('one', MINUTE, 12),
        watching('one', HOUR, 30),
        watching('one', DAY + HOUR, 20),
        requests('one', 'ads.example', { sent: 10, answered: 8, errors: 1, timeouts: 1 }),
      ]);
      const today = await on.read('?range=today');
      expect(today).toMatchObject({
        ...{ range: 'today', timeZone: 'UTC', start: '2026-03-12T00:00:00.000Z', end: '2026-03-12T09:30:10.000Z' },
        before: { start: '2026-03-11T00:00:00.000Z', end: '2026-03-11T09:30:10.000Z' },
        fill: {
          now: { kind: 'compared', value: 0.5, before: 0.75, change: -0.25 },
          hour: { kind: 'compared', value: 0.5, before: 0.25, change: 0.25 },
          range: { kind: 'compared', value: rounded(105 / 180), before: 0.75 },
        },
        viewers: {
          now: { kind: 'uncompared', value: 2 },
          peak: { kind: 'compared', value: 30, before: 20, change: 0.5 },
        },
        minutesWatched: { kind: 'compared', value: 7 },
        adRequests: { kind: 'uncompared', value: 10, reason: 'nothing-before' },
        adRequestFailures: { kind: 'uncompared', value: 0.2, reason: 'nothing-before' },
        missing: [],
      });
      const yesterday = await on.read('?range=yesterday');
      expect(yesterday).toMatchObject({
        ...{ start: '2026-03-11T00:00:00.000Z', end: '2026-03-12T00:00:00.000Z' },
        before: { start: '2026-03-10T00:00:00.000Z', end: '2026-03-11T00:00:00.000Z' },
        fill: { range: { kind: 'compared', value: rounded(45 / 660), before: 0 } },
        adsShown: { kind: 'compared', value: 0, before: 0, change: 0 },
      });
      const week = await on.read('?range=last-7-days');
      expect(week).toMatchObject({
        before: { start: '2026-02-26T09:30:10.000Z', end: week.start },
        fill: { range: { kind: 'uncompared', reason: 'nothing-before' } },
      });
      expect(await on.read('?timeZone=Asia/Kolkata')).toMatchObject({ start: '2026-03-11T18:30:00.000Z' });
    });

    test('says that there is nothing to compare with, instead of zeros', async () => {
      const on = await tenantWith([breaks('one', MINUTE, 60, 30), watching('one', MINUTE, 6)], now - 2 * HOUR);
      expect(await on.read()).toMatchObject({
        since: new Date(now - 2 * HOUR).toISOString(),
        fill: {
          now: { kind: 'uncompared', value: 0.5, reason: 'too-new' },
          hour: { kind: 'uncompared', value: 0.5, reason: 'nothing-before' },
          range: { kind: 'uncompared', value: 0.5, reason: 'too-new' },
        },
        minutesWatched: { kind: 'uncompared', value: 1, reason: 'too-new' },
        adRequestFailures: { kind: 'nothing', reason: 'no-requests' },
      });
      expect(await on.read('?range=yesterday')).toMatchObject({
        fill: { range: { kind: 'nothing', reason: 'no-breaks' } },
        ...{ channels: [], adServers: [], creatives: [] },
      });
    });

    test('ranks channels, ad servers and creatives, each with its reason', async () => {
      const on = await tenantWith([
        breaks('dead', MINUTE, 60, 0),
        breaks('lossy', MINUTE, 120, 80),
        breaks('empty', MINUTE, 60, 30),
        breaks('small', MINUTE, 60, 40),
        breaks('none', MINUTE, 60, 50),
        breaks('full', MINUTE, 60, 59.9),
        requests('dead', 'dead.example', { sent: 4, errors: 3, timeouts: 1 }, 2000),
        requests('lossy', 'ads.example', { sent: 2, answered: 2 }),
        requests('empty', 'poor.example', { sent: 5, answered: 5, empty: 3 }),
        requests('small', 'ads.example', { sent: 1, answered: 1 }),
        skips('lossy', 'broken', 'CREATIVE_FAILED', 6),
        skips('lossy', 'broken', 'CREATIVE_PREPARING', 1),
        skips('lossy', 'slow', 'CREATIVE_PREPARING', 2),
        skips('small', 'spare', 'BREAK_FULL', 40),
        skips('small', 'again', 'CREATIVE_REPEATED', 40),
      ]);
      await on.call('POST', '/api/v2/playlists', { id: 'list', contents: [{ url: 'https://vod.example/a.m3u8' }] });
      await on.call('POST', '/api/v2/channels', {
        ...{ id: 'dead', name: 'Dead air', type: 'vod2live', playlistId: 'list', state: 'disabled' },
      });
      const { channels, adServers, creatives } = await on.read();
      expect(channels.map(({ id, secondsUnfilled, reason }) => [id, secondsUnfilled, reason.kind])).toEqual([
        ['dead', 60, 'requests-failed'],
        ['lossy', 40, 'ads-skipped'],
        ['empty', 30, 'responses-empty'],
        ['small', 20, 'ads-skipped'],
        ['none', 10, 'no-requests'],
      ]);
      expect(channels[0]).toMatchObject({ name: 'Dead air', fillRate: 0, reason: { count: 4, of: 4 } });
      expect(channels[1]?.reason).toMatchObject({ code: 'CREATIVE_FAILED', count: 6 });
      expect(channels[3]?.reason).toMatchObject({ code: 'CREATIVE_REPEATED' });
      expect(adServers.map(({ adServer, failureShare }) => [adServer, failureShare])).toEqual([
        ['dead.example', 1],
        ['poor.example', 0],
        ['ads.example', 0],
      ]);
      expect(adServers[0]?.latencyP95).toBeCloseTo(2000, -2);
      expect(creatives).toMatchObject([
        { creative: 'broken', adsLost: 7, code: 'CREATIVE_FAILED' },
        { creative: 'slow', adsLost: 2, code: 'CREATIVE_PREPARING' },
      ]);
    });

    test('205 channels are read in a bounded number of statements, and result in ten rows', async () => {
      const many = Array.from({ length: 205 }, (_, index) => [
        breaks(`c${index}`, MINUTE, 60, index / 4),
        requests(`c${index}`, `ads${index}.example`, { sent: 2, answered: 1, errors: 1 }),
        skips(`c${index}`, `creative ${index}`, 'CREATIVE_FAILED', 1 + index),
      ]);
      const on = await tenantWith(many.flat());
      const queries = vi.spyOn(admin.store.db.getExecutor(), 'executeQuery');
      const overview = await on.read();
      expect(queries.mock.calls.length).toBeLessThan(60);
      queries.mockRestore();
      expect(overview.channels.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, index) => `c${index}`));
      expect([overview.adServers.length, overview.creatives.length]).toEqual([10, 10]);
      expect(overview.adRequests).toMatchObject({ value: 410 });
      expect(overview.creatives[0]).toMatchObject({ creative: 'creative 204', adsLost: 205 });
    });

    test('a key that is restricted to channels sees what belongs to them, and labels select channels', async () => {
      const on = await tenantWith([
        ...[breaks('one', MINUTE, 60, 30), breaks('two', MINUTE, 60, 60), breaks('three', MINUTE, 60, 0)],
        ...[watching('one', HOUR, 3), watching('two', HOUR, 4), watching('three', HOUR, 5)],
        requests('one', 'ads.example', { sent: 3, answered: 3 }),
        requests('three', 'secret.example', { sent: 3, errors: 3 }),
        skips('three', 'secret', 'CREATIVE_FAILED', 1),
      ]);
      await on.call('POST', '/api/v2/playlists', { id: 'list', contents: [{ url: 'https://vod.example/a.m3u8' }] });
      for (const [id, label] of [
        ['one', 'Sports'],
        ['two', 'news'],
        ['three', 'sports'],
      ])
        await on.call('POST', '/api/v2/channels', {
          ...{ id, type: 'vod', playlistId: 'list', state: 'disabled', labels: [label] },
        });
      const { json } = await on.call('POST', '/api/v2/keys', {
        ...{ email: 'eve@example.com', scope: 'read', channels: ['one', 'two'] },
      });
      const restricted = clientOf(admin.app, json.key);
      const { json: seen } = await restricted('GET', '/api/v2/overview');
      expect(seen).toMatchObject({
        fill: { range: { value: 0.75 } },
        viewers: { peak: { value: 7 } },
        adRequests: { value: 3 },
        channels: [{ id: 'one' }],
        adServers: [{ adServer: 'ads.example' }],
        creatives: [],
      });
      expect(JSON.stringify(seen)).not.toMatch(/secret|three/);
      const fillOf = async (client: Client, query: string) =>
        (await client('GET', `/api/v2/overview${query}`)).json.fill.range.value;
      expect(await fillOf(on.call, '?label=sports')).toBe(0.25);
      expect(await fillOf(on.call, '?label=sports&label=NEWS')).toBe(0.5);
      expect(await fillOf(restricted, '?label=sports,news')).toBe(0.75);
      expect(await fillOf(restricted, '?label=sports')).toBe(0.5);
      expect(await fillOf(on.call, '?label=none')).toBeUndefined();
      const other = clientOf(admin.app, admin.otherKey);
      expect((await other('GET', '/api/v2/overview')).json).toMatchObject({ channels: [], adRequests: { value: 0 } });
    });

    test('a search domain that is away is named, and what others have counted is there', async () => {
      const on = await tenantWith([breaks('one', MINUTE, 60, 30)]);
      const { json: far } = await on.call('POST', '/api/v2/systems', { name: 'far', type: 'ssai' });
      const { deps } = admin;
      const own = deps.reportStore(on.system);
      const away = () => Promise.reject(new AppError('UNAVAILABLE', 'The search domain could not be reached.'));
      const reportStore = ({ id }: System) => (id === far.id ? { ...own, read: away } : own);
      const app = createTestServer({ ...deps, metrics: new Registry(), reportStore });
      const { json } = await clientOf(app, on.secret)('GET', '/api/v2/overview');
      expect(json).toMatchObject({
        fill: { now: { value: 0.5 } },
        missing: [{ kind: 'system', id: far.id, name: 'far', text: naming('could not be reached') }],
      });
      await app.close();
    });

    test('rejects ranges and time zones that do not exist', async () => {
      const on = await tenantWith([]);
      for (const [query, field] of [
        ['?range=tomorrow', '/range'],
        ['?range=', '/range'],
        ['?range=today&range=yesterday', '/range'],
        ['?timeZone=Mars/Olympus', '/timeZone'],
        ['?timeZone=%00', '/timeZone'],
        [`?timeZone=${'A'.repeat(10_000)}`, '/timeZone'],
      ] as const) {
        const response = await on.call('GET', `/api/v2/overview${query}`);
        expectError(response, 422, 'VALIDATION_ERROR');
        expect(response.json.data).toMatchObject([{ dataPath: field }]);
      }
    });
  },
  { now: () => millis(now) },
);

const rounded = (value: number) => Math.round(value * 1e6) / 1e6;
