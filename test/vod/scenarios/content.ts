// SPDX-License-Identifier: Apache-2.0
// `?content=`: the URL that fills the placeholders of a channel, on hosts that the channel allows.
import { expect } from 'vitest';
import { adSource, type Stage } from '../../live/stage.ts';
import { airVod, openVod, readVod, seenPeriods, untilHolds } from '../watchVod.ts';

const library = [{ sourceType: 'placeholder', cuePoints: [{ spliceTime: 0 }] }];
const contentOf = (url: string): string => `content=${encodeURIComponent(url)}`;

type Refused = { readonly type: string; readonly message: string; readonly data?: readonly { dataPath: string }[] };

async function refused(stage: Stage, channel: string, query: string): Promise<[status: number, body: Refused]> {
  const response = await fetch(`${stage.midroll.liveUrl}/hls/view/${channel}?api-key=key&${query}`);
  return [response.status, (await response.json()) as Refused];
}

type TitleProgress = { readonly url: string; readonly state: string; readonly reason?: string };

/** The imports that players have caused, as operators see them. */
const titlesOf = async ({ midroll }: Stage, channel: string): Promise<readonly TitleProgress[]> =>
  (await midroll.api('GET', `/channels/${channel}`)).json.titles;

export async function contentIsRequested(stage: Stage): Promise<void> {
  const host = new URL(stage.origin.url).host;
  const [hls, dash, spot] = await Promise.all([
    stage.video({ seconds: 8 }),
    stage.video({ seconds: 6, container: 'dash' }),
    stage.spot(2),
  ]);
  stage.adHost.offer('/library', () => [{ id: 'two', seconds: 2, url: spot }]);
  await airVod(stage, 'library', library, { contentHosts: [host], adSource: adSource(stage.adHost, '/library') });

  const of = (url: string) => openVod(stage, 'library', { query: contentOf(url) });
  expect(await of(hls)).toMatchObject({ contentDurationSeconds: 8, durationSeconds: 10 });
  const view = await of(dash);
  expect(view).toMatchObject({ contentDurationSeconds: 6, durationSeconds: 8 });
  expect(seenPeriods(await readVod(stage.midroll, 'library', view.sessionId))).toHaveLength(2);

  // Of a repeated parameter, the last value is used, for the content and for the ad server.
  const repeated = { query: `${contentOf(hls)}&${contentOf(dash)}` };
  expect(await openVod(stage, 'library', repeated)).toMatchObject({ contentDurationSeconds: 6 });

  const wrong: readonly (readonly [query: string, named: string])[] = [
    ['', 'placeholder'],
    [contentOf('http://127.0.0.1:9/film.m3u8'), '127.0.0.1:9'],
    [contentOf('http://localhost/film.m3u8'), 'localhost'],
    [contentOf('file:///etc/passwd'), 'file:///etc/passwd'],
    [contentOf('film.m3u8'), 'film.m3u8'],
  ];
  for (const [query, named] of wrong) {
    const [status, { type, message, data }] = await refused(stage, 'library', query);
    expect([query, status, type]).toEqual([query, 422, 'VALIDATION_ERROR']);
    expect(data!.map(({ dataPath }) => dataPath)).toEqual(['/content']);
    expect(message + JSON.stringify(data)).toContain(named);
  }

  await airVod(stage, 'no-placeholder', [{ sourceType: 'url', url: hls }], { contentHosts: [host] });
  await openVod(stage, 'no-placeholder');
  expect((await refused(stage, 'no-placeholder', contentOf(hls)))[0]).toBe(422);
}

/** The requested content cannot be played: viewers get 503, and the operator reads why. */
export async function badContentIsExplained(stage: Stage): Promise<void> {
  const { adHost } = stage;
  adHost.on('/live.m3u8', (response) => {
    const lines = ['#EXTM3U', '#EXT-X-TARGETDURATION:2', '#EXT-X-MEDIA-SEQUENCE:7', '#EXTINF:2,', 'a.m4s', ''];
    response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).end(lines.join('\n'));
  });
  await airVod(stage, 'bad-library', library, { contentHosts: ['127.0.0.1'] });
  const bad: Readonly<Record<string, string>> = {
    [`${adHost.url}/html`]: 'html',
    [`${adHost.url}/gone.m3u8`]: '404',
    [`${adHost.url}/live.m3u8`]: 'EXT-X-ENDLIST',
    [`${adHost.url}/empty`]: 'empty',
  };
  await untilHolds(stage, 'the channel is known', async () => (await refused(stage, 'bad-library', ''))[0] === 422);
  for (const url of Object.keys(bad)) {
    const [status, { type, message }] = await refused(stage, 'bad-library', contentOf(url));
    expect([url, status, type]).toEqual([url, 503, 'UNAVAILABLE']);
    // Viewers do not learn about the source.
    expect(message).not.toContain(adHost.url);
  }
  const titles = await titlesOf(stage, 'bad-library');
  expect(titles.map(({ state }) => state)).toEqual(Object.keys(bad).map(() => 'failed'));
  for (const [url, named] of Object.entries(bad)) {
    expect(titles.find((one) => one.url === url)?.reason).toContain(named);
  }
}

/** An import that takes longer than the budget continues: 503 with the time to retry, then 200. */
export async function slowImportContinues(stage: Stage): Promise<void> {
  const { adHost, clock, midroll } = stage;
  const film = await stage.video({ seconds: 8 });
  adHost.on('/slow.m3u8', async (response) => {
    const body = await (await fetch(film)).text();
    // Well within the time limit of a request to an origin, which passes on the same clock.
    await clock.sleep(3000);
    const absolute = body.replaceAll(/^(r\d+\.m3u8)$/gm, (path) => new URL(path, film).href);
    const text = absolute.replaceAll(/URI="([^"]+)"/g, (_, path: string) => `URI="${new URL(path, film).href}"`);
    response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).end(text);
  });
  await airVod(stage, 'slow-library', library, { contentHosts: ['127.0.0.1'], vodBudgetMs: 1000 });
  await untilHolds(stage, 'the channel is known', async () => (await refused(stage, 'slow-library', ''))[0] === 422);
  const slow = `${adHost.url}/slow.m3u8`;
  const query = contentOf(slow);
  const url = `${midroll.liveUrl}/hls/slow-library/master.m3u8?api-key=key&${query}`;
  const first = await fetch(url);
  expect(first.status).toBe(503);
  expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await first.json()).toMatchObject({ type: 'UNAVAILABLE', code: 503 });
  expect(await titlesOf(stage, 'slow-library')).toMatchObject([{ url: slow, state: 'importing' }]);
  expect(await openVod(stage, 'slow-library', { query })).toMatchObject({ contentDurationSeconds: 8 });
  expect(await titlesOf(stage, 'slow-library')).toMatchObject([{ url: slow, state: 'ready', duration: 8 }]);
}
