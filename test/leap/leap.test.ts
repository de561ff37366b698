// SPDX-License-Identifier: Apache-2.0
// What partners read about live events, over HTTP: viewers of what is on air, and programmes with the viewers and breaks to expect.
import { expect, test } from 'vitest';
import { createSecretBox } from '../../src/adapters/sql/secrets/secretBox.ts';
import { openSqlite } from '../../src/database.ts';
import { schemaFaults } from '../../src/http/admin/request/validate.ts';
import { issueKey } from '../../src/platform/access/rules/apiKey.ts';
import { sqlTenants } from '../../src/platform/access/store/sqlTenants.ts';
import type { LeapEvent, LeapForecast, LeapStreams } from '../../src/platform/leap/contract/leapContract.ts';
import { ownSystem } from '../../src/platform/systems/rules/system.ts';
import { sqlSystems } from '../../src/platform/systems/store/sqlSystems.ts';
import { fileStage } from '../live/fileStage.ts';
import { openGuided } from '../live/guided/guidedPlayer.ts';
import { airLive, startOrigin } from '../live/liveStage.ts';
import { apiKey } from '../live/midroll.ts';
import { item, openVirtualStage } from '../live/stage.ts';
import { scratchFolder } from '../opened.ts';
import { forecastText, streamsText } from './leapTexts.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const DATA_DIR = scratchFolder();
// Near the clock of the system, by which report data that waits for weeks is discarded.
const hours = Math.floor(Date.now() / HOUR) + 2;
// Not midnight: then the block of the day begins.
const nextHour = (hours % 24 === 0 ? hours + 1 : hours) * HOUR;
const stage = await fileStage(() => openVirtualStage({ DATA_DIR }, nextHour - 25 * MINUTE));
const [video, filler] = await Promise.all([stage.video({ seconds: 60 }), stage.video({ seconds: 8 })]);
const iso = (at: number): string => new Date(at).toISOString();

async function read(path: string, headers: Record<string, string> = { 'x-api-key': apiKey }) {
  const response = await fetch(`${stage.midroll.adminUrl}/leap/${path}`, { headers });
  return { status: response.status, link: response.headers.get('link'), json: await response.json() };
}
async function streams(query = '', headers?: Record<string, string>): Promise<LeapStreams> {
  const { status, json } = await read(`concurrent-streams?${query}`, headers);
  expect([status, schemaFaults(streamsText, json)]).toEqual([200, []]);
  return json as LeapStreams;
}
async function forecast(query = '', headers?: Record<string, string>): Promise<LeapForecast & { link: string | null }> {
  const { status, json, link } = await read(`forecast?${query}`, headers);
  expect([status, schemaFaults(forecastText, json)]).toEqual([200, []]);
  return { ...(json as LeapForecast), link };
}
const streamOf = ({ streamsdata }: LeapStreams, channel: string) =>
  streamsdata[0]?.mediastreams.find(({ content }) => content.channel.id === channel);
const channelsOf = ({ streamsdata }: LeapStreams) =>
  streamsdata.flatMap(({ mediastreams }) => mediastreams.map(({ content }) => content.channel.id));
const shownOf = (events: readonly LeapEvent[], channel: string) =>
  events.filter(({ content }) => content.channel.id === channel);

/** A key of the tenant with the scope read, as the header that partners send. */
async function keyFor(rights: object): Promise<Record<string, string>> {
  const { key } = await stage.api('POST', '/keys', { scope: 'read', ...rights });
  return { authorization: `Bearer ${key}` };
}

const origin = await startOrigin(stage);
const film = { source: { url: video }, breaks: [{ spliceTime: 20, maxDuration: 10 }] };
await stage.air('news', [item(filler)], { name: 'News 24', labels: ['partners'] });
await stage.api('PUT', '/channels/news/schedule', {
  rules: [
    // All day long, each programme half an hour.
    {
      id: 'day',
      at: '00:00',
      repeatUntil: '00:00',
      entries: [{ id: 'show', title: 'The show', duration: 1800, ...film }],
    },
  ],
  entries: [
    { id: 'special', title: 'Special', subtitle: 'Part 2', season: 1, start: iso(nextHour), duration: 900, ...film },
    {
      ...{ id: 'match', title: 'Match', start: iso(nextHour + 900_000) },
      source: { live: { sourceManifestUrl: origin.hlsUrl, plannedDuration: 600, end: 'manual' } },
    },
  ],
});
await stage.air('loop', [item(filler)]);
await airLive(stage, 'live', { sourceManifestUrl: origin.hlsUrl });
await stage.until('all are on air', async () => channelsOf(await streams()).length === 3);

test('viewers of what is on air are counted, stitched and guided ones, with the programme', async () => {
  const before = await streams('version=1.0.0&requestor=ssp');
  expect(before.streamsdata.map(({ sdp }) => sdp)).toEqual(['default']);
  expect(channelsOf(before)).toEqual(['live', 'loop', 'news']);
  for (const id of ['live', 'loop']) {
    const { content, eventstart, eventend, streamcount } = streamOf(before, id)!;
    expect(content).toEqual({ id, title: id, live: id === 'live' ? 1 : 0, channel: { id, name: id } });
    expect(eventstart).toBeLessThanOrEqual(before.timestamp);
    expect(eventend).toBe(Math.floor(before.timestamp / HOUR) * HOUR + DAY);
    expect(streamcount).toEqual([{ sstreams: 0 }]);
  }
  const viewers = await Promise.all([stage.watch('news'), stage.watch('news', { opens: 'dash' })]);
  const player = await openGuided(stage, 'news', 'hls');
  const start = iso(stage.clock.now() + MINUTE);
  const entries = [
    { id: 'first', title: 'First', start, ...film },
    { id: 'second', after: 'first', ...film },
  ];
  await stage.api('PATCH', '/channels/news/schedule', { entries });
  let found = streamOf(before, 'news');
  await stage.until('three viewers of the first programme', async () => {
    await player.breaks();
    found = streamOf(await streams('region=2'), 'news');
    return found?.content.title === 'First' && found.streamcount[0]?.sstreams === 3;
  });
  const { eventstart, eventend, ...first } = found!;
  expect(first).toEqual({
    content: { id: 'news/first', title: 'First', live: 0, channel: { id: 'news', name: 'News 24' } },
    streamcount: [{ region: 2, sstreams: 3 }],
  });
  expect(eventend - eventstart).toBeCloseTo(70_000, -2);

  // What follows it is forecast until it starts, and counted under the same id from then on.
  const second = async () => (await forecast()).events.find(({ id }) => id === 'news/second');
  expect((await second())?.scheduledstart).toBe(eventend);
  await stage.clock.sleep(eventend - stage.clock.now());
  expect(streamOf(await streams(), 'news')).toMatchObject({ content: { id: 'news/second' }, eventstart: eventend });
  expect(await second()).toBeUndefined();
  await Promise.all(viewers.map((viewer) => viewer.leave()));
  expect(viewers.flatMap(({ faults }) => faults)).toEqual([]);
});

test('events of the future have their breaks, and viewers once an hour was counted', async () => {
  const { events } = await forecast('version=1.0.0&days=8&country=DEU');
  const own = shownOf(events, 'news');
  expect(own).toEqual(events);
  expect(own.length).toBeGreaterThan(350);
  const starts = own.map(({ scheduledstart }) => scheduledstart);
  expect(starts).toEqual([...starts].sort((a, b) => a - b));
  const special = own.find(({ content }) => content.series === 'Special');
  expect(special).toMatchObject({
    id: 'news/special',
    scheduledstart: expect.closeTo(nextHour, -2),
    content: { id: 'news/special', title: 'Part 2', season: '1' },
    eventstatus: 1,
    flexibleend: 0,
    inventoryconfig: { supportedmtype: [2], totaladdurationsec: 10, expectedpodcount: 1, unplanned: 0 },
  });
  const match = own.find(({ id }) => id === 'news/match');
  expect(match).toMatchObject({
    flexibleend: 1,
    content: { live: 1 },
    inventoryconfig: { supportedmtype: [2], unplanned: 1 },
  });

  await stage.clock.sleep(nextHour + 2 * MINUTE - stage.clock.now());
  const later = shownOf((await forecast('days=8&country=DEU')).events, 'news');
  expect(later.map(({ id }) => id)).not.toContain('news/special');
  const viewersBetween = (from: number, to: number) =>
    later.flatMap(({ scheduledstart: at, streamsdata }) => (at >= from && at < to ? streamsdata : []));
  const watched = { country: 'DEU', expectedpeak: 3, lowerbound: 3 };
  expect(viewersBetween(nextHour - HOUR + 7 * DAY, nextHour + 7 * DAY)).toContainEqual(watched);
  const others = viewersBetween(nextHour + HOUR, nextHour + 20 * HOUR);
  expect(new Set(others.map((one) => one?.expectedpeak))).toEqual(new Set([0]));
});

test('pages have each event once', async () => {
  const whole = (await forecast('days=2')).events.map(({ id }) => id);
  const paged: string[] = [];
  for (let path: string | undefined = 'days=2&limit=40'; path !== undefined; ) {
    const { events, link } = await forecast(path);
    expect(events.length).toBeLessThanOrEqual(40);
    paged.push(...events.map(({ id }) => id));
    path = link === null ? undefined : /^<\/leap\/forecast\?(.*)>; rel="next"$/.exec(link)?.[1];
  }
  expect(paged).toEqual(whole);
});

test('events are limited to the times of a query', async () => {
  const from = nextHour + 5 * HOUR;
  const { events } = await forecast(`scheduledstart=${from}&scheduledend=${iso(from + HOUR)}`);
  expect(events.length).toBeGreaterThanOrEqual(1);
  for (const { scheduledstart } of events) expect(Math.floor(scheduledstart / HOUR) * HOUR).toBe(from);
});

test('keys see their channels, by x-api-key or as a bearer token, and other tenants see nothing', async () => {
  const [labelled, named] = [await keyFor({ labels: ['partners'] }), await keyFor({ channels: ['live'] })];
  expect(channelsOf(await streams('', labelled))).toEqual(['news']);
  expect(channelsOf(await streams('', named))).toEqual(['live']);
  expect((await forecast('', labelled)).events.length).toBeGreaterThan(300);
  expect((await forecast('', named)).events).toEqual([]);
  const none = await Promise.all([read('forecast', {}), read('concurrent-streams', { authorization: 'Bearer wrong' })]);
  expect(none.map(({ status }) => status)).toEqual([401, 403]);
  // Other routes accept what they always have.
  expect((await fetch(`${stage.midroll.adminUrl}/api/v2/channels`, { headers: labelled })).status).toBe(401);

  const sql = await openSqlite(DATA_DIR);
  const [at, email] = [iso(stage.clock.now()), 'eve@example.com'];
  const key = issueKey({ tenant: 'globex', email }, email, at);
  const tenants = sqlTenants(sql, sqlSystems(sql, createSecretBox('a secret for tests')));
  await tenants.create({ name: 'globex', createdAt: at, createdBy: email }, ownSystem('globex', email, at), key);
  await sql.close();
  const other = { 'x-api-key': key.secret };
  for (const query of ['', 'sdp=globex'])
    expect((await streams(query, other)).streamsdata).toEqual([{ sdp: 'globex', mediastreams: [] }]);
  expect((await streams('sdp=default', other)).streamsdata).toEqual([]);
  for (const query of ['', 'fdp=default']) expect((await forecast(query, other)).events).toEqual([]);
});

test.each([
  ['concurrent-streams?version=2.0.0', '/version'],
  ['concurrent-streams?region=east', '/region'],
  ['forecast?country=DE', '/country'],
  ['forecast?days=15', '/days'],
  ['forecast?scheduledstart=tomorrow', '/scheduledstart'],
  ['forecast?cursor=news', '/cursor'],
])('rejects %s', async (path, field) => {
  const { status, json } = await read(path);
  expect([status, (json as { data: { dataPath: string }[] }).data.map(({ dataPath }) => dataPath)]).toEqual([
    422,
    [field],
  ]);
});
