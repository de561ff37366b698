// SPDX-License-Identifier: Apache-2.0
import type { Sliced } from '../../time/sliced.ts';
import { hasVideo } from '../../timeline/asset/renditionKind.ts';
import { copyXml } from '../../xml/copyXml.ts';
import type { XmlElement } from '../../xml/element.ts';
import { readCaptions } from '../captions.ts';
import { channelCount, characteristicsOf, essentialScheme, isTrickPlay, rolesOf } from '../descriptors.ts';
import { readFrameRate } from '../frameRate.ts';
import { mediaKind } from '../mediaKind.ts';
import type { MpdRepresentation } from '../mpd.ts';
import {
  childrenNamed,
  elementWith,
  hint as hintOf,
  invalidAttribute,
  MpdFault,
  textAttribute,
  wholeAttribute,
} from '../mpdFault.ts';
import type { ReadingLimits } from './mpdElements.ts';
import type { SegmentLevels } from './segmentBorders.ts';

export type PeriodContext = {
  readonly period: XmlElement;
  readonly where: string;
  readonly warn: (warning: string) => void;
  /** Receives what is not part of the presentation. */
  readonly leaveOut: ReadingLimits['leaveOut'];
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
    levels: [...levels, context.period],
    id,
    bandwidth,
    baseUrl,
    where,
    container: media.container,
  };
  try {
    const roles = rolesOf(levels);
    return {
      ...defined({
        id,
        codecs,
        bandwidth,
        width: hint(() => wholeAttribute(levels, 'width')),
        height: hint(() => wholeAttribute(levels, 'height')),
        sar: textAttribute(levels, 'sar'),
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

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
const defined = <T extends object>(values: T): Defined<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;

function frameRateOf(levels: readonly XmlElement[]) {
  const text = textAttribute(levels, 'frameRate');
  if (text === undefined) return undefined;
  return (
    readFrameRate(text) ??
    invalidAttribute(elementWith(levels, 'frameRate')!, 'frameRate', 'a frame rate such as "25" or "30000/1001"')
  );
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
