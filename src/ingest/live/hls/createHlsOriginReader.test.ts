// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import {
  audio,
  BASE,
  date,
  live,
  media,
  multivariant,
  numbers,
  segmentsOf,
  stage,
  stretches,
  times,
  video,
} from '../../../../test/live/origin/hlsStage.ts';
import { START } from '../../../../test/live/origin/memoryOrigin.ts';
import { naming } from '../../../../test/naming.ts';
import type { OriginReading } from '../../../live/origin.ts';
import { flicksToSeconds, millisToFlicks, secondsToFlicks } from '../../../time/units.ts';

describe('segments', () => {
  it('have numbers, instants and absolute URLs; a reading is undefined while nothing has changed', async () => {
    const made = stage({
      'main.m3u8?token=secret': { url: `${BASE}/edge/main.m3u8`, body: multivariant() },
      'edge/v.m3u8': media(7, 2, { 7: [date(0), '#EXT-X-MAP:URI="i.mp4",BYTERANGE="10@5"'], 8: ['#EXT-X-GAP'] }),
      'edge/a.m3u8': media(7, 2, { 7: ['#EXT-X-DEFINE:IMPORT="folder"', '#EXT-X-BYTERANGE:5@1'] }).replace(
        '7.m4s',
        '{$folder}/7.m4s',
      ),
    });
    const { reader, read } = made.readerOn([video, audio]);
    expect(reader.targetDuration()).toBe(0);
    const reading = await read();
    expect(reading.renditions.map(({ key }) => key)).toEqual([video.key, audio.key]);
    const segment = (number: number) => ({
      number,
      startsAt: { millis: START + (number - 7) * 2000, rest: 0 },
      duration: secondsToFlicks(2),
      media: { url: `${BASE}/edge/${number}.m4s` },
      init: { url: `${BASE}/edge/i.mp4`, range: { start: 5, length: 10 } },
      stretch: 'd0',
    });
    expect(segmentsOf(reading)).toEqual([segment(7), { ...segment(8), isGap: true }]);
    expect(segmentsOf(reading, 1)[0]).toEqual({
      number: 7,
      duration: secondsToFlicks(2),
      media: { url: `${BASE}/edge/seg/7.m4s`, range: { start: 1, length: 5 } },
      stretch: 'd0',
    });
    expect(reader.targetDuration()).toBe(2);
    expect(await reader.read()).toBeUndefined();
    made.files['edge/a.m3u8'] = media(7, 3);
    expect(numbers(await read(), 1)).toEqual([7, 8, 9]);
    expect(made.requests.filter((path) => path.startsWith('main'))).toHaveLength(1);
    expect(made.requests.some((path) => path.includes('unused'))).toBe(false);
  });

  it('are those that are new, after the first reading, and those of the last 15 minutes', async () => {
    const { read, update } = live(0, 21_600, { 0: [date(0)] });
    expect(numbers(await read())).toHaveLength(21_600);
    update(3, 21_600, { 3: [date(6)] });
    const reading = await read();
    expect(numbers(reading)).toHaveLength(453);
    expect(times(reading).at(-1)).toBe(2 * 21_602);
    update(1, 3, { 1: [date(50_000)] });
    expect(numbers(await read())).toEqual([1, 2, 3]);
  });

  it('have the date of the tags before them, else of those after them, up to a discontinuity', async () => {
    const cut = ['#EXT-X-DISCONTINUITY'];
    const late = '#EXT-X-PROGRAM-DATE-TIME:2026-01-01T02:01:40.0005+0200';
    const { read, update } = live(1, 7, { 2: [date(2)], 4: cut, 5: cut, 6: [late] });
    const first = await read();
    expect(times(first)).toEqual([0, 2, 4, undefined, 98, 100, 102]);
    expect(segmentsOf(first)[6]!.startsAt!.rest).toBe(millisToFlicks(0.5));
    update(3, 7, { 4: cut, 5: cut });
    expect(times(await read())).toEqual([4, undefined, 98, 100, 102, 104, 106]);
  });

  it.each(['stated', 'not stated'])('keep their stretch while the window moves, with its number %s', async (how) => {
    const head = (gone: number) => (how === 'stated' ? [`#EXT-X-DISCONTINUITY-SEQUENCE:${gone}`] : []);
    const { read, update } = live(1, 4, { 3: ['#EXT-X-DISCONTINUITY'] }, head(0));
    expect(stretches(await read())).toEqual(['d0', 'd0', 'd1', 'd1']);
    update(4, 4, { 6: ['#EXT-X-DISCONTINUITY'] }, head(1));
    expect(stretches(await read())).toEqual(['d1', 'd1', 'd2', 'd2']);
    update(7, 2, {}, head(2));
    expect(stretches(await read())).toEqual(['d2', 'd2']);
  });

  it('have keys with absolute URIs, and an IV where the number is the IV', async () => {
    const { read } = live(30, 4, {
      30: ['#EXT-X-KEY:METHOD=AES-128,URI="k?t=1"'],
      32: [
        '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="k",IV=0x1',
        '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://Key",KEYFORMAT="com.apple.streamingkeydelivery"',
      ],
      33: ['#EXT-X-KEY:METHOD=NONE'],
    });
    const iv = (number: number) => `IV=0x${number.toString(16).padStart(32, '0')}`;
    expect(segmentsOf(await read()).map(({ keys }) => keys)).toEqual([
      [`METHOD=AES-128,URI="${BASE}/k?t=1",${iv(30)}`],
      [`METHOD=AES-128,URI="${BASE}/k?t=1",${iv(31)}`],
      [
        `METHOD=SAMPLE-AES,URI="${BASE}/k",IV=0x1`,
        'METHOD=SAMPLE-AES,URI="skd://Key",KEYFORMAT="com.apple.streamingkeydelivery"',
      ],
      undefined,
    ]);
  });

  it('have the keys of their initialization section, where these differ', async () => {
    const key = (name: string) => `#EXT-X-KEY:METHOD=AES-128,URI="${name}",IV=0x1`;
    const map = '#EXT-X-MAP:URI="i.mp4"';
    const { read } = live(30, 5, {
      30: [map, key('k')],
      31: [map],
      32: [key('l')],
      33: ['#EXT-X-KEY:METHOD=AES-128,URI="m"', map],
      34: ['#EXT-X-KEY:METHOD=NONE', map],
    });
    const list = (name: string) => `METHOD=AES-128,URI="${BASE}/${name}"`;
    const expected = [[], undefined, [`${list('k')},IV=0x1`], [list('m')], undefined];
    expect(segmentsOf(await read()).map(({ initKeys }) => initKeys)).toEqual(expected);
  });

  it('end with the playlist', async () => {
    const { files, read } = live(1, 2);
    expect((await read()).isEnded).toBe(false);
    files['live.m3u8'] = `${media(1, 2)}\n#EXT-X-ENDLIST`;
    expect((await read()).isEnded).toBe(true);
  });
});

describe('markers', () => {
  const placed = ({ signals }: OriginReading) =>
    signals.map(({ kind, number, offset, duration }) =>
      [kind, number, flicksToSeconds(offset), ...(duration ? [flicksToSeconds(duration)] : [])].join(' '),
    );

  it('are placed on the segment that follows, also if it is not listed yet', async () => {
    const { read } = live(1, 3, { 2: ['#EXT-X-CUE-OUT:{$length}'], 4: ['#EXT-X-CUE-IN'] }, [
      '#EXT-X-DEFINE:NAME="length",VALUE="30"',
    ]);
    expect(placed(await read())).toEqual(['out 2 0 30', 'in 4 0']);
  });

  it('are placed by their date if it is ahead, also after the last segment', async () => {
    const range = (seconds: number) =>
      `#EXT-X-DATERANGE:ID="${seconds}",START-DATE="${new Date(START + seconds * 1000).toISOString()}",PLANNED-DURATION=30,SCTE35-OUT=0xFC302500000000000000FFF01405000000017FEFFE00000000FE002932E00001000000000000`;
    const { read } = live(1, 10, { 1: [date(0), range(8), range(27)] });
    expect(placed(await read())).toEqual(['out 5 0 30', 'out 11 7 30']);
  });

  it('of another rendition are placed on the first one', async () => {
    const made = stage({
      'main.m3u8': multivariant(),
      'v.m3u8': media(101, 3, { 101: [date(0)] }),
      'a.m3u8': media(1, 4, { 1: [date(0.02)], 2: ['#EXT-X-CUE-OUT:30'], 4: ['#EXT-X-CUE-IN'] }),
    });
    const { read } = made.readerOn([video, audio], 'main.m3u8');
    expect(placed(await read())).toEqual(['out 102 0 30']);
  });

  it('that are invalid are reported with their line', async () => {
    const { read } = live(1, 2, { 1: ['#EXT-OATCLS-SCTE35:rubbish'] });
    expect((await read()).signals).toMatchObject([
      { kind: 'unread', line: 4, warnings: [naming('EXT-OATCLS-SCTE35')] },
    ]);
  });
});
