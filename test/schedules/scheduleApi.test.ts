// SPDX-License-Identifier: Apache-2.0
// The schedules of linear channels, on both stores: what is refused and why, ranges, patches, two editors, and undoing.
import { beforeAll, expect, test } from 'vitest';
import { expectError } from '../admin/expectError.ts';
import { onBothStores } from '../admin/onBothStores.ts';
import { naming } from '../naming.ts';

const DAY = Date.parse('2027-01-04T00:00:00Z');
const at = (hour: number): string => new Date(DAY + hour * 3_600_000).toISOString();
const source = { url: 'https://media.test/film.m3u8' };
const entry = (id: string, hour?: number, more: object = {}) => ({
  id,
  source,
  duration: 1800,
  ...(hour === undefined ? {} : { start: at(hour) }),
  ...more,
});
type Listed = { readonly entries: readonly { readonly id: string }[] };
const idsOf = ({ entries }: Listed): string => entries.map(({ id }) => id).join(' ');

onBothStores(({ call, other }) => {
  const schedule = (method: string, body?: unknown, path = '', headers?: Record<string, string>) =>
    call(method, `/api/v2/channels/line/schedule${path}`, body, headers);
  beforeAll(async () => {
    await call('POST', '/api/v2/channels', { id: 'line' });
    await call('POST', '/api/v2/channels', { id: 'film', type: 'vod' });
  });

  test('faults name the field, what was wanted, and what came', async () => {
    const faultsOf = async (body: unknown) => {
      const response = await schedule('PUT', body);
      expectError(response, 422, 'VALIDATION_ERROR');
      return response.json.data.map(({ dataPath, message }: Record<string, string>) => `${dataPath} ${message}`);
    };
    expect(await faultsOf({})).toEqual([naming('entries')]);
    expect(await faultsOf({ entries: 'all' })).toEqual([naming('/entries', 'array')]);
    expect(await faultsOf({ entries: [{ id: 'a' }] })).toEqual([naming('source')]);
    expect(await faultsOf({ entries: [entry('a', 1, { start: 'tomorrow' })] })).toEqual([
      naming('/entries/0/start', 'ISO 8601', 'tomorrow'),
    ]);
    expect(await faultsOf({ entries: [entry('a'), entry('a')] })).toEqual([naming('/entries/1/id', 'unique')]);
    expect(await faultsOf({ entries: [entry('a', 1, { source: { ...source, in: 9, out: 3 } })] })).toEqual([
      naming('/entries/0/source/out', '9', '3'),
    ]);
    expect(await faultsOf({ entries: [entry('a', 1, { breaks: { every: 0 } })] })).not.toEqual([]);
    const upids = [
      { type: 'eidr', value: '10.5240/7791' },
      { type: 'isan', value: 'x' },
      { type: 'uri', value: 'u:'.repeat(101) },
    ];
    expect(await faultsOf({ entries: upids.map((upid, index) => entry(`${index}`, index, { upid })) })).toEqual([
      naming('/entries/1/upid/type', 'eidr', 'isan'),
      naming('/entries/2/upid/value', '200', 'u:'),
      naming('/entries/0/upid/value', 'EIDR', '10.5240/7791'),
    ]);
    const rule = { id: 'r', at: '25:00', timeZone: 'Mars/Base', entries: [{ id: 'a', source }] };
    expect(await faultsOf({ entries: [], rules: [rule] })).toEqual(
      expect.arrayContaining([naming('/rules/0/at'), naming('/rules/0/timeZone', 'Mars/Base')]),
    );
    const entries = Array.from({ length: 200 }, (_, index) => ({ id: `${index}`, source }));
    const rules = Array.from({ length: 11 }, (_, index) => ({ id: `r${index}`, at: '06:00', entries }));
    expect(await faultsOf({ entries: [], rules })).toEqual([naming('/rules', '2000', '2200')]);
    expectError(await schedule('GET'), 404, 'NOT_FOUND');
    expectError(await call('PUT', '/api/v2/channels/film/schedule', { entries: [] }), 409, 'CONFLICT');
    expectError(await call('PUT', '/api/v2/channels/none/schedule', { entries: [] }), 404, 'NOT_FOUND');
    expectError(await other('GET', '/api/v2/channels/line/schedule'), 404, 'NOT_FOUND');
    expectError(await schedule('PUT', { entries: [] }, '', { 'if-match': '"x.1"' }), 412, 'PRECONDITION_FAILED');
  });

  test('a range is replaced, entries are changed one by one, and a change is undone', async () => {
    const put = await schedule('PUT', {
      entries: [entry('one', 1), entry('two'), entry('three', 3), entry('four'), entry('five', 5)],
      breaks: { every: 600 },
    });
    expect([put.status, idsOf(put.json)]).toEqual([200, 'one two three four five']);
    const range = await schedule('PUT', { entries: [entry('new', 3.5)] }, `?from=${at(3)}&to=${at(5)}`);
    expect(range.json).toMatchObject({ entries: [{ id: 'new' }] });
    const whole = await schedule('GET');
    expect([idsOf(whole.json), whole.json.breaks]).toEqual(['one two new five', { every: 600 }]);
    expect(idsOf((await schedule('GET', undefined, `?from=${at(2)}&to=${at(4)}`)).json)).toBe('new');

    const undone = await schedule('POST', undefined, '/undo');
    expect(idsOf(undone.json)).toBe('one two three four five');
    const again = await schedule('POST', undefined, '/undo');
    expect(idsOf(again.json)).toBe('one two new five');

    const patched = await schedule('PATCH', {
      entries: [
        { id: 'five', start: at(0), title: 'First' },
        { id: 'two', duration: null },
        { id: 'six', source, after: 'one' },
      ],
      breaks: null,
    });
    expect([patched.status, idsOf(patched.json)]).toEqual([200, 'five one six two new']);
    expect(patched.json.entries[0]).toEqual({ ...entry('five', 0), title: 'First' });
    expect(patched.json).not.toHaveProperty('breaks');
    const faulty = await schedule('PATCH', {
      entries: [{ id: 'one', title: 'x' }, { id: 'two', start: 'soon' }, { id: 'nine' }],
    });
    expectError(faulty, 422, 'VALIDATION_ERROR');
    expect(faulty.json.data.map(({ dataPath }: { dataPath: string }) => dataPath)).toEqual(['/entries/1/start']);
    expect(idsOf((await schedule('GET')).json)).toBe('five one six two new');
  });

  test('two editors do not undo each other', async () => {
    await schedule('PUT', { entries: [entry('base', 1)] });
    const { headers } = await schedule('GET');
    const ifMatch = { 'if-match': String(headers.etag) };
    const [mine, theirs] = await Promise.all([
      schedule('PATCH', { entries: [entry('mine', 2)] }, '', ifMatch),
      schedule('PATCH', { entries: [entry('theirs', 3)] }, '', ifMatch),
    ]);
    expect([mine.status, theirs.status].sort()).toEqual([200, 412]);
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, index) => schedule('PATCH', { entries: [entry(`e${index}`, 4 + index)] })),
    );
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect((await schedule('GET')).json.entries).toHaveLength(10);
  });

  test('a dry run stores nothing, and returns a timeline with every warning', async () => {
    await schedule('PUT', { entries: [] });
    const dry = await schedule('PUT', { entries: [entry('one', 1)] }, `?dryRun=true&from=${at(0)}&to=${at(2)}`);
    expect(dry.json).toMatchObject({ from: at(0), to: at(2), timeline: expect.any(Array) });
    expect((await schedule('GET')).json.entries).toEqual([]);
    const timeline = await schedule('GET', undefined, `/timeline?from=${at(0)}&to=${at(2)}`);
    expect([timeline.status, timeline.json.warnings]).toEqual([200, []]);
  });
});
