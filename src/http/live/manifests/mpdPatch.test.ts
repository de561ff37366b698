// SPDX-License-Identifier: Apache-2.0
// MPD patches on the live port: what a player follows, and requests that no player sends.
import { afterAll, beforeEach, expect, test } from 'vitest';
import { airingsOf } from '../../../../test/airingsOf.ts';
import { applyPatch } from '../../../../test/laws/applyPatch.ts';
import { serveLiveChannel } from '../../../../test/servers/liveServer.ts';
import { START, soakAiring } from '../../../../test/tracking/soakChannel.ts';
import { type SentMpd, writeSentMpd } from '../../../dash/write/patch.ts';
import { millis } from '../../../time/units.ts';

/** A minute after the first break. */
const OPENED = START + 1_260_000;
const soak = soakAiring();
let now = OPENED;
let playlistSize = 180;
let announceAds = true;
let timeShiftWindow = 0;
let deltaUpdates = true;
let mpdUrl: string;

const live = await serveLiveChannel({
  airings: airingsOf(() => {
    const channel = {
      ...soak.channel,
      apiKey: 'key',
      tenant: 't',
      playlistSize,
      announceAds,
      timeShiftWindow,
      deltaUpdates,
    };
    return [{ ...soak, channel }];
  }),
  now: () => millis(now),
});
afterAll(() => live.close());

const open = async (query = '') =>
  ((await (await fetch(live.url + live.opening + query)).json()) as { mediaURL: string }).mediaURL;
beforeEach(async () => {
  [now, playlistSize, announceAds, timeShiftWindow, deltaUpdates] = [OPENED, 180, true, 0, true];
  mpdUrl = await open();
  now += 20_000;
});

const textOf = async (url: string) => (await fetch(url)).text();
const locationIn = (mpd: string) => /<PatchLocation ttl="60">([^<]*)<\/PatchLocation>/.exec(mpd)?.[1];
const sessionIn = (url: string) => /[0-9a-f-]{36}/.exec(url)![0];
const LAST = '<remove sel="/MPD/PatchLocation[1]" ws="before"/>';

test('a player that follows patches has the MPD that others read', async () => {
  let mpd = await textOf(mpdUrl);
  expect(mpd).toContain(` id="${sessionIn(mpdUrl)}"`);
  for (let update = 0; update < 100; update += 1) {
    now += 2000 + (update % 3) * 700;
    const response = await fetch(new URL(locationIn(mpd)!, mpdUrl));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/dash-patch+xml']);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    mpd = applyPatch(mpd, await response.text());
    expect(mpd).toBe(await textOf(mpdUrl));
  }
});

test('a player reads the whole MPD at the start of a session, and every five minutes', async () => {
  now = OPENED;
  let mpd = await textOf(mpdUrl);
  const expired = mpd.replace('<PatchLocation ttl="1">', '<PatchLocation ttl="60">');
  expect(expired).not.toBe(mpd);
  now += 9000;
  expect(await textOf(new URL(locationIn(expired)!, mpdUrl).href)).toContain(LAST);
  const whole: number[] = [];
  for (now = OPENED + 11_000; now < OPENED + 700_000; now += 4000) {
    const location = locationIn(mpd);
    mpd = location === undefined ? await textOf(mpdUrl) : applyPatch(mpd, await textOf(new URL(location, mpdUrl).href));
    if (location === undefined) whole.push(Math.floor((now - OPENED) / 10_000));
  }
  expect(whole).toEqual([1, 30, 60]);
});

test('sessions that were opened without deltaUpdates have no patches, and others keep theirs', async () => {
  deltaUpdates = false;
  const whole = await open();
  now += 20_000;
  expect(locationIn(await textOf(mpdUrl))).toBeDefined();
  expect(await textOf(whole)).not.toContain('PatchLocation');
  deltaUpdates = true;
  expect(await textOf(whole)).not.toContain('PatchLocation');
});

test('a player reads the whole MPD while its window grows', async () => {
  [now, timeShiftWindow] = [OPENED, 300];
  mpdUrl = await open('&start=-250');
  const depths: string[] = [];
  for (now += 11_000; locationIn(await textOf(mpdUrl)) === undefined; now += 5000) {
    const mpd = await textOf(mpdUrl);
    expect(mpd).toContain('<PatchLocation ttl="1">');
    depths.push(/timeShiftBufferDepth="([^"]*)"/.exec(mpd)![1]!);
  }
  expect(new Set(depths).size).toBeGreaterThan(5);
  expect(depths.slice(-5)).toEqual(new Array(5).fill('PT300S'));
});

test('an MPD that another process has published a moment later, or long ago, leads to the whole MPD', async () => {
  const mpd = await textOf(mpdUrl);
  const patchUrl = new URL(locationIn(mpd)!, mpdUrl);
  for (const later of [0, -5000, 600_000]) {
    now = OPENED + 20_000 + later;
    const ended = applyPatch(mpd, await textOf(patchUrl.href));
    expect(locationIn(ended)).toBeUndefined();
    // Players accept only a patch that is newer.
    expect(/publishTime="([^"]*)"/.exec(ended)![1]! > /publishTime="([^"]*)"/.exec(mpd)![1]!).toBe(true);
  }
});

test('after an edit, the player reads the whole MPD', async () => {
  const mpd = await textOf(mpdUrl);
  now += 2000;
  announceAds = false;
  expect(await textOf(new URL(locationIn(mpd)!, mpdUrl).href)).toContain(LAST);
  const edited = await textOf(mpdUrl);
  now += 2000;
  expect(applyPatch(edited, await textOf(new URL(locationIn(edited)!, mpdUrl).href))).toBe(await textOf(mpdUrl));
});

test('a short window has no patches, and a token for it leads to the whole MPD', async () => {
  playlistSize = 60;
  mpdUrl = await open();
  const mpd = await textOf(mpdUrl);
  expect([locationIn(mpd), / id="[0-9a-f-]{36}"/.test(mpd)]).toEqual([undefined, false]);
  const token = writeSentMpd({ publishedAt: millis(now), from: millis(now - 60_000), to: millis(now), check: 1 });
  now += 2000;
  expect(await (await patchWith(token)).text()).toContain(LAST);
});

const patchWith = (since: string) =>
  fetch(`${mpdUrl.replace(/\.mpd$/, '')}/patch.mpp?since=${encodeURIComponent(since)}`);

test.each([
  '',
  '0',
  '1-2-3',
  '1-2-3-4-5',
  '-1-2-3-4',
  '1.5-2-3-4',
  'A-B-C-D',
  '1-2-3-<',
  `${'z'.repeat(10)}-1-1-1`,
  '١-2-3-4',
  '1-2-3-4\n',
])('since=%j is rejected', async (since) => {
  const response = await patchWith(since);
  expect([response.status, await response.json()]).toMatchObject([400, { type: 'MALFORMED' }]);
});

test('a token of what the viewer was not sent leads to the whole MPD', async () => {
  const [from, to] = [now - 180_000, now - 1000];
  const sent = (change: Partial<Record<keyof SentMpd, number>>) =>
    writeSentMpd({ publishedAt: now - 1000, from, to, check: 1, ...change } as SentMpd);
  const own = locationIn(await textOf(mpdUrl))!.split('since=')[1]!;
  now += 500;
  const most = 36 ** 9 - 1;
  const tokens = [
    sent({}),
    sent({ publishedAt: 0, from: 0, to: 0, check: 0 }),
    sent({ publishedAt: most, from: most, to: most }),
    sent({ from: 0 }),
    sent({ from: 0, to: most }),
    sent({ from: to, to: from }),
    sent({ to: most }),
    own.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
  ];
  for (const token of tokens) {
    const response = await patchWith(token);
    expect([token, response.status]).toEqual([token, 200]);
    expect(await response.text()).toContain(LAST);
  }
});

test('an unknown session is not found, and HEAD has no body', async () => {
  const patchUrl = new URL(locationIn(await textOf(mpdUrl))!, mpdUrl).href;
  const none = patchUrl.replace(sessionIn(mpdUrl), '00000000-0000-4000-8000-000000000000');
  expect((await fetch(none)).status).toBe(404);
  now += 2000;
  const head = await fetch(patchUrl, { method: 'HEAD' });
  expect([head.status, Number(head.headers.get('content-length')) > 500, await head.text()]).toEqual([200, true, '']);
});
