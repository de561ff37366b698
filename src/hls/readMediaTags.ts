// SPDX-License-Identifier: Apache-2.0
// The effect of each tag of a media playlist: on the playlist, on all following segments, or on the next one. Tags that are
// not in the table are ignored (RFC 8216 §6.3.1), low-latency tags among them.
import { type Attributes, byteRange, decimalInteger } from './attributes.ts';
import type { Lack, LivePlaylist, SegmentKeys, SegmentMap } from './mediaPlaylist.ts';
import type { InvalidPlaylist, VariableSources } from './readLines.ts';
import { invalidLine, readDefine, readTagAttributes, substituteAttributes } from './readLines.ts';

type Known = Omit<LivePlaylist, 'warnings'>;
type Draft = { -readonly [K in keyof Known]: Known[K] };

export type ReadingState = {
  readonly playlist: Draft;
  /** Present for a live playlist: an invalid line costs a segment, not the playlist. */
  readonly warn?: (problem: InvalidPlaylist) => void;
  /** EXTINF has the decimal comma of a locale. */
  readonly hasDecimalComma: boolean;
  readonly variables: Map<string, string>;
  readonly sources: VariableSources;
  /** In force for all following segments. */
  map?: SegmentMap;
  keys: SegmentKeys;
  /** Unknown for all following segments. */
  readonly lacks: Set<Lack>;
  next: NextSegment;
};

type NextSegment = {
  line?: number;
  micros?: number;
  programDateTime?: string;
  discontinuity: boolean;
  gap: boolean;
  range?: { length: number; start?: number };
  readonly lacks: Set<Lack>;
};

type Reader = (state: ReadingState, value: string, line: number) => InvalidPlaylist | undefined;

export const newSegment = (): NextSegment => ({ discontinuity: false, gap: false, lacks: new Set() });

/** Applies one tag; returns an error for an invalid tag that cannot be ignored. */
export const applyTag = (state: ReadingState, name: string, value: string, line: number): InvalidPlaylist | undefined =>
  readers.get(name)?.(state, value.trim(), line);

/** The microseconds of an EXTINF value; old playlists have whole seconds. */
function readMicros(text: string): number | undefined {
  const match = /^(\d{1,7})(?:\.(\d{0,40}))?$|^\.(\d{1,40})$/.exec(text);
  if (match === null) return undefined;
  const fraction = (match[2] ?? match[3] ?? '').slice(0, 7).padEnd(7, '0');
  return Number(match[1] ?? 0) * 1_000_000 + Math.round(Number(fraction) / 10);
}

/** Without a title, a second comma is the one that ends the duration. */
function secondsOf(value: string, hasDecimalComma: boolean): string {
  const [, whole, fraction] = /^(\d+),(\d+)(?:,.*)?$/.exec(value) ?? [];
  if (whole !== undefined && (hasDecimalComma || value.endsWith(`${fraction},`))) return `${whole}.${fraction}`;
  const comma = value.indexOf(',');
  return comma < 0 ? value : value.slice(0, comma).trim();
}

/** Seconds. No viewer waits longer for a segment of a live playlist. */
const LONGEST = 3600;

const readExtinf: Reader = ({ next, hasDecimalComma, warn }, value, line) => {
  const seconds = secondsOf(value, hasDecimalComma);
  const micros = readMicros(seconds);
  next.line = line;
  if (micros === undefined)
    return invalidLine(line, 'EXTINF', 'EXTINF must be a non-negative number of seconds', seconds);
  if (warn !== undefined && micros > LONGEST * 1_000_000)
    return invalidLine(line, 'EXTINF', `EXTINF must be at most ${LONGEST} seconds`, seconds);
  next.micros = micros;
  return undefined;
};

function attributesOf(state: ReadingState, value: string, line: number): Attributes | InvalidPlaylist {
  const attributes = readTagAttributes(value, line, state.warn);
  return 'refused' in attributes ? attributes : substituteAttributes(attributes, state.variables, line);
}

const readMap: Reader = (state, value, line) => {
  const attributes = attributesOf(state, value, line);
  if ('refused' in attributes) return attributes;
  const uri = attributes.get('URI')?.value;
  if (!uri) return invalidLine(line, 'MAP_URI', 'EXT-X-MAP must have a URI', value);
  const written = attributes.get('BYTERANGE')?.value;
  const range = byteRange(written);
  if (written !== undefined && range === undefined)
    return invalidLine(line, 'BYTERANGE', 'BYTERANGE must be <length>[@<start>]', written);
  state.map = {
    line,
    uri,
    ...(range === undefined ? {} : { range: { start: 0, ...range } }),
    ...(state.keys.length === 0 ? {} : { keys: state.keys }),
  };
  state.lacks.delete('map');
  return undefined;
};

/** Key systems of one segment. Each segment repeats them. */
const MAX_KEYS = 20;

/** A key applies until the next one with the same KEYFORMAT; METHOD=NONE ends all of them (RFC 8216 §4.3.2.4). */
const readKey: Reader = (state, value, line) => {
  const key = attributesOf(state, value, line);
  if ('refused' in key) return key;
  const method = key.get('METHOD')?.value;
  if (method === undefined) return invalidLine(line, 'KEY_METHOD', 'EXT-X-KEY must have a METHOD', value);
  if (method === 'NONE') {
    state.keys = [];
    state.lacks.delete('keys');
    return undefined;
  }
  if (!key.get('URI')?.value)
    return invalidLine(line, 'KEY_URI', `EXT-X-KEY with METHOD=${method} must have a URI`, value);
  const format = (each: Attributes): string => each.get('KEYFORMAT')?.value ?? 'identity';
  const others = state.keys.filter((other) => format(other) !== format(key));
  const rule = `at most ${MAX_KEYS} EXT-X-KEY with different KEYFORMAT can apply at once`;
  if (others.length >= MAX_KEYS) return invalidLine(line, 'KEY_COUNT', rule, value);
  state.lacks.delete('keys');
  state.keys = [...others, key];
  return undefined;
};

const readRange: Reader = ({ next }, value, line) => {
  const range = byteRange(value);
  if (range === undefined) return invalidLine(line, 'BYTERANGE', 'EXT-X-BYTERANGE must be <length>[@<start>]', value);
  next.range = range;
  return undefined;
};

const readVariable: Reader = (state, value, line) => {
  const attributes = readTagAttributes(value, line, state.warn);
  if ('refused' in attributes) return attributes;
  const defined = readDefine(attributes, state.sources, line);
  if ('refused' in defined) return defined;
  state.variables.set(defined.name, defined.value);
  return undefined;
};

/** A tag with a whole number. An invalid optional tag is ignored. */
const integer =
  (name: string, set: (state: ReadingState, value: number) => void, isOptional = false, most = Infinity): Reader =>
  (state, value, line) => {
    const number = decimalInteger(value);
    if (number !== undefined && (state.warn === undefined || number <= most)) set(state, number);
    else if (!isOptional || state.warn !== undefined) {
      const limit = most === Infinity ? '' : ` of at most ${most}`;
      return invalidLine(line, 'WHOLE_NUMBER', `${name} must be a whole number${limit}`, value);
    }
    return undefined;
  };

/** ISO 8601 as packagers write it, with any time zone. */
const DATE = /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])[T ]([01]\d|2[0-4]):[0-5]\d:[0-6]\d/i;

const readDate: Reader = ({ next, warn }, value, line) => {
  if (warn !== undefined && !DATE.test(value))
    return invalidLine(line, 'DATE', 'EXT-X-PROGRAM-DATE-TIME must be a date and time', value);
  next.programDateTime = value;
  return undefined;
};

const flag =
  (set: (state: ReadingState, value: string) => void): Reader =>
  (state, value) => {
    set(state, value);
    return undefined;
  };

const readers: ReadonlyMap<string, Reader> = new Map([
  ['EXTINF', readExtinf],
  ['EXT-X-BYTERANGE', readRange],
  ['EXT-X-MAP', readMap],
  ['EXT-X-KEY', readKey],
  ['EXT-X-DEFINE', readVariable],
  // Checked only: nothing depends on their values.
  ['EXT-X-VERSION', integer('EXT-X-VERSION', () => {}, true)],
  ['EXT-X-BITRATE', integer('EXT-X-BITRATE', () => {}, true)],
  [
    'EXT-X-TARGETDURATION',
    integer('EXT-X-TARGETDURATION', (s, value) => (s.playlist.targetDuration = value), true, LONGEST),
  ],
  ['EXT-X-MEDIA-SEQUENCE', integer('EXT-X-MEDIA-SEQUENCE', (s, value) => (s.playlist.mediaSequence = value))],
  [
    'EXT-X-DISCONTINUITY-SEQUENCE',
    integer('EXT-X-DISCONTINUITY-SEQUENCE', (s, value) => (s.playlist.discontinuitySequence = value), true),
  ],
  ['EXT-X-DISCONTINUITY', flag((s) => (s.next.discontinuity = true))],
  ['EXT-X-GAP', flag((s) => (s.next.gap = true))],
  ['EXT-X-PROGRAM-DATE-TIME', readDate],
  ['EXT-X-ENDLIST', flag((s) => (s.playlist.ended = true))],
  ['EXT-X-PLAYLIST-TYPE', flag((s, value) => (s.playlist.ended ||= value === 'VOD'))],
  ['EXT-X-I-FRAMES-ONLY', flag((s) => (s.playlist.iFramesOnly = true))],
]);
