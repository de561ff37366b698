// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { readAdDocument } from './readAdResponse.ts';
import type { VmapResponse } from './readVmap.ts';

const seconds = (value: number) => value * 705_600_000;
const vmap = (
  content: string,
  open = '<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">',
): string => `${open}\n${content}\n</vmap:VMAP>`;

function read(text: string): VmapResponse {
  const response = readAdDocument(text);
  if (!('adBreaks' in response)) throw new Error('not VMAP');
  return response;
}
const breakAt = (timeOffset: string, content = ''): string =>
  `<vmap:AdBreak timeOffset="${timeOffset}" breakType="linear" breakId="${timeOffset}">${content}</vmap:AdBreak>`;
const source = (content: string, attributes = ''): string => `<vmap:AdSource ${attributes}>${content}</vmap:AdSource>`;

describe('readVmap', () => {
  it('reads the positions of breaks', () => {
    const { adBreaks, version, warnings } = read(
      vmap(['start', 'end', '00:10:23.125', '25%', '#2'].map((offset) => breakAt(offset)).join('')),
    );
    expect({ version, warnings }).toEqual({ version: '1.0', warnings: [] });
    expect(adBreaks.map(({ timeOffset }) => timeOffset)).toEqual([
      { kind: 'start' },
      { kind: 'end' },
      { kind: 'time', at: seconds(623.125) },
      { kind: 'percent', percent: 25 },
      { kind: 'position', number: 2 },
    ]);
    expect(adBreaks[0]).toMatchObject({ id: 'start', breakTypes: ['linear'] });
  });

  it('reads ad sources: VAST, a tag URL or custom data', () => {
    const inner = '<VAST version="3.0"><Ad id="x"><InLine/></Ad></VAST>';
    const { adBreaks, warnings } = read(
      vmap(
        breakAt('start', source(`<vmap:VASTAdData>${inner}</vmap:VASTAdData>`, 'id="s" allowMultipleAds="false"')) +
          breakAt('10%', source(`<vmap:VASTAdData><![CDATA[<?xml version="1.0"?>${inner}]]></vmap:VASTAdData>`)) +
          breakAt('20%', source(`<vmap:VASTData>${inner}</vmap:VASTData>`)) +
          breakAt(
            '50%',
            source(
              '<vmap:AdTagURI templateType="vast4"><![CDATA[//a.example/vast?c=[CACHEBUSTING]]]></vmap:AdTagURI>',
              'followRedirects="0"',
            ),
          ) +
          breakAt('end', source('<vmap:CustomAdData templateType="own"><![CDATA[{"a":1}]]></vmap:CustomAdData>')),
      ),
    );
    expect(warnings).toEqual([]);
    expect(adBreaks.map(({ source: one }) => one)).toMatchObject([
      {
        kind: 'vast',
        id: 's',
        allowMultipleAds: false,
        followRedirects: true,
        vast: { version: '3.0', ads: [{ id: 'x' }] },
      },
      { kind: 'vast', allowMultipleAds: true, vast: { ads: [{ id: 'x' }] } },
      { kind: 'vast', vast: { ads: [{ id: 'x' }] } },
      { kind: 'tag', url: 'https://a.example/vast?c=[CACHEBUSTING]', templateType: 'vast4', followRedirects: false },
      { kind: 'custom', data: '{"a":1}', templateType: 'own' },
    ]);
  });

  it('reads tracking events, extensions, break types and repetition', () => {
    const { adBreaks, extensions } = read(
      vmap(
        `<vmap:AdBreak timeOffset="start" breakType="linear, NonLinear" repeatAfter="00:05:00">
           <vmap:TrackingEvents><vmap:Tracking event="breakstart">https://a/start</vmap:Tracking></vmap:TrackingEvents>
           <vmap:Extensions><vmap:Extension type="t"><x/></vmap:Extension></vmap:Extensions>
         </vmap:AdBreak><vmap:Extensions><vmap:Extension type="u"/></vmap:Extensions>`,
      ),
    );
    expect(adBreaks).toEqual([
      {
        timeOffset: { kind: 'start' },
        breakTypes: ['linear', 'nonlinear'],
        repeatAfter: seconds(300),
        trackingEvents: [{ event: 'breakStart', url: 'https://a/start' }],
        extensions: [{ type: 't', attributes: {}, content: '<x/>' }],
      },
    ]);
    expect(extensions).toEqual([{ type: 'u', attributes: {}, content: '' }]);
  });

  it('accepts unbound prefixes, and names in any case', () => {
    expect(read(vmap(breakAt('start'), '<vmap:VMAP>')).adBreaks).toHaveLength(1);
    expect(read('<VMAP><adbreak timeoffset="END"/></VMAP>').adBreaks).toMatchObject([{ timeOffset: { kind: 'end' } }]);
  });

  it('warns of invalid content, with the line', () => {
    const { adBreaks, warnings } = read(
      vmap(
        `${breakAt('soon')}\n${breakAt('start', source('<vmap:VASTAdData>\n<![CDATA[\n<html/>]]></vmap:VASTAdData>'))}\n${breakAt('end', source('<vmap:VASTAdData/>'))}`,
      ),
    );
    expect(adBreaks.map(({ id, source: one }) => [id, one])).toEqual(
      ['soon', 'start', 'end'].map((id) => [id, undefined]),
    );
    expect(adBreaks[0]!.timeOffset).toEqual({ kind: 'start' });
    expect(warnings).toEqual([
      { line: 2, code: 'INVALID_OFFSET', text: naming('AdBreak@timeOffset', '"soon"') },
      { line: 3, code: 'UNREADABLE_VAST', text: naming('html') },
      { line: 6, code: 'MISSING_VAST', text: naming('VASTAdData') },
    ]);
  });

  it.each([
    ['</vmap:AdBreak>', ''],
    ['</vmap:VMAP>', ''],
    ['</VAST></vmap:VASTAdData>', ''],
    ['</vmap:VMAP><?xml version="1.0"?><vmap:VMAP version="1.0">', ''],
    ['', '<vmap:AdBreak><vmap:AdSource><vmap:VASTAdDa'],
  ])('reads all breaks of a document that is not well-formed, with a warning: %s %s', (between, after) => {
    const [first, second, third] = ['start', '50%', 'end'].map((offset) =>
      breakAt(offset, source('<vmap:VASTAdData><VAST version="3.0"><Ad><InLine/></Ad></VAST></vmap:VASTAdData>')),
    );
    const { adBreaks, warnings } = read(vmap(`${first}${between}${second}${between}${third}${after}`));
    const kinds = adBreaks.slice(0, 3).map(({ id, source: one }) => `${id} ${one?.kind}`);
    expect(kinds).toEqual(['start vast', '50% vast', 'end vast']);
    expect(warnings).not.toEqual([]);
  });

  it('accepts typographic quotes', () => {
    const { version, adBreaks } = read(
      `<?xml version=“1.0” encoding=”UTF-8”?><vmap:VMAP version=“1.0”>${breakAt('start').replaceAll('"', '”')}</vmap:VMAP>`,
    );
    expect([version, adBreaks.map(({ id, breakTypes }) => [id, breakTypes])]).toEqual(['1.0', [['start', ['linear']]]]);
  });

  it('fails for other documents', () => {
    expect(readAdDocument('<html/>')).toMatchObject({ line: 1, fault: 'ROOT', code: 101 });
    expect(readAdDocument('<VMAP>')).toMatchObject({ code: 100 });
  });
});
