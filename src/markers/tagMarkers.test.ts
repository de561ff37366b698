// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import {
  type Items,
  inSeconds,
  insert,
  linesOf as joined,
  readTags,
  segmentation,
} from '../../test/markers/markedBreaks.ts';
import { naming } from '../../test/naming.ts';
import { base64, encodeSection, hexadecimal, spliceTime } from '../../test/scte35/encodeSection.ts';
import { readMedia } from '../hls/readMedia.ts';
import { secondsToFlicks } from '../time/units.ts';
import { placeTags } from './placeTags.ts';
import { vodMarkers } from './vodMarkers.ts';

/** A playlist of segments of 10 s, with tags in front of them. */
const playlist = (...items: Items) => `#EXTM3U\n${joined(items, () => '#EXTINF:10,\ns.ts')}\n#EXT-X-ENDLIST`;

function marked(text: string) {
  const { breaks, warnings, end } = readTags(text);
  const vod = vodMarkers(breaks, end);
  return { breaks, markers: vod.markers, warnings: [...warnings, ...vod.warnings] };
}

const breaksOf = (...items: Items) => marked(playlist(...items)).breaks.map(inSeconds);
const markersOf = (...items: Items) => marked(playlist(...items)).markers.map(inSeconds);
const linesOf = (...items: Items) => marked(playlist(...items)).warnings.map(({ line }) => line);

const startOf = (seconds?: number) => insert(true, seconds, { id: 1, time: 900_000 });
const end = insert(false, undefined, { id: 2, time: 900_000 });
const [out30, back] = [base64(startOf(30)), base64(end)];
const [hexOut, hexIn] = [hexadecimal(startOf()), hexadecimal(end)];
const signal = (typeId: number, id = 1, seconds = 0) =>
  encodeSection({ type: 6, command: spliceTime(900_000 + typeId), descriptors: [segmentation([typeId, id, seconds])] });
const oat = (...of: Parameters<typeof signal>) => `#EXT-OATCLS-SCTE35:${base64(signal(...of))}`;

describe('a start and an end', () => {
  test.each([
    ['#EXT-X-CUE-OUT', '#EXT-X-CUE-IN', ''],
    ['#EXT-X-CUE-OUT:30', '#EXT-X-CUE-IN', '30'],
    ['#EXT-X-CUE-OUT:30.000', '#EXT-X-CUE-IN:', '30'],
    ['#EXT-X-CUE-OUT: 30', '#EXT-X-CUE-IN', '30'],
    ['#EXT-X-CUE-OUT 30', '#EXT-X-CUE-IN', '30'],
    ['#EXT-X-CUE-OUT:0/30', '#EXT-X-CUE-IN', '30'],
    ['#EXT-X-CUE-OUT 10/4', '#EXT-X-CUE-IN', '10'],
    ['#EXT-X-CUE-OUT:PT30S', '#EXT-X-CUE-IN', '30'],
    ['#EXT-X-CUE-OUT:"30"', '#EXT-X-CUE-IN', '30'],
    ['#EXT-X-CUE-OUT:DURATION=30', '#EXT-X-CUE-IN', '30'],
    ['#EXT-X-CUE-OUT:Duration="30.0"', '#EXT-X-CUE-IN:ID=7', '30'],
    ['#EXT-X-CUE-OUT:30.000,BreakID=7', '#EXT-X-CUE-IN', '30'],
    ['#EXT-X-CUE-OUT:ID=7,DURATION=30,TIME=12.5,BREAKID=9', '#EXT-X-CUE-IN:ID=7', '30'],
    ['#EXT-X-CUE:TYPE="SpliceOut",ID="1",DURATION="30",TIME="20"', '#EXT-X-CUE:TYPE="SpliceIn",ID="1"', '30'],
    ['#EXT-X-CUE:TYPE=SpliceOut,ID=1,DURATION="0"', '#EXT-X-CUE:TYPE=SpliceIn,ID=1', ''],
    [`#EXT-OATCLS-SCTE35:${out30}`, `#EXT-OATCLS-SCTE35:${back}`, '30'],
    [
      `#EXT-X-SPLICEPOINT-SCTE35:${base64(signal(0x36, 1, 30))}`,
      `#EXT-X-SPLICEPOINT-SCTE35:${base64(signal(0x37))}`,
      '30',
    ],
    [
      `#EXT-X-SCTE35:TYPE=0x34,ID="4",DURATION=30,CUE-OUT=YES,CUE="${out30}"`,
      '#EXT-X-SCTE35:TYPE=0x35,ID="4",CUE-IN=YES',
      '30',
    ],
    [`#EXT-X-SCTE35:CUE="${out30}"`, `#EXT-X-SCTE35:CUE="${back}"`, '30'],
    ['#EXT-X-SCTE35:TYPE=0x22,DURATION=30', '#EXT-X-SCTE35:TYPE=0x23', '30'],
    [
      `#EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:20Z",PLANNED-DURATION=30,SCTE35-OUT=${hexOut}`,
      `#EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:20Z",DURATION=30,SCTE35-IN=${hexIn}`,
      '30',
    ],
    [`#EXT-X-DATERANGE:ID="a",SCTE35-OUT=${hexOut}`, `#EXT-X-DATERANGE:ID="a",SCTE35-IN=${hexIn}`, ''],
    [
      `#EXT-X-DATERANGE:ID="a",SCTE35-CMD=${hexadecimal(signal(0x34, 1, 30))}`,
      `#EXT-X-DATERANGE:ID="b",SCTE35-CMD=${hexadecimal(signal(0x35))}`,
      '30',
    ],
  ])('%s … %s', (start, end, duration) => {
    const { breaks, markers, warnings } = marked(playlist(2, start, 3, end, 2));
    expect(breaks.map(inSeconds)).toEqual([`20–50/${duration}`]);
    expect(markers).toEqual([
      {
        at: secondsToFlicks(20),
        until: secondsToFlicks(50),
        ...(duration && { duration: secondsToFlicks(Number(duration)) }),
        source: /^#([A-Z0-9-]+)/.exec(start)![1],
        raw: start.replace(/^(#[A-Z0-9-]+)(?:[: ] *(.*))?$/, (_, name, value) => (value ? `${name}:${value}` : name)),
        line: 6,
      },
    ]);
    expect(warnings).toEqual([]);
  });

  test('several spellings of one break are one break', () => {
    const elemental = [oat(0x34, 1, 30), '#EXT-X-ASSET:CAID=0x1', '#EXT-X-CUE-OUT:30.000'];
    const cont = [`#EXT-X-CUE-OUT-CONT:ElapsedTime=10,Duration=30,SCTE35=${out30}`, 1, '#EXT-X-CUE-OUT-CONT:20/30', 1];
    const dated = `#EXT-X-DATERANGE:ID="a",PLANNED-DURATION=30,SCTE35-OUT=${hexadecimal(startOf(30))}`;
    const ends = [oat(0x35), '#EXT-X-CUE-IN', '#EXT-X-CUE-IN', `#EXT-X-DATERANGE:ID="a",SCTE35-IN=${hexIn}`];
    expect(breaksOf(2, dated, ...elemental, '#EXT-X-CUE-OUT:30', 1, ...cont, ...ends, 2)).toEqual(['20–50/30']);
    expect(linesOf(2, dated, ...elemental, 1, ...cont, ...ends, 2)).toEqual([]);
  });

  test('a start may be repeated at every segment, or after the end', () => {
    const adobe = (elapsed: string) => `#EXT-X-CUE:ID=3,TYPE="SpliceOut",DURATION=30,TIME=20${elapsed}`;
    expect(breaksOf(2, adobe(''), 1, adobe(',ELAPSED=10'), 1, adobe(',ELAPSED=20'), 3)).toEqual(['20–/30']);
    expect(breaksOf(2, adobe(''), 1, adobe(''), 1, adobe(''), 1, '#EXT-X-CUE-IN', adobe(''), 3)).toEqual(['20–50/30']);
    expect(breaksOf(2, '#EXT-X-CUE-OUT', 1, '#EXT-X-CUE-OUT', 1, '#EXT-X-CUE-IN', 1)).toEqual(['20–40/']);
    expect(breaksOf(2, '#EXT-X-CUE-OUT:30', 1, '#EXT-X-CUE-OUT:20', 1, '#EXT-X-CUE-OUT:10', 3)).toEqual(['20–/30']);
  });

  test('an explicit end beats the announced length, whether early or late', () => {
    expect(markersOf(2, '#EXT-X-CUE-OUT:60', 2, '#EXT-X-CUE-IN', 9)).toEqual(['20–40/60']);
    expect(markersOf(2, '#EXT-X-CUE-OUT:20', 4, '#EXT-X-CUE-IN', 9)).toEqual(['20–60/20']);
    expect(markersOf(2, '#EXT-X-CUE-OUT:20', 40, '#EXT-X-CUE-IN', 9)).toEqual(['20–40/20']);
    expect(linesOf(2, '#EXT-X-CUE-OUT:20', 40, '#EXT-X-CUE-IN', 9)).toEqual([87]);
  });

  test('breaks and ads within a break belong to it', () => {
    const nested = ['#EXT-X-CUE-OUT:120', 2, '#EXT-X-CUE-OUT:30', 3, '#EXT-X-CUE-IN', 7, '#EXT-X-CUE-IN', 1];
    expect(breaksOf(1, ...nested)).toEqual(['10–130/120']);
    const ads = [oat(0x22, 1, 60), oat(0x30, 2, 30), 3, oat(0x31, 2), oat(0x30, 3, 30), 3, oat(0x31, 3), oat(0x23, 1)];
    expect(breaksOf(1, ...ads, 1)).toEqual(['10–70/60']);
    const range = (id: string, name: string, length: number) =>
      `#EXT-X-DATERANGE:ID="${id}",DURATION=${length},SCTE35-${name}=0xFC`;
    const ranges = [range('b', 'OUT', 60), range('1', 'OUT', 30), 3, range('1', 'IN', 30), 3, range('b', 'IN', 60)];
    expect(breaksOf(1, ...ranges, 1)).toEqual(['10–70/60']);
  });

  test('breaks may follow one another', () => {
    const ended = ['#EXT-X-CUE-OUT:20', 2, '#EXT-X-CUE-IN', '#EXT-X-CUE-OUT:30', 3, '#EXT-X-CUE-IN', 1];
    expect(markersOf(...ended)).toEqual(['0–20/20', '20–50/30']);
    expect(markersOf(1, '#EXT-X-CUE-OUT:20', 2, '#EXT-X-CUE-OUT:30', 5)).toEqual(['10–30/20', '30–60/30']);
  });
});

describe('in on-demand content', () => {
  test('a length of 0, or an end at the same segment, is an insertion point', () => {
    expect(markersOf('#EXT-X-CUE-OUT:0', '#EXT-X-CUE-IN', 3, '#EXT-X-CUE-OUT:0', 2)).toEqual(['0–/', '30–/']);
    const empty = markersOf(2, '#EXT-X-CUE-OUT:30', '#EXT-X-CUE-IN', 1, '#EXT-X-CUE-OUT', '#EXT-X-CUE-IN');
    expect(empty).toEqual(['20–/30', '30–/']);
    expect(markersOf(2, '#EXT-X-CUE:TYPE=SpliceInsert,ID=a,TIME=20', 3)).toEqual(['20–/']);
    const date = '#EXT-X-DATERANGE:ID="x",SCTE35-OUT=0xFC';
    expect(markersOf(2, '#EXT-X-CUE-OUT:0', '#EXT-X-CUE-IN', date, 3)).toEqual(['20–/']);
    expect(linesOf('#EXT-X-CUE-OUT:0', 3, '#EXT-X-CUE-OUT:0', '#EXT-X-CUE-IN', 2)).toEqual([]);
  });

  test('a length without an end replaces as much content, up to the end', () => {
    expect(markersOf(1, '#EXT-X-CUE-OUT:25', 4)).toEqual(['10–35/25']);
    expect(markersOf(1, '#EXT-X-CUE-OUT:60', 4)).toEqual(['10–50/60']);
    expect(linesOf(1, '#EXT-X-CUE-OUT:60', 4)).toEqual([4]);
    expect(markersOf(1, '#EXT-X-CUE-OUT:60')).toEqual(['10–/60']);
  });

  test('neither a length nor an end is an insertion point, with a warning', () => {
    expect(markersOf(1, '#EXT-X-CUE-OUT', 3, '#EXT-X-CUE-OUT', 2)).toEqual(['10–/', '40–/']);
    expect(linesOf(1, '#EXT-X-CUE-OUT', 3)).toEqual([4]);
  });

  test('content may begin within a break', () => {
    const cont = ['#EXT-X-CUE-OUT-CONT:8/30', 1, '#EXT-X-CUE-OUT-CONT:18/30', 1];
    expect(breaksOf(...cont, 3)).toEqual(['-8–/30']);
    expect(markersOf(...cont, 3)).toEqual(['0–22/30']);
    expect(markersOf(...cont, '#EXT-X-CUE-IN', 3)).toEqual(['0–20/30']);
    expect(markersOf('#EXT-X-CUE-OUT-CONT:40/30', 3)).toEqual([]);
    expect(markersOf('#EXT-X-CUE-SPAN:TIMEFROMSIGNAL=PT8S', 2, '#EXT-X-CUE-IN', 3)).toEqual(['0–20/']);
    expect(breaksOf(2, '#EXT-X-CUE-IN', 3)).toEqual(['0–20/']);
    const next = ['#EXT-X-CUE-IN', '#EXT-X-CUE-OUT-CONT:0/20', 1, '#EXT-X-CUE-OUT-CONT:10/20', 1, '#EXT-X-CUE-IN'];
    expect(breaksOf(...cont, ...next, 1)).toEqual(['-8–20/30', '20–40/20']);
    expect(linesOf(...cont, ...next, 1).filter((line) => line > 9)).toEqual([]);
    expect(markersOf(2, '#EXT-X-CUE-IN', 3)).toEqual([]);
    expect(linesOf(2, '#EXT-X-CUE-IN', 3)).toEqual([6]);
  });
});

describe('placeTags', () => {
  test('counts the segmentation types that a channel chooses', () => {
    const tags = [
      oat(0x34, 1, 30),
      '#EXT-X-SCTE35:TYPE=0x36,DURATION=30',
      `#EXT-X-DATERANGE:ID="a",SCTE35-CMD=${hexadecimal(signal(0x40, 1, 30))}`,
    ].map((text, segment) => ({
      name: text.slice(1, text.indexOf(':')),
      value: text.slice(text.indexOf(':') + 1),
      line: segment,
      segment,
    }));
    const times = { borders: [0, 60, 120, 180].map(secondsToFlicks), dates: [] };
    const outs = (starts?: number[]) => placeTags(tags, times, starts && { starts }).map(({ line }) => line);
    expect(outs()).toEqual([0, 1]);
    expect(outs([0x34])).toEqual([0]);
    expect(outs([0x36, 0x40])).toEqual([1, 2]);
  });

  test('warns about what cannot be read and keeps the rest', () => {
    expect(marked(playlist(1, '#EXT-X-CUE-OUT:INVALID', 2, '#EXT-X-CUE-IN:what', 1))).toMatchObject({
      breaks: [{ at: secondsToFlicks(10), until: secondsToFlicks(30) }],
      warnings: [{ line: 4, text: naming('EXT-X-CUE-OUT', '"INVALID"') }],
    });
    const garbled = `#EXT-OATCLS-SCTE35:${out30.slice(0, -4)}AAAA`;
    const broken = ['#EXT-X-CUE-OUT:-5', '#EXT-X-CUE:TYPE=Other', '#EXT-X-SCTE35:ID=1', garbled];
    expect(linesOf(...broken, 1, '#EXT-X-CUE-IN', 1)).toEqual([2, 3, 4, 5]);
    expect(breaksOf(...broken.slice(1), 3)).toEqual([]);
  });

  test('reads a message where it takes effect, not where it was received', () => {
    const received = `#EXT-X-SCTE35:CUE="${out30}"`;
    const effective = [`${received},CUE-OUT=YES`, 3, `#EXT-X-SCTE35:CUE="${back}",CUE-IN=YES`, 1];
    expect(breaksOf(1, received, 2, ...effective)).toEqual(['30–60/30']);
  });

  test('ignores a break that is repeated after its end', () => {
    const cue = (elapsed: number) =>
      `#EXT-X-CUE:ID="7",TYPE="scte35",DURATION=60,TIME=9.5,CUE="${out30}",ELAPSED=${elapsed}`;
    const range = `#EXT-X-DATERANGE:ID="7",START-DATE="2026-01-01T00:00:10Z",SCTE35-OUT=${hexOut}`;
    const end = [
      `#EXT-X-DATERANGE:ID="7",START-DATE="2026-01-01T00:00:30Z",SCTE35-IN=${hexIn}`,
      `#EXT-X-CUE:ID="7",TYPE="scte35",DURATION=0.0,TIME=29.5,CUE="${back}"`,
    ];
    const repeated = (elapsed: number, ...after: Items): Items => [range, cue(elapsed), ...after, 1];
    const items = [1, ...repeated(0.01), ...repeated(10), ...repeated(20, ...end), ...repeated(30), ...repeated(40), 2];
    expect(breaksOf(...items)).toEqual(['10–30/60']);
    expect(linesOf(...items)).toEqual([]);
    const late = [1, '#EXT-X-CUE-OUT:60', 1, '#EXT-X-CUE-IN', 1, '#EXT-X-CUE-OUT-CONT:20/60', 3];
    expect(breaksOf(...late)).toEqual(['10–20/60']);
  });

  test('joins tags that are broken over several lines', () => {
    const [first, second] = [hexadecimal(startOf(30)).slice(0, 20), hexadecimal(startOf(30)).slice(20)];
    const tag = `#EXT-X-DATERANGE:ID="a",\nSCTE35-OUT=${first}\n${second}`;
    expect(breaksOf(1, tag, 3, '#EXT-X-DATERANGE:ID="a",\\\nSCTE35-IN=0xFC', 1)).toEqual(['10–40/30']);
    const inside = `#EXTM3U\n#EXTINF:10,\n#EXT-X-CUE-OUT:ID=1,\nDURATION=20\na.ts\n#EXTINF:10,\n#EXT-X-CUE-IN\nb.ts\n#EXT-X-ENDLIST`;
    expect(marked(inside).breaks.map(inSeconds)).toEqual(['0–10/20']);
    // A URI is never part of a tag.
    const trailing = '#EXTM3U\n#EXTINF:10,\n#EXT-X-CUE-OUT:20,\na.ts\n#EXTINF:10,\n#EXT-X-CUE-IN\nb.ts\n#EXT-X-ENDLIST';
    expect(marked(trailing).breaks.map(inSeconds)).toEqual(['0–10/20']);
    expect(readMedia('#EXTM3U\n#EXT-X-CUE-OUT:20\na.ts')).toMatchObject({ code: 'NO_EXTINF', line: 3 });
  });

  test('places a date range by its position, and by its date only if that is far ahead', () => {
    const date = (time: string) => `#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:${time}Z`;
    const range = (time: string) =>
      `#EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:${time}Z",PLANNED-DURATION=10,SCTE35-OUT=0xFC`;
    expect(breaksOf(date('00.760'), 2, range('20'), 5)).toEqual(['20–/10']);
    expect(breaksOf(date('00.760'), 2, range('05'), 5)).toEqual(['20–/10']);
    expect(breaksOf(date('00.760'), 1, range('40'), 5)).toEqual(['40–/10']);
    expect(breaksOf(range('05').replace('=10', '=30'), date('10'), 5)).toEqual(['-5–/30']);
    expect(breaksOf(range('05').replace('=10', '=4'), date('10'), 5)).toEqual(['0–/4']);
    expect(breaksOf(date('00.760'), 1, range('40'), 1, range('50'), 3, range('50'), 2)).toEqual(['50–/10']);
  });
});
