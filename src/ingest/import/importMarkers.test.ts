// SPDX-License-Identifier: Apache-2.0
// The ad markers of imported assets, in the time of the asset.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { importing } from '../../../test/media/importing.ts';
import { encodeTestVideo, manifest, variant } from '../../../test/media/testVideo.ts';
import { naming } from '../../../test/naming.ts';
import { base64, encodeSection, insertFields } from '../../../test/scte35/encodeSection.ts';
import { FLICKS_PER_SECOND, framesToFlicks, secondsToFlicks } from '../../time/units.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import { packAsset, unpackAsset } from '../package/packAsset.ts';

const { server, put, imported, plain } = importing();
const rate = { n: 30000, d: 1001 };
const frame = (count: number) => framesToFlicks(count, rate);

/** Five segments of 60 frames, in HLS and in DASH. @returns the text of the playlist, or of the MPD */
async function encode(name: string, ...output: string[]): Promise<string> {
  const input = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=30000/1001', '-frames:v', '300'];
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '60', '-keyint_min', '60', '-bf', '0'];
  await server().encode(name, ...input, ...codec, ...output);
  return readFileSync(join(server().folder, name, output.at(-1)!), 'utf8');
}
const hls = ['-f', 'hls', '-hls_time', '1.9', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4', 'v.m3u8'];

const withTags = (text: string, tags: Readonly<Record<number, string>>): string => {
  let segment = -1;
  return text.replace(/#EXTINF/g, (extinf) => `${tags[++segment] ?? ''}${extinf}`);
};

describe('the ad markers of an asset', () => {
  test('are at the exact borders of its segments', async () => {
    const text = await encode('marked', ...hls);
    const tags = { 1: '#EXT-X-CUE-OUT:4.004\n', 3: '#EXT-X-CUE-IN\n', 4: '#EXT-X-CUE-OUT:0\n' };
    put('/marked/a.m3u8', withTags(text, tags));
    const asset = await imported('/marked/a.m3u8');
    const cue = { source: 'EXT-X-CUE-OUT', line: expect.any(Number) };
    expect(asset.markers).toEqual([
      { at: frame(60), until: frame(180), duration: secondsToFlicks(4.004), ...cue, raw: '#EXT-X-CUE-OUT:4.004' },
      { at: frame(240), ...cue, raw: '#EXT-X-CUE-OUT:0' },
    ]);
    expect(asset.warnings).toEqual([]);
    expect(unpackAsset(packAsset(asset))).toEqual(asset);
    for (const { at, until = at } of asset.markers!) {
      expect(asset.parts[0]!.cutPoints).toContain(at);
      expect(asset.parts[0]!.cutPoints).toContain(until);
    }
  });

  test('are absent when there are none, and change nothing else', async () => {
    const text = await encode('plain', ...hls);
    const plain = await imported('/plain/v.m3u8');
    expect(plain).not.toHaveProperty('markers');
    put('/plain/v.m3u8', withTags(text, { 2: '#EXT-X-CUE-OUT:0\n' }));
    const { markers, ...rest } = await imported('/plain/v.m3u8');
    expect(markers).toMatchObject([{ at: frame(120) }]);
    expect(rest).toEqual(plain);
  });

  test('are counted across discontinuities and segments without a duration, and in the first rendition that has any', async () => {
    const text = await encode('parts', ...hls);
    const empty = '#EXTINF:0,\nnothing.m4s\n';
    const tags = { 1: empty, 2: '#EXT-X-DISCONTINUITY\n#EXT-X-CUE-OUT\n', 3: `${empty}#EXT-X-CUE-IN\n` };
    put('/parts/b.m3u8', withTags(text, tags));
    put('/parts/c.m3u8', withTags(text, { 2: '#EXT-X-DISCONTINUITY\n' }));
    const variant = (uri: string, bandwidth: number) => `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth}\n${uri}\n`;
    put('/parts/m.m3u8', `#EXTM3U\n${variant('c.m3u8', 100_000)}${variant('b.m3u8', 200_000)}`);
    const asset = await imported('/parts/m.m3u8');
    expect(asset.parts).toHaveLength(2);
    expect(asset.markers).toMatchObject([{ at: frame(120), until: frame(180) }]);
  });

  test('have warnings with the line, a limited number of them', async () => {
    const text = await encode('wrong', ...hls);
    const tags = { 1: '#EXT-X-CUE-OUT:what\n', 2: '#EXT-X-CUE-IN\n', 4: '#EXT-X-CUE-OUT:60\n' };
    put('/wrong/a.m3u8', withTags(text, tags));
    const { warnings, markers } = await imported('/wrong/a.m3u8');
    expect(markers).toMatchObject([
      { at: frame(60), until: frame(120) },
      { at: frame(240), until: frame(300) },
    ]);
    expect(warnings).toEqual([naming('v0', 'line', '"what"'), naming('v0', 'line', 'EXT-X-CUE-OUT')]);
    put('/wrong/b.m3u8', withTags(text, { 1: '#EXT-X-CUE:TYPE=x\n'.repeat(50) }));
    const many = await imported('/wrong/b.m3u8');
    expect(many).not.toHaveProperty('markers');
    expect(many.warnings.at(-1)).toEqual(naming(30));
    expect(many.warnings.length).toBeLessThan(30);
  });

  test('come from SCTE-35 events of DASH', async () => {
    const text = await encode('dash', '-f', 'dash', '-seg_duration', '2', 'a.mpd');
    const splice = base64(encodeSection({ type: 5, command: insertFields({ id: 1, duration: 90_000 }) }));
    const event = `<Event presentationTime="4500" duration="1000"><Signal><Binary>${splice}</Binary></Signal></Event>`;
    const stream = `<EventStream schemeIdUri="urn:scte:scte35:2014:xml+bin" timescale="1000">${event}</EventStream>`;
    put('/dash/b.mpd', text.replace('<AdaptationSet', `${stream}<AdaptationSet`));
    expect((await imported('/dash/b.mpd')).markers).toMatchObject([
      { at: secondsToFlicks(4.5), until: secondsToFlicks(5.5), duration: secondsToFlicks(1), line: expect.any(Number) },
    ]);
    expect(await imported('/dash/a.mpd')).not.toHaveProperty('markers');
  });
});

let video = '';
beforeAll(async () => {
  video = (await encodeTestVideo(server())).video;
});

const subtitles = '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="s.m3u8"';
/** Segments of subtitles, of so many seconds each. */
function putText(seconds: number, count: number): void {
  const segments = Array.from({ length: count }, (_, i) => `#EXTINF:${seconds},\nsub${i}.vtt`);
  for (const i of segments.keys()) put(`/sub${i}.vtt`, 'WEBVTT\n');
  put('/s.m3u8', manifest(`#EXT-X-TARGETDURATION:${seconds}`, ...segments, '#EXT-X-ENDLIST'));
}

test('text is moved to the media time of the video and does not affect cut points', async () => {
  putText(4, 2);
  const captions = '#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="c",NAME="CC",INSTREAM-ID="CC1"';
  put('/asset.m3u8', manifest(subtitles, captions, variant(1, 'v.m3u8', ',SUBTITLES="s",CLOSED-CAPTIONS="c"')));
  const asset = await imported('/asset.m3u8');
  expect(asset.renditions[0]!.captions).toEqual([{ channel: 'CC1', name: 'CC' }]);
  const text = asset.renditions[1]!;
  expect(text).toMatchObject({ id: 't0', kind: 'text', container: 'vtt', language: 'en', codecs: '' });
  expect([...text.tracks[0]!.borders].map((border) => border / text.timescale)).toEqual([0, 4, 8]);
  expect(asset.parts[0]!.cutPoints).toHaveLength(4);
});

test('text that spans all parts is divided like the video', async () => {
  putText(2, 3);
  put('/w.m3u8', video.replace(/(#EXTINF[^\n]*\nv1)/, '#EXT-X-DISCONTINUITY\n$1'));
  put('/asset.m3u8', manifest(subtitles, variant(1, 'w.m3u8', ',SUBTITLES="s"')));
  const { renditions, parts, warnings } = await imported('/asset.m3u8');
  expect(warnings).toEqual([]);
  expect(parts.map(({ zero }) => zero / FLICKS_PER_SECOND)).toEqual([0, 2]);
  expect(parts.map(({ duration }) => duration / FLICKS_PER_SECOND)).toEqual([2, 4]);
  const { tracks, timescale } = renditions[1]!;
  expect(tracks.map(({ borders }) => [...borders].map((border) => border / timescale))).toEqual([
    [0, 2],
    [2, 4, 6],
  ]);
  expect(tracks.map((track) => plain(segmentUrl(track, 0).url))).toEqual(['/sub0.vtt', '/sub1.vtt']);
});
