// SPDX-License-Identifier: Apache-2.0
// Repairs faults that would stop a parser, before the text is parsed, in a single pass.
import type { Sliced } from '../time/sliced.ts';
import type { XmlFault } from './element.ts';

const isSpace = (code: number): boolean => code === 0x20 || code === 0x9 || code === 0xa || code === 0xd;
const reference = /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/iy;
const isReference = (text: string, at: number): boolean => {
  reference.lastIndex = at;
  return /[a-z#]/i.test(text[at + 1] ?? '') && reference.test(text);
};
export const countLines = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0;

/** A text to be parsed: the original number of its first line, and a warning for each repair. */
export type XmlSource = { readonly text: string; readonly line: number; readonly warnings: readonly XmlFault[] };

/** Byte order marks, also repeated or wrongly decoded, and other invisible characters. */
const invisible = /^(?:[\uFEFF\uFFFE\u200B\u200E\u2060\u00A0\0]|\u00EF\u00BB\u00BF)+/;
const wellDeclared =
  /^<\?xml\s+version\s*=\s*("[^"<>]*"|'[^'<>]*')(\s+encoding\s*=\s*("[^"<>]*"|'[^'<>]*'))?(\s+standalone\s*=\s*("[^"<>]*"|'[^'<>]*'))?\s*\?>/;

/** Index of the declaration when only white space and comments precede it; else 0. */
function declarationStart(text: string): number {
  let at = 0;
  for (;;) {
    if (isSpace(text.charCodeAt(at))) at += 1;
    else if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at + 4);
      if (end < 0) return 0;
      at = end + 3;
    } else return /^<\?xml\s/i.test(text.slice(at, at + 6)) ? at : 0;
  }
}

const SIGNS_IN_SLICE = 5000;

/** Outside CDATA sections and comments, escapes ampersands that start no reference of XML 1.0 §4.6. */
function* escapeBareAmpersands(text: string): Sliced<{ text: string; first: number | undefined }> {
  const notable = /&|<!--|<!\[CDATA\[/g;
  let [written, pieces] = ['', [] as string[]];
  let signs = 0;
  let copied = 0;
  let first: number | undefined;
  for (let found = notable.exec(text); found !== null; found = notable.exec(text)) {
    signs += 1;
    if (signs % SIGNS_IN_SLICE === 0) {
      [written, pieces] = [written + pieces.join(''), []];
      yield;
    }
    if (found[0] !== '&') {
      const end = text.indexOf(found[0] === '<!--' ? '-->' : ']]>', notable.lastIndex);
      if (end < 0) break;
      notable.lastIndex = end + 3;
      continue;
    }
    if (isReference(text, found.index)) continue;
    first ??= found.index;
    pieces.push(text.slice(copied, found.index), '&amp;');
    copied = found.index + 1;
  }
  if (first === undefined) return { text, first };
  return { text: written + pieces.join('') + text.slice(copied), first };
}

export function* repairXml(original: string): Sliced<XmlSource> {
  const visible = original.replace(invisible, '');
  const start = declarationStart(visible);
  const warnings: XmlFault[] = [];
  const line = 1 + countLines(visible.slice(0, start));
  if (start > 0)
    warnings.push({ line, code: 'BEFORE_DECLARATION', reason: 'there is content before the XML declaration' });
  const declared = withoutBadDeclaration(visible.slice(start));
  if (declared.isBad)
    warnings.push({ line, code: 'MALFORMED', reason: 'the XML declaration is malformed; it is ignored' });
  const { text, first } = yield* escapeBareAmpersands(declared.text);
  if (first !== undefined) {
    warnings.push({
      line: line + countLines(declared.text.slice(0, first)),
      code: 'BARE_AMPERSAND',
      reason: 'an ampersand is not escaped as "&amp;"',
    });
  }
  return { text, line, warnings };
}

/** Removes a malformed declaration. The text is already decoded, so the declaration has no further effect. */
function withoutBadDeclaration(text: string): { text: string; isBad: boolean } {
  const declaration = /^<\?xml\s[^>]{0,1000}>/i.exec(text)?.[0];
  if (declaration === undefined || wellDeclared.test(declaration)) return { text, isBad: false };
  return { text: '\n'.repeat(countLines(declaration)) + text.slice(declaration.length), isBad: true };
}

/**
 * A comment or CDATA section that is not closed although the document goes on, which looks like a truncated document.
 * @param from where it may begin
 */
export function unclosedSection(text: string, from: number): string | undefined {
  const [start, end, what] = text.startsWith('<!--', from)
    ? ['<!--', '-->', 'a comment has no "-->"']
    : ['<![CDATA[', ']]>', 'a CDATA section has no "]]>"'];
  const rest = text.slice(from + start.length);
  return text.startsWith(start, from) && !rest.includes(end) && rest.includes('</') ? what : undefined;
}
