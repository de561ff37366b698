// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { prettyDocument } from './prettyDocument.ts';

describe('a document of an ad server', () => {
  it('is indented if it is XML, with text on the line of its element', () => {
    const vast =
      '<?xml version="1.0"?><VAST version="4.2"><Ad id="a"><AdTitle>One</AdTitle><X><![CDATA[<y> & z]]></X><Empty/></Ad></VAST>';
    expect(prettyDocument(vast).split('\n')).toEqual([
      '<?xml version="1.0"?>',
      '<VAST version="4.2">',
      '  <Ad id="a">',
      '    <AdTitle>One</AdTitle>',
      '    <X><![CDATA[<y> & z]]></X>',
      '    <Empty/>',
      '  </Ad>',
      '</VAST>',
    ]);
  });

  it('keeps all of its text if it is broken', () => {
    for (const text of ['<VAST><Ad', '</a></b><c>', '<a>1<b>2</a>', '<![CDATA[x', '<!-- x', 'a < b'])
      expect(prettyDocument(text).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  });

  it('is indented if it is JSON', () => {
    expect(prettyDocument('{"error":"x"}')).toBe('{\n  "error": "x"\n}');
  });

  it('stays as it is otherwise', () => {
    expect(prettyDocument('no ads\n')).toBe('no ads\n');
  });
});
