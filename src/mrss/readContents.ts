// SPDX-License-Identifier: Apache-2.0
// Reads the media of an item: what Google Ad Manager ingests, and its Media RSS contents, alone or in groups, else its
// enclosures. What is neither HLS nor DASH is ignored, with a reason. Source: Media RSS 1.5.1 (media:group, media:content);
// RSS 2.0 (enclosure); Google Ad Manager, MRSS feed elements (dfpvideo:ingestUrl).
import type { XmlElement } from '../xml/element.ts';
import type { FeedContent } from './feed.ts';
import { anyChildren, isMedia, mediaChildren, ownChildren, quoted, readSeconds } from './feedElements.ts';

type Kind = 'hls' | 'dash' | 'image' | 'progressive' | 'other';

const extensions: Readonly<Record<string, Kind>> = {
  m3u8: 'hls',
  mpd: 'dash',
  ...Object.fromEntries('jpg jpeg png gif webp avif svg'.split(' ').map((name) => [name, 'image'])),
  ...Object.fromEntries(
    'mp4 m4v mov webm mkv avi wmv flv mpg mpeg ts 3gp'.split(' ').map((name) => [name, 'progressive']),
  ),
  ...Object.fromEntries(
    'mp3 m4a aac wav ogg vtt srt ttml dfxp html htm pdf ism'.split(' ').map((name) => [name, 'other']),
  ),
};

/** The kind that the extension of the URL's path shows. */
function kindOfUrl(url: string): Kind | undefined {
  const path = url.replace(/[?#].*$/s, '');
  const extension = /\.([a-z\d]{1,5})$/i.exec(path.slice(path.lastIndexOf('/') + 1))?.[1];
  const name = extension?.toLowerCase() ?? '';
  return Object.hasOwn(extensions, name) ? extensions[name] : undefined;
}

/** RFC 8216 §4 names two media types of HLS; feeds use several more. */
function kindOfType(type: string): Kind | undefined {
  const name = type.replace(/;.*/s, '').trim().toLowerCase();
  if (/^(application|audio|video)\/(x-|vnd\.apple\.)?mpegurl$/.test(name)) return 'hls';
  if (name === 'application/dash+xml' || name === 'video/vnd.mpeg.dash.mpd') return 'dash';
  if (name.startsWith('image/')) return 'image';
  if (name.startsWith('video/')) return 'progressive';
  return /^(audio|text|application)\/(?!octet-stream$|xml$)/.test(name) ? 'other' : undefined;
}

const kindOfMedium = (medium: string): Kind | undefined =>
  (({ image: 'image', audio: 'other', document: 'other', executable: 'other' }) as const)[medium.trim().toLowerCase()];

const reasons = {
  image: 'an image',
  progressive: 'progressive video, not HLS or DASH',
  other: 'neither HLS nor DASH',
} as const;

type Warning = { readonly line: number; readonly message: string };

/** What is found beside contents. */
type Notes = {
  /** Reasons not to use contents, such as `https://o.example/a.mp4 is progressive video, not HLS or DASH`. */
  readonly ignored: string[];
  readonly warnings: Warning[];
};

export type ContentOptions = {
  /** URL of the feed, against which relative URLs are resolved; without one they are kept. */
  readonly base?: string | undefined;
  /** Midroll wrote the feed: its contents are those of a playlist, whatever their URLs look like. */
  readonly isOwn: boolean;
};

/** An encoding ladder has ten. */
const MAX_CONTENTS = 500;

/**
 * @returns the contents, the most suitable first: full films before samples, then defaults, then as in the feed. `elements`: those
 * that were looked at
 */
export function readContents(item: XmlElement, options: ContentOptions) {
  const notes: Notes = { ignored: [], warnings: [] };
  const limited: Warning[] = [];
  const firstOf = (all: readonly XmlElement[], name: string): readonly XmlElement[] => {
    const extra = all[MAX_CONTENTS];
    if (extra === undefined) return all;
    const message = `an item has ${all.length} ${name} elements; only the first ${MAX_CONTENTS} are read`;
    limited.push({ line: extra.line, message });
    return all.slice(0, MAX_CONTENTS);
  };
  const groups = firstOf(mediaChildren(item, 'group'), 'media:group');
  const holders = [item, ...groups];
  const inHolders = (childrenOf: (holder: XmlElement) => readonly XmlElement[], name: string) =>
    firstOf(holders.flatMap(childrenOf), name);
  const listed = inHolders((holder) => mediaChildren(holder, 'content'), 'media:content');
  const ingesting = inHolders((holder) => anyChildren(holder, 'ingesturl'), 'ingestUrl');
  const ingested = readElements(ingesting, options, notes);
  const contents = withIngested(ingested, readElements(listed, options, notes), listed, notes);
  const enclosures = contents.length > 0 ? [] : firstOf(ownChildren(item, 'enclosure'), 'enclosure');
  notes.warnings.push(...limited);
  const enclosed = readElements(enclosures, options, notes);
  return { ...notes, contents: [...contents, ...enclosed], elements: [...groups, ...listed] };
}

/** In feeds for Google Ad Manager, media:content is the page of the video, or a file; it has the duration. */
function withIngested(
  ingested: readonly FeedContent[],
  listed: readonly FeedContent[],
  elements: readonly XmlElement[],
  { ignored }: Notes,
): readonly FeedContent[] {
  if (ingested.length === 0) return listed;
  const duration = elements
    .filter((one) => one.attributes.expression !== 'sample')
    .map(durationOf)
    .find(Boolean);
  const others = listed.filter(({ url }) => ingested.every((one) => one.url !== url));
  for (const { url, type } of others)
    if (type === undefined) ignored.push(`${quoted(url)} is not the media that ingestUrl states`);
  return [
    ...ingested.map((one) => (duration === undefined ? one : { ...one, duration })),
    ...others.filter(({ type }) => type !== undefined),
  ];
}

function readElements(
  elements: readonly XmlElement[],
  options: ContentOptions,
  { ignored, warnings }: Notes,
): FeedContent[] {
  const ranked = elements.flatMap((element) => {
    const read = readContent(element, options, (line, message) => warnings.push({ line, message }));
    if (typeof read !== 'string') return [{ rank: rankOf(element), content: read }];
    ignored.push(read);
    return [];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ content }) => content);
}

const rankOf = ({ attributes }: XmlElement): number =>
  (attributes.expression === 'sample' ? 2 : 0) + (attributes.isDefault === 'true' ? 0 : 1);

type Warn = (line: number, message: string) => void;

/** The content, or the reason why it is not used. */
function readContent(element: XmlElement, { base, isOwn }: ContentOptions, warn: Warn): FeedContent | string {
  const { attributes, line } = element;
  const url = resolved((attributes.url ?? element.text).trim().replaceAll(' ', '%20'), base);
  if (url === '') return `${element.name} has no URL`;
  const ofType = kindOfType(attributes.type ?? '');
  const ofUrl = kindOfUrl(url);
  const kind = ofUrl ?? ofType ?? kindOfMedium(attributes.medium ?? '');
  const type = kind === 'hls' || kind === 'dash' ? kind : undefined;
  if (kind !== undefined && type === undefined && !isOwn)
    return `${quoted(url)} is ${reasons[kind as keyof typeof reasons]}`;
  if (type !== undefined && ofType !== undefined && type !== ofType)
    warn(
      line,
      `${quoted(url)} is read as ${type.toUpperCase()}, although its type is ${quoted(attributes.type ?? '')}`,
    );
  const written = isMedia(element, 'content') ? attributes.duration : undefined;
  const duration = durationOf(element);
  if (written !== undefined && duration === undefined)
    warn(line, `the duration ${quoted(written)} of ${quoted(url)} is ignored`);
  return { url, ...(type === undefined ? {} : { type }), ...(duration === undefined ? {} : { duration }) };
}

/** Seconds; undefined if media:content states none that can be used. */
function durationOf(element: XmlElement): number | undefined {
  const written = isMedia(element, 'content') ? element.attributes.duration : undefined;
  return (written === undefined ? 0 : readSeconds(written)) || undefined;
}

/** Credentials in the feed's URL are not for the URLs inside it. */
function resolved(url: string, base: string | undefined): string {
  if (url === '' || base === undefined || /^[a-z][a-z\d+.-]*:/i.test(url) || !URL.canParse(url, base)) return url;
  const absolute = new URL(url, base);
  absolute.username = '';
  absolute.password = '';
  return absolute.href;
}
