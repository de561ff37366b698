// SPDX-License-Identifier: Apache-2.0
// Reads Media RSS: what writeMrss writes, and the feeds of others. It returns what the text says; what a playlist may
// contain is not its concern, and it fetches nothing. Source: RSS 2.0; Media RSS 1.5.1.
import { withoutUndefined } from '../invariant.ts';
import type { Sliced } from '../time/sliced.ts';
import type { XmlElement } from '../xml/element.ts';
import { readingXml } from '../xml/read.ts';
import type { FeedNotice, FeedPlaylist, FeedRefusal, ReadFeed, ReadFeedItem } from './feed.ts';
import { adChild, anyChildren, ownChildren, quoted, textOf, titleOf } from './feedElements.ts';
import { type ContentOptions, readContents } from './readContents.ts';
import { readCuePoints } from './readCuePoints.ts';

/** Characters. */
export const MAX_FEED_LENGTH = 2 << 20;

export type FeedLimits = {
  readonly characters: number;
  readonly items: number;
  readonly elements: number;
  /** Faults that are listed, apart from those of items that cannot be played, and warnings. */
  readonly notices: number;
};

/** A hundred elements for each item. */
const playlistLimits: FeedLimits = { characters: MAX_FEED_LENGTH, items: 1000, elements: 100_000, notices: 1000 };
const MAX_XML_FAULTS = 1000;
/** Items and their child elements that are read at once. */
const CHILDREN_IN_SLICE = 500;

/**
 * The feed, or why the text is none.
 * @param url of the feed, after redirects: relative URLs are resolved against it
 */
export function* readingFeed(text: string, url?: string, limits = playlistLimits): Sliced<ReadFeed | FeedRefusal> {
  if (text.length > limits.characters)
    return {
      code: 'TOO_LONG',
      line: 1,
      refused: `has ${text.length} characters; at most ${limits.characters} are read`,
    };
  const refusal = notFeed(text);
  if (refusal !== undefined) return refusal;
  const xml = yield* readingXml(text, { lenient: true, maxTolerated: MAX_XML_FAULTS, maxElements: limits.elements });
  yield;
  if (!('root' in xml)) return { code: 'NOT_XML', line: xml.line, refused: `is not well-formed XML: ${xml.reason}` };
  if (xml.root.local.toLowerCase() !== 'rss') return notRss(xml.root);
  const channel = ownChildren(xml.root, 'channel')[0];
  if (channel === undefined)
    return { code: 'NO_CHANNEL', line: xml.root.line, refused: 'has no channel element in its rss element' };
  return yield* readChannel(
    channel,
    xml.warnings.map(({ line, reason }) => ({ line, message: reason })),
    url,
    limits,
  );
}

function* readChannel(
  channel: XmlElement,
  xmlWarnings: readonly FeedNotice[],
  url: string | undefined,
  limits: FeedLimits,
): Sliced<ReadFeed | FeedRefusal> {
  let children = 0;
  const isSlice = (item: XmlElement): boolean => {
    children += 1 + item.children.length;
    if (children < CHILDREN_IN_SLICE) return false;
    children = 0;
    return true;
  };
  const elements: XmlElement[] = [];
  const withdrawn: FeedNotice[] = [];
  for (const item of ownChildren(channel, 'item')) {
    if (isSlice(item)) yield;
    if (!isWithdrawn(item)) elements.push(item);
    else if (withdrawn.length < limits.notices) withdrawn.push({ line: item.line, message: WITHDRAWN });
  }
  const extra = elements[limits.items];
  if (extra !== undefined) {
    const refused = `has ${elements.length} items; at most ${limits.items} are read`;
    return { code: 'TOO_MANY_ITEMS', line: extra.line, refused };
  }
  const faults: FeedNotice[] = [];
  const warnings: FeedNotice[] = [...xmlWarnings, ...withdrawn, ...unusedElements(channel, elements)];
  const playlist = readPlaylist(channel);
  const options = { base: url, isOwn: playlist !== undefined };
  const items: ReadFeedItem[] = [];
  for (const [item, element] of elements.entries()) {
    if (isSlice(element)) yield;
    const read = readItem(
      element,
      options,
      // What cannot be played at all is always said, once for each item.
      (notice) => (notice.path === 'url' || faults.length < limits.notices) && faults.push({ ...notice, item }),
      (notice) => warnings.length < limits.notices && warnings.push({ ...notice, item }),
    );
    items.push(read);
  }
  const titleLine = (ownChildren(channel, 'title')[0] ?? channel).line;
  return { title: titleOf(channel) ?? '', titleLine, ...(playlist ? { playlist } : {}), items, faults, warnings };
}

const WITHDRAWN = 'an item is left out: its media:status is deleted or blocked';

/** Media RSS 1.5.1, media:status. */
const isWithdrawn = (item: XmlElement): boolean =>
  anyChildren(item, 'status').some((status) =>
    /^(deleted|blocked)$/i.test(status.attributes.state?.trim() ?? status.text.trim()),
  );

type Note = (notice: Omit<FeedNotice, 'item'>) => unknown;

function readItem(element: XmlElement, options: ContentOptions, fault: Note, warn: Note): ReadFeedItem {
  const { line } = element;
  const entry = adChild(element, 'entry')?.attributes;
  const isOwn = options.isOwn || entry !== undefined;
  const { contents, ignored, warnings, elements } = readContents(element, { ...options, isOwn });
  for (const warning of warnings) warn(warning);
  if (contents.length === 0) {
    const found = ignored.length === 0 ? 'the item has no media:content and no enclosure' : ignored.join(', ');
    fault({ line, path: 'url', message: `must be an HLS or DASH manifest; ${found.slice(0, 400)}` });
  } else for (const reason of ignored) warn({ line, message: `ignored: ${reason}` });
  const types = contents.map(({ type }) => type ?? 'unknown');
  if (new Set(types).size < types.length)
    warn({ line, message: `the item has ${types.length} contents; the first of each format is used` });
  const own = adChild(element, 'item');
  const read = readCuePoints([element, ...elements]);
  for (const notice of read.faults) fault(notice);
  const cuePoints = read.cuePoints ?? (own?.attributes.cuepoints === '0' ? [] : undefined);
  const guid = ['guid', 'contentid']
    .map((name) => textOf(ownChildren(element, name).find(textOf) ?? anyChildren(element, name).find(textOf)))
    .find(Boolean);
  return {
    line,
    ...withoutUndefined({ guid, title: titleOf(element), entry }),
    ...withoutUndefined({ description: textOf(ownChildren(element, 'description')[0]), validFrom: validFrom(element) }),
    contents,
    isMeasured: own?.attributes.duration === 'measured',
    ...withoutUndefined({ spliceType: own?.attributes.splicetype, cuePoints }),
  };
}

/** A period of the Dublin Core, which Media RSS 1.5.1 recommends: `start=2026-12-01T18:00:00Z; end=…`. */
const validFrom = (item: XmlElement): string | undefined =>
  anyChildren(item, 'valid')
    .flatMap(({ text }) => text.split(';'))
    .map((part) => /^\s*start\s*=(.*)$/is.exec(part)?.[1]?.trim())
    .find(Boolean);

function readPlaylist(channel: XmlElement): FeedPlaylist | undefined {
  const element = adChild(channel, 'playlist');
  if (element === undefined) return undefined;
  const { items, ...attributes } = element.attributes;
  const fields = ['id', 'name', 'type', 'status', 'startDate'].flatMap((field) =>
    attributes[field] === undefined ? [] : [[field, attributes[field]]],
  );
  return { ...Object.fromEntries(fields), line: element.line, isEmpty: items === '0' };
}

/** Elements that state something about ads or playback and are not used: one notice for each name in a feed. */
const UNUSED = {
  keyvalues: 'are not used: ad requests have the parameters of the session',
  closedcaptionurl: 'are not used: subtitles are those of the manifest',
};

function unusedElements(channel: XmlElement, items: readonly XmlElement[]): FeedNotice[] {
  const unused = Object.entries(UNUSED).flatMap(([name, reason]): FeedNotice[] => {
    const found = items.flatMap((item) => anyChildren(item, name));
    return found[0] === undefined
      ? []
      : [{ line: found[0].line, message: `the ${found.length} ${found[0].name} elements ${reason}` }];
  });
  const next = anyChildren(channel, 'link').find(({ attributes }) => attributes.rel === 'next');
  if (next === undefined) return unused;
  const message = `only this page of the feed is read, not the next one, ${quoted(next.attributes.href ?? '')}`;
  return [...unused, { line: next.line, message }];
}

// Recognizes what is sent in place of a feed, so that the error names it.

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

function notFeed(text: string): FeedRefusal | undefined {
  const blank = text.search(/[^\s\uFEFF]|$/);
  const line = text.slice(0, blank).split(/\r\n?|\n/).length;
  const start = text.slice(blank, blank + 100);
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
function notRss({ local, name, line }: XmlElement): FeedRefusal {
  const root = local.toLowerCase();
  const reason = Object.hasOwn(roots, root) ? roots[root] : undefined;
  const other = { refused: 'is not RSS', advice: `The root element must be rss; got ${quoted(name)}` };
  return { code: 'NOT_RSS', line, ...(reason ?? other) };
}
