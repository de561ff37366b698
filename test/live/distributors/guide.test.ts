// SPDX-License-Identifier: Apache-2.0
// The guide against the timeline of the schedule: before and after an edit, for distributors and operators.
import { expect, test } from 'vitest';
import { isoText, millis } from '../../../src/time/units.ts';
import { readXml } from '../../../src/xml/read.ts';
import { fileStage } from '../fileStage.ts';
import { item, openVirtualStage } from '../stage.ts';

const stage = await fileStage(openVirtualStage);
const { liveUrl } = stage.midroll;
const video = await stage.video({ seconds: 60 });
const filler = await stage.video({ seconds: 8 });
const HOUR_MS = 3_600_000;

type Programme = { readonly id: string; readonly start: string; readonly end: string; readonly title: string };
type Row = { readonly kind: string; readonly entryId?: string; readonly startsAt: string; readonly endsAt: string };

async function open(channel: string, body: object = {}) {
  const { key } = await stage.api('POST', `/channels/${channel}/distributors`, { name: 'Roku', ...body });
  const url = `${liveUrl}/guide/${channel}/${key}`;
  return {
    url,
    json: async (): Promise<Programme[]> =>
      ((await (await fetch(`${url}/guide.json`)).json()) as { programmes: Programme[] }).programmes,
    xml: async (): Promise<string> => (await fetch(`${url}/xmltv.xml`)).text(),
  };
}

const at = (minutes: number): string =>
  isoText(millis(Math.ceil(stage.clock.now() / 60_000) * 60_000 + minutes * 60_000));
const entry = (id: string, start: string, more: object = {}) => ({
  id,
  start,
  title: `Title of ${id}`,
  source: { url: video },
  breaks: [{ spliceTime: 20, maxDuration: 10 }],
  ...more,
});

async function airSchedule(id: string, entries: readonly object[], more: object = {}): Promise<void> {
  await stage.air(id, [item(filler)]);
  await stage.api('PUT', `/channels/${id}/schedule`, { entries, ...more });
  await stage.until(`${id} is on air`, async () => {
    const response = await fetch(`${liveUrl}/hls/${id}/channel.m3u8?api-key=key`);
    return response.status === 200;
  });
}

/** The entries of the timeline in a time of a day, with their borders. */
async function timelineOf(id: string): Promise<Map<string, [string, string]>> {
  const now = stage.clock.now();
  const range = `from=${isoText(millis(now - HOUR_MS))}&to=${isoText(millis(now + 24 * HOUR_MS))}`;
  const { timeline } = (await stage.api('GET', `/channels/${id}/schedule/timeline?${range}`)) as { timeline: Row[] };
  const found = new Map<string, [string, string]>();
  for (const { entryId, startsAt, endsAt } of timeline)
    if (entryId !== undefined) found.set(entryId, [found.get(entryId)?.[0] ?? startsAt, endsAt]);
  return found;
}

const bordersOf = (programmes: readonly Programme[]) =>
  new Map(programmes.map(({ id, start, end }) => [id, [start, end]]));

test.concurrent('the guide is what the timeline says, also after an edit', async () => {
  const entries = [entry('first', at(5)), entry('second', at(10), { subtitle: 'Part 2', categories: ['News'] })];
  await airSchedule('edited', entries, {
    rules: [{ id: 'daily', at: '00:00', entries: [{ id: 'night', title: 'Night', source: { url: video } }] }],
  });
  const guide = await open('edited');
  const listed = await guide.json();
  expect(listed.map(({ title }) => title)).toEqual(
    expect.arrayContaining(['Title of first', 'Title of second', 'Night']),
  );
  expect(listed.filter(({ title }) => title === 'Night').length).toBeGreaterThanOrEqual(13);
  const timeline = await timelineOf('edited');
  expect(timeline.size).toBeGreaterThanOrEqual(3);
  for (const [id, borders] of timeline) expect([id, bordersOf(listed).get(id)]).toEqual([id, borders]);

  const before = (await fetch(`${guide.url}/xmltv.xml`)).headers.get('etag')!;
  expect((await fetch(`${guide.url}/xmltv.xml`, { headers: { 'if-none-match': before } })).status).toBe(304);
  await stage.api('PATCH', '/channels/edited/schedule', {
    entries: [{ id: 'second', start: at(20), title: 'Moved & renamed' }],
    remove: ['first'],
  });
  await stage.clock.sleep(1000);
  const after = await guide.json();
  expect(after.map(({ id }) => id)).not.toContain('first');
  const moved = await timelineOf('edited');
  for (const [id, borders] of moved) expect([id, bordersOf(after).get(id)]).toEqual([id, borders]);
  const xml = await fetch(`${guide.url}/xmltv.xml`, { headers: { 'if-none-match': before } });
  expect([xml.status, xml.headers.get('cache-control')]).toEqual([200, 'public, max-age=1']);
  expect(xml.headers.get('content-type')).toBe('application/xml');
  const text = await xml.text();
  expect(text).toContain('<title>Moved &amp; renamed</title>');
  expect(text).toContain('<category>News</category>');
  const read = readXml(text);
  expect('root' in read && read.root.children.filter(({ name }) => name === 'programme').length).toBe(after.length);

  const own = await stage.api('GET', '/channels/edited/guide');
  expect(own.programmes).toEqual(after);
  // What has been shown is still listed.
  await stage.clock.sleep(25 * 60_000);
  expect(bordersOf(await guide.json()).get('second')).toEqual(moved.get('second'));
});

test.concurrent('filler is listed as the distributor says, and hidden entries are not', async () => {
  await airSchedule('gaps', [entry('shown', at(65)), entry('hidden', at(70), { isHidden: true })]);
  const [without, listing] = [await open('gaps'), await open('gaps', { guide: { listFiller: true } })];
  expect((await without.json()).map(({ id }) => id)).toEqual(['shown']);
  const programmes = await listing.json();
  const titles = new Set(programmes.map(({ title }) => title));
  expect(titles).toEqual(new Set(['gaps', 'Title of shown']));
  const lengths = programmes.map(({ start, end }) => Date.parse(end) - Date.parse(start));
  expect(Math.max(...lengths)).toBeLessThanOrEqual(HOUR_MS);
  expect(await without.xml()).not.toContain('Title of hidden');
});

test.concurrent('a channel that plays a playlist is listed with its name', async () => {
  await stage.air('loop', [item(filler)], { name: 'Always on' });
  await stage.until('it is enabled', async () => (await fetch(`${liveUrl}/hls/loop/channel.m3u8?api-key=key`)).ok);
  const programmes = await (await open('loop')).json();
  expect(new Set(programmes.map(({ title }) => title))).toEqual(new Set(['Always on']));
  const span = Date.parse(programmes.at(-1)!.end) - Date.parse(programmes[0]!.start);
  expect(span).toBe((21 * 24 + 1) * HOUR_MS);
});

test.concurrent('requests at the same time share one computation', async () => {
  await airSchedule('shared', [entry('only', at(30))]);
  const { url } = await open('shared');
  const texts = await Promise.all(Array.from({ length: 20 }, async () => (await fetch(`${url}/guide.json`)).text()));
  expect(new Set(texts).size).toBe(1);
});
