// SPDX-License-Identifier: Apache-2.0
// Measures what the history of sessions takes: bytes per session, as counted for TRACE_MAX_MB and as used by the database.
//   npm run bench:history                                       SQLite
//   npm run bench:history -- --database=postgres://…/empty      PostgreSQL, an empty database
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createAdResponseReader } from '../../src/adapters/vast/adResponseReader.ts';
import { openSql } from '../../src/database.ts';
import { sqlHistory } from '../../src/platform/history/store/sqlHistory.ts';
import { typicalSession } from '../../test/stores/typicalSession.ts';
import { usedByHistory } from '../../test/stores/usedByHistory.ts';

const SESSIONS = 500;
const BREAKS = 8;
const database = process.argv.find((one) => one.startsWith('--database='))?.slice('--database='.length);

const folder = mkdtempSync(join(tmpdir(), 'midroll-history-'));
const store = await openSql({ DATA_DIR: folder, ...(database === undefined ? {} : { DATABASE_URL: database }) });
const reader = createAdResponseReader({ maxUrls: 100 });
await store.db.insertInto('tenants').values({ name: 'default', created_at: '', created_by: '' }).execute();
const before = await usedByHistory(store);
const [history, start] = [sqlHistory(store), Date.parse('2026-03-01T12:00:00Z')];
let [json, bodies] = [0, 0];
for (let count = 0; count < SESSIONS; count += 1) {
  const { session, breaks, jsonBytes } = await typicalSession(randomUUID(), start + count * 1000, BREAKS, reader);
  await history.add([session], breaks);
  json += jsonBytes;
  bodies += breaks.reduce((sum, { body }) => sum + body.length, 0);
}
const { rows } = await sql<{ bytes: number }>`select bytes from past_size`.execute(store.db);
const used = (await usedByHistory(store)) - before;
const perSession = (bytes: number) => Math.round(bytes / SESSIONS);
console.log(`${store.kind}: ${SESSIONS} sessions of two hours with ${BREAKS} breaks of four ads; bytes per session:`);
console.log(`  JSON of its breaks             ${perSession(json)}`);
console.log(`  the same, compressed           ${perSession(bodies)}`);
console.log(`  counted for TRACE_MAX_MB       ${perSession(Number(rows[0]!.bytes))}`);
console.log(`  used by tables and indexes     ${perSession(used)}`);
await reader.close();
await store.close();
rmSync(folder, { recursive: true });
