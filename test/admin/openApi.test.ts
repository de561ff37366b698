// SPDX-License-Identifier: Apache-2.0
// The OpenAPI document: consistent, complete and correct. Every example in it is executed.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { beforeAll, expect, test } from 'vitest';
import { sqlAssets } from '../../src/adapters/sql/channels/sqlAssets.ts';
import { sqlCreatives } from '../../src/adapters/sql/creatives/sqlCreatives.ts';
import type { Sql } from '../../src/adapters/sql/sql.ts';
import { systemTimers } from '../../src/adapters/systemClock.ts';
import type { BreakRecord } from '../../src/ads/record/breakRecord.ts';
import { startMidroll } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { liveRoutes } from '../../src/http/admin/documentation/live/liveRoutes.ts';
import { schemaFaults } from '../../src/http/admin/request/validate.ts';
import type { SessionSummary } from '../../src/http/contract/airContract.ts';
import type { CreativeRequest } from '../../src/ingest/creatives/creativeJobs.ts';
import type { OriginAnalysis } from '../../src/ingest/live/originAnalysis.ts';
import type { BreakFact } from '../../src/live/breaks/breakFact.ts';
import { defaultLadder } from '../../src/planning/airChannel.ts';
import { createChannelAnalyser } from '../../src/planning/live/analyseChannel.ts';
import { startConsoleSession } from '../../src/platform/access/rules/consoleSession.ts';
import type { AlertEvent } from '../../src/platform/alerts/rules/event.ts';
import { sqlAlerts } from '../../src/platform/alerts/store/sqlAlerts.ts';
import type { SearchedSession } from '../../src/platform/history/rules/searchSessions.ts';
import { flicks, millis, secondsToFlicks } from '../../src/time/units.ts';
import { syntheticAsset } from '../laws/syntheticMedia.ts';
import { opened } from '../opened.ts';
import type { AdminDeps } from '../servers/adminRoutes.ts';
import { adminRoutes } from '../servers/adminRoutes.ts';
import { offAir, startAdmin } from '../servers/adminServer.ts';
import { clientOf } from './client.ts';

const session = {
  id: 'session-one',
  channel: 'channel-one',
  format: 'hls',
  openedAt: '2026-01-01T00:00:00.000Z',
  insertion: 'guided',
} as const;
const { channelStatus, ...rest } = offAir;
const at = millis(Date.parse('2026-01-01T00:00:00.000Z'));
const viewer = { address: '', userAgent: '' };
const record: BreakRecord = {
  ...{ id: '0-1', startsAt: session.openedAt, duration: 30, status: 'empty', warnings: [], ads: [], slate: 30 },
  request: { url: 'http://ads.example.com/vast', status: 204, ms: 12 },
};
const admin = await opened(
  startAdmin({
    liveBreaksOf: async () => [{ origin: 'hls', breaks: [foundBreak], warnings: [{ line: 12, text: 'x', at }] }],
    analyseSources: createChannelAnalyser(async (url) => analysisOf(url), systemTimers),
    thumbnails: { of: async () => Uint8Array.of(0xff, 0xd8, 0xff, 0xd9) },
    findBreak: async () => ({
      session: { ...session, channelId: session.channel, tenant: 'acme', parameters: {}, viewer },
      record,
    }),
    onAir: {
      ...rest,
      channelStatus: async (channel) => ({
        ...(await channelStatus(channel, true)),
        items: [{ index: 0, state: 'ready', duration: 600, cuePoints: [{ spliceTime: 300, landsAt: 300.04 }] }],
      }),
      channelSessions: async () => ({ total: 1, items: [session satisfies SessionSummary] }),
      searchSessions: async () => ({ items: [found], next: { living: null, ended: { openedAt: 1, id: 'session' } } }),
      sessionTrace: async (id) => (id === session.id ? { ...session, parameters: {}, breaks: [] } : undefined),
    },
  }),
);
const call = clientOf(admin.app, admin.key);
const routes = adminRoutes(admin.deps);
beforeAll(async () => {
  await call('POST', '/api/v2/channels', { id: 'live-one', type: 'live' });
  await addAssets(admin.store);
  await admin.deps.alerts.deliveries.add([
    {
      ...{ id: 'msg_AAAAAAAAAAAAAAAAAAAAAAAA', tenant: 'acme', webhookId: 'operations', type: 'test', body: '{}' },
      createdAt: at,
    },
  ]);
  await addConsoleSession(admin.deps);
  await addAlert(admin.store);
});

const fill = { id: '1-0', startsAt: 1000, duration: 30, reason: 'noAds', filled: 0, shown: 0, skipped: 1 };
const found: SearchedSession = {
  session: {
    ...{ id: 'session-one', channelId: 'channel-one', tenant: 't', format: 'hls', openedAt: millis(0), parameters: {} },
    viewer: { address: '192.0.2.7', userAgent: 'Player' },
  },
  ...{ seenAt: millis(60_000), hasEnded: true, breaks: [{ ...fill, status: 'empty' }] },
};
const marker = { source: 'EXT-X-CUE-OUT', raw: '#EXT-X-CUE-OUT:30', line: 12 };
const foundBreak: BreakFact = {
  ...{ ...marker, id: '100000', announcedAt: millis(1), start: 'marked', sourceId: '7', duration: secondsToFlicks(30) },
  startsAt: { millis: millis(2), rest: flicks(0) },
  endsAt: { millis: millis(30_002), rest: flicks(0) },
};
const analysisOf = (url: string): OriginAnalysis => ({
  ...{ url, format: 'hls', window: { seconds: 12, segments: 6 }, hasDates: true },
  breaks: [{ ...marker, startsAt: millis(2), duration: 30 }],
  warnings: [{ line: 3, text: 'x' }],
  problems: [],
  playable: {
    ...{ format: 'hls', serves: 'hls', noDash: 'x', targetDuration: 2 },
    asset: syntheticAsset({ name: 'live', segments: [50, 50], qualities: 2 }),
  },
});

/** A ready asset and a failed one, with the ids of the examples. */
async function addAssets(store: Sql): Promise<void> {
  const jobs = sqlCreatives(store);
  const renditions = [
    { id: 'v0', kind: 'video', codecs: 'avc1.64001f', bandwidth: 1, width: 1280, height: 720 },
  ] as const;
  const made = { mediaId: 'f'.repeat(32), frames: 250, duration: 10, bytes: 1000, renditions };
  const asset = (id: string): CreativeRequest => ({
    order: { id, kind: 'creative', ladder: defaultLadder, source: { url: 'https://ads.test/spot.mp4', mimeType: '' } },
    urgency: 1,
    owner: { tenant: 'acme', channelId: 'channel-one' },
  });
  await jobs.enqueue([asset('fedcba9876543210fedcba9876543210')], millis(1));
  await jobs.take('lease', millis(2), millis(3), 1);
  await jobs.finish(
    'lease',
    { state: 'failed', fault: 'ENCRYPTED', reason: 'it is encrypted', dueAt: millis(9) },
    millis(3),
  );
  await jobs.enqueue([{ ...asset('0123456789abcdef0123456789abcdef'), made }], millis(4));
}

/** An alert that fires, with the id of the example. */
async function addAlert(store: Sql): Promise<void> {
  const [id, at] = ['evt_5f0c1d6b0d0e4f6bb1a1c6a0f5a3a9b7', millis(Date.now())];
  const event: AlertEvent = {
    ...{ id, tenant: 'acme', at, state: 'firing', alert: id, since: at, text: 'Low', severity: 'warning' },
    ...{ rule: { id: 'low-fill', name: 'Fill', kind: 'fill' }, channel: { id: 'live-one' } },
  };
  const alerts = sqlAlerts(store);
  await alerts.lead('test', at, millis(at + 1000));
  const next = { state: { phase: 'firing', reportedAt: at, since: at, seenAt: at }, event } as const;
  const key = { tenant: 'acme', ruleId: 'low-fill', channelId: 'live-one' };
  await alerts.commit('test', { ...key, next, event, deliveries: [] });
}

/** With the id of the example. */
async function addConsoleSession({ consoleSessions, now }: AdminDeps): Promise<void> {
  const user = { tenant: 'acme', subject: 'u1', email: 'ann@example.com', scope: 'read' } as const;
  const { session, hash } = startConsoleSession(user, now(), { lifetime: 3_600_000, idle: 3_600_000 });
  await consoleSessions.insert({ ...session, id: '5f3ad3a2-8c4e-4f0b-9a3e-6d2b7c1e0a55' }, hash, {});
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
const documentOf = async (): Promise<any> => (await call('GET', '/api/v2/openapi.json')).json;

test('the document is OpenAPI 3.1 without dangling references', async () => {
  const document = await documentOf();
  expect(document.openapi).toBe('3.1.0');
  expect(await clientOf(admin.app)('GET', '/openapi.json')).toMatchObject({ status: 200, json: document });
  const operations = Object.entries<
    Record<string, { operationId: string; parameters: { in: string; name: string }[]; responses: object }>
  >(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
    [...routes, ...liveRoutes]
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`)
      .sort(),
  );
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  for (const { path, operation } of operations) {
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    // What node:http cannot read never reaches a route.
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['400', '408', '431']));
  }
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!);
  expect(references.length).toBeGreaterThan(20);
  for (const reference of references) {
    const target = reference
      .slice(2)
      .split('/')
      .reduce((node, name) => node?.[name], document);
    expect(target, reference).toBeTypeOf('object');
  }
});

test('contains every route of the contract', async () => {
  const { paths } = await documentOf();
  const contract = [
    ['get', '/api/v2/systems'],
    ['get', '/api/v2/systems/{id}/reports'],
    ['get', '/api/v2/systems/{id}/reports/{report}'],
    ['get', '/api/v2/playlists'],
    ['post', '/api/v2/playlists'],
    ['get', '/api/v2/playlists/{id}'],
    ['put', '/api/v2/playlists/{id}'],
    ['delete', '/api/v2/playlists/{id}'],
    ['get', '/api/unsecured-v2/playlists/generate'],
    ['get', '/dash/view/{channelId}'],
    ['get', '/hls/{channelId}/master.m3u8'],
  ] as const;
  for (const [method, path] of contract) expect(paths[path]?.[method], `${method} ${path}`).toBeDefined();
});

test('the schemas of requests contain no keyword that validation does not know', () => {
  const known = new Set(
    `type description default examples enum required properties additionalProperties maxProperties items minItems maxItems
    uniqueItems minLength maxLength pattern minimum maximum exclusiveMinimum const anyOf propertyNames`.split(/\s+/),
  );
  const keywordsOf = (node: object): string[] =>
    Object.entries(node).flatMap(([name, value]: [string, object]) => {
      if (name === 'properties') return [name, ...Object.values(value).flatMap(keywordsOf)];
      if (name === 'anyOf') return [name, ...(value as object[]).flatMap(keywordsOf)];
      const isSchema = ['items', 'propertyNames'].includes(name) || (name === 'additionalProperties' && value);
      return isSchema ? [name, ...keywordsOf(value)] : [name];
    });
  const schemas = routes.flatMap(({ body, query }) => [...(body ? [body.schema] : []), ...(query ? [query] : [])]);
  expect(schemas.length).toBeGreaterThan(40);
  expect(schemas.flatMap(keywordsOf).filter((name) => !known.has(name))).toEqual([]);
});

test('each operation has the public URL of the port that serves it', async () => {
  const { servers, paths } = await documentOf();
  const urls = (some: readonly { url: string }[]) => some.map(({ url }) => url);
  const { baseUrl, liveUrl } = admin.deps;
  const source = { headers: { host: 'localhost:80' }, socket: {} };
  expect(urls(servers)).toEqual([baseUrl(source)]);
  expect(paths['/api/v2/playlists'].get).not.toHaveProperty('servers');
  for (const { path, method, isOnBothPorts } of liveRoutes) {
    const operation = paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];
    const expected = isOnBothPorts ? [liveUrl(source), baseUrl(source)] : [liveUrl(source)];
    expect([path, urls(operation.servers)]).toEqual([path, expected]);
  }
  const { text } = await clientOf(admin.app)('GET', '/docs');
  for (const url of [baseUrl(source), liveUrl(source)]) expect(text).toContain(url);
});

test('contains the error statuses of a route', async () => {
  const { paths } = await documentOf();
  const any = ['400', '408', '431'];
  const statuses = (method: string, path: string) => Object.keys(paths[`/api/v2/${path}`][method].responses);
  expect(statuses('get', 'playlists/{id}')).toEqual(['200', '304', ...any, '401', '403', '404', '422', '429'].sort());
  expect(statuses('get', 'channels/{id}')).toEqual(['200', ...any, '401', '403', '404', '429'].sort());
  const ofBodies = [...any, '401', '403', '404', '409', '412', '413', '415', '422', '429'].sort();
  for (const method of ['put', 'patch']) expect(statuses(method, 'systems/{id}')).toEqual(['200', ...ofBodies]);
  expect(statuses('get', 'systems/{id}/reports/{report}')).toEqual(
    ['200', ...any, '401', '403', '404', '422', '429', '503'].sort(),
  );
});

test('every example works, ignores unknown query parameters, and its response has the documented shape', async () => {
  // What belongs to a record is deleted before it.
  const deletions = routes.filter(({ method }) => method === 'DELETE').sort((a, b) => b.path.length - a.path.length);
  const others = routes.filter(({ method }) => method !== 'DELETE');
  const newKey = (await call('POST', '/api/v2/keys')).json.id;
  await call('POST', '/api/v2/playlists', { id: 'deleted' });
  const [, deletion] = /deleted\/(.*)\/restore$/.exec(
    (await call('DELETE', '/api/v2/playlists/deleted')).headers['x-restore']!,
  )!;
  const newEntry = (await call('GET', '/api/v2/audit')).json[0].id;
  const { url } = routes.find(({ operationId }) => operationId === 'getSourceFrame')!.example!.query!;
  await sqlAssets(admin.store).markChecked('acme', url!, 'key', millis(1));
  const ids: Readonly<Record<string, string>> = { keys: newKey, audit: newEntry };
  for (const route of [...others, ...deletions]) {
    const { example = {}, response, operationId, method } = route;
    const id = ids[route.tag] ?? example.params?.id;
    const known = new URLSearchParams(example.query).toString();
    const query = `${known}&unknown=1&unknown=2&constructor=x&__proto__=y&api-key=z`;
    const params: Record<string, string | undefined> = { ...example.params, id, ref: deletion };
    // A live entry can be ended while it is on air.
    if (operationId === 'endScheduleEntry') {
      const live = { sourceManifestUrl: 'https://live.example.com/match.m3u8', plannedDuration: 3600 };
      const start = new Date(Date.now() - 60_000).toISOString();
      const entries = [{ id: params.entryId, start, source: { live } }];
      await call('PATCH', route.path.replace(':id', id!).replace(/\/entries.*/, ''), { entries });
    }
    if ('keyId' in params)
      params.keyId = (await call('GET', route.path.replace(':id', id!).replace(/\/:.*/, ''))).json[0].keys[0].id;
    const filled = route.path.replace(/:(\w+)/g, (_, name) => params[name] ?? '');
    const path = `${filled}?${query}`;
    const reply = await call(method, path, example.body);
    expect([operationId, reply.status, reply.text]).toEqual([operationId, response.status, expect.anything()]);
    if (response.schema) expect(reply.text, operationId).toMatch(/[\]}]\n$/);
    if (response.schema) expect([operationId, schemaFaults(response.schema, reply.json)]).toEqual([operationId, []]);
    else if (response.bytes) expect(reply.headers['content-type']).toBe(response.bytes);
    else if (response.text) expect(response.text.join()).toContain(reply.headers['content-type']?.split(';')[0]);
    else expect(reply.text).toBe('');
    for (const name of Object.keys(response.headers ?? {}))
      expect([operationId, reply.headers[name]]).toEqual([operationId, expect.any(String)]);
  }
  // Every route that changes something is in the audit log.
  const changing = routes.filter((route) => route.method !== 'GET' && !('isOpen' in route) && !route.isReadOnly);
  expect(changing.length).toBeGreaterThan(15);
  for (const { operationId } of changing) {
    const entries = await call('GET', `/api/v2/audit?operation=${operationId}`);
    expect([operationId, entries.json.length > 0]).toEqual([operationId, true]);
  }
});

test('errors have the documented shape', async () => {
  const { components } = await documentOf();
  const replies = [
    await clientOf(admin.app)('GET', '/api/v2/systems'),
    await call('GET', '/api/v2/playlists/none'),
    await call('POST', '/api/v2/playlists', { nmae: 1 }),
  ];
  for (const { json } of replies) expect(schemaFaults(components.schemas.Error as TSchema, json)).toEqual([]);
});

test('the page shows every operation and every schema, and loads nothing from elsewhere', async () => {
  const { text, headers } = await clientOf(admin.app)('GET', '/docs');
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  const { components } = await documentOf();
  for (const id of [
    ...[...routes, ...liveRoutes].map(({ operationId }) => operationId),
    ...Object.keys(components.schemas),
  ])
    expect(text).toContain(`id="${id}"`);
  expect(text).not.toMatch(/<script|(?:src|href)="(?:https?:)?\/\/|@import|url\(/);
  const tags = [...text.matchAll(/<(\/?)(details|table|tr|td|pre|h2|body|html)\b/g)];
  const open: string[] = [];
  for (const [, slash, name] of tags) slash ? expect(open.pop()).toBe(name) : open.push(name!);
  expect(open).toEqual([]);
});

test('the application has exactly the routes that these tests walk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'midroll-'));
  const read = readConfig({ DATA_DIR: folder, ADMIN_PORT: '0', LIVE_PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error' });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const midroll = await startMidroll(read.config);
  const own = await fetch(`${midroll.adminUrl}/openapi.json`);
  const operations = ({ paths }: { readonly paths: Record<string, object> }) =>
    Object.entries(paths).map(([path, methods]) => [path, Object.keys(methods)]);
  expect(operations((await own.json()) as Parameters<typeof operations>[0])).toEqual(operations(await documentOf()));
  await midroll.close();
  await rm(folder, { recursive: true });
});
