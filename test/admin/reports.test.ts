// SPDX-License-Identifier: Apache-2.0
// The report routes: valid and invalid queries, JSON and CSV.
import { beforeAll, expect, test } from 'vitest';
import type { FieldError } from '../../src/errors.ts';
import { catalogue, type ReportName } from '../../src/platform/reports/rules/catalogue.ts';
import type { Measurement, ReportStore } from '../../src/platform/reports/rules/ports.ts';
import { makeReport } from '../../src/platform/reports/rules/query/report.ts';
import { reportNames } from '../../src/platform/systems/rules/system.ts';
import { millis } from '../../src/time/units.ts';
import { opened } from '../opened.ts';
import { startAdmin } from '../servers/adminServer.ts';
import { clientOf } from './client.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const now = Date.parse('2026-03-02T12:34:56.789Z');
const createdAt = now - 30 * DAY;
let own: string;
let cloud: string;
const admin = await opened(startAdmin({ now: () => millis(now) }));
const call = clientOf(admin.app, admin.key);
beforeAll(async () => {
  const created = { created_at: new Date(createdAt).toISOString() };
  await admin.store.db.updateTable('tenants').set(created).execute();
  own = (await call('GET', '/api/v2/systems')).json[0].id;
  cloud = (await call('POST', '/api/v2/systems', { name: 'far', type: 'cloud-media-services' })).json.id;
  const skip = (creative: string, minutesAgo: number): Measurement => {
    const at = now - minutesAgo * MINUTE;
    const keys = { creative, reason: 'BREAK_FULL' };
    const amounts = { total: 1, BREAK_FULL: 1 };
    return { report: 'skips', channel: 'one', at: millis(at - (at % 10_000)), keys, amounts };
  };
  const store = admin.deps.reportStore((await admin.deps.systems.find('acme', own))!);
  const creatives = ['red', '=cmd("x"), "y"', 'red'];
  await store.add({
    id: 'a',
    system: `acme/${own}`,
    measurements: creatives.map((name, index) => skip(name, 5 + 60 * index)),
  });
});

const read = (report: string, query = '', headers = {}, system = own) =>
  call('GET', `/api/v2/systems/${system}/reports/${report}${query}`, undefined, headers);

test('every listed report exists with all its fields, and an empty one contains zeros', async () => {
  for (const [system, type] of [
    [own, 'ssai'],
    [cloud, 'cloud-media-services'],
  ] as const) {
    const { json: names } = await call('GET', `/api/v2/systems/${system}/reports`);
    expect(names).toEqual(reportNames[type]);
    for (const name of names as ReportName[]) {
      const { status, json } = await read(name, '?start=1000000000&end=1000003600&interval=600000', {}, system);
      expect([name, status, json.system, json.report]).toEqual([name, 200, system, name]);
      // Fields of money exist for the currencies that were counted.
      const counted = catalogue[name].fields.filter(({ formula }) => formula.kind !== 'money');
      const fields = counted.map((field) => field.name);
      expect(json.fields.map((field: { name: string }) => field.name)).toEqual(fields);
      for (const { unit, description } of json.fields) expect(`${unit}${description}`.length).toBeGreaterThan(10);
      const zeros = Object.fromEntries(fields.map((field) => [field, 0]));
      expect(json.totals).toEqual(zeros);
      expect(json.rows[0]).toEqual({ time: json.start, ...zeros });
    }
  }
});

test('rows before the tenant existed are named in JSON, and left out of CSV', async () => {
  const range = `?start=${createdAt - 3 * DAY}&end=${createdAt + 2 * DAY}&interval=${DAY}`;
  const { json } = await read('skips', range);
  expect(json).toMatchObject({ since: new Date(createdAt).toISOString() });
  expect(json.rows).toHaveLength(6);
  const [head, ...lines] = (await read('skips', range, { accept: 'text/csv' })).text.trim().split('\r\n');
  expect(head).toMatch(/^time,/);
  const times = lines.map((line) => line.split(',')[0]);
  // The first row contains the beginning.
  expect(times).toEqual(json.rows.map(({ time }: { time: string }) => time).slice(3));
  const before = await read('skips', `?start=${createdAt - 3 * DAY}&end=${createdAt - DAY}`, { accept: 'text/csv' });
  expect([before.status, before.text.trim().split('\r\n')]).toEqual([200, [head]]);
});

test('the default range is the last 24 hours, in at most 300 rows', async () => {
  const { json } = await read('skips');
  // Rounded to report intervals of 10 s.
  expect(json).toMatchObject({ start: '2026-03-01T12:35:00.000Z', end: '2026-03-02T12:35:00.000Z', interval: 290_000 });
  expect(json.rows).toHaveLength(298);
  expect(json.totals).toMatchObject({ total: 3, BREAK_FULL: 3, NOT_LINEAR: 0 });
  expect(json.rows.reduce((sum: number, row: { total: number }) => sum + row.total, 0)).toBe(3);
});

test('accepts seconds and milliseconds, days of any time zone, and intervals that do not divide the range', async () => {
  const from = Date.parse('2026-03-02T00:00:00+05:30');
  const inSeconds = (await read('skips', `?start=${from / 1000}&end=${now / 1000}&interval=${HOUR}`)).json;
  const inMillis = (await read('skips', `?start=${from}&end=${now}&interval=${HOUR}`)).json;
  expect(inMillis).toEqual(inSeconds);
  expect(inMillis.start).toBe('2026-03-01T18:30:00.000Z');
  const times = inMillis.rows.map(({ time }: { time: string }) => Date.parse(time));
  expect(times).toEqual(Array.from({ length: 19 }, (_, hour) => from + hour * HOUR));
  const { json } = await read('skips', `?start=${from}&end=${from + DAY}&interval=${7 * MINUTE}`);
  expect(json.rows).toHaveLength(Math.ceil(DAY / (7 * MINUTE)));
  expect((await read('skips', '?interval=1000')).json.interval).toBe(10_000);
  expect((await read('skips', '?interval=10001')).json.interval).toBe(20_000);
  const old = (await read('skips', `?start=${now - 20 * DAY}&end=${now}&interval=${90_000}`)).status;
  expect(old).toBe(422);
  const minutes = (await read('skips', `?start=${now - 2 * DAY}&end=${now}&interval=90000`)).json;
  expect([minutes.interval, minutes.start]).toEqual([120_000, '2026-02-28T12:34:00.000Z']);
  const hours = (await read('skips', `?start=${now - 100 * DAY}&end=${now}&interval=90000`)).json;
  expect([hours.interval, hours.start]).toEqual([HOUR, '2025-11-22T12:00:00.000Z']);
});

test('a range that ends in the far future does not query beyond tomorrow', async () => {
  const store = admin.deps.reportStore((await admin.deps.systems.find('acme', own))!);
  const ends: number[] = [];
  const watched: ReportStore = {
    ...store,
    read: (question, most) => {
      ends.push(question.end);
      return store.read(question, most);
    },
  };
  const report = (start: number, end: number) => {
    const query = { report: 'skips', start: millis(start), end: millis(end), by: 'channel' } as const;
    return makeReport(`acme/${own}`, query, watched, millis(now));
  };
  const { rows, totals, end } = await report(now - DAY, 1e15);
  expect([rows.length, totals.total, end]).toEqual([300, 3, 1e15]);
  expect((await report(1e14, 1e15)).totals.total).toBe(0);
  expect(Math.max(...ends.slice(0, 2))).toBeLessThan(now + 2 * DAY);
  expect(Math.max(...ends)).toBeLessThan(1e14 + DAY);
});

test('returns rows for each value of a dimension of the report', async () => {
  const { json } = await read('skips', `?interval=${DAY}&by=creative`);
  const counts = Object.fromEntries(json.rows.map((row: { key: string; total: number }) => [row.key, row.total]));
  expect(counts).toEqual({ red: 2, '=cmd("x"), "y"': 1 });
  expect((await read('skips', `?interval=${DAY}&by=reason`)).json.rows).toMatchObject([
    { key: 'BREAK_FULL', total: 3 },
  ]);
  expect((await read('skips', '?by=channel&channel=two')).json.rows).toEqual([]);
  expect((await read('skips', '?channel=two')).json.totals.total).toBe(0);
});

test('returns CSV if the client prefers it', async () => {
  const csv = await read('skips', `?interval=${DAY}&by=creative`, { accept: 'text/csv' });
  expect(csv.headers['content-type']).toMatch(/^text\/csv; charset=utf-8/);
  const [head, ...lines] = csv.text.split('\r\n');
  expect(head).toBe(`time,key,${catalogue.skips.fields.map(({ name }) => name).join(',')}`);
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^2026-03-01T12:35:00\.000Z,"'=cmd\(""x""\), ""y""",1,0,/);
  const preferred = { accept: 'text/csv;q=0.5, application/json' };
  expect((await read('skips', '', preferred)).headers['content-type']).toMatch(/json/);
});

/** The query, the fault (undefined if no single field is invalid), and the values that the message must contain. */
test.each([
  ['start after end', '?start=2000000000&end=1000000000', 'range /end', ['2033-', '2001-']],
  ['a time that is not a number', '?start=now', 'type /start', ['"now"']],
  ['a negative time', '?start=-5', 'minimum /start', ['0', '-5']],
  ['a repeated time', '?start=1&start=2', 'repeated /start', ['2']],
  ['an interval below a second', '?interval=999', 'minimum /interval', ['1000', '999']],
  ['an interval with a unit', '?interval=1h', 'type /interval', ['"1h"']],
  ['too many rows', '?start=1&end=1000000000&interval=1000', undefined, ['277778', '11000', '93600000']],
  ['an unknown dimension', '?by=colour', 'enum /by', ['"channel"', '"colour"']],
  ['a dimension of other reports', '?by=host', 'by /by', ['"host"', 'channel, reason, creative']],
  ['an invalid channel', '?channel=%00', 'pattern /channel', []],
] as const)('%s is rejected with a hint', async (_, query, fault, values) => {
  const { status, json } = await read('skips', query);
  expect([status, json.type]).toEqual([422, 'VALIDATION_ERROR']);
  const faults = json.data?.map(({ keyword, dataPath }: FieldError) => `${keyword} ${dataPath}`);
  expect(faults).toEqual(fault && [fault]);
  for (const value of [...(fault ? [json.data[0].dataPath.slice(1)] : []), ...values])
    expect(json.message).toContain(value);
});

test('too many keys are rejected with a hint', async () => {
  const measurements = Array.from({ length: 60 }, (_, index): Measurement => {
    const keys = { creative: `creative ${index}` };
    return { report: 'ads', channel: 'one', at: millis(now - (now % 10_000)), keys, amounts: { decided: 1 } };
  });
  const store = admin.deps.reportStore((await admin.deps.systems.find('acme', own))!);
  await store.add({ id: 'many', system: `acme/${own}`, measurements });
  const { status, json } = await read('ads', '?by=creative');
  expect([status, json.type]).toEqual([422, 'VALIDATION_ERROR']);
  for (const value of ['298', 'creative', '60', '183']) expect(json.message).toContain(value);
  expect((await read('ads', `?by=creative&interval=${HOUR}`)).json.rows).toHaveLength(60 * 24);
});

test('a system with the same id of another tenant has separate reports', async () => {
  const twin = { id: own, name: 'twin', type: 'ssai' };
  const globex = clientOf(admin.app, admin.otherKey);
  expect((await globex('POST', '/api/v2/systems', twin)).status).toBe(201);
  const { status, json } = await globex('GET', `/api/v2/systems/${own}/reports/skips`);
  expect([status, json.totals.total]).toEqual([200, 0]);
});

test('unknown reports, reports of another type and systems of another tenant are a 404', async () => {
  const theirs = (await clientOf(admin.app, admin.otherKey)('GET', '/api/v2/systems')).json.at(-1).id;
  for (const [report, system, ...values] of [
    ['viewer', own, '"viewer"', 'ssai', 'viewers, requests'],
    ['storage', own, '"storage"'],
    ['viewers', cloud, '"viewers"', 'cloud-media-services', 'storage, creatives'],
    ['toString', own, '"toString"'],
    ['viewers', theirs, `"${theirs}"`],
    ['viewers', 'x', '"x"'],
  ] as const) {
    const { status, json } = await read(report, '', {}, system);
    expect([status, json.type]).toEqual([404, 'NOT_FOUND']);
    for (const value of values) expect(json.message).toContain(value);
  }
  expect((await clientOf(admin.app)('GET', `/api/v2/systems/${own}/reports/viewers`)).status).toBe(401);
  const storage = await read('storage', '?channel=one', {}, cloud);
  expect([storage.status, storage.json.data]).toMatchObject([422, [{ keyword: 'channel', dataPath: '/channel' }]]);
});

test('a report by label counts the channels that have it now', async () => {
  await call('POST', '/api/v2/channels', { id: 'one', labels: ['Sports'] });
  await call('POST', '/api/v2/channels', { id: 'two', labels: ['News'] });
  const total = async (query: string) => {
    const { status, json } = await read('skips', query);
    return status === 200 ? json.totals.total : [status, json.data[0].dataPath];
  };
  expect(await total('')).toBe(3);
  expect(await total('?label=sports')).toBe(3);
  expect(await total('?label=news&label=sports&by=channel')).toBe(3);
  expect(await total('?label=news')).toBe(0);
  expect(await total('?label=unused')).toBe(0);
  expect(await total('?label=')).toBe(3);
  expect(await total('?label=news&channel=one')).toEqual([422, '/label']);
  const storage = await read('storage', '?label=news', {}, cloud);
  expect([storage.status, storage.json.data[0].dataPath]).toEqual([422, '/label']);
});

test('revenue is shown by currency, and only with the scope manage', async () => {
  const at = millis(now - (now % 10_000));
  const store = admin.deps.reportStore((await admin.deps.systems.find('acme', own))!);
  const paid = (source: string, amounts: Measurement['amounts']): Measurement => {
    return { report: 'ad-sources', channel: 'one', at, keys: { source }, amounts };
  };
  const measurements = [
    paid('partner', { started: 3, priced: 3, revenueEUR: 7_500_000 }),
    paid('exchange', { started: 2, priced: 1, revenueUSD: 2_000_000 }),
  ];
  await store.add({ id: 'paid', system: `acme/${own}`, measurements });
  const { json } = await read('ad-sources', `?interval=${DAY}&by=source`);
  expect(json.totals).toMatchObject({ started: 5, priced: 4, revenueEUR: 0.0075, revenueUSD: 0.002 });
  expect(json.fields).toContainEqual(expect.objectContaining({ name: 'revenueEUR', unit: 'EUR' }));
  expect(json.rows).toMatchObject([
    { key: 'exchange', revenueEUR: 0, revenueUSD: 0.002 },
    { key: 'partner', revenueEUR: 0.0075, revenueUSD: 0 },
  ]);
  const { key } = (await call('POST', '/api/v2/keys', { scope: 'operate' })).json;
  const operator = clientOf(admin.app, key);
  const path = `/api/v2/systems/${own}/reports/ad-sources`;
  const shown = (await operator('GET', path)).json;
  expect(shown.totals).toMatchObject({ started: 5, priced: 4 });
  expect(JSON.stringify(shown)).not.toContain('revenue');
  expect((await operator('GET', path, undefined, { accept: 'text/csv' })).text).not.toContain('revenue');
});
