// Mends what a parser could not read on from, before it sees the text. It looks at every character once.
import type { XmlFault } from './element.ts';

const isSpace = (code: number): boolean => code === 0x20 || code === 0x9 || code === 0xa || code === 0xd;
const reference = /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/iy;
const isReference = (text: string, at: number): boolean => {
  reference.lastIndex = at;
  return /[a-z#]/i.test(text[at + 1] ?? '') && reference.test(text);
};
const countLines = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0;

/** Where the declaration starts when only a byte order mark, white space and comments stand before it; else 0. */
function declarationStart(text: string): number {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (;;) {
    if (isSpace(text.charCodeAt(at))) at += 1;
    else if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at + 4);
      if (end < 0) return 0;
      at = end + 3;
    } else return /^<\?xml\s/i.test(text.slice(at, at + 6)) ? at : 0;
  }
}

/** Ampersands that start no reference of XML 1.0 §4.6, outside CDATA sections and comments, become `&amp;`. */
function escapeBareAmpersands(text: string): { text: string; first: number | undefined } {
  const notable = /&|<!--|<!\[CDATA\[/g;
  let written = '';
  let copied = 0;
  let first: number | undefined;
  for (let found = notable.exec(text); found !== null; found = notable.exec(text)) {
    if (found[0] !== '&') {
      const end = text.indexOf(found[0] === '<!--' ? '-->' : ']]>', notable.lastIndex);
      if (end < 0) break;
      notable.lastIndex = end + 3;
      continue;
    }
    if (isReference(text, found.index)) continue;
    first ??= found.index;
    written += `${text.slice(copied, found.index)}&amp;`;
    copied = found.index + 1;
  }
  return { text: copied === 0 ? text : written + text.slice(copied), first };
}

/** The mended text, the line its first line had, and what was mended. */
export function repairXml(original: string): { text: string; line: number; oddities: readonly XmlFault[] } {
  const start = declarationStart(original);
  const oddities: XmlFault[] = [];
  const line = 1 + countLines(original.slice(0, start));
  if (start > 1)
    oddities.push({ line, code: 'BEFORE_DECLARATION', reason: 'something stands before the XML declaration' });
  const { text, first } = escapeBareAmpersands(original.slice(start));
  if (first !== undefined) {
    oddities.push({
      line: line + countLines(original.slice(start, start + first)),
      code: 'BARE_AMPERSAND',
      reason: 'an ampersand stands for itself and not for "&amp;"',
    });
  }
  return { text, line, oddities };
}
