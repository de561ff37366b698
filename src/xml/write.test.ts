// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { naming } from '../../test/naming.ts';
import { readXml } from './read.ts';
import { cdata, copyContent, copyXml, element, escapeAttribute, escapeText, xmlDeclaration } from './write.ts';

/** Text and attribute `a` of the root element, as an independent parser reads them. */
function readBack(xml: string): { text: string; attribute: string | undefined } {
  let text = '';
  let attribute: string | undefined;
  let isOpen = false;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('text', (piece) => {
    if (isOpen) text += piece;
  });
  parser.on('cdata', (piece) => {
    text += piece;
  });
  parser.on('opentag', (tag) => {
    isOpen = true;
    attribute = tag.attributes.a as string | undefined;
  });
  parser.write(xml).close();
  return { text, attribute };
}

const writable = (text: string): boolean => /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u.test(text);

describe('element', () => {
  it('omits undefined attributes and empty children', () => {
    expect(element('A', { b: undefined, c: 0, d: false, e: '' }, '')).toBe('<A c="0" d="false" e=""/>');
  });

  it('puts child elements on separate lines and keeps text unchanged', () => {
    expect(element('A', {}, element('B'), element('C', {}, escapeText(' x ')))).toBe('<A>\n<B/>\n<C> x </C>\n</A>');
  });

  it('adds no white space around CDATA or text', () => {
    expect(element('A', {}, cdata('x'))).toBe('<A><![CDATA[x]]></A>');
    expect(element('A', {}, 'x', element('B'))).toBe('<A>x<B/></A>');
  });

  it('rejects NaN', () => {
    expect(() => element('A', { b: Number.NaN })).toThrow(expect.objectContaining({ message: naming('b', 'NaN') }));
  });
});

describe('escaping', () => {
  it('replaces characters that XML 1.0 forbids and keeps astral characters', () => {
    expect(escapeText('a\u0000b\u001Fc\uD800d\uFFFEe😀')).toBe('a\uFFFDb\uFFFDc\uFFFDd\uFFFDe😀');
    expect(escapeAttribute('\uDC00')).toBe('\uFFFD');
    expect(cdata('\u0007]]>')).toBe('<![CDATA[\uFFFD]]]]><![CDATA[>]]>');
  });

  it('survives reading back, including white space, in text, attributes and CDATA', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }).filter(writable), (value) => {
        for (const written of [escapeText(value), cdata(value)]) {
          const read = readBack(xmlDeclaration + element('A', { a: value }, written));
          expect(read).toEqual({ text: value, attribute: value });
        }
      }),
    );
    for (const value of ['a\r\nb\tc', ']]>', '<&">\'', '  padded  ']) {
      expect(readBack(element('A', { a: value }, escapeText(value)))).toEqual({ text: value, attribute: value });
      expect(readBack(element('A', {}, cdata(value))).text).toBe(value);
    }
  });
});

const root = (text: string) => {
  const result = readXml(text, { lenient: true });
  if (!('root' in result)) throw new Error(result.reason);
  return result.root;
};
const first = (text: string) => root(text).children[0]!;

describe('copyXml', () => {
  it('declares the inherited namespaces that the element uses, and only those', () => {
    const protection = first(
      '<MPD xmlns="urn:mpd" xmlns:cenc="urn:cenc" xmlns:no="urn:no"><P value="a&amp;b"><cenc:pssh>AA==</cenc:pssh></P></MPD>',
    );
    expect(copyXml(protection)).toBe(
      '<P value="a&amp;b" xmlns="urn:mpd" xmlns:cenc="urn:cenc">\n<cenc:pssh>AA==</cenc:pssh>\n</P>',
    );
    expect(copyXml(protection, { '': 'urn:mpd' })).toBe(
      '<P value="a&amp;b" xmlns:cenc="urn:cenc">\n<cenc:pssh>AA==</cenc:pssh>\n</P>',
    );
  });

  it('leaves inner declarations in place', () => {
    const text = '<P xmlns:x="urn:x"><x:q y:r="" xmlns:y="urn:y"/></P>';
    expect(copyXml(root(text))).toBe('<P xmlns:x="urn:x">\n<x:q y:r="" xmlns:y="urn:y"/>\n</P>');
    expect(copyXml(first(text))).toBe('<x:q y:r="" xmlns:y="urn:y" xmlns:x="urn:x"/>');
  });

  it('distinguishes an inner binding from an outer one of the same prefix', () => {
    const text = '<a xmlns:x="urn:outer"><b><x:c xmlns:x="urn:inner"/><x:d/></b></a>';
    expect(copyXml(first(text))).toBe('<b xmlns:x="urn:outer">\n<x:c xmlns:x="urn:inner"/>\n<x:d/>\n</b>');
  });

  it('keeps text and elements in order', () => {
    expect(copyXml(root('<a>1 <b>2</b> 3 &lt; 4<c/></a>'))).toBe('<a>1 <b>2</b> 3 &lt; 4<c/></a>');
    expect(copyXml(root('<a><c/>1</a>'))).toBe('<a><c/>1</a>');
    expect(copyContent(root('<a>1 <b>2</b> 3</a>'))).toBe('1 <b>2</b> 3');
    expect(copyContent(root('<a>x &amp; y</a>'))).toBe('x &amp; y');
  });

  it('binds unbound prefixes', () => {
    expect(copyXml(root('<a><z:b y:c="1"/></a>'))).toBe(
      '<a xmlns:z="urn:unbound:z" xmlns:y="urn:unbound:y">\n<z:b y:c="1"/>\n</a>',
    );
  });
});
