// SPDX-License-Identifier: Apache-2.0
// Ids of sessions and breaks that no session or break can have, in every route that takes them, on each database.

import { request } from 'node:http';
import { expect, test } from 'vitest';
import { sqlDeliveries } from '../../src/adapters/sql/tracking/sqlDeliveries.ts';
import { sqlSessionStores } from '../../src/composition/openSessionStores.ts';
import { openPostgres, openSqlite } from '../../src/database.ts';
import { withoutUndefined } from '../../src/invariant.ts';
import { searchSessions } from '../../src/platform/history/rules/searchSessions.ts';
import { sqlHistory } from '../../src/platform/history/store/sqlHistory.ts';
import { findStoredBreak } from '../../src/platform/tries/rules/storedBreak.ts';
import { traceSession } from '../../src/playback/view/trace.ts';
import { opened } from '../opened.ts';
import { offAir, startAdmin } from '../servers/adminServer.ts';
import { onEachDatabase } from '../servers/sqlStores.ts';

/** As they are written in a path. */
const ids = {
  'a zero byte': 'a%00b',
  'a line feed': 'a%0Ab',
  'an escape character': '%1B%5B2J',
  'a delete character': '%7F',
  'a lone surrogate, in UTF-8': '%ED%A0%80',
  'a lone surrogate and its other half, in UTF-8': '%ED%A0%BD%ED%B8%80',
  'a byte that is not UTF-8': '%FF',
  'an incomplete escape': '%',
  'a noncharacter': '%EF%BF%BF',
  'a character beyond the first plane': '%F0%9F%98%80',
  'a slash': '..%2F..%2Fetc',
  'an apostrophe': "'%20or%201=1--",
  'a place of the query language': '%24%7B1%7D%25',
  'the longest id of a path': 'a'.repeat(1024),
  'an id of 7,000 characters': 'a'.repeat(7000),
  'nothing but dots': '%2E%2E',
  'a space': '%20',
} as const;

onEachDatabase(async (databaseUrl) => {
  const store = await opened(databaseUrl === undefined ? openSqlite(':memory:') : openPostgres(databaseUrl));
  const { sessions, frozen, living, confirmations } = sqlSessionStores(store, true);
  const [history, deliveries] = [sqlHistory(store), sqlDeliveries(store)];
  const past = {
    find: history.find,
    breaks: async () => [],
    findBreak: async (session: string, id: string) => {
      await history.findBreak(session, id);
      return undefined;
    },
  };
  const admin = await opened(
    startAdmin({
      ...withoutUndefined({ databaseUrl }),
      onAir: {
        ...offAir,
        sessionTrace: async (id, tenant) =>
          (await traceSession({ sessions, deliveries, confirmations, past }, id, tenant)) as never,
        searchSessions: (search) => searchSessions({ living, history }, search),
      },
      findBreak: findStoredBreak({ ...sessions, findFrozen: frozen.findFrozen }, past),
    }),
  );
  const { port } = new URL(await admin.app.listen({ port: 0, host: '127.0.0.1' }));

  /** Without a client that would change the path. */
  const send = (method: string, path: string, body?: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { 'x-api-key': admin.key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
      const sent = request({ host: '127.0.0.1', port, method, path: `/api/v2${path}`, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode!));
      });
      sent.on('error', reject).end(body);
    });
  /** A path that cannot be decoded is not a request. */
  const refused = [400, 404, 422];

  test.each(Object.entries(ids))('%s is not the id of a session or a break', async (_, id) => {
    expect(refused).toContain(await send('GET', `/sessions/${id}`));
    expect(refused).toContain(await send('POST', `/sessions/${id}/breaks/0-1/replay`, '{}'));
    expect(refused).toContain(await send('POST', `/sessions/abc/breaks/${id}/replay`, '{}'));
    expect(refused).toContain(await send('POST', `/sessions/${id}/breaks/${id}/replay`, '{}'));
  });

  test.each(Object.entries(ids))('%s finds no session', async (_, id) => {
    for (const filter of ['id', 'channel', 'parameter', 'address', 'userAgent', 'reason', 'cursor'])
      for (const value of [id, `x=${id}`])
        expect([200, ...refused]).toContain(await send('GET', `/sessions?${filter}=${value}&at=1772395200`));
    const beacons = await send('GET', `/beacons?session=${id}`);
    expect([...refused, 200]).toContain(beacons);
  });

  test('nothing of it was an error of the server', () => {
    expect(admin.logged.filter((line) => line.includes('request failed'))).toEqual([]);
  });
});
