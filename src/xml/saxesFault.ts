// SPDX-License-Identifier: Apache-2.0
import type { XmlFaultCode } from './element.ts';

type Reason = string | ((detail: string) => string);

/** saxes reports faults as sentences only. Each is mapped to a code and to wording for operators. */
const sentences: readonly (readonly [pattern: RegExp, code: XmlFaultCode, reason: Reason])[] = [
  [/^unclosed tag: (.*)/, 'BREAKS_OFF', (name) => `the document is truncated: element ${name} has no end tag`],
  [/^unexpected end/, 'BREAKS_OFF', 'the document is truncated inside a tag, a comment or a CDATA section'],
  [/^unexpected close tag/, 'CLOSE_TAG', 'an end tag does not match the open element'],
  [/^unmatched closing tag: (.*)/, 'CLOSE_TAG', (name) => `the end tag </${name}> has no start tag`],
  [/^document must contain a root/, 'NO_ROOT', 'the document contains no element'],
  [/^documents may contain only one root/, 'SECOND_ROOT', 'the document has a second root element'],
  [/^text data outside/, 'TEXT_OUTSIDE', 'there is text outside the root element'],
  [/^undefined entity/, 'UNKNOWN_ENTITY', 'an entity is not defined'],
  [/^unquoted attribute value/, 'UNQUOTED_VALUE', 'an attribute value is not quoted'],
  [/^duplicate attribute: (.*)/, 'DUPLICATE_ATTRIBUTE', (name) => `an element has the attribute ${name} twice`],
  [/^disallowed character\./, 'CHARACTER', 'the document contains a character that XML forbids'],
  [/^disallowed character in (tag|attribute) name/, 'MALFORMED', (what) => `the name of ${an(what)} is malformed`],
  [/^disallowed character in closing tag/, 'MALFORMED', 'an end tag is malformed'],
  [/^attribute without value/, 'MALFORMED', 'an attribute has no value'],
  [/^no whitespace between attributes/, 'MALFORMED', 'there is no space between two attributes'],
  [/^forward-slash in opening tag/, 'MALFORMED', 'a tag contains a "/" that is not followed by ">"'],
  [/^malformed character entity/, 'MALFORMED', 'a character reference is malformed'],
  [/^malformed comment/, 'MALFORMED', 'a comment is malformed'],
  [/^the string "]]>"/, 'MALFORMED', 'there is a "]]>" outside a CDATA section'],
  [
    /^(whitespace required|value (required|must)|version number|encoding value|standalone value|expected|XML declaration|an XML decl|the XML decl|did not expect|the character \?)/i,
    'MALFORMED',
    'an XML declaration is malformed or misplaced',
  ],
];

const an = (what: string): string => (what === 'attribute' ? 'an attribute' : `a ${what}`);

/** The code and the wording for an error message of saxes. */
export function saxesFault(sentence: string): { readonly code: XmlFaultCode; readonly reason: string } {
  for (const [pattern, code, reason] of sentences) {
    const match = pattern.exec(sentence);
    if (match)
      return { code, reason: typeof reason === 'string' ? reason : reason((match[1] ?? '').replace(/\.$/, '')) };
  }
  return { code: 'MALFORMED', reason: sentence.replace(/\.$/, '') };
}
