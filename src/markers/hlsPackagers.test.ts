// SPDX-License-Identifier: Apache-2.0
// Playlists in the styles of packagers and their documentation, each with the breaks that it marks. Segments last 10 s.
import { describe, expect, test } from 'vitest';
import { type Items, inSeconds, insert, linesOf, message, readTags } from '../../test/markers/markedBreaks.ts';
import { base64, cancelFields, encodeSection, hexadecimal } from '../../test/scte35/encodeSection.ts';

/** Each segment has a date if `isDated`; the first one is at 12:00:00.760. */
function read(items: Items, isDated = false) {
  const dateOf = (index: number) => new Date(Date.UTC(2026, 2, 1, 12, 0, 10 * index, 760)).toISOString();
  const date = (index: number) => (isDated ? `#EXT-X-PROGRAM-DATE-TIME:${dateOf(index)}\n` : '');
  const lines = linesOf(items, (index) => `${date(index)}#EXTINF:10.000,\ns.ts`);
  const { breaks, warnings } = readTags(`#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-MEDIA-SEQUENCE:7\n${lines}`);
  return { breaks: breaks.map(inSeconds), ids: breaks.map(({ sourceId }) => sourceId), warnings: warnings.length };
}

const empty = base64(encodeSection({ type: 0, command: [] }));
const [out30, back] = [base64(insert(true, 30)), base64(insert(false))];
const [hexOut, hexIn] = [hexadecimal(insert(true, 30)), hexadecimal(insert(false))];
const [start34, end35] = [base64(message([0x34, 5, 30])), base64(message([0x35, 5]))];
const urlSafe = (text: string) => text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
const dated = (seconds: number) => `START-DATE="2026-03-01T12:00:${String(seconds).padStart(2, '0')}Z"`;

/** The lines of a playlist, of which a number stands for as many segments → its breaks. */
const cases: Readonly<Record<string, string>> = {
  'Elemental: elapsed and total':
    '2 | #EXT-X-CUE-OUT:30.000 | 1 | #EXT-X-CUE-OUT-CONT:10.000/30 | 2 | #EXT-X-CUE-IN | 1 → 20–50/30',
  'Elemental: ads within the break, which ends early, within an ad': `2 | #EXT-OATCLS-SCTE35:${base64(message([0x34, 5, 90], [0x30, 6, 30]))} | #EXT-X-CUE-OUT:90 | 3 | #EXT-OATCLS-SCTE35:${base64(message([0x31, 6], [0x30, 7, 30]))} | 2 | #EXT-X-CUE-IN | 1 → 20–70/90`,
  'the length of a date range is that of the outermost break in its message': `2 | #EXT-X-DATERANGE:ID="a",PLANNED-DURATION=60,SCTE35-CMD=${hexadecimal(message([0x36, 6, 30], [0x34, 5, 61]))} | 3 | #EXT-X-DATERANGE:ID="b",SCTE35-CMD=${hexadecimal(message([0x37, 6]))} | 4 → 20–/60`,
  'the length of EXT-X-CUE is that of the outermost break in its message': `2 | #EXT-X-CUE:ID="a",TYPE="scte35",DURATION=60,CUE="${base64(message([0x36, 6, 30], [0x34, 5, 61]))}" | 3 | #EXT-X-CUE:ID="b",TYPE="scte35",CUE="${base64(message([0x37, 6]))}" | 4 → 20–/60`,
  'a space after the number sign':
    '2 | #EXT-X-CUE-OUT:30.000 | 1 | # EXT-X-CUE-OUT-CONT: 8.308/30 | 2 | # EXT-X-CUE-IN | 1 → 20–50/30',
  'names in small letters':
    '2 | #ext-x-cue-out:duration=30 | 1 | #ext-x-cue-out-cont:10/30 | 2 | #ext-x-cue-in | 1 → 20–50/30',
  'Elemental, SCTE-35 enhanced': `2 | #EXT-OATCLS-SCTE35:${out30} | #EXT-X-ASSET:CAID=0x0000000020FB6501 | #EXT-X-CUE-OUT:30 | 1 | #EXT-X-CUE-OUT-CONT:ElapsedTime=10.0,Duration=30.0,SCTE35=${out30} | 2 | #EXT-X-CUE-IN | 1 → 20–50/30`,
  'a CONT with a shortened message':
    '2 | #EXT-X-CUE-OUT:30 | 1 | #EXT-X-CUE-OUT-CONT:ElapsedTime=10,Duration=30,SCTE35=/DA0…tuA== | 2 | #EXT-X-CUE-IN | 1 → 20–50/30',
  'a CONT with an asset':
    '2 | #EXT-X-CUE-OUT:30 | 1 | #EXT-X-CUE-OUT-CONT:CAID=0x1,ElapsedTime=10,Duration=30 | 2 | #EXT-X-CUE-IN | 1 → 20–50/30',
  'Elemental, Adobe style': '2 | #EXT-X-CUE:DURATION="30.0",ID="0",TYPE="SpliceOut",TIME="414.171" | 4 → 20–/30',
  'MediaTailor: a name': '2 | #EXT-X-CUE-OUT:DURATION=30 | 3 | #EXT-X-CUE-IN | 1 → 20–50/30',
  'MediaTailor: a name in quotes': '2 | #EXT-X-CUE-OUT:DURATION="30.000" | 3 | #EXT-X-CUE-IN | 1 → 20–50/30',
  'MediaTailor: quotes': '2 | #EXT-X-CUE-OUT:"30.000" | 3 | #EXT-X-CUE-IN | 1 → 20–50/30',
  'MediaTailor: bare': '2 | #EXT-X-CUE-OUT | 3 | #EXT-X-CUE-IN | 1 → 20–50/',
  'MediaTailor: a live break that is over at once': '2 | #EXT-X-CUE-OUT:0 | #EXT-X-CUE-IN | 3 → 20–20/0',
  'Google DAI':
    '2 | #EXT-X-CUE-OUT:30 | 1 | #EXT-X-CUE-OUT-CONT:10.0/30 | 1 | #EXT-X-CUE-OUT-CONT:20.0/30 | 1 | #EXT-X-CUE-IN | 1 → 20–50/30',
  'Google DAI: a break without a length':
    '2 | #EXT-X-CUE-OUT: | 1 | #EXT-X-CUE-OUT-CONT: | 2 | #EXT-X-CUE-IN: | 1 → 20–50/',
  Envivio: `2 | #EXT-X-CUE-OUT:DURATION=30,ID=16777323,CUE="${out30}" | 1 | #EXT-X-CUE-SPAN:TIMEFROMSIGNAL=PT10S,ID=16777323 | 2 | #EXT-X-CUE-IN:ID=16777323 | 1 → 20–50/30`,
  'Envivio: a window within a break':
    '#EXT-X-CUE-SPAN:TIMEFROMSIGNAL=PT8.56S,ID=1 | 2 | #EXT-X-CUE-IN:ID=1 | 1 → -8.56–20/',
  'Primetime 1: known length':
    '2 | #EXT-X-CUE:TYPE=SpliceOut,ID=1,DURATION=30.0,TIME=266.198 | 1 | #EXT-X-CUE-CONT:ID=1,AVAIL-DUR-ELAPSED=10 | 3 → 20–/30',
  'Primetime 1: unknown length':
    '2 | #EXT-X-CUE:TYPE=SpliceOut,ID=1,TIME=266.198 | 1 | #EXT-X-CUE-CONT:ID=1,AVAIL-DUR-ELAPSED=10 | 2 | #EXT-X-CUE:TYPE=SpliceIn,ID=1,TIME=296.198 | 1 → 20–50/',
  'Primetime: 0 for an unknown length':
    '2 | #EXT-X-CUE:TYPE="SpliceOut",ID="1",DURATION="0",TIME="20",PROGRAM-ID="138",AVAIL-NUM="1",AVAILS-EXPECTED="1" | 3 | #EXT-X-CUE:TYPE="SpliceIn",ID="1",DURATION="0",TIME="50" | 1 → 20–50/',
  'Primetime: spaces instead of commas': '2 | #EXT-X-CUE DURATION=30 ID=cue7 | 4 → 20–/30',
  'Primetime: a cue point': '2 | #EXT-X-CUEPOINT:DURATION=30,ID="7",TIME=20 | 4 → 20–/30',
  'Primetime: an ad tag': '2 | #EXT-X-AD:DURATION=30,ID="7" | 4 → 20–/30',
  'Shaka Packager: an opportunity': '2 | #EXT-X-PLACEMENT-OPPORTUNITY | 4 → 20–20/',
  'a cue point of something else': '2 | #EXT-X-CUEPOINT:ID="7" | 2 | #EXT-X-AD:what | 2 → none',
  'OATCLS alone': `2 | #EXT-OATCLS-SCTE35:${start34} | 3 | #EXT-OATCLS-SCTE35:${end35} | 1 → 20–50/30`,
  'OATCLS: heartbeats': `1 | #EXT-OATCLS-SCTE35:${empty} | 1 | #EXT-OATCLS-SCTE35:${out30} | 1 | #EXT-OATCLS-SCTE35:${empty} | 2 | #EXT-OATCLS-SCTE35:${back} | 1 → 20–50/30`,
  'OATCLS within a break': `2 | #EXT-X-CUE-OUT:30 | 1 | #EXT-OATCLS-SCTE35:${base64(message([0x10, 1]))} | #EXT-X-CUE-OUT-CONT:10/30 | 1 | #EXT-OATCLS-SCTE35:${base64(message([0x30, 9, 10]))} | 1 | #EXT-X-CUE-IN | 1 → 20–50/30`,
  'OATCLS at the end': `#EXT-X-CUE-OUT-CONT | 1 | #EXT-X-CUE-OUT-CONT | 1 | #EXT-OATCLS-SCTE35:${base64(message([0x35, 1]))} | #EXT-X-CUE-IN | 1 → 0–20/`,
  'Bitmovin: splice points': `2 | #EXT-X-DISCONTINUITY | #EXT-X-SPLICEPOINT-SCTE35:${out30} | 3 | #EXT-X-SPLICEPOINT-SCTE35:${back} | 1 → 20–50/30`,
  'x9k3: EXT-X-SCTE35 with a space': `2 | #EXT-X-SCTE35:CUE="${out30}" ,CUE-OUT=YES  | 1 | #EXT-X-SCTE35:CUE="${out30}" ,CUE-OUT=CONT | 2 | #EXT-X-SCTE35:CUE="${back}" ,CUE-IN=YES  | 1 → 20–50/30`,
  'SCTE 35: TYPE': `2 | #EXT-X-SCTE35:TYPE=0x36,CUE="${start34}",DURATION=30 | 3 | #EXT-X-SCTE35:TYPE=0x37 | 1 → 20–50/30`,
  'SCTE 35: TYPE in decimal':
    '2 | #EXT-X-SCTE35:TYPE=52,DURATION=30,ID="a" | 3 | #EXT-X-SCTE35:TYPE=53,ID="a" | 1 → 20–50/30',
  'SCTE 35: TYPE OUT and IN': '2 | #EXT-X-SCTE35:TYPE="OUT",DURATION=30 | 3 | #EXT-X-SCTE35:TYPE="IN" | 1 → 20–50/30',
  'SCTE 35: base64 for URLs': `2 | #EXT-X-SCTE35:CUE="${urlSafe(start34)}" | 3 | #EXT-X-SCTE35:CUE="${urlSafe(end35)}" | 1 → 20–50/30`,
  'EXT-X-SCTE35-OUT': '2 | #EXT-X-SCTE35-OUT | 1 | #EXT-X-SCTE35-OUT-CONT | 2 | #EXT-X-SCTE35-IN | 1 → 20–50/',
  'EXT-X-SCTE-OUT': '2 | #EXT-X-SCTE-OUT:30 | 3 | #EXT-X-SCTE-IN | 1 → 20–50/30',
  ESAM: '2 | #EXT-X-SIGNAL-EXIT:30,SpliceType=LIVE_DAI,SignalId=ab12 | 1 | #EXT-X-SIGNAL-SPAN:10/30,SpliceType=LIVE_DAI,SignalId=ab12 | 2 | #EXT-X-SIGNAL-RETURN:SpliceType=LIVE_DAI,SignalId=ab12 | 1 → 20–50/30',
  'ESAM: attributes alone':
    '2 | #EXT-X-SIGNAL-EXIT:SignalId=ab12,SpliceType=VOD_DAI,Duration=30 | 1 | #EXT-X-SIGNAL-SPAN:10,SignalId=ab12 | 2 | #EXT-X-SIGNAL-RETURN:SignalId=ab12 | 1 → 20–50/30',
  'ESAM: a programme': '2 | #EXT-X-SIGNAL-SPAN:SignalId=ab12,Duration=30,TimeFromSignalStart=10 | 3 → none',
  'RFC 8216, example 8.10': `2 | #EXT-X-DATERANGE:ID="splice-6FFFFFF0",${dated(20)},PLANNED-DURATION=30,SCTE35-OUT=${hexOut.slice(0, -2)} | 3 | #EXT-X-DATERANGE:ID="splice-6FFFFFF0",DURATION=30,SCTE35-IN=${hexIn.slice(0, -2)} | 1 → 20–50/30`,
  'Elemental Live: a space after a comma': `2 | #EXT-X-DATERANGE:ID="999",${dated(20)},PLANNED-DURATION=30.000, SCTE35-OUT=${hexOut} | 3 | #EXT-X-DATERANGE:ID="999",END-DATE="2026-03-01T12:00:50.030Z",DURATION=30.030, SCTE35-IN=0xFC0000 | 1 → 20–50/30`,
  'an end without a message': `2 | #EXT-X-DATERANGE:ID="198",${dated(20)},PLANNED-DURATION=22,SCTE35-OUT=${hexOut} | 3 | #EXT-X-DATERANGE:ID="198",${dated(20)},END-DATE="2026-03-01T12:00:50Z",DURATION=30 | 1 → 20–50/22`,
  'an end without a message that is stated early': `2 | #EXT-X-DATERANGE:ID="198",${dated(20)},PLANNED-DURATION=60,SCTE35-OUT=${hexOut} | 1 | #EXT-X-DATERANGE:ID="198",${dated(20)},DURATION=30 | 4 → 20–50/60`,
  'the end of another range': `2 | #EXT-X-DATERANGE:ID="198",${dated(20)},PLANNED-DURATION=30,SCTE35-OUT=${hexOut} | 1 | #EXT-X-DATERANGE:ID="show",${dated(0)},DURATION=30 | 2 | #EXT-X-CUE-IN | 1 → 20–50/30`,
  'a class and attributes of a vendor': `2 | #EXT-X-DATERANGE:ID="a",CLASS="vendor:avail",${dated(20)},X-COM-VENDOR-ID="1,2",X-NUMBER=7.5,PLANNED-DURATION=30,SCTE35-OUT=${hexOut.toLowerCase()} | 3 | #EXT-X-DATERANGE:ID="a",SCTE35-IN=0xFC | 1 → 20–50/30`,
  'names of attributes in small letters': `2 | #EXT-X-DATERANGE:id="a",start-date="2026-03-01T12:00:20Z",planned-duration=30,scte35-out=${hexOut} | 3 | #EXT-X-DATERANGE:id="a",scte35-in=0xFC | 1 → 20–50/30`,
  'a message without 0x': `2 | #EXT-X-DATERANGE:ID="a",SCTE35-OUT=${hexOut.slice(2)} | 3 | #EXT-X-DATERANGE:ID="a",SCTE35-IN=${hexIn.slice(2)} | 1 → 20–50/30`,
  'a message in base64': `2 | #EXT-X-DATERANGE:ID="a",SCTE35-OUT="${out30}" | 3 | #EXT-X-DATERANGE:ID="a",SCTE35-IN="${back}" | 1 → 20–50/30`,
  commands: `2 | #EXT-X-DATERANGE:ID="5-52",${dated(20)},PLANNED-DURATION=30,SCTE35-CMD=${hexadecimal(message([0x34, 5, 30]))} | 3 | #EXT-X-DATERANGE:ID="5-53",${dated(50)},SCTE35-CMD=${hexadecimal(message([0x35, 5]))} | 1 → 20–50/30`,
  'a command that ends a programme and starts a break': `2 | #EXT-X-DATERANGE:ID="5",SCTE35-CMD=${hexadecimal(message([0x11, 4], [0x34, 5, 30]))} | 3 | #EXT-X-DATERANGE:ID="6",SCTE35-CMD=${hexadecimal(message([0x35, 5], [0x10, 6]))} | 1 → 20–50/30`,
  'a command that is no break': `2 | #EXT-X-DATERANGE:ID="x",CLASS="c",${dated(20)},END-ON-NEXT=YES,SCTE35-CMD=${hexadecimal(message([0x10, 1, 3600]))} | 3 → none`,
  'a command that cannot be read': `1 | #EXT-X-DATERANGE:ID="x",${dated(10)},DURATION=60,SCTE35-CMD=0xFCINVALID | 2 | #EXT-X-CUE-OUT:30 | 2 → 30–/30`,
  'both ends in one tag': `2 | #EXT-X-DATERANGE:ID="a",${dated(20)},DURATION=30,SCTE35-OUT=${hexOut},SCTE35-IN=${hexIn} | 5 → 20–50/30`,
  'an interstitial': `2 | #EXT-X-DATERANGE:ID="ad1",CLASS="com.apple.hls.interstitial",${dated(20)},DURATION=30,X-ASSET-URI="http://a/b.m3u8",X-RESUME-OFFSET=0 | 3 → none`,
  'a range that is no break': `2 | #EXT-X-DATERANGE:ID="ad3",${dated(20)},DURATION=20,X-AD-URL="http://ads.example.com/beacon3",X-AD-ID="1234" | 3 → none`,
  'Unified: a range and a cue': `2 | #EXT-X-DATERANGE:ID="2002",${dated(20)},PLANNED-DURATION=30,SCTE35-OUT=${hexOut} | #EXT-X-CUE-OUT:30 | 3 | #EXT-X-CUE-IN | 1 → 20–50/30`,
  'Wowza: a range, ended by a cue': `2 | #EXT-X-DATERANGE:ID="20",${dated(20)},PLANNED-DURATION=30,SCTE35-OUT=${hexOut} | #EXT-X-CUE-OUT:"30.0" | 3 | #EXT-X-CUE-IN | 1 → 20–50/30`,
  'a cue after EXTINF':
    '2 | #EXTINF:10, | #EXT-X-CUE-OUT:30 | s.ts | 2 | #EXTINF:10, | #EXT-X-CUE-IN | s.ts → 20–50/30',
  'breaks in a row':
    '1 | #EXT-X-CUE-OUT:20 | 2 | #EXT-X-CUE-IN | 1 | #EXT-X-CUE-OUT:20 | 1 | #EXT-X-CUE-OUT-CONT:10/20 | 1 | #EXT-X-CUE-IN | 1 → 10–30/20, 40–60/20',
  'a break whose end is missing':
    '1 | #EXT-X-CUE-OUT:20 | 3 | #EXT-X-CUE-OUT:20 | 2 | #EXT-X-CUE-IN | 1 → 10–/20, 40–60/20',
  'a window within a break': '#EXT-X-CUE-OUT-CONT:20/30 | 1 | #EXT-X-CUE-IN | 2 → -20–10/30',
  'a window within a break, attributes':
    '#EXT-X-CUE-OUT-CONT:ElapsedTime=161,Duration=181 | 2 | #EXT-X-CUE-IN | 2 → -161–20/181',
  'a repeated start':
    '2 | #EXT-X-CUE-OUT:30 | 1 | #EXT-X-CUE-OUT:30 | 1 | #EXT-X-CUE-OUT:30 | 1 | #EXT-X-CUE-IN | 1 → 20–50/30',
  'a start that counts down':
    '2 | #EXT-X-CUE-OUT:30 | 1 | #EXT-X-CUE-OUT:20 | 1 | #EXT-X-CUE-OUT:10 | 1 | #EXT-X-CUE-IN | 1 → 20–50/30',
  'two ends': '2 | #EXT-X-CUE-OUT:30 | 3 | #EXT-X-CUE-IN | 1 | #EXT-X-CUE-IN | 1 → 20–50/30',
  'nginx: ID, length and time':
    '2 | #EXT-X-CUE-OUT:ID=7,DURATION=30,TIME=20,BREAKID=7 | 3 | #EXT-X-CUE-IN:ID=7 | 1 → 20–50/30',
  'Harmonic: length and break': '2 | #EXT-X-CUE-OUT:30.000,BreakID=0x3E9 | 3 | #EXT-X-CUE-IN | 1 → 20–50/30',
  'xs:duration': '2 | #EXT-X-CUE-OUT:PT30S | 3 | #EXT-X-CUE-IN | 1 → 20–50/30',
  '0x22 with the first ad in one message': `2 | #EXT-X-SCTE35:CUE="${base64(message([0x22, 1, 30], [0x30, 2, 10]))}" | 1 | #EXT-X-SCTE35:CUE="${base64(message([0x31, 2], [0x30, 3, 20]))}" | 2 | #EXT-X-SCTE35:CUE="${base64(message([0x31, 3], [0x23, 1]))}" | 1 → 20–50/30`,
  'what players write for their own use':
    '2 | #EXT-X-MARKER:ID=1,TYPE=PodBegin | #EXT-X-ASSET:CAID=1 | #EXT-X-VMAP-AD-BREAK:1 | 2 | #EXT-X-TWITCH-AD-SIGNAL:1 | 1 → none',
};

describe('playlists of packagers', () => {
  test.each(Object.entries(cases))('%s', (_, row) => {
    const [items = '', breaks = ''] = row.split(' → ');
    const lines = items.split(' | ').map((item) => (/^\d+$/.test(item) ? Number(item) : item));
    for (const isDated of [false, true]) expect(read(lines, isDated).breaks.join(', ') || 'none').toBe(breaks);
  });

  test('a range that ended before the window is not in it', () => {
    const old = `#EXT-X-DATERANGE:ID="a",START-DATE="2026-03-01T11:58:00Z",DURATION=30,SCTE35-OUT=${hexOut}`;
    expect(read([old, 3], true).breaks).toEqual([]);
    expect(read([old.replace('11:58:00', '11:59:50'), 3], true).breaks).toEqual(['-10.76–/30']);
  });

  test('names the id of the source', () => {
    expect(read([1, `#EXT-X-DATERANGE:ID="break-1",SCTE35-OUT=${hexOut}`, 2]).ids).toEqual(['break-1']);
    expect(read([1, `#EXT-OATCLS-SCTE35:${start34}`, 2, `#EXT-OATCLS-SCTE35:${end35}`, 1]).ids).toEqual(['5']);
  });

  test('cancels a break only before it starts', () => {
    const cancel = encodeSection({ type: 5, command: cancelFields(100) });
    const [start, end] = [out30, base64(cancel)].map((cue) => `#EXT-X-SCTE35:CUE="${cue}"`) as [string, string];
    expect(read([2, start, end, 3]).breaks).toEqual([]);
    expect(read([2, start, 1, end, 3]).breaks).toEqual(['20–/30']);
  });

  test('warns once about each marker that cannot be read', () => {
    expect(read([1, '#EXT-X-CUE-OUT:IN:what', 2, '#EXT-X-CUE-IN', '#EXT-OATCLS-SCTE35:%%%', 1])).toMatchObject({
      breaks: ['10–30/'],
      warnings: 2,
    });
  });
});
