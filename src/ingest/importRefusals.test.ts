// What an import refuses, and how it says why.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type FolderServer, plainOrigin, startFolderServer } from '../../test/folderServer.ts';
import { encodeShortFilm, group, manifest, variant } from '../../test/shortFilm.ts';
import { type ImportOptions, importAsset } from './importAsset.ts';
import type { Origin, ReadResult } from './ports.ts';

let server: FolderServer;
let audio = '';
beforeAll(async () => {
  server = await startFolderServer();
  audio = encodeShortFilm(server).audio;
  writeFileSync(join(server.folder, 'page.m4s'), '<!DOCTYPE html><html>Please log in</html>');
});
afterAll(() => server.close());
afterEach(() => server.reset());

const put = (path: string, text: string): void => void server.texts.set(path, text);
async function refused(path: string, options?: ImportOptions, origin: Origin = plainOrigin): Promise<string> {
  const result = await importAsset(`${server.base}${path}`, origin, options);
  return result.ok ? 'was imported' : result.reason.replaceAll(server.base, '');
}
const refusedText = (text: string): Promise<string> => {
  put('/x.m3u8', text);
  return refused('/x.m3u8');
};

describe('what is refused', () => {
  const bare = (...lines: string[]): string => manifest('#EXT-X-TARGETDURATION:4', ...lines, '#EXT-X-ENDLIST');

  test('audio that is lost altogether, pictures that are lost altogether', async () => {
    put('/film.m3u8', manifest(group('a', 'en', 'lost.m3u8'), variant(1, 'v.m3u8', ',AUDIO="a"')));
    expect(await refused('/film.m3u8')).toBe('line 2 of film.m3u8: /lost.m3u8 answered 404');
    put('/film.m3u8', manifest(group('a', 'en', 'a.m3u8'), variant(1, 'gone.m3u8', ',AUDIO="a"')));
    expect(await refused('/film.m3u8')).toBe('line 3 of film.m3u8: /gone.m3u8 answered 404');
  });

  test.each([
    [
      '<!DOCTYPE html><html></html>',
      'an HLS playlist (#EXTM3U) or a DASH manifest (MPD) is wanted, got "<!DOCTYPE html><html></html>"',
    ],
    ['', 'an HLS playlist (#EXTM3U) or a DASH manifest (MPD) is wanted, got nothing'],
    [
      '<?xml version="1.0"?><rss/>',
      'an HLS playlist (#EXTM3U) or a DASH manifest (MPD) is wanted, got "<?xml version=\\"1.0\\"?><rss/>"',
    ],
    [manifest('#EXTINF:NaN,', 'a'), 'x.m3u8: line 2: EXTINF wants a number of seconds that is not negative, got "NaN"'],
    [
      manifest('#EXTINF:4,', 'a'),
      'x.m3u8: it has no EXT-X-ENDLIST, so it is still growing; only finished (VoD) playlists can be imported',
    ],
    [manifest('#EXT-X-ENDLIST'), 'x.m3u8: a playlist with segments is wanted, it lists none that last'],
  ])('%j', async (text, reason) => {
    expect(await refusedText(text)).toBe(reason);
  });

  test('odd media playlists, with the line', async () => {
    expect(await refusedText(bare('#EXT-X-I-FRAMES-ONLY', '#EXTINF:4,', 'v0.m4s'))).toMatch(/playlist of I-frames/);
    expect(await refusedText(bare('#EXTINF:4,', 'v0.m4s', '#EXT-X-GAP', '#EXTINF:4,', 'v1.m4s'))).toMatch(
      /line 6: .*EXT-X-GAP/,
    );
    expect(await refusedText(bare('#EXTINF:4,', 'file:///etc/passwd'))).toMatch(/line 3: an http\(s\) URL is wanted/);
    expect(await refusedText(bare('#EXT-X-MAP:URI="ftp://x/i"', '#EXTINF:4,', 'v0.m4s'))).toMatch(
      /line 3: an http\(s\) URL/,
    );
    const two = bare('#EXTINF:4,', '#EXT-X-BYTERANGE:5@0', 'a.mp4', '#EXTINF:4,', '#EXT-X-BYTERANGE:5', 'b.mp4');
    expect(await refusedText(two)).toMatch(/line 8: a byte range without a start wants a segment of the same resource/);
  });

  test('media that are none', async () => {
    expect(await refusedText(bare('#EXTINF:4,', 'page.m4s'))).toMatch(
      /a web page or XML \("<!DOCTYPE ht"\) came where/,
    );
    expect(await refusedText(bare('#EXTINF:4,', 'bare.aac'))).toMatch(/packed audio \(bare AAC or MP3/);
    expect(await refusedText(bare('#EXTINF:4,', 'v.m3u8'))).toMatch(/another playlist came where/);
    expect(await refusedText(bare('#EXT-X-MAP:URI="lost.mp4"', '#EXTINF:4,', 'v0.m4s'))).toBe(
      'x.m3u8: /lost.mp4 answered 404',
    );
    expect(await refusedText(bare('#EXT-X-MAP:URI="page.m4s"', '#EXTINF:4,', 'v0.m4s'))).toMatch(
      /wants a whole moov box/,
    );
    expect(await refusedText(bare('#EXT-X-MAP:URI="vi.mp4"', '#EXTINF:4,', 'page.m4s'))).toMatch(
      /segment 0 holds no sample/,
    );
    expect(await refusedText(bare('#EXT-X-MAP:URI="vi.mp4"', '#EXTINF:4,', 'v1.m4s', '#EXTINF:4,', 'v0.m4s'))).toMatch(
      /segment 1 must start after segment 0/,
    );
    expect(await refusedText(audio.replace(/#EXT-X-MAP.*\n/, ''))).toMatch(/wants a whole moov box/);
  });

  test('what takes too long, and URLs of other schemes', async () => {
    const slow: Origin = {
      ...plainOrigin,
      read: (_, options) =>
        new Promise((resolve) => {
          options?.signal?.addEventListener('abort', () => resolve({ ok: false, reason: 'was stopped' }));
        }),
    };
    expect(await refused('/v.m3u8', { timeoutMs: 100 }, slow)).toBe(
      '/v.m3u8 was not read: the import took longer than 0.1 s',
    );
    const result = await importAsset('file:///etc/passwd', plainOrigin);
    expect(result).toEqual({ ok: false, reason: 'an http(s) URL is wanted, got file:///etc/passwd' });
  });

  test('whatever an origin answers, an import ends in an asset or a reason', async () => {
    put('/film.m3u8', manifest(group('a', 'en', 'a.m3u8'), variant(1, 'v.m3u8', ',AUDIO="a"')));
    const kept = new Map<string, ReadResult>();
    const damaged = (changes: readonly (readonly [number, number])[]): Origin => ({
      ...plainOrigin,
      async read(url, options) {
        if (!/^[\w./:-]*$/.test(url) || !url.startsWith(server.base))
          return { ok: false, reason: 'is elsewhere', status: 404 };
        const name = `${url} ${options?.range?.start} ${options?.range?.length}`;
        const read = kept.get(name) ?? (await plainOrigin.read(url, options));
        kept.set(name, read);
        if (!read.ok || url.endsWith('.m3u8')) return read;
        const bytes = read.bytes.slice();
        for (const [at, value] of changes) bytes[at % Math.min(bytes.length, 2000)] = value;
        return { ...read, bytes };
      },
    });
    const changes = fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        const result = await importAsset(`${server.base}/film.m3u8`, damaged(list));
        if (result.ok) expect(result.asset.duration).toBeGreaterThan(0);
        else expect(result.reason.length).toBeGreaterThan(10);
      }),
      { numRuns: 300 },
    );
  });

  test('an origin that is ill for a moment is asked once more', async () => {
    let failures = 0;
    const ill: Origin = {
      ...plainOrigin,
      read: async (url, options) => {
        if (url.endsWith('v1.m4s') && failures === 0) {
          failures += 1;
          return { ok: false, reason: 'answered 503', status: 503 };
        }
        return plainOrigin.read(url, options);
      },
    };
    expect(await refused('/v.m3u8', {}, ill)).toBe('was imported');
    expect(failures).toBe(1);
  });
});
