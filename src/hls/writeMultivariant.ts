// SPDX-License-Identifier: Apache-2.0
// Writes the ladder as a multivariant playlist (RFC 8216 §4.3.4): each video or muxed rung is a variant, audio rungs and
// text rungs are EXT-X-MEDIA of one group each.
import { type Caption, hasVideo } from '../timeline/asset/asset.ts';
import type { Ladder, Rung } from '../timeline/ladder/ladder.ts';
import { startLine } from './segmentLines.ts';
import { SESSION_VARIABLE } from './writeMedia.ts';

const GROUPS = { audio: 'sound', text: 'text', captions: 'captions' } as const;

/** Peak and average bit rate of renditions that are played together. */
const bandwidthOf = (...together: (Rung | undefined)[]) => ({
  peak: Math.ceil(together.reduce((sum, rung) => sum + (rung?.bandwidth ?? 0), 0)),
  average: Math.ceil(together.reduce((sum, rung) => sum + (rung?.averageBandwidth ?? 0), 0)),
});

/** A quoted-string must not contain quotes or line breaks (RFC 8216 §4.2), nor a playlist control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are replaced
const quoted = (text: string): string => `"${text.replace(/["\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, "'")}"`;

type Named = { readonly name: string; readonly language?: string };

const mediaLine = (type: string, group: string, { name, language }: Named, isDefault: boolean, more: string): string =>
  `#EXT-X-MEDIA:TYPE=${type},GROUP-ID="${group}",NAME=${quoted(name)}${language ? `,LANGUAGE=${quoted(language)}` : ''},` +
  `DEFAULT=${isDefault ? 'YES' : 'NO'},AUTOSELECT=YES${more}\n`;

const known = ({ name, language = 'und' }: Named): Named => (language === 'und' ? { name } : { name, language });
const characteristicsOf = ({ characteristics }: Rung | Caption): string =>
  characteristics ? `,CHARACTERISTICS=${quoted(characteristics)}` : '';

function audioLine(rung: Rung & Named, isFirst: boolean, uri: string): string {
  const channels = rung.channels ? `,CHANNELS="${rung.channels}"` : '';
  return mediaLine('AUDIO', GROUPS.audio, known(rung), isFirst, `${channels},URI="${uri}"`);
}

/** Players choose FORCED text themselves (RFC 8216 §4.3.4.1). DEFAULT=NO: other text is shown only when the viewer selects it. */
function textLine(rung: Rung & Named, uri: string): string {
  const more = `${rung.isForced ? ',FORCED=YES' : ''}${characteristicsOf(rung)},URI="${uri}"`;
  return mediaLine('SUBTITLES', GROUPS.text, known(rung), false, more);
}

/** Closed captions embedded in the video; they have no playlist of their own (RFC 8216 §4.3.4.2.1). */
const captionLine = (caption: Caption & Named): string => {
  const more = `,INSTREAM-ID="${caption.channel}"${characteristicsOf(caption)}`;
  return mediaLine('CLOSED-CAPTIONS', GROUPS.captions, caption, false, more);
};

/** If one variant has NONE, all variants must have it (RFC 8216 §4.3.4.2). */
const captionAttribute = ({ captions }: Ladder): string[] =>
  captions === undefined ? [] : [`CLOSED-CAPTIONS=${captions.length > 0 ? `"${GROUPS.captions}"` : 'NONE'}`];

function variantLines(rung: Rung, audioRungs: readonly Rung[], textRungs: readonly Rung[], ladder: Ladder): string {
  const richest = [...audioRungs].sort((a, b) => b.bandwidth - a.bandwidth)[0];
  const { peak, average } = bandwidthOf(rung, rung.kind === 'audio' ? undefined : richest, textRungs[0]);
  // Players that cannot show TTML find it in CODECS (RFC 8216 §4.3.4.2); all of them can show WebVTT.
  const ttml = textRungs.filter(({ codecs }) => codecs.startsWith('stpp'));
  const others = rung.kind === 'audio' ? ttml : [...audioRungs, ...ttml];
  const codecs = [rung.codecs, ...new Set(others.map((other) => other.codecs))];
  const attributes = [
    `BANDWIDTH=${peak}`,
    `AVERAGE-BANDWIDTH=${average}`,
    `CODECS=${quoted(codecs.join(','))}`,
    ...(rung.width && rung.height ? [`RESOLUTION=${rung.width}x${rung.height}`] : []),
    ...(rung.kind === 'audio' ? [] : [`FRAME-RATE=${(ladder.frameRate.n / ladder.frameRate.d).toFixed(3)}`]),
    ...(rung.kind !== 'audio' && audioRungs.length > 0 ? [`AUDIO="${GROUPS.audio}"`] : []),
    ...(textRungs.length > 0 ? [`SUBTITLES="${GROUPS.text}"`] : []),
    ...captionAttribute(ladder),
  ];
  return `#EXT-X-STREAM-INF:${attributes.join(',')}\n`;
}

/** NAME must be unique within a group (RFC 8216 §4.3.4.1.1). */
function withDistinctNames<T extends Partial<Named>>(all: readonly T[], idOf: (one: T) => string): (T & Named)[] {
  const seen = new Set<string>();
  return all.map((one) => {
    const name = one.name ?? one.language ?? idOf(one);
    const distinct = seen.has(name) ? `${name} (${idOf(one)})` : name;
    seen.add(distinct);
    return { ...one, name: distinct };
  });
}

export type MultivariantOptions = {
  /** Flicks after the playlist's start at which players should begin (EXT-X-START), for time shift and bookmarks. */
  readonly startOffset?: number | undefined;
  /** The id of the session, for media playlists that import it. */
  readonly sessionId?: string | undefined;
  /** What follows the names of media playlists, such as a query. */
  readonly query?: string;
};

/** @param path the prefix of the media playlists' URIs, e.g. `<sessionId>/` */
export function writeMultivariant(
  ladder: Ladder,
  path: string,
  { startOffset, sessionId, query = '' }: MultivariantOptions = {},
): string {
  const uriOf = ({ id }: Rung): string => `${path}${id}.m3u8${query}`;
  const rungsOf = (kind: Rung['kind']) =>
    withDistinctNames(
      ladder.rungs.filter((rung) => rung.kind === kind),
      ({ id }) => id,
    );
  const [audioRungs, textRungs] = [rungsOf('audio'), rungsOf('text')];
  const videoRungs = ladder.rungs.filter(({ kind }) => hasVideo(kind));
  const variants = videoRungs.length > 0 ? videoRungs : audioRungs.slice(0, 1);
  const version = sessionId === undefined ? 6 : 8;
  let text = `#EXTM3U\n#EXT-X-VERSION:${version}\n#EXT-X-INDEPENDENT-SEGMENTS\n`;
  if (sessionId !== undefined) text += `#EXT-X-DEFINE:NAME="${SESSION_VARIABLE}",VALUE="${sessionId}"\n`;
  if (startOffset !== undefined) text += startLine(startOffset);
  if (videoRungs.length > 0 || audioRungs.length > 1)
    for (const [index, rung] of audioRungs.entries()) text += audioLine(rung, index === 0, uriOf(rung));
  for (const rung of textRungs) text += textLine(rung, uriOf(rung));
  for (const caption of withDistinctNames(ladder.captions ?? [], ({ channel }) => channel))
    text += captionLine(caption);
  for (const rung of variants) {
    text += `${variantLines(rung, videoRungs.length > 0 ? audioRungs : [], textRungs, ladder)}${uriOf(rung)}\n`;
  }
  return text;
}
