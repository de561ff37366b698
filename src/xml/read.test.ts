// SPDX-License-Identifier: Apache-2.0

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growthOf, LINEAR } from '../../test/growthOf.ts';
import { lawRuns } from '../../test/lawRuns.ts';
import { naming } from '../../test/naming.ts';
import type { XmlElement, XmlFault } from './element.ts';
import { readXml, type XmlDocument, type XmlOptions } from './read.ts';
import { element, escapeText } from './write.ts';

function read(text: string, options?: XmlOptions): XmlDocument {
  const result = readXml(text, options);
  if ('root' in result) return result;
  throw new Error(`line ${result.line}: ${result.reason}`);
}
const refusal = (text: string, options?: XmlOptions): XmlFault => {
  const result = readXml(text, options);
  if ('root' in result) throw new Error('was read');
  return result;
};

describe('readXml', () => {
  it('keeps names, namespaces, attributes, text and lines', () => {
    const { root } = read(
      '<?xml version="1.0"?>\n<m:a xmlns:m="urn:m" xmlns="urn:d"\n x="1 &lt; 2">\n  <b m:y="z"> t<![CDATA[<>&]]> </b>\n  <c xmlns=""/>\n</m:a>',
    );
    expect(root).toMatchObject({ name: 'm:a', local: 'a', namespace: 'urn:m', line: 2, text: '' });
    expect(root.attributes.x).toBe('1 < 2');
    const [b, c] = root.children;
    expect(b).toMatchObject({ local: 'b', namespace: 'urn:d', line: 4, text: ' t<>& ' });
    expect(b?.attributes['m:y']).toBe('z');
    expect(c).toMatchObject({ namespace: undefined, line: 5 });
    expect(c?.namespaces.m).toBe('urn:m');
  });

  it('gives names of Object.prototype no special meaning', () => {
    const { root } = read('<a __proto__="1" constructor="2"/>');
    expect(Object.keys(root.attributes)).toEqual(['__proto__', 'constructor']);
    expect(read('<a/>').root.attributes.toString).toBeUndefined();
    expect(refusal('<a>&constructor;</a>').code).toBe('UNKNOWN_ENTITY');
  });

  it('reports the line of a fault', () => {
    expect(refusal('<a>\n<b>\n</a>')).toMatchObject({ line: 3, code: 'CLOSE_TAG' });
    const unbound = { line: 2, code: 'UNBOUND_PREFIX', reason: naming('"x"') };
    expect(refusal('<a>\n <x:b/></a>')).toMatchObject(unbound);
    expect(refusal('<a:b:c xmlns:a="u"/>')).toMatchObject({ code: 'COLONS', reason: naming('a:b:c') });
  });

  it('never resolves a DOCTYPE', () => {
    expect('root' in readXml('<!DOCTYPE a><a/>')).toBe(true);
    const bomb = '\n<!DOCTYPE a [\n<!ENTITY x "y">\n]>\n<a>&x;</a>';
    for (const lenient of [false, true]) {
      expect(refusal(bomb, { lenient })).toMatchObject({ line: 2, code: 'INTERNAL_SUBSET' });
    }
    const external = '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>';
    expect(refusal(external).code).toBe('EXTERNAL_DTD');
    expect(read(external, { lenient: true }).warnings).toHaveLength(1);
  });

  it('enforces its limits', () => {
    const fault = (code: string, ...named: (string | number)[]) => ({ code, reason: naming(...named) });
    expect(refusal('<a></a>', { maxLength: 6 })).toMatchObject(fault('TOO_LONG', 6));
    const deep = { line: 2, ...fault('TOO_DEEP', 'c', 2) };
    expect(refusal('<a>\n<b><c/></b></a>', { maxDepth: 2 })).toMatchObject(deep);
    expect(refusal('<a><b/><b/></a>', { maxElements: 2 })).toMatchObject(fault('TOO_MANY_ELEMENTS', 2));
    expect(refusal(`<a xmlns:b="${'u'.repeat(301)}"/>`)).toMatchObject(fault('LONG_NAMESPACE', 300));
    const withAttributes = (count: number) => `<a ${Array.from({ length: count }, (_, at) => `a${at}=""`).join(' ')}/>`;
    expect(refusal(withAttributes(1001))).toMatchObject(fault('TOO_MANY_ATTRIBUTES', 1000));
    expect(Object.keys(read(withAttributes(1000)).root.attributes)).toHaveLength(1000);
  });

  it('takes linear time for any input', () => {
    const hostile = ['<!--', '<![CDATA[', '<![CDATA[x]]>', '&', '<!-- -->', '<a xmlns:x="u">', '&#', ' \n'];
    for (const piece of hostile) {
      const growth = growthOf((size) => {
        const texts = [`<a>${piece.repeat(size)}&`, `${piece.repeat(size)}<?xml version="1.0"?><a/>`];
        return () => texts.map((text) => readXml(text, { lenient: true, maxLength: 1 << 30 }));
      });
      expect(growth, piece).toBeLessThan(LINEAR);
    }
  });
});

describe('readXml, lenient', () => {
  const lenient = (text: string): XmlDocument => read(text, { lenient: true });

  it('skips a byte order mark, comments and white space before the declaration, and counts their lines', () => {
    const { root, warnings } = lenient('\uFEFF \n<!-- <?xml ? -->\n<?xml version="1.0"?>\n<a/>');
    expect(root).toMatchObject({ local: 'a', line: 4 });
    expect(warnings).toMatchObject([{ line: 3, code: 'BEFORE_DECLARATION' }]);
    expect(lenient('\uFEFF<?xml version="1.0"?><a/>').warnings).toEqual([]);
  });

  it('accepts unbound prefixes', () => {
    const { root } = lenient('<v:a xsi:type="t"><v:b/></v:a>');
    expect(root).toMatchObject({ local: 'a', namespace: undefined });
    expect(root.children[0]?.local).toBe('b');
  });

  it('reads a bare ampersand as text, and leaves CDATA and comments alone', () => {
    const { root, warnings } = lenient('<a u="x?a=1&b=2">\n<!-- & --><![CDATA[&c;]]>?d&e=&amp;&#65;&nbsp;&</a>');
    expect(root.attributes.u).toBe('x?a=1&b=2');
    expect(root.text).toBe('\n&c;?d&e=&A&nbsp;&');
    expect(warnings).toMatchObject([{ line: 1, code: 'BARE_AMPERSAND' }]);
    expect(refusal('<a>x&y</a>').line).toBe(1);
  });

  it('reports what it tolerated, and ignores content after the root', () => {
    const { root, warnings } = lenient('<a b=c d="1" d="2">\u0001</a>\n<script>if (1 < 2) x()</script> garbage');
    expect(root.attributes).toMatchObject({ b: 'c', d: '2' });
    expect(root.text).toBe('\u0001');
    expect(warnings.map(({ code }) => code)).toEqual(['UNQUOTED_VALUE', 'DUPLICATE_ATTRIBUTE', 'CHARACTER']);
  });

  it('still rejects broken documents', () => {
    expect(refusal('<a>\n<b></a>', { lenient: true }).line).toBe(2);
    expect(refusal('<a><b', { lenient: true }).reason).toBeTruthy();
    expect(refusal('{"a": 1}', { lenient: true }).code).toBe('TEXT_OUTSIDE');
  });

  it('keeps a bounded number of warnings', () => {
    expect(lenient(`<a>${'\u0001'.repeat(1000)}</a>`).warnings).toHaveLength(20);
  });

  it('returns a tree or a fault for any input', () => {
    const piece = fc.constantFrom(
      ...'<a>|</a>|<b c="|"|>|<!|<!--|-->|&|;|<![CDATA[|]]>|<?|?>|[|<!DOCTYPE |x| |\n|/'.split('|'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const result = readXml(pieces.join(''), { lenient: true });
        expect('root' in result || result.line >= 1).toBe(true);
      }),
      lawRuns(500),
    );
  });
});

describe('read(write(x))', () => {
  type Plain = { name: string; attributes: Record<string, string>; children: Plain[]; text: string };
  const name = fc.stringMatching(/^[A-Za-z_][\w.-]{0,8}$/).filter((text) => !/^xml/i.test(text));
  const value = fc.string({ unit: 'grapheme' });
  const { tree } = fc.letrec<{ tree: Plain }>((tie) => ({
    tree: fc.record({
      name,
      attributes: fc.dictionary(name, value, { maxKeys: 3 }),
      children: fc.oneof({ depthSize: 'small' }, fc.constant<Plain[]>([]), fc.array(tie('tree'), { maxLength: 3 })),
      text: value,
    }),
  }));
  const written = ({ name: tag, attributes, children, text }: Plain): string =>
    element(tag, attributes, ...(children.length > 0 ? children.map(written) : [escapeText(text)]));
  const plain = ({ name: tag, attributes, children, text }: XmlElement): Plain => ({
    name: tag,
    attributes: { ...attributes },
    children: children.map(plain),
    text,
  });
  const expected = (source: Plain): Plain => ({
    ...source,
    attributes: { ...source.attributes },
    children: source.children.map(expected),
    text: source.children.length > 0 ? '' : source.text,
  });

  it('is x', () => {
    const writable = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u;
    fc.assert(
      fc.property(tree, (source) => {
        fc.pre(writable.test(JSON.stringify(source).replace(/\\u[\da-f]{4}/g, '\u0000')));
        expect(plain(read(written(source)).root)).toEqual(expected(source));
      }),
    );
  });
});

it.each([
  ['<a>\n<b></a>', 2, 'CLOSE_TAG', []],
  ['<a><b>', 1, 'BREAKS_OFF', ['b']],
  ['<a><![CDATA[', 1, 'BREAKS_OFF', ['a']],
  ['', 1, 'NO_ROOT', []],
  ['<a/><b/>', 1, 'SECOND_ROOT', []],
  ['x', 1, 'TEXT_OUTSIDE', []],
  ['<a>&x;</a>', 1, 'UNKNOWN_ENTITY', []],
  ['<a b=c/>', 1, 'UNQUOTED_VALUE', []],
  ['<a b="1" b="2"/>', 1, 'DUPLICATE_ATTRIBUTE', ['b']],
  ['<a>\u0001</a>', 1, 'CHARACTER', []],
  ['<a>\n1 < 2</a>', 2, 'MALFORMED', ['tag']],
  ['<a b c="1"/>', 1, 'MALFORMED', ['attribute']],
  ['<a b="1"c="2"/>', 1, 'MALFORMED', ['attributes']],
  ['<?xml version=\\"1.0\\" encoding=\\"UTF-8\\"?><a/>', 1, 'MALFORMED', ['XML']],
  ['<a><?xml version="1.0"?></a>', 1, 'MALFORMED', ['XML']],
])('%s', (text, line, code, names) => {
  const fault = readXml(text);
  expect(fault).toMatchObject({ line, code, reason: naming(...names) });
  // Terms of the parser must not leak into messages.
  expect('reason' in fault && fault.reason).not.toMatch(/whitespace|disallowed|root node|unclosed|unmatched/);
});
