// SPDX-License-Identifier: Apache-2.0

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { finish } from '../time/sliced.ts';
import { readXml, type XmlOptions } from './read.ts';
import { readPlainXml } from './readPlainXml.ts';

const limits = { maxDepth: 64, maxElements: 1000, allowUnbound: true };
/** A processing instruction is left to the other parser; nothing of it remains in the tree. */
const withInstruction = (text: string): string => text.replace(/^(<\?xml[^>]*\?>)?/, '$1<?other?>');

const name = fc.constantFrom('a', 'Ad', 'm:b', 'x-y.z', '_n', 'xmlns:q');
const text = fc.oneof(
  fc.constantFrom(' ', '\n', 'text', 'é😀', '&amp;', '&lt;b&gt;', '&quot;&apos;', '\t', '<!-- c\n -->', '<!---->'),
  fc.constantFrom('<![CDATA[<&]]>', '<![CDATA[\n]]>', '<![CDATA[]]>', ']', 'a > b'),
);
const attribute = fc
  .tuple(name, fc.constantFrom('=', ' = '), fc.constantFrom('"v"', "'w &amp; x'", '""', '"a>b"', `'"'`))
  .map((parts) => parts.join(''));
const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
  content: fc.oneof({ depthSize: 'small' }, text, tie('element')),
  element: fc
    .tuple(
      name,
      fc.uniqueArray(attribute, { maxLength: 3, selector: (one) => one.split(/[ =]/)[0] }),
      fc.array(tie('content'), { maxLength: 5 }),
      fc.constantFrom(' ', '\n', '\t '),
    )
    .map(([tag, attributes, inner, space]) => {
      const head = [tag, ...attributes].join(space);
      return inner.length === 0 ? `<${head}/>` : `<${head}>${inner.join('')}</${tag}>`;
    }),
}));
const declaration = fc.constantFrom('', '<?xml version="1.0"?>', '<?xml version=\'1.0\' encoding="UTF-8" ?>\n');
const document = fc
  .tuple(declaration, element, fc.constantFrom('', '\n', '<!-- end -->'))
  .map((parts) => parts.join(''));

describe('readPlainXml', () => {
  it('reads a document without faults like the parser that handles everything', () => {
    fc.assert(
      fc.property(document, (written) => {
        const root = finish(readPlainXml(written, limits));
        expect(root, written).toBeDefined();
        const other = readXml(withInstruction(written), { allowUnbound: true });
        expect({ root, warnings: [], hasFaultyTags: false }).toEqual(other);
      }),
    );
  });

  it('leaves documents with a fault, and those that it would read differently, to that parser', () => {
    const pieces = '<|>|/|&|"|<a|</a>|<!|<?|]]>|--|\r|\0|\ud800|&#65;|&x;|<!DOCTYPE a>|<b>|=|x="|<![CDATA[|<!--';
    const others = [' x="1" x="1"', '<?xml version="1.1"?>', '\ufeff'];
    const piece = fc.constantFrom(...pieces.split('|'), ...others);
    const options: readonly XmlOptions[] = [{}, { lenient: true }, { allowUnbound: true }];
    fc.assert(
      fc.property(document, piece, fc.nat(), fc.constantFrom(...options), (written, added, place, option) => {
        const at = place % (written.length + 1);
        const broken = written.slice(0, at) + added + written.slice(at);
        const root = finish(readPlainXml(broken, { ...limits, allowUnbound: option !== options[0] }));
        if (root === undefined) return;
        expect({ root, warnings: [], hasFaultyTags: false }, broken).toEqual(readXml(withInstruction(broken), option));
      }),
      lawRuns(500),
    );
  });

  it('leaves documents beyond a limit to that parser, which reports it', () => {
    const nested = `${'<a>'.repeat(70)}${'</a>'.repeat(70)}`;
    expect(finish(readPlainXml(nested, limits))).toBeUndefined();
    expect(readXml(nested)).toMatchObject({ code: 'TOO_DEEP' });
    expect(finish(readPlainXml('<x:a/>', { ...limits, allowUnbound: false }))).toBeUndefined();
    expect(readXml('<x:a/>')).toMatchObject({ code: 'UNBOUND_PREFIX' });
  });
});
