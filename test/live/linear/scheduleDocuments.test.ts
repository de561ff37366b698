// SPDX-License-Identifier: Apache-2.0
// Schedules imported and exported over HTTP: every form, faulty and hostile documents, two editors, and lengths that are read later.
import { expect, test } from 'vitest';
import { fileStage } from '../fileStage.ts';
import { apiKey } from '../midroll.ts';
import { item } from '../stage.ts';

const stage = await fileStage();
const types = { csv: 'text/csv', xmltv: 'application/xml', mrss: 'application/rss+xml', json: 'application/json' };
const forms = ['csv', 'xmltv', 'mrss', 'json'] as const;
const iso = (at: number) => new Date(at).toISOString();
const DAY = Date.parse('2030-05-01T00:00:00Z');
const at = (hour: number) => iso(DAY + hour * 3_600_000);
const source = (name: string) => ({ url: `https://o.example/${name}.m3u8` });

async function call(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${stage.midroll.adminUrl}/api/v2/channels/${path}`, {
    method,
    headers: { 'x-api-key': apiKey, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json };
}
const send = (path: string, form: keyof typeof types, document: string, headers: Record<string, string> = {}) =>
  call('POST', path, document, { 'content-type': `${types[form]}; charset=utf-8`, ...headers });
const idsOf = async (id: string, query = '') =>
  (await call('GET', `${id}/schedule${query}`)).json.entries.map((entry: { id: string }) => entry.id);
const create = (id: string) => stage.midroll.create('channels', { id, state: 'disabled', apiKey: 'key' });
const put = async (id: string, body: object) =>
  expect((await call('PUT', `${id}/schedule`, JSON.stringify(body), { 'content-type': types.json })).status).toBe(200);

const entries = [
  { id: 'news', title: 'News & "more"', start: at(6), source: source('news'), breaks: [{ spliceTime: 60 }] },
  {
    id: 'film',
    title: 'Größe',
    start: at(7),
    duration: 3600,
    source: { ...source('film'), in: 5 },
    categories: ['a;b'],
  },
  { id: 'late', start: at(20), source: source('late'), isHidden: true, breaks: 'markers' },
];

test.each(forms)('what is exported as %s is imported as the same entries', async (form) => {
  const [from, to] = [`from-${form}`, `to-${form}`];
  await create(from);
  await create(to);
  await put(from, { entries, breaks: { every: 600 } });
  const { text, headers } = await call('GET', `${from}/schedule/export?form=${form}`);
  expect(headers.get('content-type')).toContain(types[form]);
  expect(headers.get('content-disposition')).toMatch(new RegExp(`^attachment; filename="${from}\\.\\w+"$`));
  expect(headers.get('x-entries-left-out')).toBe('0');
  const imported = await send(`${to}/schedule/import`, form, text);
  expect(imported.json).toMatchObject({ entries: 3, skipped: 0, errors: [], notices: [] });
  const { json } = await call('GET', `${to}/schedule`);
  expect(json.entries).toEqual(entries);
  expect(json.breaks).toEqual(form === 'json' ? { every: 600 } : undefined);
  expect(imported.headers.get('etag')).toBe((await call('GET', `${to}/schedule`)).headers.get('etag'));
});

test('an entry that a form cannot express is counted', async () => {
  await create('some');
  await put('some', { entries: [...entries, { id: 'next', source: { playlistId: 'list' } }] });
  const leftOut = await Promise.all(
    forms.map(async (form) =>
      (await call('GET', `some/schedule/export?form=${form}`)).headers.get('x-entries-left-out'),
    ),
  );
  expect(leftOut).toEqual(['0', '1', '1', '0']);
});

test('a line with an error costs its entry, and strict=true refuses the document', async () => {
  await create('faulty');
  const csv = `id,start,url,year\na,${at(1)},${source('a').url},2000\nb,soon,${source('b').url},\nc c,,${source('c').url},1\nd,,${source('d').url},\n`;
  const strict = await send('faulty/schedule/import?strict=true', 'csv', csv);
  expect(strict.status).toBe(422);
  expect(strict.json.data.map(({ params }: { params: { line: number } }) => params.line).sort()).toEqual([3, 4, 4]);
  expect((await call('GET', 'faulty/schedule')).status).toBe(404);
  const { status, json } = await send('faulty/schedule/import', 'csv', csv);
  expect([status, json.entries, json.skipped, json.errorCount]).toEqual([200, 2, 2, 3]);
  expect(json.errors.map(({ line, field }: { line: number; field: string }) => [line, field])).toEqual([
    [3, 'start'],
    [4, 'id'],
    [4, 'year'],
  ]);
  expect(await idsOf('faulty')).toEqual(['a', 'd']);
  const inJson = JSON.stringify({
    entries: [
      { id: 'e', source: source('e') },
      { id: 'f', source: { url: 'ftp://f' } },
    ],
  });
  expect((await send('faulty/schedule/import', 'json', inJson)).json.errors).toMatchObject([
    { line: 1, field: '/entries/1/source/url' },
  ]);
  expect(await idsOf('faulty')).toEqual(['e']);
});

test('a range is imported alone; rules, filler and breaks stay', async () => {
  await create('range');
  await put('range', {
    entries,
    breaks: 'markers',
    rules: [{ id: 'r', at: '03:00', entries: [{ id: 'x', source: source('x') }] }],
  });
  const query = `from=${at(6)}&to=${at(8)}`;
  const document = JSON.stringify([
    { id: 'other', start: at(6.5), source: source('other') },
    { id: 'outside', start: at(9), source: source('outside') },
    { id: 'after', source: source('after') },
  ]);
  const dry = await send(`range/schedule/import?${query}&dryRun=true`, 'json', document);
  expect(dry.json).toMatchObject({ entries: 1, skipped: 2, notices: [{ line: 1 }], timeline: expect.any(Array) });
  expect(await idsOf('range')).toEqual(['news', 'film', 'late']);
  await send(`range/schedule/import?${query}`, 'json', document);
  expect(await idsOf('range')).toEqual(['other', 'late']);
  const { json } = await call('GET', 'range/schedule');
  expect([json.breaks, json.rules.length]).toEqual(['markers', 1]);
  await call('POST', 'range/schedule/undo');
  expect(await idsOf('range')).toEqual(['news', 'film', 'late']);
  // What was read can be sent back.
  await put('range', (await call('GET', 'range/schedule')).json);
});

test('an entry outside the range of a PUT, and one after an unknown entry, are refused', async () => {
  await create('refused');
  await put('refused', { entries });
  const sent = (method: string, path: string, body: object) =>
    call(method, `refused/schedule${path}`, JSON.stringify(body), { 'content-type': types.json });
  const outside = { entries: [{ id: 'a', start: at(9), source: source('a') }] };
  expect((await sent('PUT', `?from=${at(6)}&to=${at(8)}`, outside)).json.data).toMatchObject([
    { dataPath: '/entries/0/start', keyword: 'range' },
  ]);
  const unknown = { entries: [{ id: 'a', after: 'nothing', source: source('a') }] };
  expect((await sent('PATCH', '', unknown)).json.data).toMatchObject([{ dataPath: '/entries/0/after', keyword: 'id' }]);
  expect(await idsOf('refused')).toEqual(['news', 'film', 'late']);
});

test('of two editors who import at once, the second gets a 412', async () => {
  await create('two');
  await put('two', { entries });
  const tag = (await call('GET', 'two/schedule')).headers.get('etag')!;
  const document = (id: string) => `id,start,url\n${id},${at(1)},${source(id).url}\n`;
  const statuses = await Promise.all(
    ['a', 'b'].map(async (id) => (await send('two/schedule/import', 'csv', document(id), { 'if-match': tag })).status),
  );
  expect(statuses.sort()).toEqual([200, 412]);
  expect(await idsOf('two')).toHaveLength(1);
});

test.each([
  ['csv', 'no columns\n', 422],
  ['csv', '', 422],
  ['xmltv', '<tv><programme', 422],
  ['xmltv', `<!DOCTYPE tv [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><tv><programme>&b;</programme></tv>`, 422],
  ['mrss', '<rss>', 422],
  ['json', '{"entries":[{"source":{"url":"https://o.example/a"}}', 422],
  ['json', '{"entries":[],"rules":[{"id":"a"}]}', 422],
  ['json', `[${'['.repeat(100_000)}`, 422],
  ['json', `[${'{"source":{"url":"https://o.example/a"}},'.repeat(20_001).slice(0, -1)}]`, 422],
  ['csv', `url\n${'x'.repeat(33 << 20)}`, 413],
] as const)('a document that cannot be used stores nothing: %s %#', async (form, document, status) => {
  const id = 'hostile';
  await stage.midroll.api('POST', '/channels', { id, state: 'disabled', apiKey: 'key' });
  await put(id, { entries });
  expect((await send(`${id}/schedule/import`, form, document)).status).toBe(status);
  expect(await idsOf(id)).toEqual(['news', 'film', 'late']);
});

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test.each([
  ['deep values', `"title":${deep(200_000)}`],
  ['deep breaks', `"breaks":${deep(200_000)}`],
  ['many values', `"breaks":[${'0,'.repeat(200_000)}0]`],
  ['many fields', Array.from({ length: 50_000 }, (_, index) => `"f${index}":0`).join()],
  ['a prototype', '"__proto__":{"title":"t"}'],
  ['a prototype of its source', '"source":{"url":"https://o.example/a","__proto__":{"playlistId":"p"}}'],
])('an entry with %s is reported and costs no other', async (_, fields) => {
  const id = `strange-${fields.length}`;
  await create(id);
  const document = `{"entries":[{"id":"bad","start":"${at(0)}","source":{"url":"https://o.example/a"},${fields}},${JSON.stringify({ id: 'good', start: at(1), source: source('good') })}]}`;
  const { status, json } = await send(`${id}/schedule/import`, 'json', document);
  expect({ status, entries: json.entries }).toEqual({ status: 200, entries: 1 });
  expect(json.errors.length).toBeGreaterThan(0);
  for (const { line, field } of json.errors)
    expect({ line, field }).toEqual({ line: 1, field: expect.stringMatching(/./) });
  expect(json.errors.length).toBeLessThanOrEqual(500);
});

test('only an import may have more than 1 MiB', async () => {
  await create('large');
  const document = `id,start,url,description\n${Array.from({ length: 5000 }, (_, index) => `e${index},${iso(DAY + index * 1_800_000)},${source(`e${index}`).url},${'x'.repeat(500)}\n`).join('')}`;
  expect((await send('large/schedule/import', 'csv', document)).json).toMatchObject({ entries: 5000, errors: [] });
  const { text } = await call('GET', 'large/schedule/export?form=json');
  expect((await call('PUT', 'large/schedule', text, { 'content-type': types.json })).status).toBe(413);
  expect((await send('large/schedule/import', 'json', text)).json).toMatchObject({ entries: 5000, errors: [] });
  expect(await idsOf('large', `?from=${at(24)}&to=${at(25)}`)).toEqual(['e48', 'e49']);
});

test('lengths are read in the background, and the entries after them are placed', async () => {
  const [film, missing] = [await stage.video({ seconds: 40 }), `${stage.origin.url}/missing.m3u8`];
  await stage.air('lengths', [item(film)], { state: 'disabled' });
  const rows = Array.from(
    { length: 30 },
    (_, index) => `e${index},${index === 0 ? at(0) : ''},${index === 9 ? missing : film}`,
  );
  await send('lengths/schedule/import', 'csv', `id,start,url\n${rows.join('\n')}\n`);
  await stage.until(
    'all lengths that can be read',
    async () => (await call('GET', 'lengths/schedule')).json.unread === 1,
  );
  const minute = iso(DAY + 60_000);
  expect(await idsOf('lengths', `?from=${minute}&to=${iso(DAY + 120_000)}`)).toEqual(['e2']);
  expect(await idsOf('lengths', `?from=${iso(DAY + 28 * 40_000)}&to=${at(1)}`)).toEqual(['e29']);
});
