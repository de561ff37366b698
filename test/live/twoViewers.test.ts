// Two viewers of one channel: the same content, each their own ads; the same in HLS and in DASH; all of it there, and
// decodable.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeSpans } from './decode.ts';
import { makeFilm, makeSpot } from './films.ts';
import { adSource, item, openStage, type Stage } from './stage.ts';
import type { Viewer } from './viewer.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  const { origin, adHost } = stage;
  const [two, one, spot3, spot4, spot5] = await Promise.all([
    makeFilm(origin.folder, 'two', { seconds: 8, qualities: 2 }),
    makeFilm(origin.folder, 'one', { seconds: 8, container: 'dash' }),
    makeSpot(origin.folder, 'spot3', 3),
    makeSpot(origin.folder, 'spot4', 4),
    makeSpot(origin.folder, 'spot5', 5),
  ]);
  adHost.offer('/ads', (viewer) =>
    viewer === 'anna'
      ? [
          { id: 'three', seconds: 3, url: origin.url + spot3 },
          { id: 'four', seconds: 4, url: origin.url + spot4 },
        ]
      : [{ id: 'five', seconds: 5, url: origin.url + spot5 }],
  );
  adHost.offer('/demo', (viewer) => [
    { id: viewer, seconds: 10, url: `${origin.url}/spots/${viewer === 'anna' ? 'coffee' : 'islands'}.mp4` },
  ]);
  await stage.air(
    'short',
    [
      item(origin.url + two, { spliceTime: 4, maxDuration: 7 }),
      item(origin.url + one, { spliceTime: 0, maxDuration: 6, maxAds: 1 }),
    ],
    { adSource: adSource(adHost, '/ads') },
  );
  const cuts = [0, 8, 16, 24].map((spliceTime) => ({ spliceTime, maxDuration: 10 }));
  await stage.air('demo', [item(`${origin.url}/tide/master.m3u8`, ...cuts)], { adSource: adSource(adHost, '/demo') });
});
afterAll(() => stage?.close());

type Shown = { readonly content: Map<number, string>; readonly ads: Map<number, string> };

/** What a rung showed from an instant on, by date: content, and what was made for breaks. */
function shown({ listed }: Viewer, rung: string, from: number): Shown {
  const all = [...listed.get(rung)!.values()].filter(({ date }) => date >= from);
  const byDate = (isOurs: boolean) =>
    new Map(all.filter(({ uri }) => uri.startsWith('/m/') === isOurs).map(({ date, uri }) => [date, uri]));
  return { content: byDate(false), ads: byDate(true) };
}

async function adsOf({ session }: Viewer): Promise<string[]> {
  const { json } = await stage.midroll.api('GET', `/sessions/${session}`);
  const breaks = json.breaks as { ads: { title: string; outcome: string }[] }[];
  return breaks.flatMap(({ ads }) => ads.flatMap(({ title, outcome }) => (outcome === 'stitched' ? [title] : [])));
}

/** ffmpeg plays along from the beginning of the window; @returns what it complained of */
async function playInFfmpeg(url: string, seconds: number): Promise<string> {
  const quiet = ['-nostdin', '-v', 'error', '-threads', '1', '-http_persistent', '0'];
  const player = spawn('ffmpeg', [
    ...quiet,
    '-live_start_index',
    '0',
    '-i',
    url,
    '-map',
    '0:v:0',
    '-map',
    '0:a:0',
    '-f',
    'null',
    '-',
  ]);
  const timer = setTimeout(() => player.kill('SIGINT'), seconds * 1000);
  const complaints = await text(player.stderr);
  clearTimeout(timer);
  return complaints;
}

test.concurrent.each([
  { channel: 'short', ads: { anna: ['Ad three', 'Ad four'], bert: ['Ad five'] } },
  { channel: 'demo', ads: { anna: ['Ad anna'], bert: ['Ad bert'] } },
])('two sessions on $channel', async ({ channel, ads }) => {
  const anna = await stage.watch(channel, { query: 'viewer=anna' });
  const bert = await stage.watch(channel, { query: 'viewer=bert', opens: 'dash' });
  const opened = Date.now();
  const { liveUrl } = stage.midroll;
  const played = playInFfmpeg(`${liveUrl}/hls/${channel}/master.m3u8?sid=${anna.session}`, 40);

  const hasBreaks = (viewer: Viewer) => new Set(shown(viewer, 'v0', opened).ads.values()).size >= 5;
  await anna.until('ads of each', () => hasBreaks(anna) && hasBreaks(bert) && Date.now() > opened + 42_000);
  await Promise.all([anna.leave(), bert.leave()]);
  expect([...anna.faults, ...bert.faults]).toEqual([]);
  // Its demuxer keeps the first init section of all, so what follows must not need its own.
  if (channel === 'short') expect(await played).toBe('');

  for (const rung of anna.rungs) {
    const [hers, his] = [shown(anna, rung, opened), shown(bert, rung, opened)];
    const both = [...hers.content.keys()].filter((date) => his.content.has(date));
    expect(both.length).toBeGreaterThan(6);
    for (const [date, uri] of hers.content) if (his.content.has(date)) expect(his.content.get(date)).toBe(uri);
    // Nobody has content where the other has a break.
    for (const date of hers.content.keys()) expect(his.ads.has(date)).toBe(false);
    const different = [...hers.ads].filter(([date, uri]) => his.ads.get(date) !== uri);
    expect(different.length).toBeGreaterThan(3);
  }
  expect(new Set(await adsOf(anna))).toEqual(new Set(ads.anna));
  expect(new Set(await adsOf(bert))).toEqual(new Set(ads.bert));

  for (const rung of ['v0', 'a0']) {
    const spans = await decodeSpans(anna, rung);
    expect(spans.length).toBeGreaterThan(4);
    for (const { seconds, frames, complaints, uris } of spans) {
      expect(complaints, uris.join('\n')).toBe('');
      if (rung === 'v0') expect(frames.video, uris.join('\n')).toBe(Math.round(seconds * 25));
      else expect(Math.abs(frames.audio! - (seconds * 48_000) / 1024), uris.join('\n')).toBeLessThanOrEqual(1.5);
    }
  }
  expect(stage.midroll.bugs()).toEqual([]);
});
