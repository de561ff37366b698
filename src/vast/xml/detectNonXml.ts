// What an answer is that is no XML, in words that lead to the mistake: ad servers send JSON, web pages and XML that was
// escaped once too often.

export type NonXmlFault = 'EMPTY' | 'WEB_PAGE' | 'JSON' | 'SCRIPT' | 'ESCAPED' | 'COMPRESSED' | 'MEDIA' | 'TEXT';

type Foreign = { readonly fault: NonXmlFault; readonly reason: string };

/** How far into a text its kind is looked for. */
const HEAD = 4_096;

const titleOf = (text: string): string => {
  const title = /<title[^>]{0,200}>([^<]{1,200})/i.exec(text)?.[1]?.trim().replace(/\s+/g, ' ');
  return title ? ` with the title "${title.slice(0, 80)}"` : '';
};

const kinds: readonly (readonly [looks: RegExp, fault: Foreign['fault'], reason: (head: string) => string])[] = [
  [/^<(!doctype\s+html|html[\s>])/i, 'WEB_PAGE', (head) => `the answer is a web page (HTML)${titleOf(head)}, not VAST`],
  [/^[{[]\s*(["{[\]}\d]|true|false|null|$)/, 'JSON', (head) => `the answer is JSON, not XML${holding(head)}`],
  [
    /^"\s*(<|\\u003c|&lt;)/i,
    'JSON',
    () => 'the answer is a JSON string that holds XML: the XML must be sent by itself',
  ],
  [
    /^(\/\*.{0,40}?\*\/\s*)?[\w$.]+\(\s*["'`{[<]/,
    'SCRIPT',
    (head) => `the answer is JavaScript (a call of ${/[\w$.]+(?=\()/.exec(head)![0].slice(0, 40)}), not XML`,
  ],
  [/^&(amp;)*(lt|#60|#x3c);/i, 'ESCAPED', () => 'the XML is escaped ("&lt;" stands where "<" must stand)'],
  [/^(\\u003c|%3c)/i, 'ESCAPED', (head) => `the XML is escaped ("${head.slice(0, 6)}…" stands where "<" must stand)`],
  [/^(PD94bWwg|PFZBU1|PHZtYXA6|PFZNQV)/, 'ESCAPED', () => 'the XML is encoded in base64: it must be sent as it is'],
  [/^#EXTM3U/, 'MEDIA', () => 'the answer is an HLS playlist, not VAST'],
  [/^.{4}ftyp/s, 'MEDIA', () => 'the answer is a video file, not VAST'],
];

const holding = (head: string): string =>
  /(<|\\u003c)\??(vast|xml|vmap)/i.test(head) ? '; the XML in it must be sent by itself' : '';

/** In the first tag: quotes that are escaped as in a JSON string, or once more than the tags. */
const escapedQuotes = /^<[?\w:][^<>"']{0,200}?=\s*(\\["']|&(?:amp;)*(?:quot|apos|#34|#39);)/i;

/** @returns undefined for what may be XML */
export function detectNonXml(text: string): Foreign | undefined {
  const head = text.slice(0, HEAD).replace(/^[\s\uFEFF]+/, '');
  if (head === '') return text.trim() === '' ? { fault: 'EMPTY', reason: 'the document is empty' } : undefined;
  // RFC 1952 §2.3.1: the first bytes of gzip, the second of which is no text.
  if (head.charCodeAt(0) === 0x1f && [0x8b, 0xfffd].includes(head.charCodeAt(1))) {
    return { fault: 'COMPRESSED', reason: 'the answer is compressed, and no content-encoding header says so' };
  }
  for (const [looks, fault, reason] of kinds) if (looks.test(head)) return { fault, reason: reason(head) };
  const quote = escapedQuotes.exec(head)?.[1];
  if (quote !== undefined) {
    return { fault: 'ESCAPED', reason: `the XML is escaped (${quote} stands where " must stand around attributes)` };
  }
  if (text.includes('<')) return undefined;
  const start = head.slice(0, 60).replace(/\s+/g, ' ').trim();
  return { fault: 'TEXT', reason: `the answer is plain text ("${start}${text.length > 60 ? '…' : ''}"), not XML` };
}
