// SPDX-License-Identifier: Apache-2.0
// All times follow the time zone of the navigation, with offsets of half and quarter hours and over changes of the clocks.

import { beforeAll, expect, test } from 'vitest';
import { sqlAlerts } from '../../src/platform/alerts/store/sqlAlerts.ts';
import type { SearchedSession } from '../../src/platform/history/rules/searchSessions.ts';
import { systemKey } from '../../src/platform/systems/rules/system.ts';
import { entriesBetween } from '../../src/playback/onAir/timelineEntries.ts';
import { millis } from '../../src/time/units.ts';
import { syntheticChannel } from '../laws/syntheticChannel.ts';
import { syntheticAsset } from '../laws/syntheticMedia.ts';
import { offAir } from '../servers/adminServer.ts';
import { sessionOf } from '../stores/records.ts';
import { traceOf } from './sessionTrace.ts';
import { fileConsole, page, startConsole } from './startConsole.ts';

/** Before and after the clocks change in Berlin (1 h), and on Lord Howe Island (half an hour). */
const [beforeBerlin, afterBerlin] = ['2026-03-29T00:59:10Z', '2026-03-29T01:01:20Z'];
const [beforeHowe, afterHowe] = ['2026-04-04T14:59:10Z', '2026-04-04T15:01:20Z'];
const id = '0b7e2c1a-5d1f-4c86-9a3e-000000000001';
const searched = (openedAt: string, seenAt: string, number: number): SearchedSession => ({
  session: {
    ...sessionOf(id.replace(/1$/, String(number)), millis(Date.parse(openedAt))),
    ...{ channelId: 'one', tenant: 'acme' },
  },
  ...{ seenAt: millis(Date.parse(seenAt)), hasEnded: true, breaks: [] },
});
const trace = traceOf({
  id,
  openedAt: beforeBerlin,
  endedAt: afterBerlin,
  breaks: [{ id: '0-1', startsAt: afterBerlin, duration: 30, status: 'empty', ads: [], warnings: [] } as never],
});

/** 25 minutes, in a loop since the Monday before the clocks change. */
const drama = {
  asset: syntheticAsset({ name: 'drama', segments: new Array(150).fill(250) }),
  cuePoints: [{ spliceTime: 600, maxDuration: 60 }],
};
const { programme } = syntheticChannel([drama], Date.parse('2026-03-23T00:00:00Z'));
const desk = await fileConsole(
  startConsole({
    onAir: {
      ...offAir,
      channelTimeline: async (_, from, to, limit) => ({
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
        editions: [],
        ...entriesBetween(programme, from, to, limit),
      }),
      sessionTrace: async () => trace,
      searchSessions: async () => ({
        items: [searched(beforeBerlin, afterBerlin, 1), searched(beforeHowe, afterHowe, 2)],
      }),
    },
  }),
);
beforeAll(async () => {
  await desk.api('POST', '/playlists', { id: 'loop', name: 'Loop' });
  await desk.api('POST', '/playlists', { id: 'gone', name: 'Gone' });
  await desk.remove('/playlists/gone');
  await desk.api('POST', '/channels', { id: 'one', name: 'One', state: 'disabled', playlistId: 'loop' });
  const { id: ruleId } = await desk.api<{ id: string }>('POST', '/alert-rules', {
    name: 'Low fill',
    kind: 'fill',
    belowPercent: 80,
    forMinutes: 5,
  });
  const at = millis(Date.now() - 3_600_000);
  const alerts = sqlAlerts(desk.admin.store);
  await alerts.lead('other', at, millis(Date.now() + 60_000));
  const channel = { id: 'one', name: 'One' };
  const rule = { id: ruleId, name: 'Low fill', kind: 'fill' } as const;
  const event = {
    id: 'evt_1',
    tenant: 'acme',
    at,
    state: 'firing',
    alert: 'evt_1',
    since: at,
    channel,
    rule,
    text: 'Low',
    severity: 'warning',
  } as const;
  const next = { state: { phase: 'firing', reportedAt: at, since: at, seenAt: at } as const, event };
  await alerts.commit('other', { tenant: 'acme', ruleId, channelId: 'one', deliveries: [], event, next });
  const [system] = await desk.api<{ id: string }[]>('GET', '/systems');
  const minute = Math.floor((Date.now() - 600_000) / 60_000) * 60_000;
  await desk.admin.deps.reportStore(system as never).add({
    id: 'batch-1',
    system: systemKey(system as never),
    measurements: [0, 1, 2].map((number) => ({
      report: 'ads',
      channel: 'one',
      at: millis(minute + number * 60_000),
      keys: {},
      amounts: { decided: 3, started: 3 },
    })),
  });
});

const selectZone = async (zone: string) => {
  await page.getByRole('button', { name: /Time zone/ }).click();
  await page.getByLabel('Zone', { exact: true }).selectOption(zone);
  await page.getByRole('button', { name: 'Done' }).click();
};
const formatIn = (zone: string, time: string | number, seconds = false) =>
  new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: seconds ? 'medium' : 'short',
    timeZone: zone,
  }).format(new Date(time));
const text = () => page.locator('main').textContent();
const fieldValue = (label: string) => page.locator('main').getByLabel(label, { exact: true }).inputValue();

const zones = ['Asia/Katmandu', 'Australia/Lord_Howe', 'Europe/Berlin', 'America/St_Johns'] as const;

/** The times of a page as the API returns them, with the seconds that the page shows. */
const pages: readonly (readonly [
  path: string,
  times: () => Promise<readonly (readonly [time: string, seconds?: true])[]>,
])[] = [
  ['/playlists', async () => [[(await desk.api<{ createdAt: string }>('GET', '/playlists/loop')).createdAt]]],
  ['/systems', async () => [[(await desk.api<{ createdAt: string }[]>('GET', '/systems'))[0]!.createdAt]]],
  ['/keys', async () => [[(await desk.api<{ createdAt: string }[]>('GET', '/keys'))[0]!.createdAt]]],
  ['/audit', async () => [[(await desk.api<{ at: string }[]>('GET', '/audit'))[0]!.at, true]]],
  [
    '/deleted',
    async () =>
      (await desk.api<{ deletedAt: string; restorableUntil: string }[]>('GET', '/deleted')).flatMap(
        ({ deletedAt, restorableUntil }) => [[deletedAt], [restorableUntil]] as const,
      ),
  ],
  ['/alerts', async () => [[(await desk.api<{ at: string }[]>('GET', '/events'))[0]!.at]]],
  ['/alerts/history', async () => [[(await desk.api<{ at: string }[]>('GET', '/events'))[0]!.at]]],
  ['/sessions', async () => [[beforeBerlin], [afterBerlin], [beforeHowe], [afterHowe]]],
  [`/sessions/${id}`, async () => [[beforeBerlin], [afterBerlin]]],
];

test.each(pages)('times of %s follow the zone at once', async (path, times) => {
  await desk.open(path);
  const expected = await times();
  for (const zone of zones) {
    await selectZone(zone);
    for (const [time, seconds] of expected)
      await expect.poll(text, { message: `${zone} ${time}` }).toContain(formatIn(zone, time, seconds));
  }
});

test('fields for times show and read the selected zone, also when its clocks change', async () => {
  for (const [path, labels] of [
    [`/audit?from=${beforeBerlin}&to=${afterBerlin}`, ['From', 'To']],
    [`/sessions?range=custom&from=${beforeBerlin}&to=${afterBerlin}`, ['From', 'To']],
    [`/reports?range=custom&from=${beforeBerlin}&to=${afterBerlin}`, ['From', 'To']],
  ] as const) {
    await desk.open(path);
    for (const [zone, from, to] of [
      ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T03:01'],
      ['Asia/Katmandu', '2026-03-29T06:44', '2026-03-29T06:46'],
    ] as const) {
      await selectZone(zone);
      await expect.poll(() => Promise.all(labels.map(fieldValue))).toEqual([from, to]);
    }
    await page.locator('main').getByLabel('From', { exact: true }).fill('2026-03-28T05:45');
    await expect
      .poll(() => page.evaluate('decodeURIComponent(location.hash)'))
      .toContain('from=2026-03-28T00:00:00.000Z');
  }
});

test('charts and tables of reports follow the zone, tooltips of charts, too', async () => {
  await desk.open('/reports?report=ads&interval=60000');
  await page.locator('.plot svg').first().waitFor();
  for (const zone of ['Asia/Katmandu', 'Europe/Berlin'] as const) {
    await selectZone(zone);
    const hour = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: zone });
    const cell = page.locator('.table-frame tbody td').first();
    const shown = async () => /, (\d\d:\d\d)/.exec((await cell.textContent()) ?? '')?.[1];
    await expect.poll(shown).toBeDefined();
    const plot = page.locator('.plot').first();
    const tooltip = page.locator('.plot time').first();
    await plot.hover({ position: { x: 200, y: 60 } });
    const now = Date.now();
    const recent = Array.from({ length: 90 }, (_, minute) => hour.format(now - minute * 60_000));
    expect(recent).toContain((await tooltip.textContent())!.slice(-8, -3));
    expect(recent).toContain(await shown());
  }
});

test('the schedule follows the zone; a day on which the clocks change states its length', async () => {
  await desk.open('/channels/one?tab=schedule&view=week&date=2026-03-25');
  const labels = () => page.locator('.row-label').allTextContents();
  await selectZone('Europe/Berlin');
  await expect.poll(labels).toContain('Sun 29 Mar (23 h)');
  await selectZone('Asia/Katmandu');
  await expect.poll(labels).toContain('Sun 29 Mar');
  await expect.poll(() => page.locator('.schedule header').textContent()).toContain('UTC+5:45');
  await desk.open('/channels/one?tab=schedule&view=day&date=2026-03-23');
  const first = page.locator('.piece').first();
  await expect.poll(() => first.getAttribute('aria-label')).toMatch(/^05:45 /);
  await selectZone('Europe/Berlin');
  await expect.poll(() => first.getAttribute('aria-label')).toMatch(/^01:00 /);
});
