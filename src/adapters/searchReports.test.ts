// The reports of a search domain hold the contract of every store of measurements, tell what the embedded store tells, and
// say in a sentence what is wrong with a domain. Against the tests' own server, or a real one: SEARCH_URL.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reportStoreContract } from '../../test/reportStoreContract.ts';
import { type SearchServer, startSearchServer } from '../../test/searchServer.ts';
import { binOf } from '../reports/bins.ts';
import { catalogue, type ReportName } from '../reports/catalogue.ts';
import type { Measurement, ReportStore } from '../reports/ports.ts';
import { makeReport } from '../reports/report.ts';
import type { System } from '../tenants/system.ts';
import { type Millis, millis } from '../time/units.ts';
import { createEgressGuard } from './egressGuard.ts';
import { createReportStores } from './reportStores.ts';
import { openSearchReports } from './searchReports.ts';
import { readSearchTarget } from './searchTarget.ts';
import { openSqlite } from './sql.ts';
import { reportRetention, sqlReports } from './sqlReports.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
const noon = Date.parse('2026-03-02T12:00:00Z');
const isReal = process.env.SEARCH_URL !== undefined;
const guard = createEgressGuard({ allow: ['127.0.0.0/8', '::1', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'] });
let server: SearchServer;
beforeAll(async () => {
  server = await startSearchServer();
});
afterAll(async () => {
  await Promise.all([server.close(), guard.close()]);
});

const warned: string[] = [];
let lastSettings: Record<string, string> = {};
/** A store in an index of its own, unless the settings name one. */
function open(changes: Record<string, string> = {}, dispatcher = guard): ReportStore {
  lastSettings = { ...server.settings(), ...changes };
  const reading = readSearchTarget({ type: 'ssai', settings: lastSettings });
  if (reading.kind !== 'target') throw new Error(JSON.stringify(reading));
  const warn = (message: string, facts: object) => void warned.push(`${message} ${JSON.stringify(facts)}`);
  return openSearchReports(reading.target, { dispatcher, warn, pauseMs: 1, restMs: 0, timeoutMs: 3000 });
}

describe('the contract', () => {
  let store: ReportStore;
  beforeAll(() => {
    store = open();
  });
  reportStoreContract({
    noon,
    store: () => ({
      ...store,
      add: async (batch) => {
        await store.add(batch);
        await server.refresh();
      },
    }),
  });
});

/** The same numbers every time. */
function dice(seed: number) {
  let state = seed;
  return (sides: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

describe('beside the embedded store', () => {
  const system = randomUUID();
  const start = noon - 3 * HOUR - 20_000;
  const channels = ['one', 'two', 'three'];
  const [reason] = Object.keys({ BREAK_FULL: 0 });
  const roll = dice(7);
  const pick = <Item>(items: readonly Item[]): Item => items[roll(items.length)]!;

  function anything(): Measurement {
    const at = millis(start + 10_000 * roll(3 * 360));
    const channel = pick(channels);
    const bins = Object.fromEntries(Array.from({ length: 3 }, () => [binOf(1 + roll(5000)), 1 + roll(9)]));
    const of = (report: ReportName, keys: Measurement['keys'], amounts: Measurement['amounts'], timed = false) => ({
      ...{ report, channel, at, keys, amounts },
      ...(timed ? { bins } : {}),
    });
    return pick([
      () => of('viewers', {}, { watching: 1 + roll(50) }),
      () => of('viewers', {}, { sessionsStarted: 1 }),
      () => of('requests', {}, { hls: roll(90), dash: roll(30), errors: roll(2) }, true),
      () => of('breaks', {}, { breaks: 1, offeredMs: roll(60_000), filledMs: roll(9000), slateMs: roll(900) }),
      () => of('ad-requests', { adServer: pick(['ads.one:443', 'ads.two']) }, { sent: 1, answered: roll(2) }, true),
      () => of('ads', { creative: pick(['red', 'blue']) }, { decided: 1, started: roll(2) }),
      () => of('skips', { creative: pick(['red', 'blue']), reason: reason! }, { total: 1, [reason!]: 1 }),
      () => of('beacons', { host: pick(['b.one', 'b.two']) }, { sent: 3, retried: roll(2) }),
      () => of('creatives', {}, { waiting: roll(4) }),
    ])();
  }

  test('every report of the same events is the same: at 10 s, a minute, 7 minutes, an hour, told apart or not', async () => {
    const sql = await openSqlite(':memory:');
    const embedded = sqlReports(sql, reportRetention());
    const search = open();
    for (let batch = 0; batch < 20; batch += 1) {
      const measurements = Array.from({ length: 100 }, anything);
      await Promise.all(
        [embedded, search].map((store) => store.add({ id: `${system}/${batch}`, system, measurements })),
      );
    }
    await server.refresh();
    const now = millis(noon);
    const range = { start: millis(start), end: millis(start + 3 * HOUR) };
    let filled = 0;
    for (const report of Object.keys(catalogue) as ReportName[]) {
      for (const interval of [10_000, MINUTE, 7 * MINUTE, HOUR]) {
        for (const by of [undefined, ...catalogue[report].by]) {
          for (const channel of interval === MINUTE && report !== 'storage' ? [undefined, 'two'] : [undefined]) {
            const asked = { report, ...range, interval, ...(by ? { by } : {}), ...(channel ? { channel } : {}) };
            const [ours, theirs] = await Promise.all(
              [embedded, search].map((store) => makeReport(system, asked, store, now)),
            );
            const what = `${report} ${interval} ${by} ${channel}`;
            expect(theirs!.totals, what).toEqual(ours!.totals);
            expect(new Set(theirs!.rows.map((row) => JSON.stringify(row))), what).toEqual(
              new Set(ours!.rows.map((row) => JSON.stringify(row))),
            );
            filled += Object.values(ours!.totals).filter((value) => value > 0).length;
          }
        }
      }
    }
    expect(filled).toBeGreaterThan(300);
    await sql.close();
  }, 60_000);
});

const watching = (at: number, viewers: number): Measurement => ({
  ...{ report: 'viewers', channel: 'one', at: millis(at), keys: {}, amounts: { watching: viewers } },
});
const sumOf = async (store: ReportStore, system: string, from: number, to: number): Promise<number> => {
  await server.refresh();
  const question = {
    system,
    report: 'viewers',
    start: from as Millis,
    end: to as Millis,
    interval: to - from,
  } as const;
  return (await store.read(question, 10)).reduce((sum, { amounts }) => sum + amounts.watching!, 0);
};

test('more than a page of rows, over midnight, in one report', async () => {
  const store = open();
  const system = randomUUID();
  const from = noon + 11 * HOUR;
  const measurements = Array.from({ length: 6000 }, (_, index) => watching(from + index * 10_000, 1 + (index % 3)));
  await store.add({ id: system, system, measurements });
  await server.refresh();
  const question = { system, report: 'viewers', start: from as Millis, end: (from + 60_000_000) as Millis } as const;
  const cells = await store.read({ ...question, interval: 10_000 }, 11_000);
  expect(cells.map(({ row, amounts: { watching: viewers } }) => [row, viewers])).toEqual(
    measurements.map(({ amounts }, row) => [row, amounts.watching]),
  );
  expect((await store.read({ ...question, interval: 10_000 }, 100)).length).toBeGreaterThan(100);
});

describe('peaks', () => {
  const from = Date.parse('2026-01-05T00:00:00Z');
  const peaksOf = async (store: ReportStore, system: string, start: number, end: number, rest: object = {}) => {
    await server.refresh();
    const question = {
      system,
      report: 'viewers',
      start: millis(start),
      end: millis(end),
      interval: end - start,
    } as const;
    return (await store.read({ ...question, ...rest }, 1000)).map(({ key, peaks }) => [key, peaks.watching]);
  };

  test('of weeks are read in a few questions, and are those of every stretch', async () => {
    const [store, system] = [open(), randomUUID()];
    const hours = 24 * 7;
    const measurements = Array.from({ length: hours }, (_, hour) => [
      watching(from + hour * HOUR + 50_000, 1 + ((hour * 7) % 101)),
      { ...watching(from + hour * HOUR + 50_000, 2), channel: 'two' },
    ]).flat();
    await store.add({ id: system, system, measurements });
    const end = from + hours * HOUR;
    const before = server.searches();
    expect(await peaksOf(store, system, from, end)).toEqual([['', 103]]);
    if (!isReal) expect(server.searches() - before).toBeLessThan(5);
    expect(await peaksOf(store, system, from, end, { by: 'channel' })).toEqual([
      ['one', 101],
      ['two', 2],
    ]);
    expect(await peaksOf(store, system, from + 60_000, end, { channel: 'two', interval: 5 * HOUR })).toHaveLength(34);
    // What comes late counts, in whichever process it comes.
    await open(lastSettings).add({ id: `${system}/late`, system, measurements: [watching(from + 50_000, 500)] });
    expect(await peaksOf(store, system, from + 10_000, end)).toEqual([['', 503]]);
    expect(await peaksOf(store, system, from + 60_000, end)).toEqual([['', 103]]);
  });

  test('of an hour that many bring to at once are the sum of all', async () => {
    const system = randomUUID();
    const stores = [open(), open(lastSettings), open(lastSettings)];
    const bring = (store: ReportStore, number: number) =>
      Promise.all(
        [0, 1, 2, 3].map((batch) =>
          store.add({
            id: `${system}/${number}/${batch}`,
            system,
            measurements: [watching(from, 1), watching(from + HOUR, 2)],
          }),
        ),
      );
    await Promise.all(stores.map(bring));
    expect(await peaksOf(stores[0]!, system, from, from + HOUR)).toEqual([['', 12]]);
    expect(await peaksOf(stores[1]!, system, from, from + 2 * HOUR)).toEqual([['', 24]]);
  });
});

test('an index that is not there yet is empty', async () => {
  expect(await sumOf(open(), 'nobody', noon, noon + HOUR)).toBe(0);
});

describe.skipIf(isReal)('a domain in trouble', () => {
  beforeEach(() => {
    server.troubles.length = 0;
    warned.length = 0;
  });
  const bulk = /^\/_bulk/;
  const batchOf = (system: string, count = 5) => ({
    id: system,
    system,
    measurements: Array.from({ length: count }, (_, index) => watching(noon + index * 10_000, 1)),
  });

  test('what it has no room for comes again, and nothing is counted twice', async () => {
    const [store, system] = [open(), randomUUID()];
    await store.add(batchOf(`${system}-first`));
    server.troubles.push({ turnedAway: 3, status: 429 }, { turnedAway: 1, status: 503 });
    await store.add(batchOf(system));
    expect(await sumOf(store, system, noon, noon + HOUR)).toBe(5);
  });

  test('an answer that is lost is no reason to count again', async () => {
    const [store, system] = [open(), randomUUID()];
    await store.add(batchOf(`${system}-first`));
    server.troubles.push({ doneBut: 'silent' });
    await expect(store.add(batchOf(system))).rejects.toThrow('The search domain of this system closed the connection');
    await store.add(batchOf(system));
    expect(warned).toEqual([]);
    expect(await sumOf(store, system, noon, noon + HOUR)).toBe(5);
  });

  test('what is too large for one request goes in several', async () => {
    const [store, system] = [open(), randomUUID()];
    await store.add(batchOf(`${system}-first`));
    server.asked.length = 0;
    server.troubles.push({ status: 413, body: {}, onlyOn: bulk });
    await store.add(batchOf(system, 5000));
    expect(server.asked.length).toBeGreaterThan(3);
    expect(Math.max(...server.asked.map((body) => body.length))).toBeLessThan(4.2 * 2 ** 20);
    expect(await sumOf(store, system, noon, noon + 24 * HOUR)).toBe(5000);
  });

  test('one document that it will never take does not hold up the others, and is told of', async () => {
    const [store, system] = [open(), randomUUID()];
    const { measurements, ...batch } = batchOf(system);
    const odd = { ...watching(noon, 1), amounts: { watching: 1.5 } };
    await store.add({ ...batch, measurements: [odd, ...measurements] });
    expect(await sumOf(store, system, noon, noon + HOUR)).toBe(5);
    expect(warned).toEqual([expect.stringMatching(/refused documents for good .*"count":1.*mapper_parsing_exception/)]);
  });

  test.each([
    ['is away', { away: true }, 'closed the connection before its answer was complete'],
    ['has too much to do', { status: 429, body: {} }, 'answered 429: it has too much to do'],
    ['is broken', { status: 500, body: { error: { type: 'x_exception' } } }, 'answered 500 (x_exception)'],
    [
      'does not let us in',
      { status: 403, body: { error: { type: 'security_exception' } } },
      'answered 403 (security_exception): searchUser may not',
    ],
  ] as const)('one that %s is named as the reason, and is asked again later', async (_, trouble, words) => {
    const [store, system] = [open(), randomUUID()];
    server.troubles.push(trouble, trouble);
    await expect(store.add(batchOf(system))).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining(`The search domain of this system ${words}`),
    });
    server.troubles.length = 0;
    await store.add(batchOf(system));
    server.troubles.push(trouble, trouble);
    const question = {
      system,
      report: 'viewers',
      start: millis(noon),
      end: millis(noon + HOUR),
      interval: HOUR,
    } as const;
    await expect(store.read(question, 10)).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining(words),
    });
    server.troubles.length = 0;
    expect(await sumOf(store, system, noon, noon + HOUR)).toBe(5);
  });

  test('each system has one store; how a domain does is known, and it is left alone for a moment when it is away', async () => {
    const sql = await openSqlite(':memory:');
    const own = sqlReports(sql, reportRetention());
    const stores = createReportStores(own, { dispatcher: guard, warn: () => {}, pauseMs: 1, restMs: 60_000 });
    const systemWith = (settings: Record<string, string>) => ({ type: 'ssai', settings }) as unknown as System;
    expect(stores(systemWith({}))).toBe(own);
    expect(stores.stateOf(systemWith({}))).toBeUndefined();
    const wrong = systemWith({ searchDomain: 'a b' });
    expect(() => stores(wrong)).toThrow(/cannot be asked: searchDomain must be /);
    expect(stores.stateOf(wrong)).toMatchObject({ state: 'failing' });
    const right = systemWith(server.settings());
    expect(stores.stateOf(right)).toMatchObject({ state: 'unused' });
    expect(stores(right)).toBe(stores({ ...right }));
    await stores(right).add(batchOf(randomUUID()));
    expect(stores.stateOf(right)).toEqual({ state: 'working' });
    server.troubles.push({ away: true });
    await expect(stores(right).add(batchOf(randomUUID()))).rejects.toThrow('closed the connection');
    expect(stores.stateOf(right)).toMatchObject({ state: 'failing', stateReason: expect.stringContaining('closed') });
    const asked = server.asked.length;
    await expect(stores(right).add(batchOf(randomUUID()))).rejects.toThrow('closed the connection');
    expect(server.asked).toHaveLength(asked);
    await sql.close();
  });

  test.each([
    [
      'a wrong password',
      { searchPassword: 'wrong secret' },
      'answered 401 (security_exception): it does not accept searchUser and searchPassword',
    ],
    ['a host that is not there', { searchDomain: 'http://127.0.0.1:1' }, 'refused the connection'],
    ['a name that is none', { searchDomain: 'https://search.invalid' }, 'has a host name that does not exist'],
    ['an address within', { searchDomain: 'http://169.254.1.1:9200' }, 'EGRESS_ALLOW'],
    ['TLS where there is none', { searchDomain: 'https' }, 'TLS'],
  ] as [string, Record<string, string>, string][])('%s is told without secrets', async (_, changes, words) => {
    const settings =
      changes.searchDomain === 'https'
        ? { searchDomain: server.settings().searchDomain.replace('http:', 'https:') }
        : changes;
    const store = open(settings);
    const error = await store.add(batchOf(randomUUID())).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ status: 503, message: expect.stringContaining(words) });
    for (const secret of ['wrong secret', server.settings().searchPassword!])
      expect(String(error)).not.toContain(secret);
  });
});
