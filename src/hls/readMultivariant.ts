// Reads a multivariant playlist (RFC 8216 §4.3.4). It knows variants and the groups that they share; it refuses to know what
// the media are: CODECS may be missing, may name what lies in another rendition, and may be wrong.
import type { Attributes } from './attributes.ts';
import { decimalFloat, decimalInteger, resolution } from './attributes.ts';
import type { Unreadable } from './readLines.ts';
import { readLines, readTag, readTagAttributes, shown } from './readLines.ts';
import type { Variables } from './readVariables.ts';
import { readDefine, substitute, substituteAttributes } from './readVariables.ts';

export type Variant = {
  readonly line: number;
  readonly uri: string;
  /** Bits a second, peak, its audio group included (RFC 8216 §4.3.4.2). */
  readonly bandwidth?: number;
  readonly averageBandwidth?: number;
  readonly codecs?: readonly string[];
  readonly width?: number;
  readonly height?: number;
  readonly frameRate?: number;
  readonly audioGroup?: string;
  readonly subtitleGroup?: string;
  /** CLOSED-CAPTIONS; `NONE` says that there are none (RFC 8216 §4.3.4.2). */
  readonly captionGroup?: string;
};

export type AlternateType = 'AUDIO' | 'VIDEO' | 'SUBTITLES' | 'CLOSED-CAPTIONS';

/** An EXT-X-MEDIA tag. */
export type Alternate = {
  readonly line: number;
  readonly type: AlternateType;
  readonly group: string;
  readonly name: string;
  /** Absent when the media are inside the variants. */
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
  /** What was odd and left out, one sentence each. */
  readonly warnings: readonly string[];
};

export const isMultivariant = (text: string): boolean => /^[ \t]*#EXT-X-(STREAM-INF|MEDIA):/m.test(text);

/**
 * @param url the playlist's own, after redirects: EXT-X-DEFINE may take parameters of it
 * @returns the playlist, or why it can't be used; an odd line of several is left out with a warning
 */
export function readMultivariant(text: string, url?: string): Multivariant | Unreadable {
  const lines = readLines(text);
  if ('refused' in lines) return lines;
  const variables = new Map<string, string>();
  const variants: Variant[] = [];
  const alternates: Alternate[] = [];
  const warnings: string[] = [];
  let open: { line: number; attributes: Attributes } | undefined;

  for (const [index, content] of lines.entries()) {
    const line = index + 1;
    if (content === '') continue;
    const tag = readTag(content);
    if (tag === undefined) {
      if (content.startsWith('#') || open === undefined) continue;
      const uri = substitute(content, variables, line);
      if (typeof uri !== 'string') return uri;
      variants.push(readVariant(open.attributes, uri, open.line, warnings));
      open = undefined;
      continue;
    }
    if (!['EXT-X-DEFINE', 'EXT-X-MEDIA', 'EXT-X-STREAM-INF'].includes(tag.name)) continue;
    const raw = readTagAttributes(tag.value, line);
    if ('refused' in raw) return raw;
    const attributes = substituteAttributes(raw, variables, line);
    if ('refused' in attributes) return attributes;
    if (tag.name === 'EXT-X-DEFINE') {
      const defined = readDefine(attributes, url === undefined ? {} : { url }, line);
      if ('refused' in defined) return defined;
      variables.set(defined.name, defined.value);
    } else if (tag.name === 'EXT-X-MEDIA') {
      const alternate = readAlternate(attributes, line);
      if ('refused' in alternate) warnings.push(`${alternate.refused}; the line is left out`);
      else alternates.push(alternate);
    } else {
      if (open !== undefined) warnings.push(`line ${open.line}: no URI follows EXT-X-STREAM-INF; it is left out`);
      open = { line, attributes };
    }
  }
  if (open !== undefined) warnings.push(`line ${open.line}: no URI follows EXT-X-STREAM-INF; it is left out`);
  if (variants.length === 0) {
    return { code: 'NO_VARIANT', refused: 'a multivariant playlist wants EXT-X-STREAM-INF with a URI, got none' };
  }
  return { variants, alternates, variables, warnings };
}

/** The value as `read` has it; a value that it can't read is left out with a warning. */
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
    warnings.push(`line ${line}: ${name} can't be read, got ${shown(text)}; it is taken from the media`);
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
    ...(bandwidth === undefined ? {} : { bandwidth }),
    ...(averageBandwidth === undefined ? {} : { averageBandwidth }),
    ...(codecs === undefined || codecs.length === 0 ? {} : { codecs }),
    ...optional('RESOLUTION', resolution),
    ...(frameRate === undefined ? {} : { frameRate }),
    ...(audioGroup === undefined ? {} : { audioGroup }),
    ...(subtitleGroup === undefined ? {} : { subtitleGroup }),
    ...(captionGroup === undefined ? {} : { captionGroup }),
  };
}

function readAlternate(attributes: Attributes, line: number): Alternate | Unreadable {
  const text = (name: string): string | undefined => attributes.get(name)?.value;
  const [type, group, name] = [text('TYPE'), text('GROUP-ID'), text('NAME')];
  if (type !== 'AUDIO' && type !== 'VIDEO' && type !== 'SUBTITLES' && type !== 'CLOSED-CAPTIONS') {
    const refused = `line ${line}: TYPE of EXT-X-MEDIA can't be read, got ${shown(type ?? '')}`;
    return { line, code: 'MEDIA_TYPE', refused };
  }
  if (group === undefined) return { line, code: 'MEDIA_GROUP', refused: `line ${line}: EXT-X-MEDIA has no GROUP-ID` };
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
