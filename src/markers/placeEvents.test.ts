// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import {
  inSeconds,
  readEvents,
  type Segmentation,
  segmentation as segmentationOf,
  insert as spliceInsert,
} from '../../test/markers/markedBreaks.ts';
import { naming } from '../../test/naming.ts';
import { base64, encodeSection, spliceTime } from '../../test/scte35/encodeSection.ts';
import { flicks, secondsToFlicks } from '../time/units.ts';
import { placeEvents } from './placeEvents.ts';

const set =
  '<AdaptationSet contentType="video" mimeType="video/mp4"><SegmentTemplate media="$Number$.mp4" duration="10"/><Representation id="v" bandwidth="1"/></AdaptationSet>';
const stream = (scheme: string, events: string, more = 'timescale="1000"') =>
  `<EventStream schemeIdUri="urn:scte:scte35:${scheme}" ${more}>${events}</EventStream>`;
const event = (time: number, content: string, more = 'duration="30000"') =>
  `<Event presentationTime="${time}" ${more}>${content}</Event>`;

function marked(...periods: readonly string[]) {
  const listed = periods.map((content) => `<Period duration="PT100S">${content}${set}</Period>`).join('');
  const { breaks, warnings } = readEvents(`<MPD type="static" xmlns:s="urn:x" xmlns="urn:y">${listed}</MPD>`);
  return { breaks: breaks.map(inSeconds), whole: breaks, warnings };
}

const insert = (isOut: boolean, seconds?: number) => base64(spliceInsert(isOut, seconds, { id: 1 }));
const described = (...of: Segmentation[]) =>
  base64(encodeSection({ type: 6, command: spliceTime(), descriptors: of.map(segmentationOf) }));
const segmentation = (typeId: number, seconds = 0) => described([typeId, 5, seconds]);
const binary = (text: string) => `<s:Signal><s:Binary>${text}</s:Binary></s:Signal>`;
const xmlInsert = (isOut: boolean) =>
  `<SpliceInsert spliceEventId="9" outOfNetworkIndicator="${isOut}"><Program><SpliceTime ptsTime="1800000"/></Program><BreakDuration autoReturn="true" duration="2700000"/></SpliceInsert>`;
const xmlSignal = (typeId: string) =>
  `<TimeSignal><SpliceTime ptsTime="1"/></TimeSignal><SegmentationDescriptor segmentationEventId="5" segmentationTypeId="${typeId}" segmentationDuration="2700000"><SegmentationUpid segmentationUpidType="15">urn:a:b</SegmentationUpid></SegmentationDescriptor>`;
const info = (content: string) => `<SpliceInfoSection ptsAdjustment="0" tier="4095">${content}</SpliceInfoSection>`;

describe('placeEvents', () => {
  test.each([
    ['2014:xml+bin', binary(insert(true, 30))],
    ['2014:xml+bin', `<Signal><Binary>\n ${segmentation(0x34, 30)}\n</Binary></Signal>`],
    ['2014:xml+bin', `<s:Binary>${segmentation(0x36, 30)}</s:Binary>`],
    ['2013:bin', insert(true, 30)],
    ['2013:xml', `<Signal>${info(xmlInsert(true))}</Signal>`],
    ['2013:xml', info(xmlInsert(true))],
    ['2013:xml', info(xmlSignal('52'))],
    ['2013:xml', info(xmlSignal('0x34'))],
    ['2013:xml', info(xmlSignal('52')).replace(/<\/?\w+/g, (name) => name.toLowerCase())],
    ['2013:xml', info(xmlInsert(true)).replace(/<(\/?)/g, '<$1s:')],
    ['2013:xml', info(xmlSignal('').replace('<SegmentationUpid', '<SegmentationTypeID segmentationType="52"/>$&'))],
    ['2013:xml', info(xmlSignal('').replace('<SegmentationUpid', '$& segmentationTypeId="52"'))],
  ])('reads %s: %s', (scheme, content) => {
    const { breaks, whole, warnings } = marked(stream(scheme, event(20_000, content, 'duration="30000" id="7"')));
    expect(breaks).toEqual(['20–/30']);
    expect(whole).toMatchObject([
      { source: `urn:scte:scte35:${scheme}`, raw: '<Event presentationTime="20000" id="7">', line: 1 },
    ]);
    expect(warnings).toEqual([]);
  });

  test('reads the UPID, and the duration of the message if the event has none', () => {
    expect(marked(stream('2013:xml', event(0, info(xmlSignal('52')), ''))).whole).toMatchObject([
      { upid: 'urn:a:b', duration: secondsToFlicks(30) },
    ]);
    expect(marked(stream('2014:xml+bin', event(5_000, binary(insert(true)), ''))).breaks).toEqual(['5–/']);
  });

  test('an end and the start of another break end a break', () => {
    const start = event(20_000, binary(segmentation(0x34, 30)));
    const ended = stream('2014:xml+bin', start + event(40_000, binary(segmentation(0x35)), ''));
    expect(marked(ended).breaks).toEqual(['20–40/30']);
    const other = event(40_000, binary(insert(true, 30)));
    const end = event(60_000, binary(insert(false)), '');
    const next = event(80_000, binary(insert(true, 5)), '');
    expect(marked(stream('2014:xml+bin', other + end + next)).breaks).toEqual(['40–60/30', '80–/5']);
    // Some list the start of the next break before the end of the last one.
    const following = event(60_000, binary(base64(spliceInsert(true, 30, { id: 2 }))), 'duration="30000"');
    expect(marked(stream('2014:xml+bin', other + following + end)).breaks).toEqual(['40–60/30', '60–/30']);
  });

  test('the duration of an event is that of its outermost break', () => {
    const start = event(20_000, binary(described([0x36, 2, 30], [0x34, 1, 60])), 'duration="60500"');
    const inner = event(50_000, binary(described([0x37, 2])), '');
    expect(marked(stream('2014:xml+bin', start + inner)).breaks).toEqual(['20–/60.5']);
  });

  test('counts from the Period and repeats nothing', () => {
    const offset = 'timescale="90000" presentationTimeOffset="8640000000000000000"';
    const timed = (time: string) =>
      `<Event presentationTime="${time}" duration="2700000" id="3">${binary(insert(true, 30))}</Event>`;
    const [first, second] = [timed('8640000000008100000'), timed('8640000000000000000')];
    expect(marked(stream('2014:xml+bin', first, offset)).breaks).toEqual(['90–/30']);
    const negative = event(-10_000, binary(insert(true, 30)).replace('-', ''), 'id="3" duration="30000"');
    const repeated = stream('2014:xml+bin', negative);
    const both = marked(stream('2014:xml+bin', first, offset), stream('2014:xml+bin', second, offset));
    expect(both.breaks).toEqual(['90–/30']);
    expect(marked(set, repeated).warnings).not.toEqual([]);
  });

  test('counts on the time of the media if an event is outside its Period otherwise', () => {
    const onMedia = set.replace('duration="10"', '$& presentationTimeOffset="1700000000"');
    const timed = stream('2014:xml+bin', event(1_700_000_020_000, binary(insert(true, 30))));
    expect(marked(timed + onMedia).breaks).toEqual(['20–/30']);
    expect(marked(timed)).toMatchObject({ breaks: [], warnings: [naming('line 1', 'presentationTime')] });
  });

  test('reads times that are no whole numbers, with a warning', () => {
    const content = binary(insert(true, 30));
    const timed = (time: string) =>
      marked(stream('2014:xml+bin', event(0, content, 'duration="30000.0"').replace('"0"', `"${time}"`)));
    expect(timed('20000.5')).toMatchObject({ breaks: ['20–/30'], warnings: [{ line: 1 }, { line: 1 }] });
    expect(timed('-5000')).toMatchObject({ breaks: ['-5–/30'], warnings: [{ line: 1 }, { line: 1 }] });
    expect(timed('what')).toMatchObject({ breaks: ['0–/30'], warnings: [{ line: 1 }, { line: 1 }] });
  });

  test('uses the duration of an event if that of its message is less than a second', () => {
    const tiny = info(xmlInsert(true).replace('duration="2700000"', 'duration="30"'));
    expect(marked(stream('2013:xml', event(20_000, tiny)))).toMatchObject({
      breaks: ['20–/30'],
      warnings: [{ line: 1, text: naming('Event@duration') }],
    });
  });

  test('reads a splice_insert without outOfNetworkIndicator as a start if it has a length', () => {
    const unstated = xmlInsert(true).replace(' outOfNetworkIndicator="true"', '');
    expect(marked(stream('2013:xml', event(20_000, info(unstated)))).breaks).toEqual(['20–/30']);
    const end = info(unstated.replace(/<BreakDuration.*?>/, ''));
    const ended = stream('2013:xml', event(20_000, info(xmlInsert(true))) + event(40_000, end, ''));
    expect(marked(ended).breaks).toEqual(['20–40/30']);
  });

  test('reads the same message at another time as another break', () => {
    const content = binary(base64(spliceInsert(true, 30)));
    const twice = stream('2014:xml+bin', event(10_000, content) + event(60_000, content));
    expect(marked(twice).breaks).toEqual(['10–/30', '60–/30']);
  });

  test('uses a message with a wrong CRC only if its duration is that of its event', () => {
    const bytes = Buffer.from(insert(true, 30), 'base64');
    const wrong = base64(bytes.map((byte, i) => (i === bytes.length - 1 ? byte ^ 1 : byte)));
    const [same, other] = ['duration="30000"', 'duration="20000"'].map((more) =>
      marked(stream('2014:xml+bin', event(20_000, binary(wrong), more))),
    );
    expect(same).toMatchObject({ breaks: ['20–/30'], warnings: [{ line: 1 }] });
    expect(other).toMatchObject({ breaks: [], warnings: [{ line: 1 }] });
    // In segments, messages are as the encoder wrote them.
    const attributes = { messageData: wrong };
    const element = { name: 'emsg', local: 'emsg', namespace: undefined, attributes, children: [], text: '', line: 1 };
    const inband = { start: flicks(0), duration: secondsToFlicks(30), scheme: 'urn:scte:scte35:2013:bin', line: 1 };
    const events = [{ ...inband, element: { ...element, namespaces: {} } }];
    expect(placeEvents([{ start: flicks(0), events }])).toMatchObject([
      { kind: 'unread', line: 1, warnings: [expect.any(String)] },
    ]);
  });

  test('warns about what cannot be read and ignores what is no break', () => {
    const wrong = marked(stream('2014:xml+bin', event(20_000, binary(insert(true, 30)), 'duration="6000000000"')));
    expect(wrong).toMatchObject({ breaks: ['20–/30'], warnings: [{ line: 1 }] });
    expect(marked(stream('2014:xml+bin', event(1, binary('AAAA')) + event(2, '<Signal/>'))).warnings).toHaveLength(2);
    expect(marked(stream('2013:xml', event(1, info(xmlSignal('what'))))).warnings).toHaveLength(1);
    const other = stream('2014:xml+bin', event(1, binary(base64(encodeSection({ type: 0, command: [] })))));
    const unknown = '<EventStream schemeIdUri="urn:other"><Event/></EventStream>';
    expect(marked(other, unknown)).toMatchObject({ breaks: [], warnings: [] });
  });
});
