// SPDX-License-Identifier: Apache-2.0
// Messages that are published: those of ANSI/SCTE 35 §14, and those of encoders in documentation and issue reports. Each with
// what it starts, ends or cancels, as `action type:id at/duration`, with times in seconds.
import { describe, expect, test } from 'vitest';
import { readXml } from '../xml/read.ts';
import { readPayload } from './readSection.ts';
import { readSpliceXml } from './readSpliceXml.ts';
import { spliceActions } from './spliceActions.ts';
import type { SpliceRefusal, SpliceSection } from './spliceSection.ts';

const seconds = (ticks: number | undefined): string => (ticks === undefined ? '' : `${Math.round(ticks / 90) / 1000}`);

function actionsOf(read: SpliceSection | SpliceRefusal): string[] {
  if ('refused' in read) return [read.code];
  return spliceActions(read).map(({ action, typeId, eventId, time, duration }) => {
    const type = typeId === undefined ? 'insert' : typeId.toString(16);
    return `${action} ${type}:${eventId} ${seconds(time)}/${seconds(duration)}`;
  });
}

/** Payload → what it states. */
const cases: Readonly<Record<string, string>> = {
  '14.1 placement opportunity start':
    '/DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg== → start 34:1207959694 21388.767/307',
  '14.2 splice_insert':
    '/DAvAAAAAAAA///wFAVIAACPf+/+c2nALv4AUsz1AAAAAAAKAAhDVUVJAAABNWLbowo= → start insert:1207959695 21514.559/60.294',
  '14.3 placement opportunity end':
    '/DAvAAAAAAAA///wBQb+dGKQoAAZAhdDVUVJSAAAjn+fCAgAAAAALKChijUCAKnMZ1g= → end 35:1207959694 21695.74/',
  '14.4 program start and end':
    '/DBIAAAAAAAA///wBQb+ek2ItgAyAhdDVUVJSAAAGH+fCAgAAAAALMvDRBEAAAIXQ1VFSUgAABl/nwgIAAAAACyk26AQAACZcuND → programmeEnd 11:1207959576 22798.907/',
  '14.5 program overlap': '/DAvAAAAAAAA///wBQb+rr//ZAAZAhdDVUVJSAAACH+fCAgAAAAALKVs9RcAAJUdsKg= → none',
  '14.8 program start and end, placement opportunity end':
    '/DBhAAAAAAAA///wBQb+qM1E7QBLAhdDVUVJSAAArX+fCAgAAAAALLLXnTUCAAIXQ1VFSUgAACZ/nwgIAAAAACyy150RAAACF0NVRUlIAAAnf58ICAAAAAAsstezEAAAihiGnw== → end 35:1207959725 31466.942/, programmeEnd 11:1207959590 31466.942/',
  'components without component_count':
    '/DBcAAAAAAAAAP/wDwVAAAT3f69+ACky4AABDAUAPAAIQ1VFSQAAAAwACENVRUkAAAANAAhDVUVJAAAADgAIQ1VFSQAAAA8ACENVRUkAAAAQAAhDVUVJAAAAEe1FB6g= → start insert:1073743095 /30',
  'no components, immediate': '/DAhAAAAAAAAAP/wEAUAAAAJf78A/gASZvAACQAAAACokv3z → start insert:9 /13.4',
  DTMF: '/DAxAAAAAAAAAP/wFAVAAIeuf+/+0AWRK/4AUmXAAC0AfwAMAQpDVUVJUJ81MTkqo5/+gA== → start insert:1073776558 38778.064/60',
  'stuffing after the descriptors':
    '/DA0AABS2+YAAACgFAUALJGCf+/+MSwPcX4AUmXAAAAAAAAMAQpDVUVJRp8xMjEq3pnIPCi6lw== → start insert:2920834 24612.379/60',
  'no splice_command_length, an end with a length':
    '/DA8AAAAAAAAAP///wb+06ACpQAmAiRDVUVJAACcHX//AACky4AMEERJU0NZTVdGMDQ1MjAwMEgxAQEMm4c0 → end 31:39965 39449.767/',
  'the descriptor of another owner first':
    '/DBPAAAAAAAAAP/wBQb/Gq9LggA5AAVTQVBTCwIwQ1VFSf////9//wAAFI4PDxx1cm46bmJjdW5pLmNvbTpicmM6NDk5ODY2NDM0MQoBbM98zw== → end 31:4294967295 52696.256/',
  'a break start with pts_adjustment':
    '/DBAAAAAAtaWAAAABQb/elu5JQAqAihDVUVJ/////3//AAEgZ5IBFGJyYXZvX0VQMDExMzQ0MTkwMTIyIgIERTkzgA== → start 22:4294967295 70533.165/210.01',
  'two ends':
    '/DBIAAAAAAAAAP/wBQb/tB67hgAyAhdDVUVJQAABEn+fCAgAAAAALzE8BTUAAAIXQ1VFSUAAAEV/nwgIAAAAAC8xPN4jAAAfiOPE → end 35:1073742098 81298.67/, end 23:1073741893 81298.67/',
  'a section_length that is too small':
    '/DCJAAGqtdGtAP/wBQb/AAAAAQBzAnFDVUVJQAFfVH//AAApMuANXQ8edXJuOmNvbWNhc3Q6YWx0Y29uOmFkZHJlc3NhYmxlDyx1cm46bWVybGluOmxpbmVhcjpzdHJlYW06Mzg0OTU3MzQ4MjgzNzU2NTE2MwkNUE86MTA3MzgzMTc2NEQAAAAA5o/+Nw== → start 44:1073831764 31822.693/30',
  'network start and end':
    '/DBQAAAAAAAAAABwBQb/LrIZ4QA6AhtDVUVJQAAAAH+fCgwUd4vl4/YAAAAAAABQAAACG0NVRUlAAAABf48KDBR3vd4u/wAAAAAAAFEAAF4PZmg= → none',
  'a heartbeat': '/DARAAAAAAAAAP/wAAAAAHpPv/8= → none',
  'a wrong CRC': '/DA4AAAAAAAAAP/wFAUABDEAf+//mWEhzP4Azf5gAQAAAAATAhFDVUVJAAAAAX+/AQIwNAEAAKeYO3Q= → CRC',
  'no section': '0xFC30 → NO_SECTION',
  'no base64': '/DBaf%^ → ENCODING',
};

describe('public messages', () => {
  test.each(Object.entries(cases))('%s', (_, row) => {
    const [payload = '', actions] = row.split(' → ');
    expect(actionsOf(readPayload(payload)).join(', ') || 'none').toBe(actions);
  });

  test('are the same in each spelling', () => {
    const payloads = Object.values(cases).map((row) => row.replace(/ → .*/, ''));
    for (const payload of payloads.filter((text) => text.length > 20)) {
      const hexadecimal = Buffer.from(payload, 'base64').toString('hex');
      const expected = readPayload(payload);
      for (const text of [hexadecimal, `0X${hexadecimal.toUpperCase()}`, payload.replace(/=+$/, '')])
        expect(readPayload(text)).toEqual(expected);
    }
  });
});

describe('descriptions in XML', () => {
  const read = (content: string) => {
    const xml = readXml(
      `<Event xmlns:scte35="x"><scte35:SpliceInfoSection ptsAdjustment="1">${content}</scte35:SpliceInfoSection></Event>`,
    );
    if (!('root' in xml)) throw new Error('no XML');
    const section = readSpliceXml(xml.root);
    if ('refused' in section) throw new Error(section.refused);
    return section;
  };
  const upid = (attributes: string, text: string) =>
    read(
      `<TimeSignal/><SegmentationDescriptor segmentationTypeId="52"><SegmentationUpid ${attributes}>${text}</SegmentationUpid></SegmentationDescriptor>`,
    ).segmentations[0]!.upids;

  test('UPIDs in text, hexadecimal digits and base64, with and without the format', () => {
    const identified = 'segmentationUpidType="12" formatIdentifier="1145656131"';
    const rows = [
      [`${identified} format="base-64"`, 'WU1XRjA0NTIwMDBI', 'YMWF0452000H'],
      [`${identified} segmentationUpidFormat="text"`, 'YMWF0452000H', 'YMWF0452000H'],
      [`${identified} segmentationUpidFormat="hexBinary"`, '594D5746 3034353230303048', 'YMWF0452000H'],
      [
        'segmentationUpidType="12" segmentationUpidFormat="hexbinary"',
        '44495343594d574630343532303030 48',
        'YMWF0452000H',
      ],
      ['segmentationUpidType="8" segmentationUpidLength="4"', '0x2df3aad7', '2df3aad7'],
      ['segmentationUpidType="1" segmentationUpidLength="3"', '414243', 'ABC'],
      ['segmentationUpidType="1"', '414243', '414243'],
    ] as const;
    for (const [attributes, text, expected] of rows) expect(upid(attributes, text)).toEqual([expected]);
  });

  test('the first schema, with the type and the numbers at the UPID', () => {
    const { segmentations, command } = read(
      '<scte35:TimeSignal><scte35:SpliceTime scte35:ptsTime="3442857000"/></scte35:TimeSignal><scte35:SegmentationDescriptor segmentationEventId="1414668" segmentationEventCancelIndicator="false" segmentationDuration="8100000"><scte35:DeliveryRestrictions webDeliveryAllowedFlag="false" noRegionalBlackoutFlag="true" archiveAllowedFlag="0" deviceRestrictions="3"/><scte35:SegmentationUpid segmentationUpidType="8" segmentationTypeId="52" segmentNum="1" segmentsExpected="2"/></scte35:SegmentationDescriptor>',
    );
    expect(command).toEqual({ kind: 'timeSignal', time: 3442857001 });
    expect(segmentations).toMatchObject([{ eventId: 1414668, typeId: 52, duration: 8_100_000, segmentsExpected: 2 }]);
  });

  test('refuses other versions, as in binary', () => {
    const xml = readXml('<Event><SpliceInfoSection protocolVersion="1"><SpliceNull/></SpliceInfoSection></Event>');
    expect('root' in xml && readSpliceXml(xml.root)).toMatchObject({ code: 'PROTOCOL_VERSION' });
  });
});
