// How the segments of one Representation are addressed (ISO/IEC 23009-1 5.3.9): SegmentTemplate, SegmentList,
// SegmentBase or nothing but a BaseURL, inherited from Period to AdaptationSet to Representation.
import type { ByteRange, MediaRef } from '../../timeline/asset.ts';
import { packUrls } from '../../timeline/segmentUrl.ts';
import type { XmlElement } from '../../xml/element.ts';
import { readByteRange } from '../byteRange.ts';
import type { IndexedSegments, ListedSegments } from '../mpd.ts';
import {
  bearerOf,
  childNamed,
  childrenNamed,
  inherited,
  MpdFault,
  textAttribute,
  wholeAttribute,
  wrongAttribute,
} from '../mpdFault.ts';
import { constantText, type FilledTemplate, fillTemplate, type Resolve, templateUrls } from '../template.ts';
import { cutUrls, withinPeriod } from '../withinPeriod.ts';
import { layOut, type SegmentContext, type Timing, ticksOf } from './segmentBorders.ts';
import { listUrls } from './segmentList.ts';

const kinds = ['SegmentTemplate', 'SegmentList', 'SegmentBase'] as const;

/** The elements that together say it, the lowest first; none when there is only a BaseURL. */
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

/** A WebVTT file beside the media: one segment, as long as the Period (5.3.9.2.1). */
function wholeFile(context: SegmentContext, timescale: number, presentationTimeOffset: number): ListedSegments {
  const span = ticksOf(context.periodDuration, timescale);
  if (span === undefined)
    throw new MpdFault(context.levels[0]!.line, 'PERIOD_END', 'nothing tells how long the Period of this file is');
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
  const bearer = bearerOf(elements, name);
  if (bearer === undefined) return undefined;
  return readByteRange(bearer.attributes[name]!) ?? wrongAttribute(bearer, name, 'a range such as "0-819"');
}

/** Initialization (5.3.9.2.2): @sourceURL, a range of it, or a range of the resource itself. */
function initialization(elements: readonly XmlElement[], context: SegmentContext): MediaRef | undefined {
  const bearer = inherited(elements, 'Initialization');
  const found = bearer && childNamed(bearer, 'Initialization');
  if (found === undefined) return undefined;
  const url = resolver(context)(found.attributes.sourceURL ?? '');
  if (url === undefined) return wrongAttribute(found, 'sourceURL', 'a URL');
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
  const listBearer = kind === 'SegmentList' ? inherited(elements, 'SegmentURL') : undefined;
  const segmentUrls = listBearer && childrenNamed(listBearer, 'SegmentURL');
  if (kind === 'SegmentList' && segmentUrls === undefined) {
    throw new MpdFault(elements[0]!.line, 'NO_SEGMENT_URL', 'SegmentList must hold SegmentURL elements, it holds none');
  }
  const laid = layOut(elements, timing, firstNumber, segmentUrls?.length);
  const span = ticksOf(periodDuration, timescale);
  const cut = withinPeriod(laid.borders, presentationTimeOffset, span, timing.edges);
  if (cut.isOutside) {
    timing.warn(`${timing.where}: no segment lies in its Period, going by presentationTimeOffset; all are taken`);
  }
  const numbers = laid.numbers?.slice(cut.first, cut.end);
  const names = {
    count: cut.end - cut.first,
    firstNumber: firstNumber + cut.first,
    ...(numbers && { numbers }),
    time: (index: number) => laid.time(cut.first + index),
    timesAreBorders: laid.timesAreBorders,
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
      cut.first === 0 && cut.end === laid.borders.length - 1
        ? laid.borders
        : laid.borders.slice(cut.first, cut.end + 1),
    timescale,
    presentationTimeOffset,
    ...(laid.isLastImplied && cut.end === laid.borders.length - 1 ? { isLastImplied: true } : {}),
  };
}

function templated<Made>(
  elements: XmlElement[],
  context: SegmentContext,
  make: (filled: FilledTemplate) => Made | undefined,
): Made {
  return fromTemplate(elements, 'media', context, make) ?? wrongAttribute(elements[0]!, 'media', 'a template');
}

const templateInit = (elements: XmlElement[], context: SegmentContext): MediaRef | undefined =>
  fromTemplate(elements, 'initialization', context, (filled) => {
    const text = constantText(filled);
    const url = text === undefined ? undefined : resolver(context)(text);
    return url === undefined ? undefined : { url };
  }) ?? initialization(elements, context);

/** What a template attribute makes; undefined when no element has the attribute. */
function fromTemplate<Made>(
  elements: XmlElement[],
  name: string,
  context: SegmentContext,
  make: (filled: FilledTemplate) => Made | undefined,
): Made | undefined {
  const template = textAttribute(elements, name);
  if (template === undefined) return undefined;
  const { line, local } = bearerOf(elements, name)!;
  const filled = fillTemplate(template, { RepresentationID: context.id, Bandwidth: context.bandwidth });
  if ('code' in filled) throw new MpdFault(line, filled.code, `${local}@${name} "${template}" ${filled.reason}`);
  const made = make(filled);
  if (made === undefined)
    throw new MpdFault(line, 'NO_URL', `${local}@${name} "${template}" makes no URL of ${context.where}`);
  return made;
}
