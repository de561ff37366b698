// SPDX-License-Identifier: Apache-2.0
import { SaxesParser } from 'saxes';
import { beforeEach, expect, test } from 'vitest';
import { startAdServer } from './adServer.ts';

let server: Awaited<ReturnType<typeof startAdServer>>;
beforeEach(async () => {
  server = await startAdServer(0, 'http://origin.test');
  return server.close;
});

const adIds = (vast: string) => [...vast.matchAll(/<Ad id="(\w+)"/g)].map((match) => match[1]);
const lengthsOf = (vast: string) => [...vast.matchAll(/<Duration>00:00:(\d+)/g)].map((match) => Number(match[1]));
const sumOf = (lengths: readonly number[]) => lengths.reduce((sum, length) => sum + length, 0);
const requestAds = async (query: string) => (await fetch(`${server.url}/vast?${query}`)).text();

test('consecutive viewers get different ads; the same viewer gets the same ads in the same break', async () => {
  const first = adIds(await requestAds('session=one&break=b1&duration=25&max=2'));
  const second = adIds(await requestAds('session=two&break=b1&duration=25&max=2'));
  expect(first).toHaveLength(2);
  expect(second[0]).not.toBe(first[0]);
  expect(adIds(await requestAds('session=one&break=b1&duration=25&max=2'))).toEqual(first);
  expect(adIds(await requestAds('session=one&break=b2&duration=25&max=2'))).not.toEqual(first);
});

test('four viewers of one break get four pods, also after they joined in different breaks', async () => {
  const podsIn = async (name: string, viewers: readonly string[]) => {
    const pods = [];
    for (const viewer of viewers)
      pods.push(adIds(await requestAds(`viewer=${viewer}&break=${name}&duration=25&max=2`)).join(' '));
    return pods;
  };
  await podsIn('b1', ['ann', 'bob', 'cem']);
  const second = await podsIn('b2', ['dia', 'cem', 'ann', 'bob']);
  expect(new Set(second).size).toBe(4);
  const third = await podsIn('b3', ['dia', 'cem', 'ann', 'bob']);
  expect(new Set(third).size).toBe(4);
  for (const [index, pod] of third.entries()) expect(pod).not.toBe(second[index]);
});

test.each([
  [25, 2],
  [30, 2],
  [35, 3],
])('two viewers never see the same ad at the same time in breaks of %d s', async (seconds, most) => {
  const adsBySecond = async (viewer: string, name: string) => {
    const vast = await requestAds(`viewer=${viewer}&break=${name}&duration=${seconds}&max=${most}`);
    const lengths = lengthsOf(vast);
    return adIds(vast).flatMap((id, index) => Array.from({ length: lengths[index]! }, () => id));
  };
  for (const name of ['b1', 'b2', 'b3', 'b4', 'b5']) {
    const [ann, bob] = [await adsBySecond('ann', name), await adsBySecond('bob', name)];
    expect(ann).toHaveLength(bob.length);
    for (const [second, ad] of ann.entries()) expect(ad).not.toBe(bob[second]);
  }
});

test.each([
  [20, 3],
  [25, 2],
  [30, 2],
  [35, 3],
])('each viewer of the demo gets ads for all %d s of a break', async (seconds, most) => {
  for (const name of ['b1', 'b2', 'b3'])
    for (const viewer of ['ann', 'bob', 'cem', 'dia', 'eve']) {
      const vast = await requestAds(`viewer=${viewer}&break=${name}&duration=${seconds}&max=${most}`);
      expect(sumOf(lengthsOf(vast))).toBe(seconds);
    }
});

test('a pod fits the requested duration and number of ads', async () => {
  for (const [seconds, most] of [
    [35, 3],
    [20, 3],
    [12, 3],
    [60, 1],
  ] as const) {
    const vast = await requestAds(`viewer=v${seconds}&break=b&duration=${seconds}&max=${most}`);
    expect(sumOf(lengthsOf(vast))).toBeLessThanOrEqual(seconds);
    expect(adIds(vast).length).toBeGreaterThan(0);
    expect(adIds(vast).length).toBeLessThanOrEqual(most);
  }
  expect(adIds(await requestAds('viewer=short&duration=5'))).toEqual([]);
});

test('ignores unfilled macros and escapes viewer names', async () => {
  await requestAds('viewer=-1&session=real&break=b&duration=10&max=-1');
  expect(server.log().requests[0]?.viewer).toBe('real');
  const vast = await requestAds(`viewer=${encodeURIComponent('a]]>&"<é')}&duration=10`);
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(vast).close();
});

test('each tracking URL in the response counts its event', async () => {
  const vast = await requestAds('viewer=v&break=b&duration=10&max=1');
  const [ad] = adIds(vast);
  const urls = [...vast.matchAll(/<!\[CDATA\[(http[^\]]*\/beacon\/(?!error)[^\]]*)/g)].map((match) => match[1]!);
  expect(urls).toHaveLength(7);
  for (const url of urls) expect((await fetch(url)).status).toBe(204);
  expect(server.log().counts[ad!]).toEqual({
    impression: 1,
    start: 1,
    firstQuartile: 1,
    midpoint: 1,
    thirdQuartile: 1,
    complete: 1,
    click: 1,
    bill: 0,
    error: 0,
  });
  expect((await fetch(`${server.url}/beacon/start?ad=unknown`)).status).toBe(404);
  expect((await fetch(`${server.url}/beacon/__proto__?ad=coffee`)).status).toBe(404);
});
