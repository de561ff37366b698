// SPDX-License-Identifier: Apache-2.0
// Linear channels with a schedule, with real media on a virtual clock: starts, filler, edits on air, and what was published.
import { expect, test } from 'vitest';
import { isOurs } from '../../laws/readBack.ts';
import { fileStage } from '../fileStage.ts';
import { adSource, item } from '../stage.ts';
import type { Viewer } from '../viewer.ts';

const stage = await fileStage();
const FRAME_MS = 40;
const iso = (at: number) => new Date(at).toISOString();

async function call(method: string, path: string, body?: object) {
  const { status, json } = await stage.midroll.api(method, `/channels/${path}`, body);
  return { status, json };
}

async function scheduled(id: string, body: object, channel: object = {}): Promise<void> {
  const { status, json } = await call('PUT', `${id}/schedule`, body);
  expect([status, json.message]).toEqual([200, undefined]);
  await stage.midroll.api('PATCH', `/channels/${id}`, { state: 'enabled', ...channel });
}

/** What a viewer was shown, by the folder of its media: consecutive segments as one. */
function runsOf({ listed }: Viewer): { of: string; from: number; to: number }[] {
  const runs: { of: string; from: number; to: number }[] = [];
  for (const { uri, date, duration } of [...listed.get('v0')!.values()].sort(
    (one, other) => one.number - other.number,
  )) {
    const of = isOurs(uri) ? 'slate' : /\/(m\d+)\//.exec(uri)![1]!;
    const last = runs.at(-1);
    const to = date + duration / 1000;
    if (last?.of === of && Math.abs(last.to - date) < FRAME_MS) last.to = to;
    else runs.push({ of, from: date, to });
  }
  return runs;
}
const nameIn = (url: string): string => /\/(m\d+)\//.exec(url)![1]!;

test('entries start within a frame, gaps are filled, and breaks have the ads of the viewer', async () => {
  const [film, news, filler, spot] = await Promise.all([
    stage.video({ seconds: 40 }),
    stage.video({ seconds: 24 }),
    stage.video({ seconds: 8 }),
    stage.spot(10),
  ]);
  stage.adHost.offer('/scheduled', () => [{ id: 'ten', seconds: 10, url: spot }]);
  await stage.air('day', [item(filler)], { state: 'disabled', adSource: adSource(stage.adHost, '/scheduled') });
  const start = Math.ceil(stage.clock.now() / 1000) * 1000 + 60_000;
  const entries = [
    {
      id: 'film',
      title: 'Film',
      start: iso(start),
      source: { url: film },
      breaks: [{ spliceTime: 20, maxDuration: 10 }],
    },
    { id: 'news', title: 'News', source: { url: news } },
    { id: 'late', title: 'Late', start: iso(start + 120_000), source: { url: film, in: 10, out: 30 } },
    { id: 'cut', title: 'Cut', start: iso(start + 130_400), source: { url: news } },
  ];
  await scheduled('day', { entries });
  const viewer = await stage.watch('day');
  await viewer.until('three minutes', () => stage.clock.now() > start + 180_000);
  const runs = runsOf(viewer);
  const startOf = (name: string, from: number) => runs.find((run) => run.of === name && run.to > from)!.from;
  const near = (at: number, wanted: number) => expect(Math.abs(at - wanted)).toBeLessThanOrEqual(FRAME_MS);
  near(startOf(nameIn(film), start), start);
  near(startOf(nameIn(news), start), start + 50_000);
  near(startOf(nameIn(film), start + 110_000), start + 120_000);
  near(startOf(nameIn(news), start + 125_000), start + 130_400);
  expect(runs.some(({ of, from }) => of === nameIn(filler) && from > start + 70_000)).toBe(true);
  const { json } = await call('GET', `day/schedule/timeline?from=${iso(start + 1000)}&to=${iso(start + 150_000)}`);
  const rows = json.timeline.map((row: { entryId?: string; kind: string; startsAt: string }) => [
    row.entryId ?? row.kind,
    Date.parse(row.startsAt) - start,
  ]);
  expect(rows.slice(0, 3).map(([what]: [string]) => what)).toEqual(['film', 'news', 'filler']);
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
  expect(json.timeline[0].breaks.map((one: { duration: number }) => one.duration)).toEqual([10]);
});

test('edits on air change nothing that was shown, and take effect within seconds; undo', async () => {
  const [film, news, filler] = await Promise.all([
    stage.video({ seconds: 40 }),
    stage.video({ seconds: 24 }),
    stage.video({ seconds: 8 }),
  ]);
  await stage.air('edited', [item(filler)], { state: 'disabled' });
  const start = Math.ceil(stage.clock.now() / 1000) * 1000 - 5000;
  const source = { url: film };
  const films = Array.from({ length: 30 }, (_, index) => ({ id: `film${index}`, source }));
  await scheduled('edited', { entries: [{ id: 'first', start: iso(start), source }, ...films] });
  const viewer = await stage.watch('edited');
  await viewer.until('content', () => viewer.listed.get('v0')!.size > 10);
  const { json: before } = await call('GET', 'edited/schedule');
  expect(before.entries).toHaveLength(31);

  const dry = await call('PATCH', 'edited/schedule?dryRun=true', {
    entries: [{ id: 'news', start: iso(stage.clock.now() + 60_000), source: { url: news } }],
  });
  expect(dry.json.timeline.map((row: { entryId?: string }) => row.entryId)).toContain('news');
  expect((await call('GET', 'edited/schedule')).json.entries).toHaveLength(31);

  const at = Math.ceil(stage.clock.now() / 1000) * 1000 + 60_000;
  const added = await call('PATCH', 'edited/schedule', {
    entries: [{ id: 'news', start: iso(at), source: { url: news } }],
  });
  expect(added.status).toBe(200);
  await viewer.until('the news', () => runsOf(viewer).some(({ of }) => of === nameIn(news)));
  const shown = runsOf(viewer).find(({ of }) => of === nameIn(news))!;
  expect(Math.abs(shown.from - at)).toBeLessThanOrEqual(FRAME_MS);

  const removed = await call('PATCH', 'edited/schedule', { remove: ['news'] });
  expect(removed.json.entries.map(({ id }: { id: string }) => id)).not.toContain('news');
  const undone = await call('POST', 'edited/schedule/undo');
  expect([undone.status, undone.json.entries.map(({ id }: { id: string }) => id).includes('news')]).toEqual([
    200,
    true,
  ]);
  // A day in a few years, of which nothing is on air yet.
  const day = Date.parse('2035-03-01T00:00:00Z');
  const rules = [{ id: 'loop', at: '00:00', repeatUntil: '00:00', entries: [{ id: 'news', source: { url: news } }] }];
  await call('PATCH', 'edited/schedule', { rules });
  const later = await call('GET', `edited/schedule/timeline?from=${iso(day)}&to=${iso(day + 48_000)}`);
  expect(later.json.timeline.map((row: { entryId?: string }) => row.entryId)).toEqual([
    'loop@2035-03-01.news',
    'loop@2035-03-01.news.2',
  ]);
  await call('POST', 'edited/schedule/undo');
  await viewer.until('some minutes', () => stage.clock.now() > at + 120_000);
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
});
