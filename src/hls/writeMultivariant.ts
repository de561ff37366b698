// SPDX-License-Identifier: Apache-2.0
// Writes the ladder as a multivariant playlist (RFC 8216 §4.3.4): each video or muxed rung is a variant, audio rungs and
// text rungs are EXT-X-MEDIA of one group each.
import type { Caption } from '../timeline/asset/asset.ts';
import { hasVideo } from '../timeline/asset/asset.ts';
import type { Ladder, Rung } from '../timeline/ladder/ladder.ts';
import { startLine } from './segmentLines.ts';

const GROUPS = { audio: 'sound', text: 'text', captions: 'captions' } as const;

/** Peak and average bit rate of renditions that are played together. */
const bandwidthOf = (...together: (Rung | undefined)[]) => ({
  peak: Math.ceil(together.reduce((sum, rung) => sum + (rung?.bandwidth ?? 0), 0)),
  average: Math.ceil(together.reduce((sum, rung) => sum + (rung?.averageBandwidth ?? 0), 0)),
});

/** A quoted-string must not contain quotes or line breaks (RFC 8216 §4.2), nor a playlist control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are replaced
const quoted = (text: string): string => `"${text.replace(/["\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, "'")}"`;

function mediaLine(rung: Rung, isFirst: boolean): string {
  const language = rung.language && rung.language !== 'und' ? `,LANGUAGE=${quoted(rung.language)}` : '';
  const channels = rung.channels ? `,CHANNELS="${rung.channels}"` : '';
  const name = quoted(rung.name ?? rung.language ?? rung.id);
  const isDefault = isFirst ? 'YES' : 'NO';
  return (
    `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="${GROUPS.audio}",NAME=${name}${language},DEFAULT=${isDefault},AUTOSELECT=YES${channels},` +
    `URI="${rung.id}.m3u8"\n`
  );
}

/** Players choose FORCED text themselves (RFC 8216 §4.3.4.1). DEFAULT=NO: other text is shown only when the viewer selects it. */
function textLine(rung: Rung, path: string): string {
  const language = rung.language && rung.language !== 'und' ? `,LANGUAGE=${quoted(rung.language)}` : '';
  const forced = rung.isForced ? ',FORCED=YES' : '';
  const characteristics = rung.characteristics ? `,CHARACTERISTICS=${quoted(rung.characteristics)}` : '';
  return (
    `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="${GROUPS.text}",NAME=${quoted(rung.name ?? rung.id)}${language},DEFAULT=NO,` +
    `AUTOSELECT=YES${forced}${characteristics},URI="${path}${rung.id}.m3u8"\n`
  );
}

/** Closed captions embedded in the video; they have no playlist of their own (RFC 8216 §4.3.4.2.1). */
function captionLine({ channel, name, language, characteristics }: Caption): string {
  const more = [
    ...(language ? [`LANGUAGE=${quoted(language)}`] : []),
    ...['DEFAULT=NO', 'AUTOSELECT=YES', `INSTREAM-ID="${channel}"`],
    ...(characteristics ? [`CHARACTERISTICS=${quoted(characteristics)}`] : []),
  ];
  const named = quoted(name ?? language ?? channel);
  return `#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="${GROUPS.captions}",NAME=${named},${more.join(',')}\n`;
}

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

const idOf = ({ id }: Rung): string => id;

type Named = { readonly name?: string; readonly language?: string };

/** NAME must be unique within a group (RFC 8216 §4.3.4.1.1). */
function withDistinctNames<T extends Named>(all: readonly T[], idOf: (one: T) => string): T[] {
  const seen = new Set<string>();
  return all.map((one) => {
    const name = one.name ?? one.language ?? idOf(one);
    const distinct = seen.has(name) ? `${name} (${idOf(one)})` : name;
    seen.add(distinct);
    return { ...one, name: distinct };
  });
}

/**
 * @param path the prefix of the media playlists' URIs, e.g. `<sessionId>/`
 * @param startOffset flicks after the playlist's start at which players should begin (EXT-X-START), for time shift and bookmarks
 */
export function writeMultivariant(ladder: Ladder, path: string, startOffset?: number): string {
  const audioRungs = withDistinctNames(
    ladder.rungs.filter(({ kind }) => kind === 'audio'),
    idOf,
  );
  const videoRungs = ladder.rungs.filter(({ kind }) => hasVideo(kind));
  const textRungs = withDistinctNames(
    ladder.rungs.filter(({ kind }) => kind === 'text'),
    idOf,
  );
  const variants = videoRungs.length > 0 ? videoRungs : audioRungs.slice(0, 1);
  let text = '#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-INDEPENDENT-SEGMENTS\n';
  if (startOffset !== undefined) text += startLine(startOffset);
  if (videoRungs.length > 0 || audioRungs.length > 1) {
    audioRungs.forEach((rung, index) => {
      text += mediaLine(rung, index === 0).replace(`URI="`, `URI="${path}`);
    });
  }
  for (const rung of textRungs) text += textLine(rung, path);
  for (const caption of withDistinctNames(ladder.captions ?? [], ({ channel }) => channel))
    text += captionLine(caption);
  for (const rung of variants) {
    text += `${variantLines(rung, videoRungs.length > 0 ? audioRungs : [], textRungs, ladder)}${path}${rung.id}.m3u8\n`;
  }
  return text;
}
