// SPDX-License-Identifier: Apache-2.0
// Marker tags that are written otherwise than documented: what they mean, and which lines are reported. Segments last 6 s.
import { describe, expect, test } from 'vitest';
import {
  type Items,
  inSeconds,
  insert,
  linesOf as joined,
  message,
  readTags,
  type Segmentation,
} from '../../test/markers/markedBreaks.ts';
import { naming } from '../../test/naming.ts';
import { base64, hexadecimal } from '../../test/scte35/encodeSection.ts';

/** The playlist begins on line 2. */
function read(items: Items) {
  const { breaks, warnings } = readTags(`#EXTM3U\n${joined(items, () => '#EXTINF:6,\ns.ts')}`);
  return { breaks: breaks.map(inSeconds), warnings };
}

const breaksOf = (...items: Items) => read(items).breaks;
const linesOf = (...items: Items) => read(items).warnings.map(({ line }) => line);

const [out24, back] = [base64(insert(true, 24)), base64(insert(false))];
const [hexOut, hexIn] = [hexadecimal(insert(true, 24)), hexadecimal(insert(false))];

describe('lengths', () => {
  test.each([
    ['24', 24, false],
    ['"24.0"', 24, false],
    ['PT24S', 24, false],
    ['PT1M30S', 90, false],
    ['P0DT0H0M24S', 24, true],
    ['24.0s', 24, true],
    ['24 sec', 24, true],
    ['24000ms', 24, true],
    ['+24', 24, true],
    ['2.4e1', 24, true],
    ["'24'", 24, true],
    ['00:00:24.000', 24, true],
    ['01:30', 90, true],
    ['-24', undefined, true],
    ['NaN', undefined, true],
    ['1e30', undefined, true],
    // Milliseconds, or ticks of 90 kHz.
    ['24000', undefined, true],
    ['2160000', undefined, true],
  ])('%s', (written, seconds, isReported) => {
    const items = [2, `#EXT-X-CUE-OUT:${written}`, 4, '#EXT-X-CUE-IN', 1];
    expect(breaksOf(...items)).toEqual([`12–36/${seconds ?? ''}`]);
    expect(linesOf(...items)).toEqual(isReported ? [6] : []);
    expect(breaksOf(2, `#EXT-X-CUE-OUT:ID=7,DURATION=${written}`, 4, '#EXT-X-CUE-IN')).toEqual(breaksOf(...items));
  });

  test.each([
    ['DURATION=24;ID=7'],
    ['ID="7"DURATION=24'],
    ['\tDURATION = 24\t,\tID=7'],
    ['ID="7,DURATION=24'],
    ['duration=18,Duration=24'],
    ['BREAKDURATION=24'],
    ['PLANNED-DURATION=24,ID=7'],
    ['24;ID=7'],
    [out24],
    [`SCTE35=${out24}`],
  ])('in attributes: %s', (value) => {
    expect(read([2, `#EXT-X-CUE-OUT:${value}`, 4, '#EXT-X-CUE-IN', 1])).toEqual({ breaks: ['12–36/24'], warnings: [] });
  });

  test('of a CUE tag take precedence over those of messages, in any order', () => {
    const tags = [`#EXT-OATCLS-SCTE35:${base64(insert(true, 60))}`, '#EXT-X-CUE-OUT:24'];
    expect(breaksOf(2, ...tags, 9)).toEqual(['12–/24']);
    expect(breaksOf(2, ...tags.reverse(), 9)).toEqual(['12–/24']);
    expect(breaksOf(2, '#EXT-X-CUE-OUT:0', `#EXT-OATCLS-SCTE35:${out24}`, 6)).toEqual(['12–/24']);
    for (const length of ['PLANNED-DURATION=60', 'DURATION=60', 'END-DATE="2026-01-01T12:01:07Z"']) {
      const range = `#EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T12:00:07Z",${length},SCTE35-OUT=${hexOut}`;
      expect(breaksOf(2, range, '#EXT-X-CUE-OUT:24', 9)).toEqual(['12–/24']);
      expect(breaksOf(2, '#EXT-X-CUE-OUT:24', range, 9)).toEqual(['12–/24']);
      expect(breaksOf(2, `#EXT-OATCLS-SCTE35:${out24}`, range, '#EXT-X-CUE-OUT', 9)).toEqual(['12–/60']);
    }
    const named = [`#EXT-OATCLS-SCTE35:${base64(insert(true, 60))}`, '#EXT-X-CUE-OUT:ID=7,DURATION=24'];
    expect(breaksOf(2, ...named, 4, '#EXT-X-CUE-IN', 6)).toEqual(['12–36/24']);
  });

  test('may be missing beside the elapsed time', () => {
    expect(breaksOf('#EXT-X-CUE-OUT-CONT:/30', 1, '#EXT-X-CUE-IN', 3)).toEqual(['0–6/30']);
    expect(breaksOf('#EXT-X-CUE-OUT-CONT:8/', 1, '#EXT-X-CUE-IN', 3)).toEqual(['-8–6/']);
  });
});

describe('ends that do not agree', () => {
  const oat = (typeId: number, id = 1, seconds = 0) => `#EXT-OATCLS-SCTE35:${base64(message([typeId, id, seconds]))}`;
  const cont = (elapsed: number, total = 18) => `#EXT-X-CUE-OUT-CONT:ElapsedTime=${elapsed},Duration=${total}`;
  const start = [1, oat(0x34, 1, 18), '#EXT-X-CUE-OUT:18', 1];
  const range = (rest: string) => `#EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T12:00:07Z",${rest}`;
  const complete = range(`DURATION=24,SCTE35-OUT=${hexOut},SCTE35-IN=${hexIn}`);
  const ends = [0x31, 0x33, 0x35, 0x37, 0x23, 0x45].map((typeId) => oat(typeId));

  test.each([...ends, `#EXT-OATCLS-SCTE35:${back}`])('%s in front of the segment that contains the end', (end) => {
    const beside = [...start, cont(5), 1, end, `${cont(11)},Remaining=7`, 1, '#EXT-X-CUE-IN', 2];
    expect(read(beside)).toEqual({ breaks: ['6–24/18'], warnings: [] });
    expect(read([...start, 1, end, 1, '#EXT-X-CUE-IN', 2])).toEqual({ breaks: ['6–24/18'], warnings: [] });
  });

  test.each([...ends, range(`SCTE35-IN=${hexIn}`)])('%s a segment after EXT-X-CUE-IN', (end) => {
    expect(read([...start, 2, '#EXT-X-CUE-IN', 1, end, 2])).toEqual({ breaks: ['6–24/18'], warnings: [] });
  });

  test.each<readonly [string, Items, string]>([
    ['a message without EXT-X-CUE-IN', [...start, 1, oat(0x35), 3], '6–18/18'],
    ['a message beside the last continuation', [...start, cont(6), 1, oat(0x35), cont(12), 3], '6–24/18'],
    ['an early return', [...start, cont(6, 60), 1, oat(0x35), cont(12, 60), 4], '6–24/18'],
    ['a message two segments early', [...start, oat(0x35), cont(6), 1, cont(12), 1, '#EXT-X-CUE-IN', 2], '6–24/18'],
    ['another event', [...start, oat(0x37, 9), cont(6), 1, cont(12), 1, '#EXT-X-CUE-IN', 2], '6–24/18'],
    ['a range', [...start, 1, range(`SCTE35-IN=${hexIn}`), cont(12), 1, '#EXT-X-CUE-IN', 2], '6–24/18'],
    ['an end stated for later', [1, complete, '#EXT-X-CUE-OUT:12', 2, '#EXT-X-CUE-IN', 4], '6–18/12'],
    ['an end stated for later, after the cue', [1, '#EXT-X-CUE-OUT:12', complete, 2, '#EXT-X-CUE-IN', 4], '6–18/12'],
    ['an end stated for later, alone', [1, '#EXT-X-CUE-OUT:12', complete, 7], '6–30/12'],
    [
      'a later length of its range',
      [1, range(`SCTE35-OUT=${hexOut}`), '#EXT-X-CUE-OUT:12', 1, range('DURATION=60'), 1, '#EXT-X-CUE-IN', 6],
      '6–18/12',
    ],
  ])('%s', (_, items, expected) => {
    expect(read(items)).toEqual({ breaks: [expected], warnings: [] });
  });

  test.each([
    (elapsed: number) => `#EXT-X-CUE-OUT-CONT:${elapsed}.000/12.0`,
    (elapsed: number) => `#EXT-X-CUE-OUT-CONT:ElapsedTime=${elapsed},Duration=12,SCTE35=${out24}`,
    (elapsed: number) => `#EXT-X-CUE-OUT-CONT:Elapsed=${elapsed},Remaining=${Math.max(0, 12 - elapsed)},Duration=12`,
    (elapsed: number) => `#EXT-X-CUE-SPAN:TIMEFROMSIGNAL=PT${elapsed}S`,
    (elapsed: number) => `#EXT-X-SCTE35:CUE-OUT=CONT,ELAPSED=${elapsed},DURATION=12`,
  ])('a continuation beyond the length of its break does not continue it: %s', (tag) => {
    const on = (...elapsed: number[]) => elapsed.flatMap((each) => [tag(each), 1]);
    const once = [1, '#EXT-X-CUE-OUT:12', 1, ...on(6, 12, 18, 24)];
    expect(read([...once, '#EXT-X-CUE-OUT:12', 1, ...on(6)])).toEqual({
      breaks: ['6–/12', '36–/12'],
      warnings: [{ line: 13, text: naming('18 s', '12 s') }],
    });
    expect(breaksOf(...once, '#EXT-X-CUE-IN', 1)).toEqual(['6–36/12']);
  });

  test('a playlist that begins after a break whose continuations never end has no break there', () => {
    const items = [26, 32, 38].flatMap((elapsed) => [`#EXT-X-CUE-OUT-CONT:${elapsed}/12`, 1]);
    const warnings = [{ line: 2, text: naming('26 s', '12 s') }];
    expect(read(items)).toEqual({ breaks: [], warnings });
    expect(read([...items, '#EXT-X-CUE-IN', 1])).toEqual({ breaks: [], warnings });
  });

  test.each([
    ['10/30', '-10–/30'],
    ['10,Duration=30', '-10–/30'],
    ['Remaining=20,Duration=30', '-10–/30'],
    ['Elapsed=10,Remaining=20', '-10–/30'],
    [`Elapsed=10,SCTE35=${out24}`, '-10–/24'],
    ['ELAPSED=10,BREAKDURATION=30', '-10–/30'],
  ])('a playlist may begin within a break: %s', (value, expected) => {
    expect(read([`#EXT-X-CUE-OUT-CONT:${value}`, 5])).toEqual({ breaks: [expected], warnings: [] });
  });
});

describe('messages', () => {
  const range = (rest: string) => `#EXT-X-DATERANGE:${rest}`;

  test('in EXT-SCTE35 of SCTE 67', () => {
    const [start, end] = [`#EXT-SCTE35: CUE="${out24}", ID="1", TIME=12.5`, `#EXT-SCTE35:CUE="${back}"`];
    expect(read([2, start, 4, end, 1])).toEqual({ breaks: ['12–36/24'], warnings: [] });
  });

  test('with CUE-OUT and CUE-IN after a space', () => {
    const tag = (cue: string, state: string) => `#EXT-X-SCTE35:CUE="${cue}" ${state}`;
    const repeated = [1, tag(out24, ''), 1, tag(out24, 'CUE-OUT=YES'), 4, tag(back, 'CUE-IN=YES'), 1];
    expect(breaksOf(...repeated)).toEqual(['12–36/24']);
    const window = [tag(out24, ',CUE-OUT-CONT=YES,ELAPSED=6.000'), 1, tag(back, ',CUE-IN=YES'), 1];
    expect(breaksOf(...window)).toEqual(['-6–6/24']);
  });

  test('of programmes and chapters are no breaks, whatever the names of their attributes', () => {
    const attribute = (name: string, ...of: readonly Segmentation[]) => `${name}=${hexadecimal(message(...of))}`;
    const items = [
      range(`ID="c",${attribute('SCTE35-IN', [0x21, 3])}`),
      range(`ID="b",PLANNED-DURATION=24,${attribute('SCTE35-OUT', [0x22, 1, 24])}`),
      range(`ID="p",PLANNED-DURATION=2700,${attribute('SCTE35-OUT', [0x10, 2, 2700])}`),
      1,
      range(`ID="d",${attribute('SCTE35-IN', [0x21, 4])}`),
      `#EXT-X-SCTE35:CUE="${base64(message([0x11, 2]))}",CUE-IN=YES`,
      3,
      range(`ID="b",${attribute('SCTE35-IN', [0x23, 1])}`),
      range(`ID="c2",PLANNED-DURATION=200,${attribute('SCTE35-OUT', [0x20, 3, 200])}`),
      3,
    ];
    expect(read(items)).toEqual({ breaks: ['0–24/24'], warnings: [] });
    const ended = [range(`ID="p",${attribute('SCTE35-OUT', [0x10, 2, 2700])}`), 2, '#EXT-X-CUE-IN', 1];
    expect(read(ended)).toEqual({ breaks: [], warnings: [{ line: 7, text: naming('EXT-X-CUE-IN', 'line 2') }] });
  });

  test('that cannot be read are reported, and the names of their tags count', () => {
    const items = [2, range(`ID="a",PLANNED-DURATION=24,SCTE35-OUT=0xFC30`), 4, range('ID="a",SCTE35-IN=%%'), 1];
    expect(read(items)).toEqual({
      breaks: ['12–36/24'],
      warnings: [
        { line: 6, text: naming('EXT-X-DATERANGE', 'SCTE35-OUT', '0xfc') },
        { line: 15, text: naming('EXT-X-DATERANGE', 'SCTE35-IN', '%%') },
      ],
    });
    expect(linesOf(2, '#EXT-X-CUE-OUT:DURATION=24,SCTE35=/DA%', 4, '#EXT-X-CUE-IN', 1)).toEqual([6]);
    expect(linesOf(1, range(`ID="a",PLANNED-DURATION=what,SCTE35-OUT=${hexOut}`), 1)).toEqual([4]);
  });

  test('may be used again for a later break', () => {
    const tag = `#EXT-OATCLS-SCTE35:${out24}`;
    expect(breaksOf(tag, 2, tag, 5, tag, 5)).toEqual(['0–/24', '42–/24']);
  });
});

describe('date ranges', () => {
  const date = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, 0) + seconds * 1000).toISOString();
  const dated = (seconds: number) => `#EXT-X-PROGRAM-DATE-TIME:${date(seconds)}`;
  const range = (seconds: number, rest: string) => `#EXT-X-DATERANGE:START-DATE="${date(seconds)}",${rest}`;

  test('end where the next one of their class starts (END-ON-NEXT)', () => {
    const start = range(6, `ID="a",CLASS="ad",END-ON-NEXT=YES,SCTE35-OUT=${hexadecimal(insert(true))}`);
    const other = range(12, 'ID="x",CLASS="other",X-A=1');
    expect(breaksOf(dated(0), 1, start, 1, other, 2, range(24, 'ID="b",CLASS="ad",X-A=1'), 2)).toEqual(['6–24/']);
    expect(breaksOf(dated(0), 1, start, range(24, 'ID="b",CLASS="ad",X-A=1'), 5)).toEqual(['6–24/']);
  });

  test('after the last segment of a complete playlist are at their dates', () => {
    const tag = (seconds: number) => range(seconds, `ID="a",DURATION=12,SCTE35-OUT=${hexOut}`);
    expect(breaksOf(dated(0), 6, '#EXT-X-ENDLIST', tag(12))).toEqual(['12–/12']);
    expect(breaksOf(dated(0), 6, tag(36), '#EXT-X-ENDLIST')).toEqual(['36–/12']);
  });

  test('that are announced ahead start after the end of the break before them', () => {
    const start = (id: string, seconds: number) =>
      range(seconds, `ID="${id}",PLANNED-DURATION=12,SCTE35-OUT=${hexOut}`);
    const end = (id: string, seconds: number) => range(seconds, `ID="${id}",SCTE35-IN=${hexIn}`);
    const items = [dated(0), 1, start('a', 6), 1, start('b', 24), 2, end('a', 6), 2, end('b', 24), 1];
    expect(breaksOf(...items)).toEqual(['6–24/12', '24–36/12']);
  });

  test('that are announced for nearly the place of a CUE tag are the same break', () => {
    const start = range(18.3, `ID="a",PLANNED-DURATION=60,SCTE35-OUT=${hexOut}`);
    expect(breaksOf(dated(0), start, 3, '#EXT-X-CUE-OUT:12', 2, '#EXT-X-CUE-IN', 6)).toEqual(['18–30/12']);
  });

  test('are at their tags if the clock of the packager differs from the dates of the segments', () => {
    const ends = [`SCTE35-OUT=${hexOut}`, `SCTE35-IN=${hexIn}`];
    const shifted = [dated(0), 1, range(19, `ID="a",DURATION=24,${ends[0]}`), 4, range(43, `ID="a",${ends[1]}`), 1];
    expect(breaksOf(...shifted)).toEqual(['6–30/24']);
    const ahead = [dated(0), 1, range(18, `ID="a",DURATION=24,${ends[0]}`), 6, range(18, `ID="a",${ends[1]}`), 1];
    expect(breaksOf(...ahead)).toEqual(['18–42/24']);
  });
});
