// SPDX-License-Identifier: Apache-2.0
// Opening sessions on a live server with a real store: parameters, limits and signatures.
import { expect, test } from 'vitest';
import { airingsOf } from '../../../test/airingsOf.ts';
import { naming } from '../../../test/naming.ts';
import { opened } from '../../../test/opened.ts';
import { serveLive } from '../../../test/servers/liveServer.ts';
import { START, soakAiring } from '../../../test/tracking/soakChannel.ts';
import { sqlSessions } from '../../adapters/sql/sessions/sqlSessions.ts';
import { openSqlite } from '../../database.ts';
import { millis } from '../../time/units.ts';
import { createOpeningLimits } from './openingLimits.ts';
import { signOpening } from './openingRequest.ts';

const SECRET = 'a-secret-of-this-test';
const airing = soakAiring();
const { id } = airing.channel;
const apiKey = 'key';
const time = { now: millis(START) };
let secret: string | undefined;

const sql = await opened(openSqlite(':memory:'));
const sessions = sqlSessions(sql);
const now = () => time.now;
const onAir = () => [
  { ...airing, channel: { ...airing.channel, apiKey, ...(secret ? { signingSecret: secret } : {}) } },
];
const live = await opened(
  serveLive({
    airings: airingsOf(onAir),
    sessions,
    now,
    allowOpening: createOpeningLimits({ perAddress: 5, perChannel: 0, now, log: () => undefined }),
  }),
);
const base = live.url;

const openings = (query: Readonly<Record<string, string>>): string[] => {
  const text = new URLSearchParams({ 'api-key': apiKey, ...query });
  return [`/hls/${id}/master.m3u8?${text}`, `/hls/view/${id}?${text}`, `/dash/view/${id}?${text}`];
};
const stored = async () =>
  (await sql.db.selectFrom('sessions').select('body').execute()).map(({ body }) => JSON.parse(body));
const advanceMinute = () => {
  time.now = millis(time.now + 60_000);
};

test('parameters over the limits are a 422 with data, and nothing is stored', async () => {
  for (const path of openings({ viewer: 'v'.repeat(3000) })) {
    const response = await fetch(base + path);
    expect(response.status).toBe(422);
    const { data } = (await response.json()) as { data: unknown[] };
    expect(data).toEqual([expect.objectContaining({ dataPath: '/viewer', message: naming(2048, 3000) })]);
  }
  expect(await stored()).toEqual([]);
});

test('sessions over the limit of an address are a 429 with retry-after, and are not stored', async () => {
  advanceMinute();
  const [path] = openings({}) as [string];
  const statuses = [];
  for (let count = 0; count < 7; count += 1) statuses.push((await fetch(base + path)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  time.now = millis(time.now + 20_000);
  const rejected = await fetch(base + path);
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '40']);
  expect(await stored()).toHaveLength(5);
  // Open sessions continue.
  const [{ id: session }] = await stored();
  expect((await fetch(`${base}/hls/${id}/master.m3u8?sid=${session}`)).status).toBe(200);
});

test('a signed channel opens only with a valid signature, which is not passed to ad servers', async () => {
  advanceMinute();
  secret = SECRET;
  const exp = String(time.now / 1000 + 300);
  const signed = { viewer: 'me', exp, sig: signOpening(SECRET, id, exp) };
  const before = (await stored()).length;
  for (const query of [{}, { ...signed, sig: '0'.repeat(64) }, { ...signed, exp: String(Number(exp) + 1) }]) {
    for (const path of openings(query)) expect((await fetch(base + path)).status).toBe(403);
  }
  for (const path of openings(signed)) expect((await fetch(base + path)).status).toBe(200);
  const opened = (await stored()).slice(before);
  expect(opened.map(({ parameters }) => parameters)).toEqual(new Array(3).fill({ viewer: 'me' }));
  time.now = millis(Number(exp) * 1000);
  const [late] = openings(signed) as [string];
  expect((await fetch(base + late)).status).toBe(403);
  expect((await fetch(`${base}/hls/${id}/master.m3u8?sid=${opened[0].id}`)).status).toBe(200);
  // The key is still required.
  expect((await fetch(base + late.replace('api-key', 'no-key'))).status).toBe(401);
  secret = undefined;
});
