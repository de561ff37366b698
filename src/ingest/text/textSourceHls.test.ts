// SPDX-License-Identifier: Apache-2.0
// From WebVTT in HLS, on any clock, to the segments that viewers receive.
import { describe, expect, test } from 'vitest';
import { cue, extinf, textAssets } from '../../../test/media/textAssets.ts';
import { naming } from '../../../test/naming.ts';

const { withText, imported, late, put, sent, whole } = textAssets();

describe('WebVTT in HLS', () => {
  const map = (seconds: number, local = '00:00:00.000') =>
    `X-TIMESTAMP-MAP=MPEGTS:${seconds * 90_000},LOCAL:${local}\n`;

  test('one file for the whole asset is cut at the segment borders of the video', async () => {
    put('/all.vtt', `WEBVTT\n${map(2)}\n${cue(0, 3, 'one')}\n${cue(3, 4, 'two')}`);
    const asset = await withText(late(), extinf(4, 'all.vtt'));
    expect(asset.warnings).toEqual([]);
    expect(await sent(asset)).toEqual([
      [2, 4, 'one'],
      [4, 5, 'one'],
      [5, 6, 'two'],
    ]);
  });

  test('cues that are only in their first segment are displayed until their end', async () => {
    put('/0.vtt', `WEBVTT\n${map(2)}\n${cue(0, 3, 'one')}`);
    put('/1.vtt', `WEBVTT\n${map(2)}\n${cue(3, 4, 'two')}`);
    expect(await sent(await withText(late(), extinf(2, '0.vtt'), extinf(2, '1.vtt')))).toEqual([
      [2, 4, 'one'],
      [4, 5, 'one'],
      [5, 6, 'two'],
    ]);
  });

  test('text on one clock for all parts is divided with the video', async () => {
    const divided = whole().replace(/(#EXTINF[^\n]*\nv1)/, '#EXT-X-DISCONTINUITY\n$1');
    put('/all.vtt', `WEBVTT\n${map(0)}\n${cue(0, 1, 'one')}\n${cue(1, 3, 'two')}\n${cue(4, 5, 'three')}`);
    const asset = await withText(divided, extinf(6, 'all.vtt'));
    expect(asset.parts).toHaveLength(2);
    expect(await sent(asset, 0)).toEqual([
      [0, 1, 'one'],
      [1, 2, 'two'],
    ]);
    expect(await sent(asset, 1)).toEqual([
      [2, 3, 'two'],
      [4, 5, 'three'],
    ]);
  });

  test('text that counts from the start of the asset is divided if each part has its own clock', async () => {
    const twice =
      whole().replace('#EXT-X-ENDLIST', '') +
      whole().slice(whole().indexOf('#EXT-X-MAP')).replace('#EXT-X-MAP', '#EXT-X-DISCONTINUITY\n#EXT-X-MAP');
    const seconds = [0, 2, 4, 6, 8].map((second) => cue(second, second + 1, `second ${second}`));
    put('/all.vtt', `WEBVTT\n\n${seconds.join('\n')}`);
    const asset = await withText(twice, extinf(12, 'all.vtt'));
    expect(asset.parts).toHaveLength(2);
    expect((await sent(asset, 1)).map(([from, , text]) => [from, text])).toEqual([
      [0, 'second 6'],
      [2, 'second 8'],
    ]);
  });

  test('X-TIMESTAMP-MAP may contain more than 33 bits', async () => {
    put('/all.vtt', `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:${2 ** 33 + 180_000},LOCAL:00:00:00.000\n\n${cue(1, 2, 'one')}`);
    expect(await sent(await withText(late(), extinf(4, 'all.vtt')))).toEqual([[3, 4, 'one']]);
  });

  test('X-TIMESTAMP-MAP may be negative', async () => {
    put('/0.vtt', `WEBVTT\n${map(2)}\n${cue(0, 1, 'one')}`);
    put('/1.vtt', `WEBVTT\n${map(-4)}\n${cue(8, 9, 'two')}`);
    const asset = await withText(late(), extinf(2, '0.vtt'), extinf(2, '1.vtt'));
    expect(asset.warnings).toEqual([]);
    expect(await sent(asset)).toEqual([
      [2, 3, 'one'],
      [4, 5, 'two'],
    ]);
  });

  test('without X-TIMESTAMP-MAP, cue times are media times', async () => {
    put('/all.vtt', `WEBVTT\n\n${cue(3, 4, 'one')}\n${cue(5, 6, 'two')}`);
    expect(await sent(await withText(late(), extinf(4, 'all.vtt')))).toEqual([
      [3, 4, 'one'],
      [5, 6, 'two'],
    ]);
  });

  test('X-TIMESTAMP-MAP is ignored with a warning if it moves cues outside of their segments', async () => {
    put('/0.vtt', `WEBVTT\n${map(100)}\n${cue(0, 1, 'one')}`);
    put('/1.vtt', `WEBVTT\n${map(100)}\n${cue(2, 3, 'two')}`);
    const asset = await withText(late(), extinf(2, '0.vtt'), extinf(2, '1.vtt'));
    expect(asset.warnings).toEqual([naming(2, 'asset.m3u8')]);
    expect(asset.renditions.find(({ kind }) => kind === 'text')).toMatchObject({ cueTime: 'part' });
    expect(await sent(asset)).toEqual([
      [2, 3, 'one'],
      [4, 5, 'two'],
    ]);
  });

  test('malformed cues and other formats are left out with a warning', async () => {
    put('/all.vtt', `WEBVTT\n\nnever --> ever\nodd\n\n${cue(0, 1, 'one')}`);
    const asset = await withText(whole(), extinf(6, 'all.vtt'));
    expect(asset.warnings).toEqual([naming(2, 'asset.m3u8', 1)]);
    expect(await sent(asset)).toEqual([[0, 1, 'one']]);
    put('/all.vtt', '<html>gone</html>');
    const without = await imported('/asset.m3u8');
    expect(without.renditions.map(({ kind }) => kind)).toEqual(['video']);
    expect(without.warnings).toEqual([naming(2, 'asset.m3u8', '<html>gone</html>')]);
  });
});
