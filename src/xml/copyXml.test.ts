// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { copyContent, copyXml } from './copyXml.ts';
import { readXml } from './read.ts';

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
