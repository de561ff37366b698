// SPDX-License-Identifier: Apache-2.0
// Which manifests and media an import refuses, and with what reasons.

import { createCipheriv, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { lawRuns } from '../../../test/lawRuns.ts';
import { importing } from '../../../test/media/importing.ts';
import { encodeTestVideo, group, manifest, variant } from '../../../test/media/testVideo.ts';
import { naming } from '../../../test/naming.ts';
import { plainOrigin } from '../../../test/servers/folderServer.ts';
import { readBoxes } from '../../mp4/boxes.ts';
import { manifestFault } from '../condition/fetch/conditionFailure.ts';
import type { Origin, ReadResult } from '../ports.ts';
import { type ImportOptions, importAsset } from './importAsset.ts';

const { server, put, tryImport, plain } = importing();
let [audio, playlist] = ['', ''];
beforeAll(async () => {
  ({ audio, video: playlist } = await encodeTestVideo(server()));
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

  const init = '#EXT-X-MAP:URI="vi.mp4"';
  const range = (value: string) => `#EXT-X-BYTERANGE:${value}`;
  test.each<[string, string[], object]>([
    ['I-frames', ['#EXT-X-I-FRAMES-ONLY', '#EXTINF:4,', 'v0.m4s'], { code: 'I_FRAMES_ONLY' }],
    [
      'a gap',
      ['#EXTINF:4,', 'v0.m4s', '#EXT-X-GAP', '#EXTINF:4,', 'v1.m4s'],
      { code: 'GAP', line: 6, reason: naming(6, 'EXT-X-GAP') },
    ],
    [
      'a file',
      ['#EXTINF:4,', 'file:///etc/passwd'],
      { code: 'NOT_HTTP', line: 3, reason: naming(3, 'file:///etc/passwd') },
    ],
    [
      'another protocol',
      ['#EXT-X-MAP:URI="ftp://x/i"', '#EXTINF:4,', 'v0.m4s'],
      { code: 'NOT_HTTP', line: 3, reason: naming(3, 'ftp://x/i') },
    ],
    [
      'a range without a start',
      ['#EXTINF:4,', range('5@0'), 'a.mp4', '#EXTINF:4,', range('5'), 'b.mp4'],
      { code: 'RANGE_START', line: 8 },
    ],
    ['a page', ['#EXTINF:4,', 'page.m4s'], { code: 'WEB_PAGE', reason: naming('"<!DOCTYPE ht"') }],
    ['bare audio', ['#EXTINF:4,', 'bare.aac'], { code: 'PACKED_AUDIO' }],
    ['a playlist', ['#EXTINF:4,', 'v.m3u8'], { code: 'PLAYLIST' }],
    [
      'a missing initialization section',
      ['#EXT-X-MAP:URI="missing.mp4"', '#EXTINF:4,', 'v0.m4s'],
      notFetched('x.m3u8', '/missing.mp4'),
    ],
    ['a page as such', ['#EXT-X-MAP:URI="page.m4s"', '#EXTINF:4,', 'v0.m4s'], { code: 'NO_MOOV' }],
    ['a page after one', [init, '#EXTINF:4,', 'page.m4s'], { code: 'NO_SAMPLE', reason: naming(0) }],
    [
      'reversed segments',
      [init, '#EXTINF:4,', 'v1.m4s', '#EXTINF:4,', 'v0.m4s'],
      { code: 'NO_ORDER', reason: naming(1, 0) },
    ],
  ])('segments that are not media, with the line: %s', async (_, lines, refusal) => {
    expect(await refusedText(bare(...lines))).toMatchObject(refusal);
  });

  test('audio without its initialization section', async () => {
    expect(await refusedText(audio.replace(/#EXT-X-MAP.*\n/, ''))).toMatchObject({ code: 'NO_MOOV' });
  });

  test('media times that go back, with the part', async () => {
    const [first, second] = ['#EXTINF:4,\nv0.m4s', '#EXTINF:4,\nv1.m4s'];
    const reversed = bare(init, first!, '#EXT-X-DISCONTINUITY', second!, first!);
    expect(await refusedText(reversed)).toEqual({ code: 'NO_ORDER', reason: naming('part 2 of 2', 1, 0) });
    const undivided = await refusedText(bare(init, second!, first!));
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

// Encrypted sources: refused with their encryption if they cannot be read, imported if only their samples are encrypted.

const encrypt = (name: string, to: string) => {
  const cipher = createCipheriv('aes-256-cbc', Buffer.alloc(32, 7), Buffer.alloc(16));
  const encrypted = [cipher.update(readFileSync(join(server().folder, name))), cipher.final()];
  writeFileSync(join(server().folder, to), Buffer.concat(encrypted));
};
beforeAll(async () => {
  for (const name of ['vi.mp4', 'v0.m4s', 'v1.m4s', 'v2.m4s']) encrypt(name, `encrypted-${name}`);
  writeFileSync(join(server().folder, 'valid.key'), randomBytes(16));
  writeFileSync(join(server().folder, 'short.key'), randomBytes(5));
  const key = ['-encryption_key', '00'.repeat(16), '-encryption_kid', '11'.repeat(16)];
  const video = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=25', '-t', '4', '-c:v', 'libx264', '-g', '50', '-bf', '0'];
  const fragments = ['-movflags', '+frag_keyframe+empty_moov+default_base_moof', '-f', 'mp4', 'cenc.mp4'];
  await server().encode('.', ...video, '-encryption_scheme', 'cenc-aes-ctr', ...key, ...fragments);
});

async function resultOf(path: string, text: string) {
  put(path, text);
  const result = await tryImport(path);
  return result.ok ? result : { ...result, reason: plain(result.reason) };
}
const hls = (key: string, prefix = 'encrypted-') => {
  const named = playlist.replace(/(vi\.mp4|v\d\.m4s)/g, `${prefix}$1`);
  return resultOf('/x.m3u8', named.replace('#EXT-X-MAP', `${key}\n#EXT-X-MAP`));
};

test.each([
  ['METHOD=AES-256,URI="k"', ['METHOD=AES-256', 'AES-128']],
  ['METHOD=SAMPLE-AES,URI="skd://k",KEYFORMAT="com.apple.streamingkeydelivery"', ['METHOD=SAMPLE-AES', 'com.apple']],
  ['METHOD=SAMPLE-AES-CTR,URI="k"', ['METHOD=SAMPLE-AES-CTR']],
  ['METHOD=AES-128,URI="valid.key"', ['METHOD=AES-128', 'key']],
])('HLS that cannot be decrypted is refused: %s', async (attributes, names) => {
  const refusal = await hls(`#EXT-X-KEY:${attributes}`);
  expect(refusal).toMatchObject({ ok: false, code: 'ENCRYPTED', reason: naming('x.m3u8', ...names) });
  expect(manifestFault(refusal as { code: 'ENCRYPTED' })).toBe('ENCRYPTED');
});

test('other faults of encrypted media are reported as they are', async () => {
  const missing = { code: 'NOT_FETCHED', status: 404 };
  expect(await hls('#EXT-X-KEY:METHOD=AES-256,URI="k"', 'missing-')).toMatchObject(missing);
  const short = { code: 'NO_KEY', reason: naming(16, 5) };
  expect(await hls('#EXT-X-KEY:METHOD=AES-128,URI="short.key"')).toMatchObject(short);
  expect(await hls('')).toMatchObject({ code: 'NO_MOOV' });
});

const sea = 'urn:mpeg:dash:sea:2012';
test.each([
  [`schemeIdUri="${sea}"`, sea],
  ['schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc"', 'cenc'],
])('DASH that cannot be decrypted is refused: %s', async (attributes, name) => {
  const segments =
    '<SegmentTemplate timescale="1" duration="2" startNumber="0" initialization="encrypted-vi.mp4" media="encrypted-v$Number$.m4s"/>';
  const mpd = `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT6S"><Period>
    <AdaptationSet mimeType="video/mp4"><ContentProtection ${attributes}/>${segments}
    <Representation id="v" codecs="avc1.42c00a" bandwidth="1" width="64" height="64"/></AdaptationSet></Period></MPD>`;
  expect(await resultOf('/x.mpd', mpd)).toMatchObject({ ok: false, code: 'ENCRYPTED', reason: naming(name) });
});

test('media with encrypted samples are imported if the manifest declares a key', async () => {
  const bytes = new Uint8Array(readFileSync(join(server().folder, 'cenc.mp4')));
  const [first] = readBoxes(bytes).filter(({ type }) => type === 'moof');
  const end = readBoxes(bytes).findLast(({ type }) => type === 'mdat')!.end;
  const list = (key: string) =>
    manifest(
      ...['#EXT-X-TARGETDURATION:4', key, `#EXT-X-MAP:URI="cenc.mp4",BYTERANGE="${first!.start}@0"`],
      ...['#EXTINF:4,', `#EXT-X-BYTERANGE:${end - first!.start}@${first!.start}`, 'cenc.mp4', '#EXT-X-ENDLIST'],
    );
  const key = '#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI="data:,k",KEYFORMAT="urn:x"';
  const declared = await resultOf('/cenc.m3u8', list(key));
  expect(declared).toMatchObject({ ok: true, asset: { renditions: [{ kind: 'video' }] } });
  const refusal = { ok: false, code: 'ENCRYPTED', reason: naming('encv (cenc)', 'EXT-X-KEY', 'ContentProtection') };
  expect(await resultOf('/cenc.m3u8', list(''))).toMatchObject(refusal);
});
