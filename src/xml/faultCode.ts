import type { XmlFaultCode } from './element.ts';

/** The parser reports in sentences alone; these are the ones that a caller tells apart. */
const sentences: readonly (readonly [beginning: RegExp, code: XmlFaultCode])[] = [
  [/^(unclosed|unexpected end)/, 'BREAKS_OFF'],
  [/^(unexpected close tag|unmatched closing tag)/, 'CLOSE_TAG'],
  [/^document must contain a root/, 'NO_ROOT'],
  [/^documents may contain only one root/, 'SECOND_ROOT'],
  [/^text data outside/, 'TEXT_OUTSIDE'],
  [/^undefined entity/, 'UNKNOWN_ENTITY'],
  [/^unquoted attribute value/, 'UNQUOTED_VALUE'],
  [/^duplicate attribute/, 'DUPLICATE_ATTRIBUTE'],
  [/^disallowed character\./, 'CHARACTER'],
];

/** The kind of fault that a sentence of saxes reports. */
export const faultCode = (sentence: string): XmlFaultCode =>
  sentences.find(([beginning]) => beginning.test(sentence))?.[1] ?? 'MALFORMED';
