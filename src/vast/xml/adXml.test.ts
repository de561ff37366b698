// SPDX-License-Identifier: Apache-2.0
// What ad servers send instead of XML, and how it is reported.
import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { everything } from '../../../test/vast/richAd.ts';
import { readAdDocument } from '../read/readAdResponse.ts';
import { readVast } from '../read/readVast.ts';
import { detectNonXml } from './adXml.ts';

it.each([
  ['', 'EMPTY', []],
  [' \r\n', 'EMPTY', []],
  ['{"ads": []}', 'JSON', ['JSON', 'XML']],
  ['\uFEFF [ {"id": 1} ]', 'JSON', ['JSON', 'XML']],
  ['[]', 'JSON', ['JSON']],
  ['{"vast": "<VAST version=\\"3.0\\"/>"}', 'JSON', ['JSON']],
  ['"<VAST version=\\"3.0\\"/>"', 'JSON', ['JSON']],
  ['vast_7.load("<VAST/>")', 'SCRIPT', ['JavaScript', 'vast_7.load']],
  ['/**/callback({"a": 1})', 'SCRIPT', ['callback']],
  ['<!doctype html><title>403 Forbidden</title>', 'WEB_PAGE', ['403 Forbidden']],
  ['\n<html><body/></html>', 'WEB_PAGE', ['HTML']],
  ['&lt;VAST version="3.0"/&gt;', 'ESCAPED', ['escaped', '&lt;']],
  ['&amp;lt;VAST version="3.0"/&amp;gt;', 'ESCAPED', ['escaped']],
  ['%3CVAST%20version', 'ESCAPED', ['%3CVAS']],
  ['<?xml version=\\"1.0\\" encoding=\\"UTF-8\\"?><VAST version=\\"3.0\\"/>', 'ESCAPED', ['escaped', '\\"']],
  ['<VAST version=&quot;3.0&quot;/>', 'ESCAPED', ['escaped', '&quot;']],
  ['PD94bWwgdmVyc2lvbj0iMS4wIj8+', 'ESCAPED', ['base64']],
  ['\x1f\ufffd\b', 'COMPRESSED', ['content-encoding']],
  ['#EXTM3U\n#EXT-X-VERSION:3', 'MEDIA', ['HLS']],
  ['\0\0\0\u0018ftypmp42', 'MEDIA', ['video']],
  ['No ad\navailable (12)', 'TEXT', ['"No ad available (12)"']],
] as const)('reports %j as %s', (text, fault, names) => {
  expect(detectNonXml(text)).toEqual({ fault, reason: naming(...names) });
  const refusal = fault === 'EMPTY' ? 1 : text.startsWith('\n') ? 2 : 1;
  expect(readVast(text)).toMatchObject({ line: refusal, fault, code: 100 });
  expect(readAdDocument(text)).toMatchObject({ fault });
});

it.each([
  '<VAST/>',
  'served in 3 ms <VAST/>',
  '<!-- a --><VAST version="3.0"/>',
  '<VAST version="3.0"><Ad><![CDATA[{"a": "<a href=\\"x\\">"}]]></Ad></VAST>',
  '[Error (3)] <VAST/>',
])('accepts %j as possible XML', (text) => {
  expect(detectNonXml(text)).toBeUndefined();
});

it.each([
  ['<string xmlns="urn:x">\n&lt;VAST version="3.0"&gt;&lt;/VAST&gt;</string>', 1, 'string'],
  ['<Envelope>\n<Body><Result>&lt;?xml version="1.0"?&gt;</Result></Body></Envelope>', 2, 'Result'],
  ['<VAST version="3.0">&lt;Ad id="1"&gt;&lt;/Ad&gt;</VAST>', 1, 'VAST'],
  ['<VAST version="3.0"><![CDATA[<Ad id="1"></Ad>]]></VAST>', 1, 'VAST'],
])('names the element that contains escaped XML: %s', (text, line, name) => {
  expect(readVast(text)).toMatchObject({ line, fault: 'ESCAPED', code: 101, reason: naming('element', name) });
});

it('warns of escaped XML in inner elements', () => {
  const read = readVast(
    '<VAST version="3.0"><Ad><InLine>\n<Creatives>&lt;Creative/&gt;</Creatives></InLine></Ad></VAST>',
  );
  expect(read).toMatchObject({ warnings: [{ line: 2, code: 'ESCAPED', text: naming('Creatives', '<Creative/>') }] });
});

it('names the element of a VMAP document that contains escaped XML', () => {
  const document = '&lt;?xml version=&amp;quot;1.0&amp;quot; encoding=&amp;quot;UTF-8&amp;quot;?&gt;&lt;VAST/&gt;';
  for (const data of [document, document.replaceAll('&', '&amp;')]) {
    const text = `<VMAP version="1.0"><AdBreak timeOffset="start"><AdSource>\n<VASTAdData>${data}</VASTAdData></AdSource></AdBreak></VMAP>`;
    const unreadable = { line: 2, reason: naming('VASTAdData', 'escaped') };
    expect(readAdDocument(text)).toMatchObject({ adBreaks: [{ unreadable }] });
  }
});

const wrapper =
  '<Ad id="w"><Wrapper><Impression/><VASTAdTagURI>https://a.test/</VASTAdTagURI><Creatives><Creative><Linear><TrackingEvents><Tracking event="start">https://a.test/s</Tracking></TrackingEvents></Linear></Creative></Creatives></Wrapper></Ad>';
const pair = everything.replace('</VAST>', `${wrapper}</VAST>`);
const adBreak = (id: string) =>
  `<vmap:AdBreak breakId="${id}" timeOffset="start" breakType="linear"><vmap:AdSource id="1"><vmap:VASTAdData>${pair}</vmap:VASTAdData></vmap:AdSource><vmap:TrackingEvents><vmap:Tracking event="breakStart">https://a.test/b</vmap:Tracking></vmap:TrackingEvents></vmap:AdBreak>`;
const vmap = `<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">${adBreak('a')}${adBreak('b')}</vmap:VMAP>`;

type Read = { readonly warnings: readonly { readonly code: string; readonly text: string }[] };
/** Without the warnings of all documents in it. */
const contentOf = (document: object) => JSON.stringify(document, (key, value) => (key === 'warnings' ? [] : value));

// Documents in which an end tag is missing lose nothing that is around it.

describe.each([
  ['an ad', everything],
  ['two ads', pair],
  ['VMAP', vmap],
])('in a document with %s, a missing end tag', (_, document) => {
  const whole = contentOf(readAdDocument(document));
  const ends = [...document.matchAll(/<\/([\w:]+)>/g)];
  const kinds = new Map(ends.map((end) => [end[1]!, ends.filter((one) => one[1] === end[1])]));
  it.each([...kinds])('</%s> changes nothing, wherever it is', (name, places) => {
    for (const { 0: tag, index } of places) {
      const read = readAdDocument(document.slice(0, index) + document.slice(index + tag.length));
      expect([index, contentOf(read)]).toEqual([index, whole]);
      const fault = (read as Read).warnings.find(({ code }) => ['UNCLOSED', 'BREAKS_OFF'].includes(code));
      expect(fault?.text).toContain(name);
    }
  });
});
