// SPDX-License-Identifier: Apache-2.0
// Which manifests and media an import refuses, and with what reasons.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { lawRuns } from '../../../test/lawRuns.ts';
import { importing } from '../../../test/media/importing.ts';
import { encodeTestVideo, group, manifest, variant } from '../../../test/media/testVideo.ts';
import { naming } from '../../../test/naming.ts';
import { plainOrigin } from '../../../test/servers/folderServer.ts';
import type { Origin, ReadResult } from '../ports.ts';
import { type ImportOptions, importAsset } from './importAsset.ts';

const { server, put, tryImport, plain } = importing();
let audio = '';
beforeAll(async () => {
  audio = (await encodeTestVideo(server())).audio;
  writeFileSync(join(server().folder, 'page.m4s'), '<!DOCTYPE html><html>Please log in</html>');
});

async function refused(path: string, options?: ImportOptions, origin?: Origin) {
  const result = await tryImport(path, options, origin);
  if (result.ok) return 'imported';
  const { ok: _ok, ...refusal } = result;
  return { ...refusal, reason: plain(refusal.reason) };
}
const refusedText = (text: string) => {
  put('/x.m3u8', text);
  return refused('/x.m3u8');
};

/** The refusal of a missing resource: its location in the manifest and its URL. */
const notFetched = (...names: string[]) => ({ code: 'NOT_FETCHED', status: 404, reason: naming(...names, 404) });

describe('an import refuses', () => {
  const bare = (...lines: string[]): string => manifest('#EXT-X-TARGETDURATION:4', ...lines, '#EXT-X-ENDLIST');

  test('an asset without any readable audio or video', async () => {
    put('/asset.m3u8', manifest(group('a', 'en', 'missing.m3u8'), variant(1, 'v.m3u8', ',AUDIO="a"')));
    expect(await refused('/asset.m3u8')).toEqual(notFetched('2', 'asset.m3u8', '/missing.m3u8'));
    put('/asset.m3u8', manifest(group('a', 'en', 'a.m3u8'), variant(1, 'gone.m3u8', ',AUDIO="a"')));
    expect(await refused('/asset.m3u8')).toEqual(notFetched('3', 'asset.m3u8', '/gone.m3u8'));
  });

  test.each([
    [
      '<!DOCTYPE html><html></html>',
      { code: 'NO_MANIFEST', reason: naming('#EXTM3U', 'MPD', '"<!DOCTYPE html><html></html>"') },
    ],
    ['', { code: 'NO_MANIFEST', reason: naming('#EXTM3U', 'MPD') }],
    [
      '<?xml version="1.0"?><rss/>',
      { code: 'NO_MANIFEST', reason: naming('#EXTM3U', 'MPD', '"<?xml version=\\"1.0\\"?><rss/>"') },
    ],
    [manifest('#EXTINF:NaN,', 'a'), { code: 'EXTINF', line: 2, reason: naming('x.m3u8', 2, 'EXTINF', '"NaN"') }],
    [manifest('#EXTINF:4,', 'a'), { code: 'NOT_FINISHED', reason: naming('x.m3u8', 'EXT-X-ENDLIST') }],
    [manifest('#EXT-X-ENDLIST'), { code: 'NO_SEGMENT', reason: naming('x.m3u8') }],
  ])('other documents and incomplete playlists: %j', async (text, refusal) => {
    expect(await refusedText(text)).toEqual(refusal);
  });

  test('unsuitable media playlists, with the line', async () => {
    expect(await refusedText(bare('#EXT-X-I-FRAMES-ONLY', '#EXTINF:4,', 'v0.m4s'))).toMatchObject({
      code: 'I_FRAMES_ONLY',
    });
    expect(await refusedText(bare('#EXTINF:4,', 'v0.m4s', '#EXT-X-GAP', '#EXTINF:4,', 'v1.m4s'))).toEqual({
      code: 'GAP',
      line: 6,
      reason: naming(6, 'EXT-X-GAP'),
    });
    const notHttp = (url: string) => ({ code: 'NOT_HTTP', line: 3, reason: naming(3, url) });
    expect(await refusedText(bare('#EXTINF:4,', 'file:///etc/passwd'))).toEqual(notHttp('file:///etc/passwd'));
    expect(await refusedText(bare('#EXT-X-MAP:URI="ftp://x/i"', '#EXTINF:4,', 'v0.m4s'))).toEqual(notHttp('ftp://x/i'));
    const two = bare('#EXTINF:4,', '#EXT-X-BYTERANGE:5@0', 'a.mp4', '#EXTINF:4,', '#EXT-X-BYTERANGE:5', 'b.mp4');
    expect(await refusedText(two)).toMatchObject({ code: 'RANGE_START', line: 8 });
  });

  test('segments that are not media', async () => {
    expect(await refusedText(bare('#EXTINF:4,', 'page.m4s'))).toEqual({
      code: 'WEB_PAGE',
      reason: naming('"<!DOCTYPE ht"'),
    });
    expect(await refusedText(bare('#EXTINF:4,', 'bare.aac'))).toMatchObject({ code: 'PACKED_AUDIO' });
    expect(await refusedText(bare('#EXTINF:4,', 'v.m3u8'))).toMatchObject({ code: 'PLAYLIST' });
    expect(await refusedText(bare('#EXT-X-MAP:URI="missing.mp4"', '#EXTINF:4,', 'v0.m4s'))).toEqual(
      notFetched('x.m3u8', '/missing.mp4'),
    );
    expect(await refusedText(bare('#EXT-X-MAP:URI="page.m4s"', '#EXTINF:4,', 'v0.m4s'))).toMatchObject({
      code: 'NO_MOOV',
    });
    expect(await refusedText(bare('#EXT-X-MAP:URI="vi.mp4"', '#EXTINF:4,', 'page.m4s'))).toEqual({
      code: 'NO_SAMPLE',
      reason: naming(0),
    });
    const reversed = bare('#EXT-X-MAP:URI="vi.mp4"', '#EXTINF:4,', 'v1.m4s', '#EXTINF:4,', 'v0.m4s');
    expect(await refusedText(reversed)).toEqual({ code: 'NO_ORDER', reason: naming(1, 0) });
    expect(await refusedText(audio.replace(/#EXT-X-MAP.*\n/, ''))).toMatchObject({ code: 'NO_MOOV' });
  });

  test('media times that go back, with the part', async () => {
    const segment = (name: string) => ['#EXTINF:4,', name];
    const map = '#EXT-X-MAP:URI="vi.mp4"';
    const reversed = bare(
      map,
      ...segment('v0.m4s'),
      '#EXT-X-DISCONTINUITY',
      ...segment('v1.m4s'),
      ...segment('v0.m4s'),
    );
    expect(await refusedText(reversed)).toEqual({ code: 'NO_ORDER', reason: naming('part 2 of 2', 1, 0) });
    const undivided = await refusedText(bare(map, ...segment('v1.m4s'), ...segment('v0.m4s')));
    expect(undivided).toEqual({ code: 'NO_ORDER', reason: naming('EXT-X-DISCONTINUITY') });
  });

  test('slow origins and URLs of other schemes', async () => {
    const slow: Origin = {
      ...plainOrigin,
      read: (_, options) =>
        new Promise((resolve) => {
          options?.signal?.addEventListener('abort', () => resolve({ ok: false, reason: 'was cancelled' }));
        }),
    };
    expect(await refused('/v.m3u8', { timeoutMs: 100 }, slow)).toEqual({
      code: 'TIMEOUT',
      reason: naming('/v.m3u8', 0.1),
    });
    const result = await importAsset('file:///etc/passwd', plainOrigin);
    expect(result).toEqual({ ok: false, code: 'NOT_HTTP', reason: naming('file:///etc/passwd') });
  });

  test('or returns an asset for every possible response', async () => {
    put('/asset.m3u8', manifest(group('a', 'en', 'a.m3u8'), variant(1, 'v.m3u8', ',AUDIO="a"')));
    const cache = new Map<string, ReadResult>();
    const damaged = (changes: readonly (readonly [number, number])[]): Origin => ({
      ...plainOrigin,
      async read(url, options) {
        if (!/^[\w./:-]*$/.test(url) || !url.startsWith(server().base))
          return { ok: false, reason: 'is on another host', status: 404 };
        const name = `${url} ${options?.range?.start} ${options?.range?.length}`;
        const read = cache.get(name) ?? (await plainOrigin.read(url, options));
        cache.set(name, read);
        if (!read.ok || url.endsWith('.m3u8')) return read;
        const bytes = read.bytes.slice();
        for (const [at, value] of changes) bytes[at % Math.min(bytes.length, 2000)] = value;
        return { ...read, bytes };
      },
    });
    const changes = fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        const result = await importAsset(`${server().base}/asset.m3u8`, damaged(list));
        if (result.ok) expect(result.asset.duration).toBeGreaterThan(0);
        else expect(result.reason.length).toBeGreaterThan(10);
      }),
      lawRuns(300),
    );
  });

  test.each([408, 425, 429, 503])('nothing because of a single status %i', async (status) => {
    let failures = 0;
    const unstable: Origin = {
      ...plainOrigin,
      read: async (url, options) => {
        if (url.endsWith('v1.m4s') && failures === 0) {
          failures += 1;
          return { ok: false, reason: `returned ${status}`, status };
        }
        return plainOrigin.read(url, options);
      },
    };
    expect(await refused('/v.m3u8', {}, unstable)).toBe('imported');
    expect(failures).toBe(1);
  });
});
