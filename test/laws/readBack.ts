// SPDX-License-Identifier: Apache-2.0
// Reads manifests by the standards alone, so that the laws can be checked on their text.
import { checkMpd } from './schema/checkMpd.ts';

export type SeenSegment = {
  readonly number: number;
  readonly discontinuity: number;
  readonly uri: string;
  /** EXT-X-BYTERANGE as `LENGTH@START`; empty for the whole resource. */
  readonly range: string;
  /** Empty for a missing segment (EXT-X-GAP), which players do not request. */
  readonly map: string;
  /** The EXT-X-KEY tags in force, in lines; empty if it is clear. */
  readonly keys: string;
  /** Those in force at its EXT-X-MAP. */
  readonly mapKeys: string;
  readonly date: number;
  /** Microseconds. */
  readonly duration: number;
};

/** Names what is requested: a URL, with `#LENGTH@START` if it is a part of the resource. */
export const mediaName = ({ uri, range }: Pick<SeenSegment, 'uri' | 'range'>): string =>
  range === '' ? uri : `${uri}#${range}`;

export function mapName({ map }: Pick<SeenSegment, 'map'>): string | undefined {
  const [, uri] = /URI="([^"]+)"/.exec(map) ?? [];
  const [, range = ''] = /BYTERANGE="([^"]+)"/.exec(map) ?? [];
  return uri === undefined ? undefined : mediaName({ uri, range });
}

/** URLs of ads, slate and bumpers are relative to the session; content has its own origin. */
export const isOurs = (uri: string): boolean => !uri.includes('://');

/** The end of a URL of ours, which is the same for all viewers of these media. */
export const sharedMedia = (uri: string): string => uri.split('/').slice(-4).join('/');

/** A break or an ad as a manifest announces it. */
export type Announced = {
  readonly id: string;
  readonly scheme: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  /** Seconds. */
  readonly duration: number;
  /** The ad signal; undefined for a break. */
  readonly signal: unknown;
};

export type SeenPlaylist = {
  readonly target: number;
  /** EXT-X-ENDLIST */
  readonly isEnded: boolean;
  readonly segments: readonly SeenSegment[];
  readonly announced: readonly Announced[];
  /** Markers of the origin by the number of the segment that follows them, except date ranges. */
  readonly cues: ReadonlyMap<number, readonly string[]>;
  /** Date ranges of the origin. */
  readonly ranges: readonly string[];
};

/** RFC 8216bis §4.4.5.1 */
function readDateRange(line: string): Announced {
  const of = (name: string) => new RegExp(`[:,]${name}=(?:"([^"]*)"|([^,]*))`).exec(line);
  const text = (name: string) => of(name)?.[1] ?? '';
  const signal = text('X-AD-CREATIVE-SIGNALING');
  return {
    id: text('ID'),
    scheme: text('CLASS'),
    start: Date.parse(text('START-DATE')),
    duration: Number(of('DURATION')?.[2]),
    signal: signal === '' ? undefined : JSON.parse(Buffer.from(signal, 'base64').toString()),
  };
}

/** RFC 8216 §4.3.2.4: a key applies until the next one of its KEYFORMAT; METHOD=NONE ends all. */
function readKey(line: string, keys: ReadonlyMap<string, string>): Map<string, string> {
  if (/[:,]METHOD=NONE(,|$)/.test(line)) return new Map();
  const [, format = 'identity'] = /[:,]KEYFORMAT="([^"]*)"/.exec(line) ?? [];
  return new Map(keys).set(format, line);
}

export function readHls(text: string): SeenPlaylist {
  const value = (tag: string) => Number(new RegExp(`^#${tag}:(\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  const segments: SeenSegment[] = [];
  const announced: Announced[] = [];
  const cues = new Map<number, string[]>();
  const ranges: string[] = [];
  const first = value('EXT-X-MEDIA-SEQUENCE');
  // RFC 8216 §4.3.3.3: 0 when the tag is absent.
  let discontinuity = text.includes('#EXT-X-DISCONTINUITY-SEQUENCE:') ? value('EXT-X-DISCONTINUITY-SEQUENCE') : 0;
  let map = '';
  let mapKeys = '';
  let range = '';
  let isGap = false;
  let keys = new Map<string, string>();
  const keyText = () => [...keys.values()].join('\n');
  let date = Number.NaN;
  let duration = Number.NaN;
  for (const line of text.split('\n')) {
    if (line === '#EXT-X-DISCONTINUITY') discontinuity += 1;
    else if (line.startsWith('#EXT-X-MAP:')) [map, mapKeys] = [line, keyText()];
    else if (line.startsWith('#EXT-X-KEY:')) keys = readKey(line, keys);
    else if (line === '#EXT-X-GAP') isGap = true;
    else if (line.startsWith('#EXT-X-BYTERANGE:')) range = line.slice(17);
    else if (line.includes(',X-MIDROLL-BREAK=')) announced.push(readDateRange(line));
    else if (line.startsWith('#EXT-X-DATERANGE:')) ranges.push(line);
    else if (line.startsWith('#EXT-X-CUE')) {
      const number = first + segments.length;
      cues.set(number, [...(cues.get(number) ?? []), line]);
    } else if (line.startsWith('#EXT-X-PROGRAM-DATE-TIME:')) date = Date.parse(line.slice(25));
    else if (line.startsWith('#EXTINF:')) duration = Math.round(Number.parseFloat(line.slice(8)) * 1e6);
    else if (line !== '' && !line.startsWith('#')) {
      const number = first + segments.length;
      const ofMap = isGap ? { map: '', mapKeys: '' } : { map, mapKeys };
      segments.push({ number, discontinuity, uri: line, range, ...ofMap, keys: keyText(), date, duration });
      range = '';
      isGap = false;
      // §4.3.2.6: segments without a date follow from the one before them.
      date += duration / 1000;
    }
  }
  const isEnded = /^#EXT-X-ENDLIST$/m.test(text);
  return { target: value('EXT-X-TARGETDURATION'), isEnded, segments, announced, cues, ranges };
}

export type SeenPeriod = {
  readonly id: string;
  /** Milliseconds since 1970; in a static MPD, since the start of the presentation. */
  readonly start: number;
  /** Milliseconds; absent if the Period lasts until the next one. */
  readonly duration?: number;
  /** presentationTimeOffset of each Representation, by id. */
  readonly offsets: Readonly<Record<string, string>>;
  readonly urls: Readonly<Record<string, readonly string[]>>;
  /** When each segment starts, in milliseconds like `start`, by its media time. */
  readonly starts: Readonly<Record<string, readonly number[]>>;
  /** Of each segment, in microseconds. */
  readonly durations: Readonly<Record<string, readonly number[]>>;
  /** URLs of initialization sections, by Representation. */
  readonly inits: Readonly<Record<string, string>>;
  readonly announced: readonly Announced[];
  /** The events that lead to alternative MPDs. */
  readonly alternatives: readonly Alternative[];
};

export type Alternative = {
  readonly uri: string;
  /** Milliseconds like the start of its Period. */
  readonly start: number;
  /** Seconds. */
  readonly duration: number;
  readonly text: string;
};

const attribute = (tag: string, name: string): string | undefined => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];

/** The media times at which segments start, and their durations (ISO/IEC 23009-1 5.3.9.6.2). */
function readTimes(timeline: string): { times: number[]; durations: number[] } {
  const times: number[] = [];
  const durations: number[] = [];
  let time = 0;
  for (const [tag] of timeline.matchAll(/<S\s[^>]*>/g)) {
    time = Number(attribute(tag, 't') ?? time);
    for (let left = Number(attribute(tag, 'r') ?? 0); left >= 0; left -= 1) {
      times.push(time);
      durations.push(Number(attribute(tag, 'd')));
      time += durations.at(-1)!;
    }
  }
  return { times, durations };
}

/** ISO/IEC 23009-1 5.3.9.4.4: an identifier may contain its width. */
const templateUrls = (media: string, first: number, times: readonly number[]): string[] =>
  times.map((time, index) => {
    const identifiers: Readonly<Record<string, number>> = { Number: first + index, Time: time };
    return media.replace(/\$(Number|Time)(?:%0(\d+)d)?\$/g, (_, name: string, width = '1') =>
      String(identifiers[name]).padStart(Number(width), '0'),
    );
  });

const SEGMENTS = /<(SegmentTemplate|SegmentList)\s[^>]*>[\s\S]*?<\/\1>/;

const listUrls = (list: string): string[] =>
  [...list.matchAll(/<SegmentURL\s[^>]*>/g)].map(([tag]) => unescaped(attribute(tag, 'media')!));

type Sets = {
  readonly offsets: Record<string, string>;
  readonly urls: Record<string, string[]>;
  readonly starts: Record<string, number[]>;
  readonly durations: Record<string, number[]>;
  readonly inits: Record<string, string>;
};

/** Uses the nearest SegmentTemplate or SegmentList and inherits nothing from others, as rx-player 4.5 and 3.33 do. */
function readSet(set: string, periodStart: number, { offsets, urls, starts, durations, inits }: Sets): void {
  const head = set.slice(0, set.indexOf('<Representation'));
  for (const [representation] of set.matchAll(/<Representation\s[^>]*?(?:\/>|>[\s\S]*?<\/Representation>)/g)) {
    const id = attribute(representation, 'id')!;
    const [segments, name] = (SEGMENTS.exec(representation) ?? SEGMENTS.exec(head))!;
    const timeline = readTimes(/<SegmentTimeline>[\s\S]*?<\/SegmentTimeline>/.exec(segments)![0]);
    const { times } = timeline;
    const offset = attribute(segments, 'presentationTimeOffset') ?? '0';
    const scale = Number(attribute(segments, 'timescale') ?? 1);
    offsets[id] = offset;
    starts[id] = times.map((time) => periodStart + ((time - Number(offset)) / scale) * 1000);
    durations[id] = timeline.durations.map((ticks) => Math.round((ticks * 1e6) / scale));
    const listed = attribute(/<Initialization\s[^>]*>/.exec(segments)?.[0] ?? '', 'sourceURL');
    const init = listed ?? attribute(segments, 'initialization')?.replace('$RepresentationID$', id);
    if (init !== undefined) inits[id] = unescaped(init);
    const media = attribute(segments, 'media')?.replace('$RepresentationID$', id);
    urls[id] =
      name === 'SegmentList'
        ? listUrls(segments)
        : templateUrls(media!, Number(attribute(segments, 'startNumber') ?? 1), times);
  }
}

const unescaped = (text: string): string => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** ISO/IEC 23009-1 5.10.2 */
function readEvents(period: string, start: number): Announced[] {
  return [...period.matchAll(/<EventStream\s[^>]*>[\s\S]*?<\/EventStream>/g)].flatMap(([stream]) => {
    const scheme = attribute(stream, 'schemeIdUri')!;
    const timescale = Number(attribute(stream, 'timescale') ?? 1);
    return [...stream.matchAll(/<Event\s[^>]*>([^<]*)<\/Event>/g)].map(([event, content]): Announced => {
      const isSignal = content!.startsWith('{');
      const signal = isSignal ? JSON.parse(unescaped(content!)) : undefined;
      return {
        id: isSignal ? signal.payload[0].identifiers[0].value : content!,
        scheme,
        start: start + (1000 * Number(attribute(event, 'presentationTime') ?? 0)) / timescale,
        duration: Number(attribute(event, 'duration')) / timescale,
        signal,
      };
    });
  });
}

/** ISO/IEC 23009-1:2026 5.16 */
const readAlternatives = (period: string, start: number): Alternative[] =>
  [...period.matchAll(/<EventStream\s[^>]*alternativeMPD[^>]*>[\s\S]*?<\/EventStream>/g)].flatMap(([stream]) => {
    const timescale = Number(attribute(stream, 'timescale') ?? 1);
    return [...stream.matchAll(/(<Event\s[^>]*>)\s*<(?:Insert|Replace)Presentation\s[\s\S]*?<\/Event>/g)].map(
      ([text, event]): Alternative => ({
        uri: unescaped(attribute(text, 'uri')!),
        start: start + (1000 * Number(attribute(event!, 'presentationTime') ?? 0)) / timescale,
        duration: Number(attribute(event!, 'duration')) / timescale,
        text,
      }),
    );
  });

const readMillis = (duration: string): number => Math.round(Number(/PT([\d.]+)S/.exec(duration)![1]) * 1000);

/** @throws Error if it does not follow the schema */
export function readMpd(text: string): SeenPeriod[] {
  checkMpd(text);
  const available = attribute(/<MPD[^>]*>/.exec(text)![0], 'availabilityStartTime');
  const availability = available === undefined ? 0 : Date.parse(available);
  return [...text.matchAll(/<Period\s[\s\S]*?<\/Period>/g)].map(([period]) => {
    const tag = /<Period[^>]*>/.exec(period)![0];
    const start = availability + readMillis(attribute(tag, 'start')!);
    const sets: Sets = { offsets: {}, urls: {}, starts: {}, durations: {}, inits: {} };
    for (const [set] of period.matchAll(/<AdaptationSet\s[\s\S]*?<\/AdaptationSet>/g)) readSet(set, start, sets);
    const duration = attribute(tag, 'duration');
    const lasts = duration === undefined ? {} : { duration: readMillis(duration) };
    const events = { announced: readEvents(period, start), alternatives: readAlternatives(period, start) };
    return { id: attribute(tag, 'id')!, start, ...lasts, ...sets, ...events };
  });
}
