// SPDX-License-Identifier: Apache-2.0
import { beforeAll, expect, test } from 'vitest';
import { importing } from '../../../test/media/importing.ts';
import { encodeTestVideo, manifest, variant } from '../../../test/media/testVideo.ts';
import { FLICKS_PER_SECOND } from '../../time/units.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';

const { server, put, imported, plain } = importing();
let video = '';
beforeAll(async () => {
  video = (await encodeTestVideo(server())).video;
});

test('text is moved to the media time of the video and does not affect cut points', async () => {
  const segment = (i: number) => `#EXTINF:4,\nsub${i}.vtt`;
  for (const i of [0, 1, 2]) put(`/sub${i}.vtt`, 'WEBVTT\n');
  put('/s.m3u8', manifest('#EXT-X-TARGETDURATION:4', segment(0), segment(1), '#EXT-X-ENDLIST'));
  const subtitles = '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="s.m3u8"';
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
  const segment = (i: number) => `#EXTINF:2,\nsub${i}.vtt`;
  for (const i of [0, 1, 2]) put(`/sub${i}.vtt`, 'WEBVTT\n');
  put('/s.m3u8', manifest('#EXT-X-TARGETDURATION:2', segment(0), segment(1), segment(2), '#EXT-X-ENDLIST'));
  put('/w.m3u8', video.replace(/(#EXTINF[^\n]*\nv1)/, '#EXT-X-DISCONTINUITY\n$1'));
  const subtitles = '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="s.m3u8"';
  put('/asset.m3u8', manifest(subtitles, variant(1, 'w.m3u8', ',SUBTITLES="s"')));
  const { renditions, parts, warnings } = await imported('/asset.m3u8');
  expect(warnings).toEqual([]);
  expect(parts.map(({ zero, duration }) => [zero, duration].map((x) => x / FLICKS_PER_SECOND))).toEqual([
    [0, 2],
    [2, 4],
  ]);
  const { tracks, timescale } = renditions[1]!;
  expect(tracks.map(({ borders }) => [...borders].map((border) => border / timescale))).toEqual([
    [0, 2],
    [2, 4, 6],
  ]);
  expect(tracks.map((track) => plain(segmentUrl(track, 0).url))).toEqual(['/sub0.vtt', '/sub1.vtt']);
});
