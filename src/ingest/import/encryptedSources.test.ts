// SPDX-License-Identifier: Apache-2.0
// Encrypted sources: refused with their encryption if they cannot be read, imported if only their samples are encrypted.
import { createCipheriv, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { importing } from '../../../test/media/importing.ts';
import { encodeTestVideo, manifest } from '../../../test/media/testVideo.ts';
import { naming } from '../../../test/naming.ts';
import { readBoxes } from '../../mp4/boxes.ts';
import { manifestFault } from '../condition/fetch/conditionFailure.ts';

const { server, put, tryImport, plain } = importing();
let playlist = '';
const encrypt = (name: string, to: string) => {
  const cipher = createCipheriv('aes-256-cbc', Buffer.alloc(32, 7), Buffer.alloc(16));
  const encrypted = [cipher.update(readFileSync(join(server().folder, name))), cipher.final()];
  writeFileSync(join(server().folder, to), Buffer.concat(encrypted));
};
beforeAll(async () => {
  playlist = (await encodeTestVideo(server())).video;
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
const hls = (key: string, prefix = 'encrypted-') =>
  resultOf(
    '/x.m3u8',
    playlist.replace(/(vi\.mp4|v\d\.m4s)/g, `${prefix}$1`).replace('#EXT-X-MAP', `${key}\n#EXT-X-MAP`),
  );

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
  expect(await hls('#EXT-X-KEY:METHOD=AES-256,URI="k"', 'missing-')).toMatchObject({
    code: 'NOT_FETCHED',
    status: 404,
  });
  expect(await hls('#EXT-X-KEY:METHOD=AES-128,URI="short.key"')).toMatchObject({
    code: 'NO_KEY',
    reason: naming(16, 5),
  });
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
  const declared = await resultOf(
    '/cenc.m3u8',
    list('#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI="data:,k",KEYFORMAT="urn:x"'),
  );
  expect(declared).toMatchObject({ ok: true, asset: { renditions: [{ kind: 'video' }] } });
  const refusal = { ok: false, code: 'ENCRYPTED', reason: naming('encv (cenc)', 'EXT-X-KEY', 'ContentProtection') };
  expect(await resultOf('/cenc.m3u8', list(''))).toMatchObject(refusal);
});
