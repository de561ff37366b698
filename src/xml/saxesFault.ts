import type { XmlFaultCode } from './element.ts';

type Said = string | ((detail: string) => string);

/** The parser reports in sentences of its own; these are what a caller tells apart, and what a person is told. */
const sentences: readonly (readonly [pattern: RegExp, code: XmlFaultCode, reason: Said])[] = [
  [/^unclosed tag: (.*)/, 'BREAKS_OFF', (name) => `the document breaks off: the element ${name} has no end tag`],
  [/^unexpected end/, 'BREAKS_OFF', 'the document breaks off in the middle of a tag, a comment or a CDATA section'],
  [/^unexpected close tag/, 'CLOSE_TAG', 'an end tag does not fit the element that is open'],
  [/^unmatched closing tag: (.*)/, 'CLOSE_TAG', (name) => `the end tag </${name}> closes nothing`],
  [/^document must contain a root/, 'NO_ROOT', 'the document holds no element'],
  [/^documents may contain only one root/, 'SECOND_ROOT', 'a second root element follows the first'],
  [/^text data outside/, 'TEXT_OUTSIDE', 'text stands outside of the root element'],
  [/^undefined entity/, 'UNKNOWN_ENTITY', 'an entity stands here that is not defined'],
  [/^unquoted attribute value/, 'UNQUOTED_VALUE', 'the value of an attribute has no quotes'],
  [/^duplicate attribute: (.*)/, 'DUPLICATE_ATTRIBUTE', (name) => `an element has the attribute ${name} twice`],
  [/^disallowed character\./, 'CHARACTER', 'a character stands here that XML forbids'],
  [/^disallowed character in (tag|attribute) name/, 'MALFORMED', (what) => `the name of ${an(what)} is malformed`],
  [/^disallowed character in closing tag/, 'MALFORMED', 'an end tag is malformed'],
  [/^attribute without value/, 'MALFORMED', 'an attribute has no value'],
  [/^no whitespace between attributes/, 'MALFORMED', 'no space stands between two attributes'],
  [/^forward-slash in opening tag/, 'MALFORMED', 'a "/" stands in a tag without a ">" behind it'],
  [/^malformed character entity/, 'MALFORMED', 'a character reference is malformed'],
  [/^malformed comment/, 'MALFORMED', 'a comment is malformed'],
  [/^the string "]]>"/, 'MALFORMED', '"]]>" stands outside of a CDATA section'],
  [
    /^(whitespace required|value (required|must)|version number|encoding value|standalone value|expected|XML declaration|an XML decl|the XML decl|did not expect|the character \?)/i,
    'MALFORMED',
    'an XML declaration is malformed or stands in the wrong place',
  ],
];

const an = (what: string): string => (what === 'attribute' ? 'an attribute' : `a ${what}`);

/** What a sentence of saxes reports, as a code and in plain words. */
export function saxesFault(sentence: string): { readonly code: XmlFaultCode; readonly reason: string } {
  for (const [pattern, code, reason] of sentences) {
    const match = pattern.exec(sentence);
    if (match)
      return { code, reason: typeof reason === 'string' ? reason : reason((match[1] ?? '').replace(/\.$/, '')) };
  }
  return { code: 'MALFORMED', reason: sentence.replace(/\.$/, '') };
}
