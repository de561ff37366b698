// SPDX-License-Identifier: Apache-2.0
// kill -9 during many writes: everything acknowledged with a 2xx is stored completely, and nothing else.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { opened, scratchFolder } from '../../opened.ts';
import { createDatabase } from '../../servers/postgresDatabase.ts';
import { startPostgres } from '../../servers/startPostgres.ts';
import { builtServers, type Server, send } from './builtServer.ts';

const folder = scratchFolder();
const postgres = await opened(createDatabase());
const startBuilt = builtServers();

/** With a database of its own, unless the settings name another. */
const start = (env: Record<string, string>) => startBuilt({ DATA_DIR: folder, ...env });

type Written = { readonly id: string; readonly name: string; readonly __v: number };

const contents = Array.from({ length: 50 }, (_, n) => ({ sourceType: 'url', url: `https://x/${n}.m3u8` }));

/** Creates and changes playlists until a request fails. `acknowledged` has the last response for each, `sent` every name. */
async function write(
  server: Server,
  writer: string,
  acknowledged: Map<string, Written>,
  sent: Map<string, Set<string>>,
) {
  for (let n = 0; ; n += 1) {
    const id = `${writer}-${n}`;
    for (const name of ['created', 'changed', 'changed again']) {
      sent.set(id, (sent.get(id) ?? new Set()).add(name));
      try {
        const isFirst = name === 'created';
        const body = isFirst ? { id, name, contents } : { name };
        const { status, json } = await (isFirst
          ? send<Written>(server, 'POST', 'playlists', body)
          : send<Written>(server, 'PATCH', `playlists/${id}`, body));
        if (status >= 300) return status;
        acknowledged.set(id, json);
      } catch {
        return 'closed';
      }
    }
  }
}

async function everything(server: Server): Promise<Map<string, Written & { contents: unknown }>> {
  const all = new Map();
  for (let offset = 0; ; offset += 100) {
    const page = (await send<Written[]>(server, 'GET', `playlists?limit=100&offset=${offset}`)).json;
    for (const playlist of page) all.set(playlist.id, playlist);
    if (page.length < 100) return all;
  }
}

async function expectKept(server: Server, acknowledged: Map<string, Written>, sent: Map<string, Set<string>>) {
  const stored = await everything(server);
  for (const [id, last] of acknowledged) {
    const kept = stored.get(id);
    expect(kept, `${id} was acknowledged`).toBeDefined();
    // A write in progress may have been stored as the next version.
    expect([last.__v, last.__v + 1]).toContain(kept!.__v);
    if (kept!.__v === last.__v) expect(kept).toEqual(last);
  }
  for (const [id, kept] of stored) {
    expect(sent.get(id), `${id} was never sent`).toContain(kept.name);
    expect(kept.contents).toEqual(contents);
    expect(kept.name).toBe(['created', 'changed', 'changed again'][kept.__v]);
  }
  await expectAudited(server, stored);
}

/** The audit log has one entry for each stored change, and no other. */
async function expectAudited(server: Server, stored: Map<string, Written>) {
  const counts = new Map<string, number>();
  for (let cursor = ''; ; ) {
    const path = `audit?kind=playlist&limit=100${cursor}`;
    const { headers, json } = await send<{ record: { id: string } }[]>(server, 'GET', path);
    for (const { record } of json) counts.set(record.id, (counts.get(record.id) ?? 0) + 1);
    const next = headers.get('x-next-cursor');
    if (next === null) break;
    cursor = `&cursor=${next}`;
  }
  expect(counts).toEqual(new Map([...stored].map(([id, { __v }]) => [id, __v + 1])));
}

const BATCH = 40;

/** Creates playlists by atomic batches until a request fails. @param acknowledged the names of batches with a response */
async function writeBatches(server: Server, writer: string, acknowledged: Set<string>): Promise<void> {
  for (let batch = 0; ; batch += 1) {
    const name = `${writer}-${batch}`;
    const changes = Array.from({ length: BATCH }, (_, n) => ({
      method: 'POST',
      path: '/api/v2/playlists',
      body: { id: `${name}-${n}`, name, contents },
    }));
    try {
      const { status } = await send(server, 'POST', 'batch', { atomic: true, changes });
      if (status === 200) acknowledged.add(name);
    } catch {
      return;
    }
  }
}

async function expectWhole(server: Server, acknowledged: ReadonlySet<string>): Promise<void> {
  const stored = new Map([...(await everything(server))].filter(([, { name }]) => /^batch/.test(name)));
  const counts = new Map<string, number>();
  for (const { name } of stored.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  expect(new Set(counts.values())).toEqual(new Set([BATCH]));
  expect([...acknowledged].filter((name) => !counts.has(name))).toEqual([]);
}

describe.each(['SQLite', 'PostgreSQL'])('on %s', (kind) => {
  test('of an atomic batch, a killed server has stored all or nothing', async () => {
    const own = kind === 'PostgreSQL' ? await createDatabase() : undefined;
    const env = { DATA_DIR: mkdtempSync(join(folder, 'batches-')), ...(own && { DATABASE_URL: own.url }) };
    const acknowledged = new Set<string>();
    let server = await start(env);
    for (let round = 0; round < 4; round += 1) {
      const writers = Array.from({ length: 3 }, (_, n) => writeBatches(server, `batch-${round}${n}`, acknowledged));
      const before = acknowledged.size;
      await expect.poll(() => acknowledged.size - before, { interval: 5 }).toBeGreaterThan(round);
      server.process.kill('SIGKILL');
      await Promise.all(writers);
      server = await start(env);
      await expectWhole(server, acknowledged);
    }
    await expectAudited(server, await everything(server));
    server.process.kill('SIGKILL');
    await own?.drop();
  });

  test('a killed server loses no acknowledged write', async () => {
    const env: Record<string, string> = kind === 'PostgreSQL' ? { DATABASE_URL: postgres.url } : {};
    const acknowledged = new Map<string, Written>();
    const sent = new Map<string, Set<string>>();
    let server = await start(env);
    for (const round of ['a', 'b']) {
      const writers = Array.from({ length: 6 }, (_, n) => write(server, `${round}${n}`, acknowledged, sent));
      const before = acknowledged.size;
      await expect.poll(() => acknowledged.size - before, { interval: 20 }).toBeGreaterThan(30);
      server.process.kill('SIGKILL');
      expect(new Set(await Promise.all(writers))).toEqual(new Set(['closed']));
      server = await start(env);
      await expectKept(server, acknowledged, sent);
    }
    server.process.kill('SIGKILL');
  });
});

test('during a PostgreSQL outage requests get a 503, and afterwards nothing is missing', async () => {
  const own = await startPostgres();
  const server = await start({ DATABASE_URL: own.url });
  const acknowledged = new Map<string, Written>();
  const sent = new Map<string, Set<string>>();
  const writers = Array.from({ length: 4 }, (_, n) => write(server, `w${n}`, acknowledged, sent));
  await expect.poll(() => acknowledged.size, { interval: 20 }).toBeGreaterThan(10);
  await own.kill();
  expect(new Set(await Promise.all(writers))).toEqual(new Set([503]));
  const unavailable = await send(server, 'GET', 'playlists');
  expect([unavailable.status, unavailable.json.type]).toEqual([503, 'UNAVAILABLE']);
  await own.restart();
  await expect.poll(async () => (await send(server, 'GET', 'playlists')).status).toBe(200);
  await expectKept(server, acknowledged, sent);
  server.process.kill('SIGKILL');
  await own.stop();
});
