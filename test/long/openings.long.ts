// SPDX-License-Identifier: Apache-2.0
// Opens tens of thousands of sessions against a real process on a real PostgreSQL: their cost, and that they expire soon.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { Pool } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { item, openRealStage, type Stage } from '../live/stage.ts';
import { openedInTest } from '../opened.ts';
import { startPostgres } from '../servers/startPostgres.ts';

const OPENINGS = 40_000;
const CONNECTIONS = 48;

type Ground = {
  readonly stage: Stage;
  readonly rows: () => Promise<number>;
  readonly report: (when: string) => Promise<void>;
};

/** Resident MiB of the servers among this process's children. */
function residentSize(): number {
  const children = execFileSync('ps', ['--ppid', String(process.pid), '-o', 'pid=,args='])
    .toString()
    .split('\n');
  const servers = children.filter((line) => line.includes('dist/main.js')).map((line) => Number.parseInt(line, 10));
  const kilobytes = servers.map((pid) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]),
  );
  return Math.round(kilobytes.reduce((sum, one) => sum + one, 0) / 1024);
}

async function openGround(settings: Readonly<Record<string, string>>): Promise<Ground> {
  const server = await openedInTest(startPostgres());
  const stage = await openedInTest(openRealStage({ ...settings, DATABASE_URL: server.url }));
  const client = new Client({ connectionString: server.url });
  await client.connect();
  onTestFinished(() => client.end());
  const rows = async () => Number((await client.query('select count(*) as n from sessions')).rows[0].n);
  const report = async (when: string) => {
    const { rows: sizes } = await client.query('select pg_database_size(current_database()) / 1048576 as size');
    console.log(`${when}: ${await rows()} sessions, database ${sizes[0].size} MiB, resident ${residentSize()} MiB`);
  };
  await stage.air('c', [item(await stage.video({ seconds: 8 }))]);
  return { stage, rows, report };
}

/** @returns the number of responses by status */
async function openMany(liveUrl: string, query: () => string): Promise<Record<string, number>> {
  const pool = new Pool(liveUrl, { connections: CONNECTIONS });
  const statuses: Record<string, number> = {};
  let left = OPENINGS;
  const open = async () => {
    while (left > 0) {
      left -= 1;
      const path = `/hls/c/master.m3u8?api-key=key&${query()}`;
      const { statusCode, body } = await pool.request({ method: 'GET', path });
      await body.dump();
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, open));
  await pool.close();
  return statuses;
}

const random = (characters: number) => randomBytes(characters).toString('base64url').slice(0, characters);
const most = () => `p=${random(1950)}&q=${random(1950)}`;
const tooMuch = () => Array.from({ length: 6 }, (_, index) => `p${index}=${random(2000)}`).join('&');

test('without limits, a server accepts all valid openings and expires them; viewers continue', async () => {
  const { stage, rows, report } = await openGround({ SESSIONS_PER_ADDRESS: '0', SESSIONS_PER_CHANNEL: '0' });
  const viewer = await stage.watch('c');
  await report('before');
  expect(await openMany(stage.midroll.liveUrl, tooMuch)).toEqual({ 422: OPENINGS });
  expect(await rows()).toBe(1);
  expect(await openMany(stage.midroll.liveUrl, most)).toEqual({ 200: OPENINGS });
  await report('after');
  await expect.poll(rows, { interval: 5000 }).toBe(1);
  await report('after they expired');
  const { json } = await stage.midroll.api('GET', '/channels/c/sessions');
  expect(json.map(({ id }: { id: string }) => id)).toEqual([viewer.session]);
  expect(stage.midroll.bugs()).toEqual([]);
});

test('with limits, an address opens as many sessions as they allow', async () => {
  const { stage, rows, report } = await openGround({});
  // Until the channel is on air, openings are a 503.
  await stage.watch('c');
  await report('before');
  const begun = Date.now();
  const statuses = await openMany(stage.midroll.liveUrl, most);
  await report('after');
  // The count restarts every minute.
  expect(statuses[200]).toBeLessThanOrEqual(1200 * (2 + Math.ceil((Date.now() - begun) / 60_000)));
  expect(statuses[200]! + statuses[429]!).toBe(OPENINGS);
  await expect.poll(rows, { interval: 5000 }).toBe(1);
  expect(stage.midroll.bugs()).toEqual([]);
});
