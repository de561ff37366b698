// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { airingsOf } from '../../../test/airingsOf.ts';
import { opened } from '../../../test/opened.ts';
import { serveLive } from '../../../test/servers/liveServer.ts';
import { breaksOf, createSessions, START, soakAiring, viewerId } from '../../../test/tracking/soakChannel.ts';
import { sqlSessions } from '../../adapters/sql/sessions/sqlSessions.ts';
import { sqlBeacons } from '../../adapters/sql/tracking/sqlBeacons.ts';
import { sqlDeliveries } from '../../adapters/sql/tracking/sqlDeliveries.ts';
import { openSqlite } from '../../database.ts';
import { AppError } from '../../errors.ts';
import { sqlDeliveryCounts } from '../../platform/reports/store/sql/sqlDeliveryCounts.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { BeaconRow } from '../../tracking/beacons/beacon.ts';
import { deliveredBeacons } from '../../tracking/beacons/writeBeacons.ts';
import { deliveryFact } from '../../tracking/deliveries/deliveryFact.ts';
import type { RecordDelivery } from '../../tracking/deliveries/durableRecorder.ts';
import { createLateDeliveries } from '../../tracking/deliveries/lateDeliveries.ts';
import { createDeliveryWriter, type DeliveryDeps } from '../../tracking/deliveries/writeDeliveries.ts';

let tracking: 'server' | 'client' = 'server';
const lost: unknown[] = [];
const unavailable = new AppError('UNAVAILABLE', 'The session store does not respond.');
/** Whether sessions cannot be read. */
let isAway = false;
const airing = soakAiring();
const breaks = breaksOf(airing, 3);
const [span] = breaks;
const adId = `${span!.break!.id}-0`;
const now = (): Millis => millis(span!.placed.startsAt + 31_000);

const late = createLateDeliveries(now, (error) => void lost.push(error));

const sql = await opened(openSqlite(':memory:'));
const sessions = sqlSessions(sql);
await createSessions(50, sessions, { airing, breaks, receiver: 'https://track.test' });
/** Records without injected faults. */
const writer = createDeliveryWriter({
  deliveries: sqlDeliveries(sql),
  breakRecord: sessions.findBreak,
  recordBeacons: ({ session, adId: id, at }, story, due) =>
    sqlBeacons(sql).record(deliveredBeacons(session, story, id, due, at)),
});
let record: RecordDelivery = (delivery) => writer.write([delivery]);
const live = await opened(
  serveLive({
    airings: airingsOf(() => [{ ...airing, channel: { ...airing.channel, tracking } }]),
    sessions: { ...sessions, find: (id) => (isAway ? Promise.reject(unavailable) : sessions.find(id)) },
    now,
    recordDelivery: (delivery) => record(delivery),
    late,
  }),
);
const base = live.url;

const recordWith = (deps: DeliveryDeps): RecordDelivery => {
  const { write } = createDeliveryWriter(deps);
  return (delivery) => write([delivery]);
};

/** Every fifth viewer, starting with viewer 0, sees an ad of ten seconds: five segments. */
const media = 'p0a0x250/250';
const path = (viewer: number, segment: number, rung = 0) =>
  `/hls/c/${viewerId(viewer)}/${adId}/${media}/${rung}/${segment}.m4s`;
const get = (where: string, method = 'GET') => fetch(base + where, { method, redirect: 'manual' });
const beaconsOf = async (viewer: number): Promise<BeaconRow[]> => {
  const filter = { tenant: 't', from: millis(0), to: millis(START * 2), sessionId: viewerId(viewer) };
  return sqlBeacons(sql).list(filter, undefined, 100);
};
const events = async (viewer: number) => [...new Set((await beaconsOf(viewer)).map(({ event }) => event))];

test('a segment is a redirect to the shared media, relative so that it works below any prefix', async () => {
  const response = await get(path(0, 0));
  expect(response.status).toBe(302);
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const location = response.headers.get('location')!;
  for (const prefix of ['', '/tv/live']) {
    const target = new URL(location, `https://cdn.test${prefix}${path(0, 0)}`);
    expect(target.href).toBe(`https://cdn.test${prefix}/m/p0a0x250/250/v0/0.m4s`);
  }
  expect(await events(0)).toEqual(['impression', 'creativeView', 'start']);
});

test('events are due when a player at the hold-back can have reached them', async () => {
  for (const segment of [0, 1, 2, 3, 4, 4, 0]) await get(path(5, segment));
  const rows = await beaconsOf(5);
  const at = Object.fromEntries(rows.map(({ event, dueAt }) => [event, dueAt - now()]));
  expect(at).toMatchObject({ start: 0, firstQuartile: 2500, midpoint: 5000, thirdQuartile: 7500, complete: 10_000 });
  expect(rows).toHaveLength(9);
});

test('HEAD, unknown sessions and ads of other viewers are redirected, but not recorded as deliveries', async () => {
  const statuses = [
    await get(path(10, 0), 'HEAD'),
    await get(path(10, 0).replace('viewer-10', 'unknown')),
    await get(path(10, 0).replace(adId, `${span!.break!.id}-7`)),
    await get(path(10, 0).replace(adId, '99-99-0')),
    await get(path(11, 0)),
  ].map(({ status }) => status);
  expect(statuses).toEqual([302, 302, 302, 302, 302]);
  expect([...(await beaconsOf(10)), ...(await beaconsOf(11))]).toEqual([]);
});

test.each([
  ['an unknown channel', path(0, 0).replace('/c/', '/d/')],
  ['an unknown rung', path(0, 0, 9)],
  ['a segment after the last', path(0, 5)],
  ['another length', path(0, 0).replace('/250/', '/251000/')],
  ['a segment that is not a number', path(0, 0).replace('0.m4s', 'x.m4s')],
  ['a path traversal', path(0, 0).replace('p0a0x250', '..%2f..%2fetc')],
  ['an unknown format', path(0, 0).replace('/hls/', '/smooth/')],
])('%s is a 404', async (_, where) => {
  expect((await get(where)).status).toBe(404);
});

test('with client-side tracking the delivery is recorded without beacons', async () => {
  tracking = 'client';
  for (const segment of [0, 1, 2, 3, 4]) await get(path(15, segment));
  tracking = 'server';
  expect(await beaconsOf(15)).toEqual([]);
  const [delivered] = await sqlDeliveries(sql).ofSession(viewerId(15));
  expect(delivered?.requested.pictures).toEqual([0b11111]);
});

test('an unavailable store does not stop the stream', async () => {
  const kept = record;
  record = () => Promise.reject(new Error('unavailable'));
  expect((await get(path(20, 0))).status).toBe(302);
  expect(lost).toHaveLength(1);
  record = () => new Promise(() => {});
  expect((await get(path(20, 1))).status).toBe(302);
  record = kept;
});

/** Deliveries of a viewer's ad that reports have not counted yet. */
async function uncounted(viewer: number) {
  const { ads } = await sqlDeliveryCounts(sql, { now, maxBytes: 1e6, onLost: () => {} }).uncounted(1000);
  return ads
    .filter(({ sessionId }) => sessionId === viewerId(viewer))
    .map(({ ad, ends, ...rest }) => {
      const { events, ranges } = deliveryFact(ad, ends, rest);
      return { events, ms: ranges.reduce((sum, { ms }) => sum + ms, 0) };
    });
}

test('beacons that a killed process did not write are written by the next one, and reports count the delivery once', async () => {
  const kept = record;
  const deps = { deliveries: sqlDeliveries(sql), breakRecord: sqlSessions(sql).findBreak };
  record = recordWith({ ...deps, recordBeacons: () => Promise.reject(new Error('killed')) });
  for (const segment of [0, 1]) await get(path(25, segment));
  expect(await beaconsOf(25)).toEqual([]);
  expect(await uncounted(25)).toEqual([{ events: ['start', 'firstQuartile'], ms: 4000 }]);
  record = kept;
  await get(path(25, 1));
  expect(await events(25)).toEqual(['impression', 'creativeView', 'start', 'firstQuartile']);
  expect(await uncounted(25)).toEqual([{ events: ['start', 'firstQuartile'], ms: 4000 }]);
});

test('a delivery that fails at any step is counted when it is retried', async () => {
  const kept = record;
  let fails: 'record' | 'mark' | 'tell' | undefined = 'record';
  const [deliveries, { findBreak }] = [sqlDeliveries(sql), sqlSessions(sql)];
  const fail = () => Promise.reject(new Error('unavailable'));
  record = recordWith({
    deliveries: { ...deliveries, mark: (mark) => (fails === 'mark' ? fail() : deliveries.mark(mark)) },
    breakRecord: (session, id) => (fails === 'record' ? fail() : findBreak(session, id)),
    recordBeacons: ({ session, adId: id, at }, story, due) =>
      fails === 'tell' ? fail() : sqlBeacons(sql).record(deliveredBeacons(session, story, id, due, at)),
  });
  const lostBefore = lost.length;
  for (const step of ['record', 'mark', 'tell'] as const) {
    fails = step;
    await get(path(40, 0));
  }
  expect(lost).toHaveLength(lostBefore + 3);
  fails = undefined;
  await get(path(40, 0));
  record = kept;
  lost.splice(lostBefore);
  expect(await events(40)).toContain('start');
  expect(await uncounted(40)).toMatchObject([{ events: ['start'] }]);
});

test('a delivery of a session that cannot be read is recorded when it can', async () => {
  const lostBefore = lost.length;
  isAway = true;
  for (let segment = 0; segment < 5; segment += 1) expect((await get(path(45, segment))).status).toBe(302);
  await late.retry();
  expect(await beaconsOf(45)).toEqual([]);
  isAway = false;
  await late.retry();
  expect((await beaconsOf(45)).map(({ event }) => event)).toContain('complete');
  expect(lost).toHaveLength(lostBefore);
});
