// SPDX-License-Identifier: Apache-2.0
// Recognizes what is sent in place of a feed, so that the error names it.
import type { XmlElement } from '../xml/element.ts';
import type { FeedRefusal } from './feed.ts';
import { quoted } from './feedElements.ts';

type Reason = Pick<FeedRefusal, 'refused' | 'advice'>;

const page: Reason = {
  refused: 'is an HTML page, not RSS',
  advice: 'Use the feed itself, not the page that links to it',
};
const inItem = "Write the manifest's URL into an item of a feed";
const rss2 = 'Send RSS 2.0 with media:content elements';

const beginnings: readonly (readonly [RegExp, Reason])[] = [
  [/^[{[]/, { refused: 'is JSON, not RSS' }],
  [/^#EXTM3U/, { refused: 'is an HLS playlist, not RSS', advice: inItem }],
  [/^(?:<!doctype\s+html|<html)\b/i, page],
];

/** The refusal of a text that is not XML, when that is certain. */
export function notFeed(text: string): FeedRefusal | undefined {
  const blank = /^[\s\uFEFF]*/.exec(text)![0];
  const line = 1 + (blank.match(/\r\n?|\n/g)?.length ?? 0);
  const start = text.slice(blank.length, blank.length + 100);
  if (start === '') return { code: 'EMPTY', line: 1, refused: 'is empty' };
  const found = beginnings.find(([pattern]) => pattern.test(start));
  if (found !== undefined) return { code: 'NOT_RSS', line, ...found[1] };
  return text.slice(0, 1000).includes('<')
    ? undefined
    : { code: 'NOT_XML', line, refused: `is not XML; it begins with ${quoted(start.slice(0, 30))}` };
}

const roots: Readonly<Record<string, Reason>> = {
  html: page,
  feed: { refused: 'is an Atom feed, not RSS', advice: rss2 },
  rdf: { refused: 'is RSS 1.0', advice: rss2 },
  mpd: { refused: 'is a DASH manifest, not RSS', advice: inItem },
};

/** The refusal of a document with another root element than `rss`. */
export function notRss({ local, name, line }: XmlElement): FeedRefusal {
  const root = local.toLowerCase();
  const reason = Object.hasOwn(roots, root) ? roots[root] : undefined;
  const other = { refused: 'is not RSS', advice: `The root element must be rss; got ${quoted(name)}` };
  return { code: 'NOT_RSS', line, ...(reason ?? other) };
}
