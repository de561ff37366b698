// SPDX-License-Identifier: Apache-2.0
// midroll-ads.js with feeds that Midroll writes. test/browser/midrollAds.system.ts tests it in players.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeServer, listenFrom } from '../demo/listen.ts';
import { readPage } from '../site/markdownPages.ts';
import { millis } from '../src/time/units.ts';
import { readConfirmations } from '../src/tracking/feed/confirmations.ts';
import { writeTrackingFeed } from '../src/tracking/feed/feed.ts';
import { codeBlocks } from '../test/docs/codeBlocks.ts';
import { richBreak } from '../test/vast/richAd.ts';
// @ts-expect-error: an example in JavaScript
import { adAt, call, followAds } from './midroll-ads.js';

const START = Date.parse('2026-03-01T20:00:30.000Z');
const record = richBreak('1-2', new Date(START).toISOString());
/** A break of 30 s at 30 s, with two ads of 10 s. */
const feedOf = (tracking: 'server' | 'client') =>
  writeTrackingFeed(
    { avails: [{ availId: '1', record }], nextToken: null },
    { tracking, zero: millis(START - 30_000), anchor: 0 },
  );

let feed: { status: number; body: unknown };
let requests: string[];
let confirmed: unknown[];
let url: string;
const server = createServer(async (request, response) => {
  if (request.url === '/feed') {
    response.writeHead(feed.status).end(JSON.stringify(feed.body).replaceAll('https://t.test', url));
    return;
  }
  if (request.url === '/feed/confirmations') {
    const read = readConfirmations(JSON.parse(await text(request)), [record], millis(START));
    if (typeof read === 'string') throw new Error(read);
    confirmed.push(...read.confirmed, ...read.refused);
  }
  if (request.url !== '/feed/confirmations') requests.push(request.url!);
  response.writeHead(204).end();
});
const beacons = () => [...requests].map((path) => path.slice(1).replace(/\?.*/, '')).sort();

beforeEach(async () => {
  [feed, requests, confirmed] = [{ status: 200, body: feedOf('client') }, [], []];
  url = await listenFrom(server, 0);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await closeServer(server);
});

type Shown = { readonly ad: { readonly adId: string } } | undefined;
type Options = { readonly confirms?: boolean; readonly isLive?: boolean };
/** Follows the feed from a position before the break, until the feed has been read. */
async function start(from: number, { isLive = false, ...options }: Options = {}) {
  let at: number | undefined = from;
  let seen: { shown?: Shown; avails: unknown[] } = { avails: [] };
  const end = vi.fn();
  const position = () => (isLive && at !== undefined ? new Date(START - 30_000 + at * 1000) : at);
  const ads = followAds(`${url}/feed`, position, {
    ...options,
    end,
    show: (shown: Shown, avails: unknown[]) => (seen = { shown, avails }),
  });
  /** The next look, four times a second. */
  const moveTo = (to: number | undefined) => {
    at = to;
    vi.advanceTimersByTime(250);
    return seen.shown;
  };

  const play = (to: number) => {
    while (at !== undefined && at < to) moveTo(Math.min(to, at + 0.25));
  };

  await expect
    .poll(() => {
      moveTo(from);
      return feed.status === 200 ? seen.avails.length : end.mock.calls.length;
    })
    .toBe(1);
  return { ads, moveTo, play, end, looks: () => vi.getTimerCount() };
}

const FIRST_AD = ['done', 'imp', 'imp', 'p3', 'p90', 'q1', 'q2', 'q3', 'start'];

test('is one readable file of at most 4 KB that imports nothing', () => {
  const source = readFileSync(join(import.meta.dirname, 'midroll-ads.js'), 'utf8');
  expect(Buffer.byteLength(source)).toBeLessThanOrEqual(4096);
  expect(source).not.toMatch(/\bimport\b|require\(/);
  expect(Math.max(...source.split('\n').map(({ length }) => length))).toBeLessThan(130);
});

test('returns the ad at a position, its place in the break, and seconds', () => {
  const { avails } = feedOf('server');
  const first = adAt(avails, 32.5);
  expect(first).toMatchObject({ number: 1, count: 2, left: 7.5, breakLeft: 27.5, skipIn: 2.5 });
  expect(first).toMatchObject({ ad: { adId: '1-2-0', adTitle: 'Tea' }, link: 'https://t.test/shop' });
  expect(adAt(avails, 40)).toMatchObject({ ad: { adId: '1-2-1' }, number: 2, left: 10, skipIn: 5 });
  expect(adAt(avails, 49)).toMatchObject({ left: 1, skipIn: 0 });
  for (const at of [0, 29.99, 50, 60, Number.NaN]) expect(adAt(avails, at)).toBeUndefined();
});

test('skip offsets may be a share, and be missing', () => {
  const [avail] = feedOf('server').avails;
  const withOffset = (skipOffset: string | null) => [{ ...avail, ads: [{ ...avail!.ads[0]!, skipOffset }] }];
  expect(adAt(withOffset('25%'), 31).skipIn).toBe(1.5);
  expect(adAt(withOffset('00:01:00'), 31).skipIn).toBe(59);
  expect(adAt(withOffset('00:00:00'), 31).skipIn).toBe(0);
  expect(adAt(withOffset(null), 31).skipIn).toBeUndefined();
});

test.each([true, false])('calls each beacon once when its instant is played (live: %s)', async (isLive) => {
  const { moveTo, play } = await start(29, { isLive });
  play(31);
  await expect.poll(beacons).toEqual(['break', 'imp', 'imp', 'start']);
  expect(requests.find((path) => path.startsWith('/imp?1'))).toMatch(/cb=\d{5,8}$/);
  play(41);
  const all = [...FIRST_AD, 'break', 'imp', 'imp', 'start'].sort();
  await expect.poll(beacons).toEqual(all);
  // Again, after a seek to the start.
  moveTo(29);
  play(41);
  play(42);
  await expect.poll(beacons).toEqual(all);
});

test('what a seek passes is not reported, and a seek into an ad reports no start', async () => {
  const { moveTo, play } = await start(20);
  moveTo(38.2);
  play(39.5);
  await expect.poll(beacons).toEqual(['p90']);
});

test('an ad that is skipped is not complete, and the next one starts', async () => {
  const { moveTo, play } = await start(29);
  play(34);
  moveTo(40);
  play(41);
  await expect.poll(beacons).toEqual(['break', 'imp', 'imp', 'imp', 'imp', 'p3', 'q1', 'start', 'start']);
});

test('nothing is reported before the picture moves, and without a position', async () => {
  const { moveTo, play } = await start(30);
  for (let look = 0; look < 20; look += 1) moveTo(30);
  moveTo(undefined);
  expect(moveTo(30)).toMatchObject({ ad: { adId: '1-2-0' } });
  expect(requests).toEqual([]);
  play(31);
  await expect.poll(beacons).toEqual(['break', 'imp', 'imp', 'start']);
});

test('with server-side tracking, only what the player observes is reported, when it says so', async () => {
  feed.body = feedOf('server');
  const { ads, moveTo, play } = await start(29);
  ads.track('clickTracking');
  play(51);
  moveTo(35);
  for (const event of ['clickTracking', 'mute', 'start']) ads.track(event);
  const [companion] = feedOf('server').avails[0]!.ads[0]!.companionAds;
  const own = JSON.parse(JSON.stringify(companion).replaceAll('https://t.test', url));
  ads.track('creativeView', own);
  call([`${url}/own?[TIMESTAMP]`]);
  await expect.poll(beacons).toEqual(['click', 'mute', 'own', 'side']);
  expect(requests.find((path) => path.startsWith('/own'))).toMatch(/\?20\d\d-\d\d-\d\dT\d\d%3A/);
});

test('confirms what was shown', async () => {
  feed.body = feedOf('server');
  const { play } = await start(29, { confirms: true });
  play(33.5);
  await expect.poll(() => confirmed.length).toBe(5);
  expect(confirmed).toMatchObject([
    { breakId: '1-2', adId: '', event: 'breakStart' },
    { adId: '1-2-0', event: 'impression' },
    { adId: '1-2-0', event: 'start' },
    { adId: '1-2-0', event: 'firstQuartile' },
    { adId: '1-2-0', event: 'progress' },
  ]);
  expect(requests).toEqual([]);
});

test('ends with the session, once, and when it is stopped', async () => {
  const { ads, looks } = await start(29);
  ads.stop();
  expect(looks()).toBe(0);
  feed = { status: 404, body: {} };
  const ended = await start(29);
  expect(ended.end).toHaveBeenCalledTimes(1);
  expect(looks()).toBe(0);
});

test('the code of the tasks in docs/players.md reports clicks, skips and companions', async () => {
  feed.body = feedOf('server');
  const { ads, moveTo } = await start(29);
  const now = moveTo(36);
  const link = { onclick: () => {} };
  const skip = { hidden: true, onclick: () => {} };
  const image = { src: '', onclick: () => {} };
  const video = { currentTime: 36 };
  const open = vi.fn();
  const values = { ads, now, call, link, skip, image, video, open };
  const tasks = codeBlocks(readPage('docs/players.md')).filter(
    (one) => one.language === 'js' && one.section === 'Tasks',
  );
  expect(tasks).toHaveLength(3);
  for (const { content } of tasks) new Function(...Object.keys(values), content)(...Object.values(values));

  await expect.poll(beacons).toEqual(['side']);
  link.onclick();
  await expect.poll(beacons).toEqual(['click', 'side']);
  expect(image.src).toBe('https://m.test/side.png');
  image.onclick();
  expect(open).toHaveBeenCalledWith(`${url}/side-shop`);
  expect(skip.hidden).toBe(false);
  skip.onclick();
  expect(video.currentTime).toBe(40);
});
