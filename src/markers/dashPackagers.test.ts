// SPDX-License-Identifier: Apache-2.0
// MPDs in the styles of packagers and their documentation, each with the breaks that it marks.
import { describe, expect, test } from 'vitest';
import { inSeconds, insert, message, readEvents } from '../../test/markers/markedBreaks.ts';
import { base64, encodeSection, hexadecimal } from '../../test/scte35/encodeSection.ts';
import type { MarkerOptions } from './markerSignal.ts';

const media =
  '<AdaptationSet mimeType="video/mp4"><SegmentTemplate timescale="90000" duration="900000" media="$Number$.mp4"/><Representation id="v" bandwidth="1"/></AdaptationSet>';
const period = (seconds: number, ...content: string[]) =>
  `<Period duration="PT${seconds}S">${content.join('')}${media}</Period>`;
const mpd = (
  content: string,
  root = 'xmlns="urn:mpeg:dash:schema:mpd:2011" xmlns:scte35="http://www.scte.org/schemas/35/2016"',
) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<MPD ${root} type="static" profiles="urn:mpeg:dash:profile:isoff-live:2011" minBufferTime="PT2S">${content}</MPD>`;

function read(text: string, options?: MarkerOptions) {
  const { breaks, warnings } = readEvents(text, options);
  return { breaks: breaks.map(inSeconds), upids: breaks.map(({ upid }) => upid), warnings: warnings.length };
}

const stream = (scheme: string, events: string, more = 'timescale="90000"') =>
  `<EventStream schemeIdUri="urn:scte:scte35:${scheme}" ${more}>${events}</EventStream>`;
const event = (seconds: number, content: string, more = '') =>
  `<Event presentationTime="${seconds * 90_000}" ${more}>${content}</Event>`;
const lasting = (seconds: number, id: number): string => `duration="${seconds * 90_000}" id="${id}"`;
/** A Period of 90 s with events in binary, and in XML. */
const bin = (...events: string[]) => mpd(period(90, stream('2014:xml+bin', events.join(''))));
const xml = (...events: string[]) => mpd(period(90, stream('2013:xml', events.join(''))));

const binary = (bytes: Uint8Array) =>
  `<Signal xmlns="http://www.scte.org/schemas/35/2016"><Binary>${base64(bytes)}</Binary></Signal>`;
const prefixed = (bytes: Uint8Array) =>
  `<scte35:Signal><scte35:Binary>${base64(bytes)}</scte35:Binary></scte35:Signal>`;
/** The start and the end of a break by splice_insert. */
const startOf = (seconds?: number, id = 448) => insert(true, seconds, { id });
const out = (seconds?: number, id?: number) => binary(startOf(seconds, id));
const back = (id = 448) => binary(insert(false, undefined, { id }));
const section = (content: string) =>
  `<scte35:SpliceInfoSection protocolVersion="0" ptsAdjustment="180832" tier="4095">${content}</scte35:SpliceInfoSection>`;
const insertXml = (isOut: boolean, length = '') =>
  section(
    `<scte35:SpliceInsert spliceEventId="4026531855" spliceEventCancelIndicator="false" outOfNetworkIndicator="${isOut}" spliceImmediateFlag="false" uniqueProgramId="1" availNum="1" availsExpected="1"><scte35:Program><scte35:SpliceTime ptsTime="5672624400"/></scte35:Program>${length}</scte35:SpliceInsert>`,
  );
const length30 = '<scte35:BreakDuration autoReturn="true" duration="2700000"/>';
const signalXml = (attributes: string, upid = '', more = '') =>
  section(
    `<scte35:TimeSignal><scte35:SpliceTime ptsTime="3442857000"/></scte35:TimeSignal><scte35:SegmentationDescriptor segmentationEventId="1414668" segmentationEventCancelIndicator="false" ${attributes}><scte35:DeliveryRestrictions webDeliveryAllowedFlag="false" noRegionalBlackoutFlag="false" archiveAllowedFlag="false" deviceRestrictions="3"/>${upid}${more}</scte35:SegmentationDescriptor>`,
  );
const upidElement = (attributes: string, text = '') =>
  `<scte35:SegmentationUpid ${attributes}>${text}</scte35:SegmentationUpid>`;

const quiet = (text: string) => text.replaceAll('scte35:', '');

/** MPD → the breaks that it marks. */
const cases: Readonly<Record<string, string>> = {
  'MediaPackage: XML, a Period for each break': `${mpd(period(40) + period(30, stream('2013:xml', `<Event duration="2700000">${insertXml(true, length30)}</Event>`)) + period(50))} → 40–/30`,
  'MediaPackage: an unknown length and no namespace': `${mpd(period(40) + period(50, stream('2013:xml', `<Event>${insertXml(true)}</Event>`)), '')} → 40–/`,
  'MediaPackage: a binary for each end': `${bin(event(10, out(30), lasting(30, 1)), event(40, back(), 'id="2"'))} → 10–40/30`,
  'MediaTailor: segmentation with the type at the UPID': `${xml(event(20, signalXml('segmentationDuration="2700000"', upidElement('segmentationUpidType="1" segmentationUpidLength="3" segmentationTypeId="52" segmentNum="0" segmentsExpected="0"', '012345')), lasting(30, 7)))} → 20–/30`,
  'MediaTailor: a length within the descriptor': `${xml(event(20, signalXml('', upidElement('segmentationUpidType="12" segmentationUpidLength="0" segmentationTypeId="52"'), length30)))} → 20–/30`,
  'MediaTailor: seconds since 1970, in a Period on the same time': `${mpd(period(90, stream('2014:xml+bin', `<Event presentationTime="1541436260" duration="24" id="29">${prefixed(startOf(24))}</Event>`, 'timescale="1" presentationTimeOffset="1541436240"')))} → 20–/24`,
  'MediaTailor: text that is no message': `${bin(event(10, '<scte35:Signal><scte35:Binary>QW5vdGhlciB0ZXN0</scte35:Binary></scte35:Signal>'), event(20, prefixed(startOf(30))))} → 20–/30`,
  'channel assembly: provider advertisements': `${xml(event(20, signalXml('segmentNum="0" segmentsExpected="0" segmentationTypeId="48" segmentationDuration="2700000"', upidElement('segmentationUpidFormat="hexBinary" segmentationUpidType="14"', '012345')), 'duration="2700000"'))} → 20–/30`,
  'Telestream: attributes of the descriptor': `${xml(event(10, section('<scte35:TimeSignal/><scte35:SegmentationDescriptor spliceEventId="1" segmentationTypeId="52" segmentationDuration="2700000" segmentationUpidType="9" segmentationUpid="SIGNAL:1" segmentNum="1" segmentsExpected="1"/>')), event(40, section('<scte35:TimeSignal/><scte35:SegmentationDescriptor spliceEventId="1" segmentationTypeId="53"/>')))} → 10–40/30`,
  'Telestream: lengths in the messages only': `${bin(event(10, prefixed(startOf(19, 721))), event(40, prefixed(startOf(19, 722))))} → 10–/19, 40–/19`,
  'Ad Manager: the default namespace at the Signal': `${bin(event(3, out(30, 4002), lasting(30, 1)), event(33, back(4002), 'id="2"'))} → 3–33/30`,
  'offsets of media since 1970': `${mpd(period(90, stream('2014:xml+bin', `<Event presentationTime="79441464098" duration="2440800">${prefixed(message([0x22, 9257]))}</Event><Event presentationTime="79443904898" duration="0">${prefixed(message([0x23, 9257]))}</Event>`, 'timescale="90000" presentationTimeOffset="79441464098"')))} → 0–27.12/27.12`,
  'timescale left out': `${mpd(period(90, stream('2014:xml+bin', `<Event presentationTime="20" duration="30">${out(30)}</Event>`, '')))} → 20–/30`,
  'a Signal around the XML': `${xml(event(20, `<scte35:Signal>${insertXml(true, length30)}</scte35:Signal>`))} → 20–/30`,
  'XML without prefixes': `${xml(event(20, quiet(insertXml(true, length30))), event(50, quiet(insertXml(false))))} → 20–50/30`,
  'names in small letters': `${xml(
    event(
      20,
      insertXml(true, length30).replace(/<\/?scte35:\w+/g, (name) => name.toLowerCase()),
    ),
  )} → 20–/30`,
  'attributes in small letters and with underscores': `${xml(event(20, section('<scte35:SpliceInsert splice_event_id="7" out_of_network_indicator="True"><scte35:SpliceTime pts_time="1813812"/></scte35:SpliceInsert>'), 'duration="2700000"'))} → 20–/30`,
  'attributes with a prefix': `${xml(event(20, section('<scte35:TimeSignal/><scte35:SegmentationDescriptor scte35:segmentationEventId="4" scte35:segmentationDuration="2700000" scte35:segmentationTypeId="0x36"/>')))} → 20–/30`,
  'a Binary alone': `${bin(event(20, `<scte35:Binary>${base64(startOf(30))}</scte35:Binary>`))} → 20–/30`,
  'a Binary with attributes and spaces': `${bin(event(20, `<Signal><Binary signalType="x">\n   ${base64(startOf(30))}\n  </Binary></Signal>`))} → 20–/30`,
  'base64 as the text of the Event': `${mpd(period(90, stream('2013:bin', event(20, base64(startOf(30)), 'contentEncoding="base64"'))))} → 20–/30`,
  messageData: `${mpd(period(90, stream('2013:bin', `<Event presentationTime="1800000" messageData="${base64(startOf(30))}"/>`)))} → 20–/30`,
  'messageData in hexadecimal': `${mpd(period(90, stream('2013:bin', `<Event presentationTime="1800000" messageData="${hexadecimal(startOf(30))}"/>`)))} → 20–/30`,
  'a scheme in capitals': `${bin(event(20, out(30))).replace('urn:scte', 'URN:SCTE')} → 20–/30`,
  'a scheme between others': `${mpd(period(90, '<EventStream schemeIdUri="urn:mpeg:dash:event:2012" value="1"><Event presentationTime="5" id="9"/></EventStream><InbandEventStream schemeIdUri="urn:scte:scte35:2013:bin"/>', stream('2013:xml+bin', event(20, out(30)))))} → 20–/30`,
  'an Event@duration in a wrong unit': `${bin(event(20, out(30), 'duration="30"'))} → 20–/30`,
  'the same event as XML and as binary': `${mpd(period(90, stream('2013:xml', event(20, insertXml(true, length30), lasting(30, 5))), stream('2014:xml+bin', event(20, out(30), lasting(30, 5)))))} → 20–/30`,
  'an event that is repeated in the next Period': `${mpd(period(40, stream('2014:xml+bin', event(30, out(30), lasting(30, 5)))) + period(50, stream('2014:xml+bin', event(30, out(30), lasting(30, 5)), 'timescale="90000" presentationTimeOffset="3600000"')))} → 30–/30`,
  'events out of order': `${bin(event(50, binary(message([0x35, 5]))), event(20, binary(message([0x34, 5, 30]))))} → 20–50/30`,
  'programme, chapter and break in one message': `${bin(event(20, binary(message([0x21, 2], [0x34, 5, 30], [0x30, 6, 15]))), event(35, binary(message([0x31, 6], [0x30, 7, 15]))), event(50, binary(message([0x31, 7], [0x35, 5], [0x20, 3]))))} → 20–50/30`,
  'heartbeats, schedules and overlays': `${bin(event(1, binary(encodeSection({ type: 0, command: [] }))), event(2, binary(encodeSection({ type: 4, command: [[0, 8]] }))), event(3, binary(message([0x38, 1, 10]))))} → none`,
  'a splice_insert without a length, ended by the next': `${bin(event(20, out(undefined, 1)), event(50, back(1)))} → 20–50/`,
};

describe('MPDs of packagers', () => {
  test.each(Object.entries(cases))('%s', (_, row) => {
    const [text = '', breaks = ''] = row.split(' → ');
    expect(read(text).breaks.join(', ') || 'none').toBe(breaks);
  });

  test('reads UPIDs in hexadecimal digits', () => {
    const json = '7B2261223A317D';
    const upid = upidElement('segmentationUpidType="1" segmentationUpidFormat="hexbinary"', json);
    const text = xml(event(20, signalXml('segmentationTypeId="52"', upid)));
    expect(read(text).upids).toEqual(['{"a":1}']);
    expect(read(text.replace('hexbinary', 'text')).upids).toEqual([json]);
  });

  test('counts the segmentation types that a channel chooses', () => {
    const text = bin(event(20, binary(message([0x30, 1, 30]))), event(60, binary(message([0x34, 2, 10]))));
    expect(read(text).breaks).toEqual(['20–/30', '60–/10']);
    expect(read(text, { starts: [0x34] }).breaks).toEqual(['60–/10']);
  });

  test('warns about an event without a message and goes on', () => {
    const text = bin(event(10, '', 'duration="900000"'), event(20, out(30)));
    expect(read(text)).toMatchObject({ breaks: ['20–/30'], warnings: 1 });
  });
});
