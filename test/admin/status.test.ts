// SPDX-License-Identifier: Apache-2.0
// `midroll status`: its lines and exit codes, on both databases and with what is away or wrong.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { listenFrom } from '../../demo/listen.ts';
import { sqlChannelStatuses } from '../../src/adapters/sql/channels/sqlChannelStatuses.ts';
import type { Status } from '../../src/cli/status/status.ts';
import { withoutUndefined } from '../../src/invariant.ts';
import { sqlFailingServers } from '../../src/platform/problems/store/sqlFailingServers.ts';
import type { Measurement } from '../../src/platform/reports/rules/ports.ts';
import { systemKey } from '../../src/platform/systems/rules/system.ts';
import { millis } from '../../src/time/units.ts';
import { runCommand } from '../cli.ts';
import { naming } from '../naming.ts';
import { opened, scratchFolder } from '../opened.ts';
import { startAdmin } from '../servers/adminServer.ts';
import { onEachDatabase } from '../servers/sqlStores.ts';
import { clientOf } from './client.ts';

const folder = scratchFolder();

async function listening(server: Server): Promise<string> {
  onTestFinished(() => void server.close());
  return new URL(await listenFrom(server, 0)).port;
}
function fileIn(parent: string): string {
  const file = join(parent, 'file');
  writeFileSync(file, '');
  return file;
}
/** A server whose `/ready` returns this. */
const readyPort = (status: number, body: object) =>
  listening(createHttpServer((_, response) => response.writeHead(status).end(JSON.stringify(body))));

const base = { PATH: process.env.PATH, MEDIA_MAX_GB: '1', SECRET_KEY: 'a secret for tests', HOST: '127.0.0.1' };

describe('an installation', () => {
  onEachDatabase(async (databaseUrl, name) => {
    const at = millis(Date.now() - 60_000 - (Date.now() % 10_000));
    const admin = await opened(startAdmin(withoutUndefined({ databaseUrl })));
    const database = withoutUndefined({ DATABASE_URL: databaseUrl });
    const env = { ...base, DATA_DIR: admin.dataDir, ...database };
    beforeAll(async () => {
      const call = clientOf(admin.app, admin.key);
      await call('POST', '/api/v2/playlists', {
        id: 'list',
        contents: [{ sourceType: 'url', url: 'https://a.example/a.m3u8' }],
      });
      for (const [id, state] of [
        ['one', 'enabled'],
        ['two', 'enabled'],
        ['off', 'disabled'],
      ])
        await call('POST', '/api/v2/channels', {
          ...{ id, name: `The ${id}`, state, playlistId: 'list', adSource: { url: 'https://ads.example/vast' } },
        });
      const statuses = sqlChannelStatuses(admin.store);
      for (const id of ['one', 'two']) await statuses.put({ tenant: 'acme', id }, { state: 'enabled', items: [] }, at);
    });

    const status = async (settings: Record<string, string>, ...words: string[]) => {
      const { status: code, out, err } = await runCommand({ ...env, ...settings }, 'status', ...words);
      return { code, out, err };
    };
    const count = async (id: string, measurements: readonly Measurement[]) => {
      const [system] = await admin.deps.systems.list('acme');
      const key = systemKey(system!);
      await admin.deps.reportStore(system!).add({ id, system: key, measurements });
    };

    test('that works is healthy: 0, with a line for each part', async () => {
      const ADMIN_PORT = await readyPort(200, { status: 'ready' });
      const { code, out } = await status({ ADMIN_PORT });
      expect([code, out]).toEqual([0, naming('healthy', name, '2 of 3 on air')]);
      for (const subject of [
        'Server',
        'Database',
        'Disk',
        'Channels',
        'Fill',
        'Viewers',
        'Ad servers',
        'Creative',
        'Creative queue',
      ])
        expect(out).toMatch(new RegExp(`^✓ +${subject} `, 'm'));
    });

    test('whose server is not ready, or missing, is down: 2', async () => {
      const unready = await status({ ADMIN_PORT: await readyPort(503, { reason: 'The disk is full.' }) });
      expect([unready.code, unready.out]).toEqual([2, naming('The disk is full')]);
      const silent = createServer();
      const ADMIN_PORT = await listening(silent);
      silent.close();
      expect(await status({ ADMIN_PORT })).toMatchObject({ code: 2, out: naming('Server', ADMIN_PORT) });
    });

    test('with problems is 1: the channel with its sentence, the ad server, the creative', async () => {
      const server = { tenant: 'acme', channel: 'one', asked: 'source', adServer: 'ads.example' } as const;
      const now = millis(Date.now());
      await sqlFailingServers(admin.store).put({ ...server, since: at, lastAt: now, failure: { error: 'refused' } });
      const keys = { creative: 'broken-1', reason: 'CREATIVE_FAILED' };
      await count('problems', [
        { report: 'breaks', channel: 'one', at, keys: {}, amounts: { breaks: 1, offeredMs: 60_000, filledMs: 15_000 } },
        {
          report: 'ad-requests',
          channel: 'one',
          at,
          keys: { adServer: 'ads.example' },
          amounts: { sent: 4, errors: 4 },
        },
        { report: 'skips', channel: 'one', at, keys, amounts: { total: 3, CREATIVE_FAILED: 3 } },
      ]);
      const ADMIN_PORT = await readyPort(200, { status: 'ready' });
      const { code, out } = await status({ ADMIN_PORT });
      expect([code, out]).toEqual([1, naming('1 with problems', '25 %', '4 errors', 'broken-1', 'CREATIVE_FAILED')]);
      expect(out).toMatch(/^ {2}one +The ad server ads\.example/m);
      const json = JSON.parse((await status({ ADMIN_PORT }, '--json')).out) as Status;
      expect(json).toMatchObject({
        health: 'problems',
        facts: {
          channels: { total: 3, onAir: 2, off: 1, failed: 0, troubled: [{ id: 'one', name: 'The one' }] },
          overview: { kind: 'read', hour: { fill: { now: { value: 0.25 } } } },
        },
      });
      expect(await status({ ADMIN_PORT }, '--tenant', 'globex')).toMatchObject({ out: naming('none yet') });
      expect(await status({ ADMIN_PORT }, '--tenant', 'nobody')).toMatchObject({ code: 1, err: naming('nobody') });
    });

    test('another secret key, or a session store that is away, is a line with the reason', async () => {
      const ADMIN_PORT = await readyPort(200, { status: 'ready' });
      const other = await status({ ADMIN_PORT, SECRET_KEY: 'another secret for tests' });
      expect([other.code, other.out]).toEqual([1, naming('Reports', 'SECRET_KEY')]);
      const REDIS_URL = 'redis://user:hidden@127.0.0.1:1';
      const away = await status({ ADMIN_PORT, REDIS_URL, ROLE: 'serve', MEDIA_URL: `file://${folder}` });
      expect(away.code).toBe(2);
      expect(away.out).toMatch(/^✗ +Session store /m);
      expect(away.out).toMatch(/^[✓!] +Channels /m);
      expect(away.out).not.toContain('hidden');
    });

    test.runIf(name === 'PostgreSQL')(
      'whose DATA_DIR this user cannot use is not down while its server is ready',
      async () => {
        const DATA_DIR = join(fileIn(folder), 'data');
        const { code, out } = await status({ ADMIN_PORT: await readyPort(200, { status: 'ready' }), DATA_DIR });
        expect([code, out]).toEqual([1, naming('user of the server')]);
      },
    );

    test('whose schema is older is not migrated', async () => {
      const { db } = admin.store;
      const numbers = async () => (await sql<{ number: number }>`select number from migrations`.execute(db)).rows;
      const before = await numbers();
      const last = Math.max(...before.map(({ number }) => number));
      await sql`delete from migrations where number = ${last}`.execute(db);
      const { code, out } = await status({ ADMIN_PORT: await readyPort(200, { status: 'ready' }) });
      expect(code).toBe(1);
      expect(out).toMatch(/^! +Database /m);
      expect(out).not.toMatch(/Channels/);
      expect(await numbers()).toHaveLength(before.length - 1);
    });
  });
});

test('without a database, nothing is created, and it is down', async () => {
  const DATA_DIR = join(folder, 'none');
  const { status, out } = await runCommand({ ...base, DATA_DIR }, 'status');
  expect([status, out, existsSync(DATA_DIR)]).toEqual([2, naming('Database', 'Server'), false]);
});

test('a DATA_DIR that is not that of the server is named', async () => {
  const DATA_DIR = join(folder, 'wrong');
  const ADMIN_PORT = await readyPort(200, { status: 'ready' });
  const { status, out } = await runCommand({ ...base, DATA_DIR, ADMIN_PORT }, 'status');
  expect([status, out, existsSync(DATA_DIR)]).toEqual([2, naming(`none in ${DATA_DIR}`, '--env-file'), false]);
  mkdirSync(join(DATA_DIR, 'media'), { recursive: true });
  for (const file of ['secret.key', 'media/ad.mp4']) writeFileSync(join(DATA_DIR, file), 'x');
  const lost = await runCommand({ ...base, DATA_DIR, ADMIN_PORT }, 'status');
  expect(lost).toMatchObject({ status: 2, out: naming('midroll.db is missing', 'restore a backup') });
});

test('invalid settings are named, and the status is unknown: 2', async () => {
  expect(await runCommand({ ...base, ADMIN_PORT: 'x', ROLE: 'chief' }, 'status')).toMatchObject({
    status: 2,
    out: '',
    err: naming('ADMIN_PORT', 'ROLE'),
  });
});

test('a database that refuses, or never responds, is a line with the reason', async () => {
  const silent = await listening(createServer(() => {}));
  for (const port of ['1', silent]) {
    const settings = {
      ...base,
      DATA_DIR: join(folder, 'away'),
      DATABASE_URL: `postgres://u:hidden@127.0.0.1:${port}/midroll`,
    };
    const { status, out } = await runCommand(settings, 'status');
    expect(status).toBe(2);
    expect(out).toMatch(/^✗ +Database /m);
    expect(out).not.toContain('hidden');
  }
});
