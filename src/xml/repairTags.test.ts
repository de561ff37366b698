// SPDX-License-Identifier: Apache-2.0
// Documents whose tags do not match, as ad servers send them: the intended content is read, with a warning.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growthOf, LINEAR } from '../../test/growthOf.ts';
import { lawRuns } from '../../test/lawRuns.ts';
import type { XmlElement } from './element.ts';
import { readXml } from './read.ts';

const options = { lenient: true, repairTags: { roots: ['list', 'other'], whole: 'item' } } as const;

/** The tree as `list(item:1 item:2)`. */
const drawn = ({ local, text, children }: XmlElement): string =>
  `${local}${text.trim() ? `:${text.trim()}` : ''}${children.length > 0 ? `(${children.map(drawn).join(' ')})` : ''}`;

function read(text: string): { tree: string; warnings: string[] } {
  const result = readXml(text, options);
  if (!('root' in result)) return { tree: result.code, warnings: [] };
  return { tree: drawn(result.root), warnings: result.warnings.map(({ line, code }) => `${line} ${code}`) };
}

describe('readXml with repairTags', () => {
  it.each([
    ['<list><item>1</item></item>\n<item>2</item></list>', ['1 CLOSE_TAG']],
    ['<list><item>1</item>\n</b><item>2</item></list>', ['2 CLOSE_TAG']],
    ['<list><item>1</item>\n</list>\n<item>2</item></list>', ['2 CLOSE_TAG']],
    ['<list><item>1</item>\n</list>\n<item>2</item></list></list>\n</b>', ['2 CLOSE_TAG', '3 CLOSE_TAG']],
    ['<list>\n</list><item>1</item><item>2</item></list>', ['2 CLOSE_TAG']],
    ['<list><item>1</item>\n</list><item>2</item>', ['2 CLOSE_TAG', '2 BREAKS_OFF']],
    ['</b>\n<list><item>1</item><item>2</item></list>', ['2 TEXT_OUTSIDE']],
    ['<list><item>1</list></item>\n<item>2</item></list>', ['1 CLOSE_TAG']],
  ])('continues after a stray end tag: %s', (text, warnings) => {
    expect(read(text)).toEqual({ tree: 'list(item:1 item:2)', warnings });
  });

  it.each([
    '<list><item>1</item></list><list><item>2</item></list>',
    '<list><item>1</item></list>\uFEFF<?xml version="1.0"?><!-- c --><!DOCTYPE list><list><item>2</item></list>',
    '<list/><list><item>1</item><item>2</item></list>',
  ])('reads several roots as one: %s', (text) => {
    expect(read(text)).toEqual({ tree: 'list(item:1 item:2)', warnings: ['1 SECOND_ROOT'] });
  });

  it('ignores other content after the root', () => {
    const after = '<!-- </list> -->\n<script>if (1 < 2) "</script> garbage';
    expect(read(`<list><item>1</item></list>${after}`)).toEqual({ tree: 'list(item:1)', warnings: [] });
  });

  it.each([
    ['<list><item><![CDATA[1</item>\n<item><![CDATA[2]]></item></list>', '1 UNCLOSED'],
    ['<list><item><![CDATA[1]]></item>\n<item><![CDATA[2</item></list>', '2 UNCLOSED'],
  ])('closes a CDATA section before the end tag: %s', (text, warning) => {
    expect(read(text)).toEqual({ tree: 'list(item:1 item:2)', warnings: [warning] });
  });

  it.each([
    ['<list><item>1</item><item><!-- 2</item></list>', '-->'],
    ['<list><item>1</item><item><![CDATA[<b>2</b></item></list>', 'CDATA'],
    ['<list><item><!-- 1</item></list>', '-->'],
    ['<list><item>1</item><item><![CDATA[2', 'truncated'],
    ['<list><item>1</item><item>2', 'truncated'],
  ])('states what has no end: %s', (text, expected) => {
    const result = readXml(text, options);
    const reason = 'root' in result ? result.warnings[0]!.reason : result.reason;
    expect(reason).toContain(expected);
    expect(reason.includes('truncated')).toBe(expected === 'truncated');
  });

  it('warns when a document cannot be repaired', () => {
    const text = '<list><item>1</item></list>\n<item "2">2</item></list>';
    const { tree, warnings } = read(text);
    expect({ tree, warnings }).toEqual({ tree: 'list(item:1)', warnings: ['2 MALFORMED'] });
  });

  it.each([
    '<br />\n<b>Warning</b>: a < b on line <b>12</b><br />\n<?xml version="1.0"?><list><item>1</item></list>',
    'served by a\n\n<list><item>1</item></list>',
  ])('skips content before the root: %s', (text) => {
    expect(read(text)).toEqual({ tree: 'list(item:1)', warnings: ['3 TEXT_OUTSIDE'] });
  });

  it.each([
    ['<list><item><b>1</item><item>2</item></list>', 'list(item(b:1) item:2)', '1 UNCLOSED'],
    ['<list><item><b>1</c></item><item>2</item></list>', 'list(item(b:1) item:2)', '1 UNCLOSED,1 CLOSE_TAG'],
    ['<list><item><b>1<c>2</c></item><item>3</item></list>', 'list(item(b:1 c:2) item:3)', '1 UNCLOSED'],
    ['<list><item><b><![CDATA[1]]><c/></item></list>', 'list(item(b:1 c))', '1 UNCLOSED'],
    ['<list><item><b>1</b><item>2</item></list>', 'list(item(b:1) item:2)', '1 UNCLOSED'],
    ['<list><item><b><c>1</c><b>2</b></item></list>', 'list(item(b(c:1) b:2))', '1 UNCLOSED'],
    ['<list>1<item>2</item></item></list>', 'list:1(item:2)', '1 CLOSE_TAG'],
    ['<list><item>1</ITEM><item>2</item></list>', 'list(item:1 item:2)', '1 CLOSE_TAG'],
    ['<x:list><x:item>1</item></list>', 'list(item:1)', '1 CLOSE_TAG,1 CLOSE_TAG'],
    ['<list><item>1</item</list>', 'list(item:1)', '1 CLOSE_TAG'],
    ['<list><item>1</item x></list>', 'list(item:1)', '1 CLOSE_TAG'],
    ['<list><item\n<b>1</b></item></list>', 'list(item(b:1))', '1 MALFORMED'],
    ['<list><item>1 < 2</item></list>', 'list(item:1 < 2)', '1 BARE_LESS_THAN'],
  ])('reads faulty tags as intended: %s', (text, tree, warnings) => {
    const { warnings: found, ...rest } = read(text);
    expect({ ...rest, warnings: found.join() }).toEqual({ tree, warnings });
  });

  it('reads typographic quotes as quotes', () => {
    const attributes = (text: string) => {
      const result = readXml(text, options);
      if (!('root' in result)) throw new Error(result.reason);
      expect(result.warnings.map(({ code }) => code)).toEqual(['QUOTES']);
      return { ...result.root.attributes };
    };
    expect(attributes('<list a=“1.0” b=”two words” c=„3“ d=‘4’ e=«5» f="“6”"/>')).toEqual({
      a: '1.0',
      b: 'two words',
      c: '3',
      d: '4',
      e: '5',
      f: '“6”',
    });
    expect(attributes('<list a="1.0”><item b="2"/></list>')).toEqual({ a: '1.0' });
    expect(read('<?xml version=“1.0” encoding=“UTF-8”?>\n<list a=“1”/>').warnings).toEqual(['1 MALFORMED', '2 QUOTES']);
    expect(read('<list a="“1”"/>')).toEqual({ tree: 'list', warnings: [] });
  });

  it('skips byte order marks, also repeated or wrongly decoded ones', () => {
    for (const mark of ['\uFEFF\uFEFF', '\u00EF\u00BB\u00BF', '\uFEFF\u200B', '\0']) {
      expect(read(`${mark}<?xml version="1.0"?><list/>`)).toEqual({ tree: 'list', warnings: [] });
      expect(read(`${mark}<list/>`)).toEqual({ tree: 'list', warnings: [] });
    }
  });

  it.each([
    ['<list><item>1</item><item><b>2</b></ite', 'list(item:1)'],
    ['<list><item>1</item><item><b><![CDATA[2', 'list(item:1)'],
    ['<list><item>1</item><item a="<b>', 'list(item:1)'],
    ['<other><part><item>1</item><item>2', 'other(part(item:1))'],
    ['<other><part><b>1</b><c>http://a.exam', 'other(part(b:1))'],
    ['<list><item>1</item>', 'list(item:1)'],
    ['<list><item>1', 'BREAKS_OFF'],
    ['<list>', 'BREAKS_OFF'],
    ['<list', 'NO_ROOT'],
  ])('keeps the complete elements of a truncated document: %s', (text, tree) => {
    expect(read(text).tree).toBe(tree);
  });

  it('takes linear time for any input', () => {
    const pieces = [
      '</b>',
      '<b>',
      '</list>',
      '<list>',
      '</list><item/>',
      '</',
      '<b =“',
      '<b a="”<',
      '<!-- -->',
      '<?a?>',
    ];
    for (const piece of [...pieces, '<item></list></b>']) {
      const growth = growthOf((size) => {
        const text = `<list><item>1</item></list>${piece.repeat(size)}${'</c>'.repeat(size)}</list>`;
        return () => readXml(text, { ...options, maxLength: 1 << 30, maxElements: 1 << 30, maxDepth: 1 << 30 });
      }, 250);
      expect(growth, piece).toBeLessThan(LINEAR);
    }
  });

  it('returns a tree or a fault for any input', () => {
    const piece = fc.constantFrom(
      ...'<list>|</list>|<list/>|<item>|</item>|<item a="|<b c=“|”|"|>|<|/>|</|<!--|-->|<![CDATA[|]]>|<?xml |?>|&|x| |\n'.split(
        '|',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const result = readXml(pieces.join(''), options);
        expect('root' in result || result.line >= 1).toBe(true);
      }),
      lawRuns(800),
    );
  });
});
