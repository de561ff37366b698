// SPDX-License-Identifier: Apache-2.0

import { withoutUndefined } from '../../invariant.ts';
import { reduceRate, snapFrameRate } from '../../time/frameRate.ts';
import type { Sliced } from '../../time/sliced.ts';
import type { FrameRate } from '../../time/units.ts';
import { type Container, hasVideo, type RenditionKind } from '../../timeline/asset/asset.ts';
import type { XmlElement } from '../../xml/element.ts';
import { copyXml } from '../../xml/write.ts';
import {
  channelCount,
  characteristicsOf,
  essentialScheme,
  isTrickPlay,
  readCaptions,
  rolesOf,
} from '../descriptors.ts';
import type { MpdRepresentation } from '../mpd.ts';
import {
  attributeOf,
  childrenNamed,
  hint as hintOf,
  invalidAttribute,
  MpdFault,
  textAttribute,
  wholeAttribute,
} from '../mpdFault.ts';
import type { ReadingLimits } from './mpdElements.ts';
import type { SegmentLevels } from './segmentBorders.ts';

export type PeriodContext = Pick<ReadingLimits, 'warn' | 'leaveOut'> & {
  readonly period: XmlElement;
  readonly where: string;
};

/**
 * One Representation with everything that it inherits. Returns undefined when it is skipped (with a warning, unless it is
 * not part of the presentation).
 * @param readSegments may throw MpdFault, too
 * @throws MpdFault for invalid audio or video; invalid text is skipped with a warning
 */
export function* readRepresentation<Context extends PeriodContext, Segments>(
  representation: XmlElement,
  set: XmlElement,
  baseUrl: string,
  context: Context,
  readSegments: (context: Context & SegmentLevels) => Sliced<Segments>,
): Sliced<MpdRepresentation<Segments> | undefined> {
  const levels = [representation, set];
  const id = textAttribute([representation], 'id');
  const where = `Representation ${id === undefined ? `on line ${representation.line}` : `"${id}"`} of ${context.where}`;
  const components = childrenNamed(set, 'ContentComponent');
  const contentTypes = components.map((component) => component.attributes.contentType ?? '');
  const codecs = textAttribute(levels, 'codecs');
  const media = mediaKind(textAttribute([set], 'contentType'), textAttribute(levels, 'mimeType'), codecs, contentTypes);
  const isImage = 'isSkipped' in media && media.reason === undefined;
  if (isImage || isTrickPlay(levels)) {
    context.leaveOut(isImage ? 'images' : 'trick play', representation.line);
    return undefined;
  }
  const essential = essentialScheme(levels);
  const reason =
    'isSkipped' in media
      ? media.reason
      : essential !== undefined
        ? `requires the property "${essential}", which is not supported`
        : textAttribute([representation], 'dependencyId') && 'depends on another Representation';
  if (reason !== undefined) context.warn(`${where} ${reason}; it is skipped`);
  if (reason !== undefined || 'isSkipped' in media) return undefined;

  // The media state it, too.
  const hint = <T>(read: () => T): T | undefined => hintOf(read, context.warn);
  const bandwidth = hint(() => wholeAttribute([representation], 'bandwidth'));
  const segmentContext = {
    ...context,
    levels: [representation, set, context.period] as const,
    id,
    bandwidth,
    baseUrl,
    where,
    container: media.container,
  };
  try {
    const roles = rolesOf(levels);
    return {
      ...withoutUndefined({
        id,
        codecs,
        bandwidth,
        width: hint(() => wholeAttribute(levels, 'width')),
        height: hint(() => wholeAttribute(levels, 'height')),
        frameRate: hint(() => frameRateOf(levels)),
        sampleRate: sampleRateOf(levels),
        channels: channelCount(levels),
        language: languageOf(set, components, media.kind),
        name: labelOf(levels),
        characteristics: characteristicsOf(levels, media.kind),
        captions: hasVideo(media.kind) ? readCaptions(levels) : undefined,
      }),
      ...media,
      where,
      line: representation.line,
      isDefault: roles.includes('main'),
      ...(roles.some((role) => /^forced[-_]subtitle$/.test(role)) ? { isForced: true } : {}),
      roles,
      protection: [set, representation]
        .flatMap((level) => childrenNamed(level, 'ContentProtection'))
        .map((found) => copyXml(found)),
      segments: yield* readSegments(segmentContext),
    };
  } catch (error) {
    if (!(error instanceof MpdFault) || media.kind !== 'text') throw error;
    context.warn(`${where} is skipped: ${error.message}`);
    return undefined;
  }
}

function frameRateOf(levels: readonly XmlElement[]) {
  const found = attributeOf(levels, 'frameRate');
  if (found === undefined || found.text.trim() === '') return undefined;
  const expected = 'a frame rate such as "25" or "30000/1001"';
  return readFrameRate(found.text) ?? invalidAttribute(found.element, 'frameRate', expected);
}

/** A single rate; a range of two rates leaves the rate open (5.3.7.2). */
function sampleRateOf(levels: readonly XmlElement[]): number | undefined {
  const text = textAttribute(levels, 'audioSamplingRate');
  return text !== undefined && /^\d{4,6}$/.test(text) ? Number(text) : undefined;
}

function languageOf(set: XmlElement, components: readonly XmlElement[], kind: string): string | undefined {
  const language = textAttribute([set, ...components], 'lang');
  return kind === 'video' ? language : (language ?? 'und');
}

const labelOf = (levels: readonly XmlElement[]): string | undefined =>
  levels
    .flatMap((level) => childrenNamed(level, 'Label'))
    .find(({ text }) => text.trim() !== '')
    ?.text.trim();

/**
 * Reads `25`, `30000/1001`, `60/2` (ISO/IEC 23009-1 5.3.7.2), and the decimals that some packagers write: `29.97`,
 * `25.000`. Returns undefined for any other text.
 */
export function readFrameRate(text: string): FrameRate | undefined {
  const match = /^\s*(\d{1,6}(?:\.\d{1,6})?)(?:\s*[/:]\s*(\d{1,6}))?\s*$/.exec(text);
  if (match === null) return undefined;
  const value = Number(match[1]);
  const d = match[2] === undefined ? 1 : Number(match[2]);
  if (value === 0 || d === 0) return undefined;
  return Number.isInteger(value) ? reduceRate(value, d) : snapFrameRate(value / d);
}

/** A Representation that is not used. Without a reason it is not part of the presentation and needs no warning. */
type Skipped = { readonly isSkipped: true; readonly reason?: string };
type MediaKind = { readonly kind: RenditionKind; readonly container: Container };

const textCodecs = /^(stpp|wvtt)\b/i;
const audioCodecs = /^(mp4a|ac-3|ec-3|ac-4|opus|flac|alac|dts[a-z]|mha1|mhm1)\b/i;
const videoCodecs = /^(avc[1-4]|hvc1|hev1|dvh1|dvhe|dvav|dva1|av01|vp0?[89]|vvc1|vvi1|mp4v)\b/i;

/**
 * The kind and container of a Representation: from @contentType, @mimeType, @codecs and the content types of its
 * ContentComponents.
 */
function mediaKind(
  contentType: string | undefined,
  mimeType: string | undefined,
  codecs: string | undefined,
  components: readonly string[],
): MediaKind | Skipped {
  const [type = '', subtype = ''] = (mimeType ?? '').toLowerCase().replace(/;.*/s, '').trim().split('/');
  const each = (codecs ?? '').split(',').map((codec) => codec.trim());
  const container: Container = subtype === 'mp2t' ? 'ts' : 'fmp4';
  const declared = (contentType ?? '').toLowerCase();
  if (type === 'image' || declared === 'image') return { isSkipped: true };
  if (subtype === 'webm') return { isSkipped: true, reason: 'is WebM; supported are MP4, MPEG-TS and WebVTT' };
  if (type === 'text' && subtype === 'vtt') return { kind: 'text', container: 'vtt' };
  if (each.some((codec) => textCodecs.test(codec)) || (declared === 'text' && subtype === 'mp4'))
    return { kind: 'text', container };
  if (type === 'text' || subtype.startsWith('ttml')) {
    return { isSkipped: true, reason: `is a separate text file of type ${mimeType}; only WebVTT is supported` };
  }
  const hasVideo = declared === 'video' || type === 'video' || each.some((codec) => videoCodecs.test(codec));
  const hasAudio = declared === 'audio' || type === 'audio' || each.some((codec) => audioCodecs.test(codec));
  const isMuxed = components.includes('audio') && components.includes('video');
  if (isMuxed || (hasVideo && hasAudio)) return { kind: 'muxed', container };
  if (hasVideo) return { kind: 'video', container };
  if (hasAudio) return { kind: 'audio', container };
  return {
    isSkipped: true,
    reason: `contains ${declared || mimeType || 'an unknown type'}, which is not video, audio or text`,
  };
}
