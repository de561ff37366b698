// SPDX-License-Identifier: Apache-2.0
// The as-run log of a channel that is restarted and operated, with real media on a virtual clock, against its timeline.
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../clock/virtualClock.ts';
import { opened, openedInTest, scratchFolderInTest } from '../../opened.ts';
import { startMediaOrigin } from '../mediaOrigin.ts';
import { apiKey, type Midroll } from '../midroll.ts';
import { startMidrollInProcess } from '../midrollInProcess.ts';
import { item } from '../stage.ts';
import { makeVideo } from '../testVideos.ts';

const clock = await opened(createVirtualClock());
const origin = await opened(startMediaOrigin());

type Row = {
  readonly id: string;
  readonly from: string;
  readonly to?: string;
  readonly isOnAir?: true;
  readonly kind: string;
  readonly asset?: { readonly url: string; readonly in: number; readonly out?: number };
  readonly breakId?: string;
  readonly insertedId?: string;
  readonly differences: readonly string[];
};
type TimelineEntry = {
  readonly startsAt: string;
  readonly duration: number;
  readonly url?: string;
  readonly offset?: number;
  readonly breakId?: string;
  readonly insertedId?: string;
};

const iso = (at: number) => new Date(at).toISOString();

async function get({ api }: Midroll, path: string) {
  const { status, json } = await api('GET', path);
  expect([path, status]).toEqual([path, 200]);
  return json;
}
const rowsOf = async (midroll: Midroll, from: number, to: number): Promise<Row[]> => {
  const query = `from=${iso(from)}&to=${iso(to)}`;
  const pages: Row[] = [];
  for (let total = 1; pages.length < total; ) {
    const page = await get(midroll, `/channels/one/as-run?${query}&limit=7&offset=${pages.length}`);
    pages.push(...page.items);
    total = page.total;
  }
  return pages;
};

/** Rows and entries of the timeline, in the same words. */
const ofRow = ({ from, asset, breakId, insertedId }: Row) => [from, asset?.url, asset?.in, breakId, insertedId];
const ofEntry = ({ startsAt, url, offset, breakId, insertedId }: TimelineEntry) => [
  ...[startsAt, url, offset === undefined ? offset : Math.round(offset * 1000) / 1000, breakId, insertedId],
];

test('the log has what the timeline has, to the millisecond, across breaks by hand, a restart and time off air', async () => {
  const DATA_DIR = scratchFolderInTest();
  const start = () => openedInTest(startMidrollInProcess(clock, { DATA_DIR }));
  let midroll = await start();
  const videos = [8, 14].map((seconds) => makeVideo(origin.folder, `as-run-${seconds}`, { seconds }));
  const [first, second] = (await Promise.all(videos)).map((path) => origin.url + path) as [string, string];
  const contents = [item(first, { spliceTime: 4, maxDuration: 6 }), item(second)];
  await midroll.create('playlists', { id: 'one', status: 'enabled', contents });
  await midroll.create('channels', { id: 'one', state: 'enabled', apiKey: 'key', playlistId: 'one' });
  const isReady = async () =>
    (await get(midroll, '/channels/one/timeline')).entries.some(({ url }: TimelineEntry) => url);
  while (!(await isReady())) await clock.sleep(1000);
  const began = clock.now();

  await clock.sleep(100_000);
  const order = { id: 'half-time', duration: 30 };
  expect((await midroll.api('POST', '/channels/one/breaks', order)).status).toBe(201);
  await clock.sleep(16_000);
  expect((await midroll.api('POST', '/channels/one/breaks', { action: 'end', id: 'half-time' })).status).toBe(200);
  await clock.sleep(60_000);
  const stopped = clock.now();
  const before = await rowsOf(midroll, began, stopped);
  await midroll.close();
  await clock.sleep(90_000);
  midroll = await start();
  await clock.sleep(100_000);

  const now = clock.now();
  const rows = await rowsOf(midroll, began, now);
  expect(rows.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  expect(before.at(-1)).toMatchObject({ isOnAir: true, id: rows[before.length - 1]?.id });
  expect(rows.filter(({ isOnAir }) => isOnAir)).toEqual(rows.slice(-1));
  const { entries } = await get(midroll, `/channels/one/timeline?from=${iso(began)}&to=${iso(now)}`);
  const merged = (entries as TimelineEntry[]).filter(({ startsAt }) => startsAt <= iso(now));
  expect(rows.slice(1).map(ofRow)).toEqual(merged.slice(1).map(ofEntry));
  expect(rows.slice(1).map(({ from }) => from)).toEqual(rows.slice(0, -1).map(({ to }) => to));
  expect(rows.find(({ kind }) => kind === 'insertedBreak')?.differences).toEqual([
    'Inserted by an operator.',
    expect.stringMatching(/^Ended \d+\.\d{3} s early by an operator\.$/),
  ]);
  const csv = await fetch(
    `${midroll.adminUrl}/api/v2/channels/one/as-run?format=csv&from=${iso(began)}&to=${iso(now)}`,
    { headers: { 'x-api-key': apiKey } },
  );
  const lines = (await csv.text()).trim().split('\r\n');
  expect(lines[0]).toMatch(/^from,to,kind,/);
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(rows.map(({ from }) => from));

  await clock.sleep(5000);
  for (const state of ['disabled', 'enabled']) {
    expect((await midroll.api('PATCH', '/channels/one', { state })).status).toBe(200);
    await clock.sleep(65_000);
  }
  const later = await rowsOf(midroll, now, clock.now());
  const gap = later.findIndex(({ to }, index) => to !== undefined && to !== later[index + 1]?.from);
  expect(Date.parse(later[gap + 1]!.from) - Date.parse(later[gap]!.to!)).toBeGreaterThan(60_000);
  expect(later[gap]!.differences.at(-1)).toContain('switched off');
  expect(midroll.bugs()).toEqual([]);
});
