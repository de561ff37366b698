// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { createDecipheriv } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { readHls, readMpd } from '../../laws/readBack.ts';
import type { LiveOriginSetup } from './liveOrigin.ts';
import { hlsMarkers } from './markers/hlsMarkers.ts';
import { startOriginOfTest } from './originOfTest.ts';

async function start(setup: Partial<LiveOriginSetup> = {}) {
  const { clock, origin } = await startOriginOfTest(setup);
  const get = (path: string) => fetch(new URL(path, origin.hlsUrl));
  const list = async (path: string) => readHls(await (await get(path)).text());
  return { clock, origin, get, list };
}

async function decodeErrors(bytes: Uint8Array): Promise<string> {
  const decoder = spawn('ffmpeg', ['-v', 'error', '-i', '-', '-map', '0', '-f', 'null', '-']);
  decoder.stdin.on('error', () => {});
  decoder.stdin.end(bytes);
  return text(decoder.stderr);
}

describe('HLS', () => {
  test.each(['cmaf', 'ts', 'muxed'] as const)('%s decodes, and its window follows the clock', async (packaging) => {
    const { clock, get, list } = await start({ packaging });
    const master = await (await get('/master.m3u8')).text();
    const paths = [...master.matchAll(/^(?:#EXT-X-MEDIA:.*URI="([^"]+)".*|([^#\s].*))$/gm)].map(([, a, b]) => a ?? b!);
    expect(paths).toEqual(packaging === 'muxed' ? ['v0.m3u8', 'v1.m3u8'] : ['a0.m3u8', 'v0.m3u8', 'v1.m3u8']);
    for (const path of paths) {
      const seen = await list(path);
      expect(seen.segments).toHaveLength(6);
      const last = seen.segments.at(-1)!;
      expect(Math.abs(last.date + last.duration / 1000 - clock.now())).toBeLessThan(25);
      const [, map] = /URI="([^"]+)"/.exec(last.map) ?? [];
      const urls = [...(map ? [map] : []), ...seen.segments.map(({ uri }) => uri)];
      const files = await Promise.all(urls.map(async (url) => Buffer.from(await (await get(url)).arrayBuffer())));
      expect(await decodeErrors(Buffer.concat(files))).toBe('');
    }
    const before = await list('v0.m3u8');
    clock.at += 2000;
    const after = await list('v0.m3u8');
    expect(after.segments.slice(0, -1)).toEqual(before.segments.slice(1));
  });

  test('segments of the future and of the past do not exist', async () => {
    const { list, get } = await start({ history: 300 });
    const { segments } = await list('v0.m3u8');
    const { number } = segments.at(-1)!;
    const statuses = [number, number + 1, number - 65, number - 66].map((each) => get(`/v0/0/${each}.m4s`));
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 404, 200, 404]);
  });

  test('AES-128 segments decrypt with the listed key', async () => {
    const { get } = await start({ encryption: { rotation: 4 } });
    const lines = (await (await get('v0.m3u8')).text()).split('\n');
    const keys = lines.filter((line) => line.startsWith('#EXT-X-KEY'));
    expect(keys.length).toBeGreaterThan(1);
    const uri = lines.findLast((line) => line.startsWith('v0/'))!;
    const key = Buffer.from(await (await get(/URI="([^"]+)"/.exec(keys.at(-1)!)![1]!)).arrayBuffer());
    const iv = Buffer.alloc(16);
    iv.writeUInt32BE(Number(/(\d+)\.m4s/.exec(uri)![1]), 12);
    const decipher = createDecipheriv('aes-128-cbc', key, iv);
    const body = Buffer.from(await (await get(uri)).arrayBuffer());
    const clear = Buffer.concat([decipher.update(body), decipher.final()]);
    expect(clear.subarray(4, 8).toString()).toBe('styp');
  });

  test('byte ranges are those of the segments', async () => {
    const { origin, get } = await start({ byteRanges: true });
    const playlist = await (await get('a0.m3u8')).text();
    const [, length, at, uri] = /#EXT-X-BYTERANGE:(\d+)@(\d+)\n(\S+)/.exec(playlist)!;
    const range = `bytes=${at}-${Number(at) + Number(length) - 1}`;
    const response = await fetch(new URL(uri!, origin.hlsUrl), { headers: { range } });
    expect(response.status).toBe(206);
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(4, 8)
        .toString(),
    ).toBe('styp');
  });

  test.each(hlsMarkers)('%s marks the same break in every rendition and at every time', async (form) => {
    const { clock, get } = await start({ hlsMarkers: form, breaks: { every: 40, seconds: 16, first: 8 }, window: 20 });
    clock.at += 40_000;
    const tags = async (path: string) =>
      (await (await get(path)).text()).split('\n').filter((line) => /CUE|OATCLS|SCTE35/.test(line));
    const video = await tags('v0.m3u8');
    expect(video.length).toBeGreaterThan(1);
    expect(await tags('v1.m3u8')).toEqual(video);
    expect(await tags('a0.m3u8')).toEqual(video);
  });

  test('the encoder restarts with number 1 after a pause', async () => {
    const { clock, origin, list, get } = await start();
    const before = await list('v0.m3u8');
    origin.broadcast.restart(clock.now(), 5000);
    clock.at += 4000;
    expect(await list('v0.m3u8')).toEqual(before);
    clock.at += 2000;
    expect((await get('v0.m3u8')).status).toBe(404);
    clock.at += 4000;
    const after = await list('v0.m3u8');
    expect(after.segments.map(({ number }) => number)).toEqual([1, 2]);
    expect(new Date(after.segments[0]!.date).getTime()).toBe(clock.now() - 5000);
  });

  test('discontinuities are counted when they leave the window', async () => {
    const { clock, origin, list } = await start({ loops: 'discontinuity' });
    const run = origin.broadcast.runs[0]!;
    run.discontinuities.add(origin.broadcast.edgeAt(run, clock.now()));
    const seen = new Map<string, number>();
    for (let step = 0; step < 30; step += 1) {
      for (const { uri, discontinuity } of (await list('v0.m3u8')).segments) {
        expect(seen.get(uri) ?? discontinuity).toBe(discontinuity);
        seen.set(uri, discontinuity);
      }
      clock.at += 2000;
    }
    expect([...new Set(seen.values())]).toEqual([1, 2, 3].map((count) => count + Math.min(...seen.values()) - 1));
  });
});

describe('DASH', () => {
  test.each(['time', 'number', 'duration'] as const)('%s: listed segments exist', async (addressing) => {
    const { clock, origin, get } = await start({ addressing });
    clock.at += 50_000;
    const mpd = await (await get('/live.mpd')).text();
    if (addressing === 'duration') {
      const number = Number(/startNumber="(\d+)"/.exec(mpd)![1]);
      const index = origin.broadcast.edgeAt(origin.broadcast.runs[0]!, clock.now());
      expect((await get(`v0/0/${number + index}.m4s`)).status).toBe(200);
      expect((await get(`v0/0/${number + index + 1}.m4s`)).status).toBe(404);
      return;
    }
    const periods = readMpd(mpd);
    for (const urls of Object.values(periods[0]!.urls)) {
      expect(urls).toHaveLength(6);
      for (const url of urls) expect([url, (await get(url)).status]).toEqual([url, 200]);
    }
  });

  test('a discontinuity starts a Period', async () => {
    const { clock, origin, get } = await start();
    const run = origin.broadcast.runs[0]!;
    run.discontinuities.add(origin.broadcast.edgeAt(run, clock.now()) - 1);
    const periods = readMpd(await (await get('/live.mpd')).text());
    expect(periods.map(({ urls }) => urls.v0!.length)).toEqual([4, 2]);
    for (const url of periods.flatMap(({ urls }) => Object.values(urls).flat())) {
      expect([url, (await get(url)).status]).toEqual([url, 200]);
    }
  });

  test('in-band events are in the segments before a break', async () => {
    const breaks = { every: 40, seconds: 16, first: 2, lead: 4 };
    const { clock, list, get } = await start({ dashMarkers: 'inband', breaks });
    clock.at += 8000;
    const uris = (await list('v0.m3u8')).segments.map(({ uri }) => uri);
    const files = await Promise.all(uris.map(async (uri) => Buffer.from(await (await get(uri)).arrayBuffer())));
    const count = files.filter((bytes) => bytes.includes('urn:scte:scte35:2013:bin')).length;
    expect(count).toBe(1);
  });
});

describe('faults', () => {
  test('each fault affects the requests that the test chooses', async () => {
    const { origin, get, list } = await start();
    const chosen: string[] = [];
    const end = origin.fail(({ path, earlier }) => {
      chosen.push(`${path} ${earlier}`);
      if (path === '/v0.m3u8' && earlier === 0) return { does: 'respond', status: 503 };
      if (path === '/v0.m3u8' && earlier === 1) return { does: 'older', segments: 2 };
      if (path === '/v1.m3u8') return { does: 'reset' };
      if (path === '/a0.m3u8') return { does: 'rewrite', rewrite: () => '#EXTM3U\n' };
      return undefined;
    });
    expect((await get('v0.m3u8')).status).toBe(503);
    const older = await list('v0.m3u8');
    const newest = await list('v0.m3u8');
    expect(newest.segments[0]!.number - older.segments[0]!.number).toBe(2);
    await expect(get('v1.m3u8')).rejects.toThrow();
    expect(await (await get('a0.m3u8')).text()).toBe('#EXTM3U\n');
    end();
    expect((await get('v1.m3u8')).status).toBe(200);
    expect(chosen).toHaveLength(5);
    expect([origin.count('/v0.m3u8'), origin.count(/^\/a0/)]).toEqual([3, 1]);
  });

  test('a rendition lags', async () => {
    const { origin, list } = await start();
    origin.lags.set('v1', 1);
    const [v0, v1] = [await list('v0.m3u8'), await list('v1.m3u8')];
    expect(v0.segments.at(-1)!.number - v1.segments.at(-1)!.number).toBe(1);
  });

  test('tokens and cookies are required', async () => {
    const { clock, get } = await start({ access: 'token' });
    expect((await get('v0.m3u8')).status).toBe(403);
    const master = await (await get('/master.m3u8?token=entry')).text();
    const uri = /^v0\.m3u8\S+/m.exec(master)![0];
    expect((await get(uri)).status).toBe(200);
    clock.at += 90_000;
    expect((await get(uri)).status).toBe(403);
  });

  test('manifests are compressed, redirected and revalidated', async () => {
    const { origin, get } = await start({ gzips: true });
    const response = await get('/moved/master.m3u8');
    expect([response.status, response.url, response.headers.get('content-encoding')]).toEqual([
      200,
      `${origin.url}/edge/master.m3u8`,
      'gzip',
    ]);
    const etag = response.headers.get('etag')!;
    const again = await fetch(origin.hlsUrl, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });
});
