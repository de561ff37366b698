// SPDX-License-Identifier: Apache-2.0
// Players post the URL of an MRSS feed and get a manifest with ads and the list of its clips.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { OpenedFeed } from '../../../src/http/contract/playerContract.ts';
import { naming } from '../../naming.ts';
import { mediaPlaylists } from '../openSession.ts';
import { adSource, type Stage } from '../stage.ts';

type Opened = NonNullable<OpenedFeed['hls']>;
type Body = Readonly<Record<string, unknown>>;

const CHANNEL = 'feeds';
const path = (channel: string) => `/ad-aggregation-service/mrss/channel/${channel}`;

const post = (stage: Stage, body: Body | string | undefined, key: string | undefined = 'key', channel = CHANNEL) =>
  fetch(stage.midroll.liveUrl + path(channel), {
    method: 'POST',
    headers: key === undefined ? {} : { 'api-key': key },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

/** Retries while content is imported. */
async function open(stage: Stage, url: string, format: 'hls' | 'dash'): Promise<Opened> {
  for (;;) {
    const reply = await post(stage, { url, deliverytypes: [format], viewer: `${format} viewer`, context: 'test' });
    if (reply.status === 200) {
      const opened = (await reply.json()) as OpenedFeed;
      expect(Object.keys(opened)).toEqual([format]);
      return opened[format]!;
    }
    expect([reply.status, await reply.text()]).toEqual([503, naming('imported')]);
    await stage.clock.sleep(500);
  }
}

/** Sums EXTINF of the first media playlist. */
async function lengthInHls(url: string): Promise<number> {
  const multivariant = await (await fetch(url)).text();
  const media = await (await fetch(new URL(mediaPlaylists(multivariant)[0]!, url))).text();
  expect(media).toContain('#EXT-X-ENDLIST');
  return [...media.matchAll(/^#EXTINF:([\d.]+)/gm)].reduce((sum, [, seconds]) => sum + Number(seconds), 0);
}

async function lengthInDash(url: string): Promise<number> {
  const mpd = await (await fetch(url)).text();
  return Number(/mediaPresentationDuration="PT([\d.]+)S"/.exec(mpd)?.[1]);
}

const sum = ({ clips }: Opened): number => clips.reduce((total, { duration }) => total + duration, 0) / 1000;

export async function feedsArePlayed(stage: Stage): Promise<void> {
  const { adHost, midroll, origin } = stage;
  const [first, second, spot] = await Promise.all([
    stage.video({ seconds: 8 }),
    stage.video({ seconds: 12 }),
    stage.spot(4),
  ]);
  const seen: string[] = [];
  adHost.offer('/feeds', (viewer) => {
    seen.push(viewer);
    return [{ id: 'spot', seconds: 4, url: spot, tracking: 'https://beacons.test/[EVENT]' }];
  });
  const channel = {
    ...{ state: 'enabled', apiKey: 'key', vodBudgetMs: 20_000, tracking: 'client' },
    adSource: adSource(adHost, '/feeds'),
  };
  const contentHosts = [new URL(origin.url).host];
  await midroll.create('channels', { id: CHANNEL, type: 'vod', contentHosts, ...channel });
  await midroll.create('channels', { id: 'feedless', type: 'vod', ...channel });
  await midroll.create('channels', { id: 'linear', ...channel });
  const write = (name: string, text: string): string => {
    writeFileSync(join(origin.folder, name), text);
    return `${origin.url}/${name}`;
  };
  const feed = write(
    'films.xml',
    `<rss xmlns:m="http://search.yahoo.com/mrss"><channel><title>Films</title>
<item><guid>film-1</guid><title><![CDATA[One & only]]></title><m:group><m:content url="poster.jpg"/><m:content url="${first}"/></m:group>
<cuepoints><cuepoint><splicetime>0</splicetime><duration>4</duration></cuepoint><cuepoint>4000</cuepoint><cuepoint>soon</cuepoint></cuepoints></item>
<item><m:content url="${second.slice(origin.url.length)}" duration="00:00:12"/>
<cuepoints><cuepoint splicetime="-1" duration="4"/></cuepoints></item></channel></rss>`,
  );
  // The first session may be decided before the ad is conditioned.
  while ((await open(stage, feed, 'hls')).clips.filter(({ category }) => category === 'ad').length < 3)
    await stage.clock.sleep(1000);
  for (const format of ['hls', 'dash'] as const) {
    const opened = await open(stage, feed, format);
    expect(opened.clips.map(({ category, titleId, title, duration }) => [category, titleId, title, duration])).toEqual([
      ['ad', '0-1-0', 'Ad spot', 4000],
      ['content', 'film-1', 'One & only', expect.any(Number)],
      ['ad', expect.any(String), 'Ad spot', 4000],
      ['content', 'film-1', 'One & only', expect.any(Number)],
      ['content', '2', 'Films', expect.any(Number)],
      ['ad', expect.any(String), 'Ad spot', 4000],
    ]);
    const events = opened.clips[0]!.trackingEvents!;
    expect(events.map(({ eventType }) => eventType)).toEqual(
      expect.arrayContaining(['impression', 'start', 'complete']),
    );
    expect(events.find(({ eventType }) => eventType === 'start')!.beaconUrls).toEqual(['https://beacons.test/start']);
    expect(opened.warnings).toEqual([naming('item 1', 'soon'), naming('item 1', 'poster.jpg')]);
    const length = format === 'hls' ? await lengthInHls(opened.url) : await lengthInDash(opened.url);
    expect(Math.abs(length - sum(opened))).toBeLessThan(0.05);
    expect(seen).toContain(`${format} viewer`);
    const { json } = await midroll.api('GET', `/sessions/${opened.sessionId}`);
    expect(json).toMatchObject({ channel: CHANNEL, format });
  }
  await keepsNames(stage, first, write);
  await rejects(stage, feed, write);
}

/** Content keeps its title if an item before it cannot be played. */
async function keepsNames(stage: Stage, film: string, write: (name: string, text: string) => string): Promise<void> {
  const itemOf = (guid: string, url: string) => `<item><guid>${guid}</guid><m:content url="${url}"/></item>`;
  const items = itemOf('missing', `${stage.origin.url}/missing.m3u8`) + itemOf('film', film);
  const rss = `<rss xmlns:m="http://search.yahoo.com/mrss"><channel><title>Films</title>${items}</channel></rss>`;
  const { clips, warnings } = await open(stage, write('gap.xml', rss), 'hls');
  const content = clips.filter(({ category }) => category === 'content');
  expect(content.map(({ titleId }) => titleId)).toEqual(['film']);
  expect(warnings).toEqual([naming('item 1')]);
}

async function rejects(stage: Stage, feed: string, write: (name: string, text: string) => string): Promise<void> {
  const good = { url: feed, deliverytypes: ['hls'] };
  const get = await fetch(stage.midroll.liveUrl + path(CHANNEL));
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  const statusOf = async (...request: [Body | string | undefined, (string | undefined)?, string?]) =>
    (await post(stage, ...request)).status;
  expect((await fetch(stage.midroll.liveUrl + path(CHANNEL), { method: 'POST', body: '{}' })).status).toBe(401);
  expect(await statusOf(good, 'wrong')).toBe(403);
  expect(await statusOf(good, 'key', 'unknown')).toBe(404);
  expect(await statusOf(good, 'key', 'linear')).toBe(409);
  expect(await statusOf(undefined)).toBe(400);
  expect(await statusOf('{')).toBe(400);
  expect(await statusOf('x'.repeat(40_000))).toBe(413);
  const faulty: [Body, string, string][] = [
    [{ deliverytypes: ['hls'] }, '/url', 'required'],
    [{ ...good, deliverytypes: ['hls', 'dash'] }, '/deliverytypes', 'dash'],
    [{ ...good, nested: {} }, '/nested', 'text'],
    [{ ...good, url: `${feed}x` }, '/url', '404'],
    [{ ...good, url: 'https://other.test/films.xml' }, '/url', 'contentHosts'],
    [
      {
        ...good,
        url: write('other.xml', '<rss><channel><item><enclosure url="https://x.test/a.m3u8"/></item></channel></rss>'),
      },
      '/url',
      'contentHosts',
    ],
    [{ ...good, url: write('page.xml', '<!doctype html>') }, '/url', 'HTML'],
    [{ ...good, url: write('large.xml', ' '.repeat(10 << 20)) }, '/url', '2097152'],
  ];
  for (const [body, dataPath, word] of faulty) {
    const reply = await post(stage, body);
    const json = (await reply.json()) as { data: object[] };
    expect([reply.status, json.data]).toEqual([422, [expect.objectContaining({ dataPath, message: naming(word) })]]);
  }
  const hostless = (await (await post(stage, good, 'key', 'feedless')).json()) as { code: number };
  expect(hostless.code).toBe(422);
}
