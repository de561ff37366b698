// SPDX-License-Identifier: Apache-2.0
// Reads a multivariant playlist (RFC 8216 §4.3.4): variants and the groups that they share. What the media contain is not
// derived from it: CODECS may be missing, may name codecs of another rendition, and may be wrong.
import { withoutUndefined } from '../invariant.ts';
import { finish, type Sliced } from '../time/sliced.ts';
import { type Attributes, decimalFloat, decimalInteger, resolution } from './attributes.ts';
import type { InvalidPlaylist, Variables } from './readLines.ts';
import {
  excerpt,
  readDefine,
  readingLines,
  readTag,
  readTagAttributes,
  substitute,
  substituteAttributes,
} from './readLines.ts';

export type Variant = {
  readonly line: number;
  readonly uri: string;
  /** Peak bits per second, including its audio group (RFC 8216 §4.3.4.2). */
  readonly bandwidth?: number;
  readonly averageBandwidth?: number;
  readonly codecs?: readonly string[];
  readonly width?: number;
  readonly height?: number;
  readonly frameRate?: number;
  readonly audioGroup?: string;
  readonly subtitleGroup?: string;
  /** CLOSED-CAPTIONS; `NONE` when the variant has none (RFC 8216 §4.3.4.2). */
  readonly captionGroup?: string;
};

type AlternateType = 'AUDIO' | 'VIDEO' | 'SUBTITLES' | 'CLOSED-CAPTIONS';

/** An EXT-X-MEDIA tag. */
export type Alternate = {
  readonly line: number;
  readonly type: AlternateType;
  readonly group: string;
  readonly name: string;
  /** Absent when the media are contained in the variants. */
  readonly uri?: string;
  readonly language?: string;
  readonly isDefault: boolean;
  readonly isForced: boolean;
  /** INSTREAM-ID, of closed captions. */
  readonly channel?: string;
  readonly characteristics?: string;
  readonly channels?: number;
};

export type Multivariant = {
  readonly variants: readonly Variant[];
  readonly alternates: readonly Alternate[];
  /** For EXT-X-DEFINE:IMPORT of the media playlists. */
  readonly variables: Variables;
  /** The URI of the chapters as JSON, from EXT-X-SESSION-DATA (RFC 8216 §4.3.4.4). */
  readonly chapters?: string;
  /** One sentence for each invalid line or attribute that was skipped. */
  readonly warnings: readonly string[];
};

/** The most tags: each is compared with the others. */
const MAX_TAGS = 2000;
const LINES_IN_SLICE = 1000;
/** The DATA-ID under which Apple's players find chapters. */
const CHAPTERS = 'com.apple.hls.chapters';

export const isMultivariant = (text: string): boolean =>
  ['#EXT-X-STREAM-INF:', '#EXT-X-MEDIA:'].some((tag) => text.includes(tag)) &&
  /^[ \t]*#EXT-X-(STREAM-INF|MEDIA):/m.test(text);

/**
 * @param url the playlist's own URL after redirects; EXT-X-DEFINE may use its query parameters
 * @param isLive a channel may be on air: any invalid line is skipped with a warning
 * @returns the playlist, or an error when it cannot be used; an invalid EXT-X-MEDIA is skipped with a warning
 */
export const readMultivariant = (text: string, url?: string, isLive = false): Multivariant | InvalidPlaylist =>
  finish(readingMultivariant(text, url, isLive));

export function* readingMultivariant(
  text: string,
  url?: string,
  isLive = false,
): Sliced<Multivariant | InvalidPlaylist> {
  const lines = yield* readingLines(text);
  if ('refused' in lines) return lines;
  const variables = new Map<string, string>();
  const variants: Variant[] = [];
  const alternates: Alternate[] = [];
  const warnings: string[] = [];
  let chapters: { uri: string } | InvalidPlaylist | undefined;
  let count = 0;
  let open: { line: number; attributes: Attributes } | undefined;
  const skip = ({ refused }: InvalidPlaylist): void => void warnings.push(`${refused}; the line is skipped`);
  const repair = ({ refused }: InvalidPlaylist): void => void warnings.push(`${refused}; the value ends with the line`);

  for (const [index, content] of lines.entries()) {
    if (index % LINES_IN_SLICE === LINES_IN_SLICE - 1) yield;
    const line = index + 1;
    if (content === '') continue;
    const tag = readTag(content);
    if (tag === undefined) {
      if (content.startsWith('#') || open === undefined) continue;
      const uri = substitute(content, variables, line);
      if (typeof uri === 'string') variants.push(readVariant(open.attributes, uri, open.line, warnings));
      else if (isLive) skip(uri);
      else return uri;
      open = undefined;
      continue;
    }
    if (tag.name === 'EXT-X-SESSION-DATA') chapters ??= readChapters(tag.value, variables, line);
    if (!['EXT-X-DEFINE', 'EXT-X-MEDIA', 'EXT-X-STREAM-INF'].includes(tag.name)) continue;
    count += 1;
    if (count > MAX_TAGS) {
      const refused = `line ${line}: a multivariant playlist must have at most ${MAX_TAGS} EXT-X-STREAM-INF, EXT-X-MEDIA and EXT-X-DEFINE; it has more`;
      return { line, code: 'TOO_MANY_VARIANTS', refused };
    }
    const raw = readTagAttributes(tag.value, line, isLive ? repair : undefined);
    const attributes = 'refused' in raw ? raw : substituteAttributes(raw, variables, line);
    const defined =
      'refused' in attributes || tag.name !== 'EXT-X-DEFINE'
        ? attributes
        : readDefine(attributes, url === undefined ? {} : { url }, line);
    if ('refused' in defined) {
      if (!isLive) return defined;
      skip(defined);
      if (tag.name === 'EXT-X-STREAM-INF') open = undefined;
      continue;
    }
    if ('value' in defined) {
      variables.set(defined.name, defined.value);
    } else if (tag.name === 'EXT-X-MEDIA') {
      const alternate = readAlternate(defined, line);
      if ('refused' in alternate) skip(alternate);
      else alternates.push(alternate);
    } else {
      if (open !== undefined) warnings.push(`line ${open.line}: no URI follows EXT-X-STREAM-INF; it is skipped`);
      open = { line, attributes: defined };
    }
  }
  if (open !== undefined) warnings.push(`line ${open.line}: no URI follows EXT-X-STREAM-INF; it is skipped`);
  if (variants.length === 0) {
    return {
      code: 'NO_VARIANT',
      refused: 'a multivariant playlist must contain EXT-X-STREAM-INF with a URI; it contains none',
    };
  }
  if (chapters !== undefined && 'refused' in chapters) skip(chapters);
  else if (chapters !== undefined) return { variants, alternates, variables, warnings, chapters: chapters.uri };
  return { variants, alternates, variables, warnings };
}

/** @returns undefined if the tag contains other data */
function readChapters(
  value: string,
  variables: Variables,
  line: number,
): { uri: string } | InvalidPlaylist | undefined {
  if (!value.includes(CHAPTERS)) return undefined;
  const raw = readTagAttributes(value, line);
  const attributes = 'refused' in raw ? raw : substituteAttributes(raw, variables, line);
  if ('refused' in attributes) return attributes;
  if (attributes.get('DATA-ID')?.value !== CHAPTERS) return undefined;
  const uri = attributes.get('URI')?.value;
  if (uri === undefined) return { line, code: 'NO_URI', refused: `line ${line}: URI of ${CHAPTERS} is missing` };
  return { uri };
}

/** An attribute as `read` parses it; an invalid value is skipped with a warning. */
function lenient<T>(
  attributes: Attributes,
  name: string,
  read: (text: string) => T | undefined,
  line: number,
  warnings: string[],
): T | undefined {
  const text = attributes.get(name)?.value;
  if (text === undefined) return undefined;
  const value = read(text);
  if (value === undefined)
    warnings.push(`line ${line}: invalid ${name} ${excerpt(text)}; the value is determined from the media`);
  return value;
}

function readVariant(attributes: Attributes, uri: string, line: number, warnings: string[]): Variant {
  const optional = <T>(name: string, read: (text: string) => T | undefined): T | undefined =>
    lenient(attributes, name, read, line, warnings);
  const positive = (text: string): number | undefined => decimalInteger(text) || undefined;
  const bandwidth = optional('BANDWIDTH', positive);
  const averageBandwidth = optional('AVERAGE-BANDWIDTH', positive);
  const frameRate = optional('FRAME-RATE', (text) => decimalFloat(text) || undefined);
  const codecs = attributes
    .get('CODECS')
    ?.value.split(',')
    .map((codec) => codec.trim())
    .filter(Boolean);
  const audioGroup = attributes.get('AUDIO')?.value;
  const subtitleGroup = attributes.get('SUBTITLES')?.value;
  const captionGroup = attributes.get('CLOSED-CAPTIONS')?.value;
  return {
    line,
    uri,
    ...withoutUndefined({ bandwidth, averageBandwidth }),
    ...(codecs === undefined || codecs.length === 0 ? {} : { codecs }),
    ...optional('RESOLUTION', resolution),
    ...withoutUndefined({ frameRate, audioGroup, subtitleGroup, captionGroup }),
  };
}

function readAlternate(attributes: Attributes, line: number): Alternate | InvalidPlaylist {
  const text = (name: string): string | undefined => attributes.get(name)?.value;
  const [type, group, name] = [text('TYPE'), text('GROUP-ID'), text('NAME')];
  if (type !== 'AUDIO' && type !== 'VIDEO' && type !== 'SUBTITLES' && type !== 'CLOSED-CAPTIONS') {
    const refused = `line ${line}: TYPE of EXT-X-MEDIA must be AUDIO, VIDEO, SUBTITLES or CLOSED-CAPTIONS; got ${excerpt(type ?? '')}`;
    return { line, code: 'MEDIA_TYPE', refused };
  }
  if (group === undefined)
    return { line, code: 'MEDIA_GROUP', refused: `line ${line}: GROUP-ID of EXT-X-MEDIA is missing` };
  const [uri, language, characteristics] = [text('URI'), text('LANGUAGE'), text('CHARACTERISTICS')];
  const channel = text('INSTREAM-ID');
  const channels = Number.parseInt(text('CHANNELS') ?? '', 10);
  return {
    line,
    type,
    group,
    name: name ?? language ?? group,
    ...(uri ? { uri } : {}),
    ...(language ? { language } : {}),
    isDefault: text('DEFAULT') === 'YES',
    isForced: text('FORCED') === 'YES',
    ...(characteristics ? { characteristics } : {}),
    ...(channel ? { channel } : {}),
    ...(channels > 0 ? { channels } : {}),
  };
}
