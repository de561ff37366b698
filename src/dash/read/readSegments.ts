// SPDX-License-Identifier: Apache-2.0
// How the segments of one Representation are addressed (ISO/IEC 23009-1 5.3.9): SegmentTemplate, SegmentList,
// SegmentBase or nothing but a BaseURL, inherited from Period to AdaptationSet to Representation.
import type { ByteRange, MediaRef } from '../../timeline/asset/asset.ts';
import { packUrls } from '../../timeline/asset/segmentUrl.ts';
import type { XmlElement } from '../../xml/element.ts';
import { readByteRange } from '../byteRange.ts';
import type { IndexedSegments, ListedSegments } from '../mpd.ts';
import {
  childNamed,
  childrenNamed,
  elementWith,
  inherited,
  invalidAttribute,
  MpdFault,
  textAttribute,
  wholeAttribute,
} from '../mpdFault.ts';
import { constantText, type FilledTemplate, fillTemplate, type Resolve, templateUrls } from '../template.ts';
import { cutUrls, withinPeriod } from '../withinPeriod.ts';
import { type SegmentContext, segmentTimes, type Timing, ticksOf } from './segmentBorders.ts';
import { listUrls } from './segmentList.ts';

const kinds = ['SegmentTemplate', 'SegmentList', 'SegmentBase'] as const;

/** The elements that together describe the segments, lowest level first; none when there is only a BaseURL. */
function segmentInformation(levels: readonly XmlElement[]): { kind: (typeof kinds)[number]; elements: XmlElement[] } {
  for (const level of levels) {
    const kind = kinds.find((name) => childNamed(level, name) !== undefined);
    if (kind !== undefined) return { kind, elements: levels.flatMap((one) => childNamed(one, kind) ?? []) };
  }
  return { kind: 'SegmentBase', elements: [] };
}

/** @throws MpdFault */
export function readSegments(context: SegmentContext): ListedSegments | IndexedSegments {
  const { kind, elements } = segmentInformation(context.levels);
  const timescale = wholeAttribute(elements, 'timescale', 1) ?? 1;
  const presentationTimeOffset = wholeAttribute(elements, 'presentationTimeOffset') ?? 0;
  if (kind !== 'SegmentBase') return listedSegments(kind, elements, { ...context, timescale, presentationTimeOffset });
  if (context.container === 'vtt') return wholeFile(context, timescale, presentationTimeOffset);
  const init = initialization(elements, context);
  const indexRange = rangeAttribute(elements, 'indexRange');
  return {
    kind: 'indexed',
    url: context.baseUrl,
    ...(init && { init }),
    ...(indexRange && { indexRange }),
    timescale,
    presentationTimeOffset,
  };
}

/** A separate WebVTT file: one segment with the duration of the Period (5.3.9.2.1). */
function wholeFile(context: SegmentContext, timescale: number, presentationTimeOffset: number): ListedSegments {
  const span = ticksOf(context.periodDuration, timescale);
  if (span === undefined)
    throw new MpdFault(
      context.levels[0]!.line,
      'PERIOD_END',
      'the Period of this text file needs a duration; set Period@duration or MPD@mediaPresentationDuration',
    );
  return {
    kind: 'listed',
    urls: packUrls([context.baseUrl]),
    count: 1,
    borders: Float64Array.of(presentationTimeOffset, presentationTimeOffset + span),
    timescale,
    presentationTimeOffset,
  };
}

const resolver =
  ({ baseUrl }: SegmentContext): Resolve =>
  (reference) =>
    URL.canParse(reference, baseUrl) ? new URL(reference, baseUrl).href : undefined;

function rangeAttribute(elements: readonly XmlElement[], name: string): ByteRange | undefined {
  const element = elementWith(elements, name);
  if (element === undefined) return undefined;
  return readByteRange(element.attributes[name]!) ?? invalidAttribute(element, name, 'a range such as "0-819"');
}

/** Initialization (5.3.9.2.2): @sourceURL, a range of it, or a range of the resource itself. */
function initialization(elements: readonly XmlElement[], context: SegmentContext): MediaRef | undefined {
  const parent = inherited(elements, 'Initialization');
  const found = parent && childNamed(parent, 'Initialization');
  if (found === undefined) return undefined;
  const url = resolver(context)(found.attributes.sourceURL ?? '');
  if (url === undefined) return invalidAttribute(found, 'sourceURL', 'a URL');
  const range = rangeAttribute([found], 'range');
  return range === undefined ? { url } : { url, range };
}

function listedSegments(
  kind: 'SegmentTemplate' | 'SegmentList',
  elements: XmlElement[],
  timing: Timing,
): ListedSegments {
  const { timescale, presentationTimeOffset, periodDuration } = timing;
  const firstNumber = wholeAttribute(elements, 'startNumber') ?? 1;
  const list = kind === 'SegmentList' ? inherited(elements, 'SegmentURL') : undefined;
  const segmentUrls = list && childrenNamed(list, 'SegmentURL');
  if (kind === 'SegmentList' && segmentUrls === undefined) {
    throw new MpdFault(elements[0]!.line, 'NO_SEGMENT_URL', 'SegmentList has no SegmentURL; it needs at least one');
  }
  const times = segmentTimes(elements, timing, firstNumber, segmentUrls?.length);
  const span = ticksOf(periodDuration, timescale);
  const cut = withinPeriod(times.borders, presentationTimeOffset, span, timing.edges);
  if (cut.isOutside) {
    timing.warn(`${timing.where}: no segment is within its Period according to presentationTimeOffset; all are used`);
  }
  const numbers = times.numbers?.slice(cut.first, cut.end);
  const names = {
    count: cut.end - cut.first,
    firstNumber: firstNumber + cut.first,
    ...(numbers && { numbers }),
    time: (index: number) => times.time(cut.first + index),
    timesAreBorders: times.timesAreBorders,
  };
  const resolve = resolver(timing);
  const urls =
    segmentUrls === undefined
      ? templated(elements, timing, (filled) => templateUrls(filled, names, resolve))
      : cutUrls(listUrls(segmentUrls, timing.baseUrl), cut);
  const init = kind === 'SegmentTemplate' ? templateInit(elements, timing) : initialization(elements, timing);
  return {
    kind: 'listed',
    ...(init && { init }),
    urls,
    count: names.count,
    borders:
      cut.first === 0 && cut.end === times.borders.length - 1
        ? times.borders
        : times.borders.slice(cut.first, cut.end + 1),
    timescale,
    presentationTimeOffset,
    ...(times.isLastImplied && cut.end === times.borders.length - 1 ? { isLastImplied: true } : {}),
  };
}

function templated<Made>(
  elements: XmlElement[],
  context: SegmentContext,
  make: (filled: FilledTemplate) => Made | undefined,
): Made {
  return fromTemplate(elements, 'media', context, make) ?? invalidAttribute(elements[0]!, 'media', 'a template');
}

const templateInit = (elements: XmlElement[], context: SegmentContext): MediaRef | undefined =>
  fromTemplate(elements, 'initialization', context, (filled) => {
    const text = constantText(filled);
    const url = text === undefined ? undefined : resolver(context)(text);
    return url === undefined ? undefined : { url };
  }) ?? initialization(elements, context);

/** The result of a template attribute; undefined when no element has the attribute. */
function fromTemplate<Made>(
  elements: XmlElement[],
  name: string,
  context: SegmentContext,
  make: (filled: FilledTemplate) => Made | undefined,
): Made | undefined {
  const template = textAttribute(elements, name);
  if (template === undefined) return undefined;
  const { line, local } = elementWith(elements, name)!;
  const filled = fillTemplate(template, { RepresentationID: context.id, Bandwidth: context.bandwidth });
  if ('code' in filled) throw new MpdFault(line, filled.code, `${local}@${name} "${template}" ${filled.reason}`);
  const made = make(filled);
  if (made === undefined)
    throw new MpdFault(
      line,
      'NO_URL',
      `${local}@${name} "${template}" does not result in a valid URL for ${context.where}`,
    );
  return made;
}
