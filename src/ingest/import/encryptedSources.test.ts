// Encrypted sources: refused as such where they can't be read, and taken where only their samples are encrypted.
import { createCipheriv, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeTestVideo, manifest } from '../../../test/media/testVideo.ts';
import { naming } from '../../../test/naming.ts';
import { type FolderServer, plainOrigin, startFolderServer } from '../../../test/servers/folderServer.ts';
import { readBoxes } from '../../mp4/boxes.ts';
import { manifestFault } from '../condition/fetch/conditionFailure.ts';
import { importAsset } from './importAsset.ts';

let server: FolderServer;
let film = '';
const seal = (name: string, to: string) => {
  const cipher = createCipheriv('aes-256-cbc', Buffer.alloc(32, 7), Buffer.alloc(16));
  const sealed = [cipher.update(readFileSync(join(server.folder, name))), cipher.final()];
  writeFileSync(join(server.folder, to), Buffer.concat(sealed));
};
beforeAll(async () => {
  server = await startFolderServer();
  film = (await encodeTestVideo(server)).video;
  for (const name of ['vi.mp4', 'v0.m4s', 'v1.m4s', 'v2.m4s']) seal(name, `sealed-${name}`);
  writeFileSync(join(server.folder, 'right.key'), randomBytes(16));
  writeFileSync(join(server.folder, 'short.key'), randomBytes(5));
  const key = ['-encryption_key', '00'.repeat(16), '-encryption_kid', '11'.repeat(16)];
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=25', '-t', '4', '-c:v', 'libx264', '-g', '50', '-bf', '0'];
  const fragments = ['-movflags', '+frag_keyframe+empty_moov+default_base_moof', '-f', 'mp4', 'cenc.mp4'];
  await server.encode('.', ...picture, '-encryption_scheme', 'cenc-aes-ctr', ...key, ...fragments);
});
afterAll(() => server.close());

async function imported(path: string, text: string) {
  server.texts.set(path, text);
  const result = await importAsset(`${server.base}${path}`, plainOrigin);
  return result.ok ? result : { ...result, reason: result.reason.replaceAll(server.base, '') };
}
const hls = (key: string, sealed = 'sealed-') =>
  imported('/x.m3u8', film.replace(/(vi\.mp4|v\d\.m4s)/g, `${sealed}$1`).replace('#EXT-X-MAP', `${key}\n#EXT-X-MAP`));

test.each([
  ['METHOD=AES-256,URI="k"', ['METHOD=AES-256', 'AES-128']],
  ['METHOD=SAMPLE-AES,URI="skd://k",KEYFORMAT="com.apple.streamingkeydelivery"', ['METHOD=SAMPLE-AES', 'com.apple']],
  ['METHOD=SAMPLE-AES-CTR,URI="k"', ['METHOD=SAMPLE-AES-CTR']],
  ['METHOD=AES-128,URI="right.key"', ['METHOD=AES-128', 'key']],
])('HLS whose media can’t be read under %s', async (attributes, names) => {
  const refusal = await hls(`#EXT-X-KEY:${attributes}`);
  expect(refusal).toMatchObject({ ok: false, code: 'ENCRYPTED', reason: naming('x.m3u8', ...names) });
  expect(manifestFault(refusal as { code: 'ENCRYPTED' })).toBe('ENCRYPTED');
});

test('what else is wrong with encrypted media is said as it is', async () => {
  expect(await hls('#EXT-X-KEY:METHOD=AES-256,URI="k"', 'lost-')).toMatchObject({ code: 'NOT_FETCHED', status: 404 });
  expect(await hls('#EXT-X-KEY:METHOD=AES-128,URI="short.key"')).toMatchObject({
    code: 'NO_KEY',
    reason: naming(16, 5),
  });
  expect(await hls('', 'sealed-')).toMatchObject({ code: 'NO_MOOV' });
});

const sea = 'urn:mpeg:dash:sea:2012';
test.each([
  [`schemeIdUri="${sea}"`, sea],
  ['schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc"', 'cenc'],
])('DASH whose media can’t be read under %s', async (attributes, name) => {
  const segments =
    '<SegmentTemplate timescale="1" duration="2" startNumber="0" initialization="sealed-vi.mp4" media="sealed-v$Number$.m4s"/>';
  const mpd = `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT6S"><Period>
    <AdaptationSet mimeType="video/mp4"><ContentProtection ${attributes}/>${segments}
    <Representation id="v" codecs="avc1.42c00a" bandwidth="1" width="64" height="64"/></AdaptationSet></Period></MPD>`;
  expect(await imported('/x.mpd', mpd)).toMatchObject({ ok: false, code: 'ENCRYPTED', reason: naming(name) });
});

test('samples that are encrypted can be read, but only where the manifest says how players get the key', async () => {
  const bytes = new Uint8Array(readFileSync(join(server.folder, 'cenc.mp4')));
  const [first] = readBoxes(bytes).filter(({ type }) => type === 'moof');
  const end = readBoxes(bytes).findLast(({ type }) => type === 'mdat')!.end;
  const list = (key: string) =>
    manifest(
      ...['#EXT-X-TARGETDURATION:4', key, `#EXT-X-MAP:URI="cenc.mp4",BYTERANGE="${first!.start}@0"`],
      ...['#EXTINF:4,', `#EXT-X-BYTERANGE:${end - first!.start}@${first!.start}`, 'cenc.mp4', '#EXT-X-ENDLIST'],
    );
  const declared = await imported(
    '/cenc.m3u8',
    list('#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI="data:,k",KEYFORMAT="urn:x"'),
  );
  expect(declared).toMatchObject({ ok: true, asset: { renditions: [{ kind: 'video' }] } });
  const refusal = { ok: false, code: 'ENCRYPTED', reason: naming('encv (cenc)', 'EXT-X-KEY', 'ContentProtection') };
  expect(await imported('/cenc.m3u8', list(''))).toMatchObject(refusal);
});
