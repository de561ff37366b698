// SPDX-License-Identifier: Apache-2.0
// Detects ad responses that are not XML, such as JSON, web pages and XML that was escaped once too often, and describes
// the mistake.

export type NonXmlFault = 'EMPTY' | 'WEB_PAGE' | 'JSON' | 'SCRIPT' | 'ESCAPED' | 'COMPRESSED' | 'MEDIA' | 'TEXT';

type NonXml = { readonly fault: NonXmlFault; readonly reason: string };

/** Characters at the start of a response that are examined. */
const HEAD = 4_096;

const titleOf = (text: string): string => {
  const title = /<title[^>]{0,200}>([^<]{1,200})/i.exec(text)?.[1]?.trim().replace(/\s+/g, ' ');
  return title ? ` with the title "${title.slice(0, 80)}"` : '';
};

const kinds: readonly (readonly [pattern: RegExp, fault: NonXmlFault, reason: (head: string) => string])[] = [
  [
    /^<(!doctype\s+html|html[\s>])/i,
    'WEB_PAGE',
    (head) => `the response is a web page (HTML)${titleOf(head)}, not VAST`,
  ],
  [/^[{[]\s*(["{[\]}\d]|true|false|null|$)/, 'JSON', (head) => `the response is JSON, not XML${xmlHint(head)}`],
  [
    /^"\s*(<|\\u003c|&lt;)/i,
    'JSON',
    () => 'the response is a JSON string containing XML; the XML must be sent by itself',
  ],
  [
    /^(\/\*.{0,40}?\*\/\s*)?[\w$.]+\(\s*["'`{[<]/,
    'SCRIPT',
    (head) => `the response is JavaScript (a call of ${/[\w$.]+(?=\()/.exec(head)?.[0].slice(0, 40)}), not XML`,
  ],
  [/^&(amp;)*(lt|#60|#x3c);/i, 'ESCAPED', () => 'the XML is escaped: it contains "&lt;" instead of "<"'],
  [/^(\\u003c|%3c)/i, 'ESCAPED', (head) => `the XML is escaped: it starts with "${head.slice(0, 6)}…" instead of "<"`],
  [/^(PD94bWwg|PFZBU1|PHZtYXA6|PFZNQV)/, 'ESCAPED', () => 'the XML is base64-encoded; it must be sent as plain text'],
  [/^#EXTM3U/, 'MEDIA', () => 'the response is an HLS playlist, not VAST'],
  [/^.{4}ftyp/s, 'MEDIA', () => 'the response is a video file, not VAST'],
];

const xmlHint = (head: string): string =>
  /(<|\\u003c)\??(vast|xml|vmap)/i.test(head) ? '; the XML inside must be sent by itself' : '';

/** In the first tag: quotes that are escaped as in a JSON string, or once more often than the tags. */
const escapedQuotes = /^<[?\w:][^<>"']{0,200}?=\s*(\\["']|&(?:amp;)*(?:quot|apos|#34|#39);)/i;

/** @returns undefined for a text that may be XML */
export function detectNonXml(text: string): NonXml | undefined {
  const head = text.slice(0, HEAD).replace(/^[\s\uFEFF]+/, '');
  if (head === '') return text.trim() === '' ? { fault: 'EMPTY', reason: 'the document is empty' } : undefined;
  // The first two bytes of gzip (RFC 1952 §2.3.1); the second is not valid text.
  if (head.charCodeAt(0) === 0x1f && [0x8b, 0xfffd].includes(head.charCodeAt(1))) {
    return { fault: 'COMPRESSED', reason: 'the response is compressed but has no content-encoding header' };
  }
  for (const [pattern, fault, reason] of kinds) if (pattern.test(head)) return { fault, reason: reason(head) };
  const quote = escapedQuotes.exec(head)?.[1];
  if (quote !== undefined) {
    return { fault: 'ESCAPED', reason: `the XML is escaped: attributes are quoted with ${quote} instead of "` };
  }
  if (text.includes('<')) return undefined;
  const start = head.slice(0, 60).replace(/\s+/g, ' ').trim();
  return { fault: 'TEXT', reason: `the response is plain text ("${start}${text.length > 60 ? '…' : ''}"), not XML` };
}
