// SPDX-License-Identifier: Apache-2.0
// Renditions of an origin that are declared in another way, are not there any more, or cannot be read.
import { describe, expect, it } from 'vitest';
import {
  audio,
  BASE,
  bare,
  media,
  multivariant,
  numbers,
  rung,
  segmentsOf,
  stage,
  text,
  video,
} from '../../../../test/live/origin/hlsStage.ts';
import { naming } from '../../../../test/naming.ts';

describe('renditions', () => {
  it('that are declared in another way are found by their size or language', async () => {
    const changed = multivariant()
      .replace('BANDWIDTH=900000', 'BANDWIDTH=911111')
      .replace('GROUP-ID="a",NAME="English"', 'GROUP-ID="sound",NAME="main"');
    const made = stage({ 'main.m3u8': changed, 'v.m3u8': media(1, 1), 'a.m3u8': media(2, 1) });
    const { read } = made.readerOn([video, audio, rung('subtitles:t:Svenska:sv', 'text')], 'main.m3u8');
    const reading = await read();
    expect(reading.renditions.map(({ key }) => key)).toEqual([video.key, audio.key, 'subtitles:t:Svenska:sv']);
    expect([numbers(reading), numbers(reading, 1), numbers(reading, 2)]).toEqual([[1], [2], []]);
    expect(reading.warnings).toEqual([naming(video.key), naming(audio.key), naming('sv')]);
  });

  it('that are new are named, and not used', async () => {
    const made = stage({ 'main.m3u8': multivariant(), 'v.m3u8': media(1, 1) });
    const { read } = made.readerOn([video], 'main.m3u8');
    expect((await read()).warnings).toEqual([]);
    made.files['main.m3u8'] = `${multivariant()}\n#EXT-X-STREAM-INF:BANDWIDTH=5000000,RESOLUTION=1920x1080\nw.m3u8`;
    made.state.now += 300_000;
    expect((await read()).warnings).toEqual([naming('1920x1080')]);
  });

  it('that are not there any more are a failure', async () => {
    const made = stage({ 'main.m3u8': multivariant() });
    const { reader } = made.readerOn([rung('v:1920x1080:5000000:', 'video')], 'main.m3u8');
    expect(await reader.read()).toMatchObject({ refused: naming('v:1920x1080:5000000:') });
  });

  it('may define variables by the query of their own URL; parts are reported once', async () => {
    const parts = '#EXT-X-PART:DURATION=0.5,URI="p.mp4"\n';
    const made = stage({
      'live.m3u8?run=7': `${media(1, 1, {}, ['#EXT-X-DEFINE:QUERYPARAM="run"']).replace('1.m4s', '{$run}/1.m4s')}\n${parts}${parts}`,
    });
    const { read } = made.readerOn([bare], 'live.m3u8?run=7');
    const reading = await read();
    expect(segmentsOf(reading)[0]!.media.url).toBe(`${BASE}/7/1.m4s`);
    expect(reading.warnings).toEqual([naming('EXT-X-PART')]);
  });
});

describe('failures', () => {
  it('are refused if they list more than can be parsed again and again', async () => {
    const long = (count: number, seconds: number) => media(0, count).replaceAll('#EXTINF:2.000', `#EXTINF:${seconds}`);
    for (const [count, seconds, named] of [
      [50_001, 2, 50_000],
      [2000, 0.01, 0.1],
    ] as const) {
      const { reader } = stage({ 'main.m3u8?token=secret': long(count, seconds) }).readerOn([bare]);
      expect(await reader.read()).toEqual({ refused: naming('main.m3u8', named) });
    }
  });
  it('name the playlist and the status, without secrets', async () => {
    const made = stage({ 'main.m3u8?token=secret': multivariant('?token=secret') });
    const { reader } = made.readerOn([video]);
    expect(await reader.read()).toEqual({ refused: `${BASE}/v.m3u8 returned status 404`, status: 404 });
    made.files['v.m3u8?token=secret'] = '<html>';
    expect(await reader.read()).toMatchObject({ refused: naming(`${BASE}/v.m3u8`, 'line 1') });
    made.files['v.m3u8?token=secret'] = media(1, 1);
    expect(await reader.read()).toMatchObject({ renditions: [{ key: video.key }] });
  });

  it('of subtitles leave these out; other renditions that were read meanwhile are reported', async () => {
    const made = stage({ 'main.m3u8': multivariant(), 'v.m3u8': media(1, 1), 't.m3u8': media(1, 1), 'a.m3u8': 500 });
    const { reader, read } = made.readerOn([video, audio, text], 'main.m3u8');
    expect(await reader.read()).toMatchObject({ status: 500 });
    made.files['a.m3u8'] = media(1, 1);
    expect(numbers(await read(), 2)).toEqual([1]);
    made.files['t.m3u8'] = 500;
    made.files['v.m3u8'] = media(1, 2);
    const reading = await read();
    expect(reading.warnings).toEqual([naming('t.m3u8', 500)]);
    expect(reading.renditions.map(({ segments }) => segments.length)).toEqual([2, 1, 1]);
    expect(await reader.read()).toBeUndefined();
  });

  it('of a rendition that has another bit rate are prevented: the nearest one is used', async () => {
    const made = stage({ 'main.m3u8': multivariant(), 'v.m3u8': media(1, 1) });
    const { reader, read } = made.readerOn([rung('v:640x360:870000:avc1.64001e', 'video')], 'main.m3u8');
    expect((await read()).warnings).toEqual([naming('870000', '900000')]);
    made.files['main.m3u8'] = multivariant().replace('640x360', '320x180');
    expect(await reader.read()).toBeUndefined();
    const smaller = await made.readerOn([video], 'main.m3u8').read();
    expect(smaller.warnings).toEqual([naming('640x360', '320x180')]);
    made.files['main.m3u8'] = multivariant().replace(/avc1/g, 'hvc1');
    made.files['v.m3u8'] = 404;
    expect(await reader.read()).toMatchObject({ refused: naming('870000') });
    expect(await made.readerOn([video], 'main.m3u8').reader.read()).toMatchObject({ refused: naming(video.key) });
  });

  it('with 4xx lead to the new URLs of the multivariant playlist, which is also read every 5 minutes', async () => {
    const made = stage({ 'main.m3u8': multivariant('?t=1'), 'v.m3u8?t=1': media(1, 1) });
    const { reader, read } = made.readerOn([video], 'main.m3u8');
    await read();
    made.files['main.m3u8'] = multivariant('?t=2');
    made.files['v.m3u8?t=1'] = 403;
    made.files['v.m3u8?t=2'] = media(1, 2);
    expect(numbers(await read())).toEqual([1, 2]);
    made.requests.length = 0;
    made.state.now += 300_000;
    expect(await reader.read()).toBeUndefined();
    expect(made.requests).toEqual(['main.m3u8', 'v.m3u8?t=2']);
    made.state.now += 299_999;
    made.files['main.m3u8'] = 500;
    expect(await reader.read()).toBeUndefined();
    expect(made.requests).toHaveLength(3);
  });
});
