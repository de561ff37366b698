// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { charsetOf, decodeXml } from './decodeXml.ts';

const latin = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const utf16 = (text: string, littleEndian: boolean): Uint8Array => {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i += 1) view.setUint16(i * 2, text.charCodeAt(i), littleEndian);
  return bytes;
};
const declared = (encoding: string, rest = '<a>é€</a>'): string =>
  `<?xml version="1.0" encoding='${encoding}'?>${rest}`;

describe('decodeXml', () => {
  it('reads UTF-8 with and without a byte order mark or a declaration', () => {
    for (const text of ['<a>é€😀</a>', declared('utf-8'), declared('UTF-8', '<a>😀</a>')]) {
      expect(decodeXml(utf8(text))).toBe(text);
      expect(decodeXml(utf8(`\uFEFF${text}`))).toBe(text);
    }
  });

  it('reads UTF-16 in both byte orders, with and without a byte order mark', () => {
    for (const littleEndian of [true, false]) {
      const text = declared('utf-16');
      expect(decodeXml(utf16(text, littleEndian))).toBe(text);
      expect(decodeXml(utf16(`\uFEFF<a>é€😀</a>`, littleEndian))).toBe('<a>é€😀</a>');
    }
  });

  it('ignores a declaration of UTF-16 in a document of single bytes', () => {
    expect(decodeXml(utf8(declared('utf-16')))).toBe(declared('utf-16'));
  });

  it('reads ISO 8859-1 and Windows-1252', () => {
    for (const encoding of ['ISO-8859-1', 'latin1', 'windows-1252', 'cp1252']) {
      expect(decodeXml(latin(declared(encoding, '\xe9\xff \x80\x85\x9f')))).toBe(declared(encoding, 'éÿ €…Ÿ'));
    }
  });

  it('reads other known encodings, and unknown ones as UTF-8', () => {
    expect(decodeXml(latin(declared('iso-8859-2', '\xb1')))).toBe(declared('iso-8859-2', 'ą'));
    expect(decodeXml(utf8(declared('klingon')))).toBe(declared('klingon'));
    expect(decodeXml(new Uint8Array())).toBe('');
  });

  it('uses the charset of the content type when nothing is declared and the bytes are not valid UTF-8', () => {
    const charset = charsetOf('text/xml; Charset="ISO-8859-1"');
    expect(decodeXml(latin('<a>\xe9</a>'), charset)).toBe('<a>é</a>');
    expect(decodeXml(utf8('<a>é</a>'), charset)).toBe('<a>é</a>');
    expect(decodeXml(latin(declared('iso-8859-2', '\xb1')), charset)).toBe(declared('iso-8859-2', 'ą'));
    expect(decodeXml(latin(declared('utf-8', '\xb1')), 'iso-8859-2')).toBe(declared('utf-8', 'ą'));
  });

  it.each([undefined, 'utf-8', 'klingon'])(
    'reads what is not UTF-8 as Windows-1252, with the charset %s',
    (charset) => {
      const bom = '\xef\xbb\xbf';
      const mixed = (text: string) =>
        latin([...new TextEncoder().encode('é€😀')].map((code) => String.fromCharCode(code)).join('') + text);
      for (const [text, expected] of [
        ['<a>\xe9</a>', '<a>é</a>'],
        [declared('utf-8', 'Caf\xe9 \x96 \x80'), declared('utf-8', 'Café – €')],
        [`${bom}<a>\xe9</a>`, '<a>é</a>'],
        ['<a>\xe9t\xe9 \xed\xa0\x80\xc0\x80 \xff</a>', '<a>été í\u00a0€À€ ÿ</a>'],
      ])
        expect(decodeXml(latin(text!), charset)).toBe(expected);
      expect(decodeXml(mixed('\xe9.'), charset)).toBe('é€😀é.');
      // The bytes end inside a character.
      expect(decodeXml(utf8('<a>é😀').subarray(0, -1), charset)).toBe('<a>é\uFFFD');
      expect(decodeXml(utf8('<a>é').subarray(0, -1), charset)).toBe('<a>\uFFFD');
    },
  );
});
