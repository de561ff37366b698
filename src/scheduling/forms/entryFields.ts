// SPDX-License-Identifier: Apache-2.0
// The fields of an entry as texts: cells of CSV, and attributes of Midroll's own element in XML. The fields of a source are
// fields of the entry here.

import { isIsoTime } from '../../channels/isIsoTime.ts';
import type { CuePoint } from '../../channels/playlist.ts';
import { isHttpUrl } from '../../channels/urlFaults.ts';
import { withoutUndefined } from '../../invariant.ts';
import { quoted, readSeconds } from '../../mrss/feedElements.ts';
import type { BumperUrls, Upid } from '../../timeline/programme/span.ts';
import {
  type AssetSource,
  type BreakRule,
  type Entry,
  type EntryBreaks,
  type GuideImage,
  isBreakRule,
  type PlaylistSource,
} from '../schedule.ts';

export type FlatEntry = Partial<Omit<Entry, 'source'> & AssetSource & PlaylistSource>;
export type FieldName = keyof FlatEntry;
type Value<Name extends FieldName> = NonNullable<FlatEntry[Name]>;

type Form<Of> = {
  readonly expected: string;
  /** Undefined for a text that is none. */
  readonly read: (text: string) => Of | undefined;
  readonly write: (value: Of) => string;
};

const text: Form<string> = { expected: 'text', read: (written) => written, write: (value) => value };
const seconds: Form<number> = { expected: 'seconds or HH:MM:SS', read: readSeconds, write: String };
const whole: Form<number> = {
  expected: 'a whole number',
  read: (written) => (/^\d{1,6}$/.test(written) ? Number(written) : undefined),
  write: String,
};
const flag: Form<boolean> = {
  expected: 'true or false',
  read: (written) => {
    if (/^(true|yes|y|1)$/i.test(written)) return true;
    return /^(false|no|n|0)$/i.test(written) ? false : undefined;
  },
  write: String,
};
const url: Form<string> = {
  expected: 'an http or https URL',
  read: (written) => (isHttpUrl(written) ? written : undefined),
  write: String,
};

// Lists are separated by semicolons. A backslash precedes a character that separates nothing.
const partsOf = (written: string): string[] =>
  (written.match(/(?:\\.|[^;])+/gs) ?? []).map((part) => part.trim()).filter((part) => part !== '');
const unescaped = (part: string): string => part.replace(/\\(.)/gs, '$1');
const escaped = (part: string): string => part.replace(/[\\;=]/g, '\\$&');

const list: Form<readonly string[]> = {
  expected: 'texts with semicolons between them',
  read: (written) => partsOf(written).map(unescaped),
  write: (values) => values.map(escaped).join(';'),
};

type Pair = { readonly name?: string; readonly value: string };
const readPairs = (written: string): Pair[] =>
  partsOf(written).map((part) => {
    const [, name, value = ''] = /^((?:\\.|[^\\=])+)=(.*)$/s.exec(part)?.map(unescaped) ?? [];
    return name === undefined ? { value: unescaped(part) } : { name, value };
  });
const writePairs = (pairs: readonly Pair[]): string =>
  pairs.map(({ name, value }) => `${name === undefined ? '' : `${escaped(name)}=`}${escaped(value)}`).join(';');

const byLanguage: Form<Readonly<Record<string, string>>> = {
  expected: 'texts with their languages, such as de=Nachrichten;fr=Journal',
  read: (written) => {
    const pairs = readPairs(written);
    const named = pairs.flatMap(({ name, value }) => (name === undefined ? [] : [[name, value] as const]));
    return named.length < pairs.length ? undefined : Object.fromEntries(named);
  },
  write: (texts) => writePairs(Object.entries(texts).map(([name, value]) => ({ name, value }))),
};
const bySystem = (example: string): Form<readonly { readonly value: string; readonly system?: string }[]> => ({
  expected: `values, with their systems if they have one, such as ${example}`,
  read: (written) =>
    readPairs(written).map(({ name, value }) => (name === undefined ? { value } : { value, system: name })),
  write: (values) =>
    writePairs(values.map(({ system, value }) => (system === undefined ? { value } : { name: system, value }))),
});

const upid: Form<Upid> = {
  expected: 'a type and a value, such as eidr=10.5240/7791-8534-2C23-9030-8610-5',
  read: (written) => {
    const [one, ...more] = readPairs(written);
    // The schema checks which types there are.
    return one?.name === undefined || more.length > 0
      ? undefined
      : { type: one.name as Upid['type'], value: one.value };
  },
  write: ({ type, value }) => writePairs([{ name: type, value }]),
};

const bumpers: Form<BumperUrls> = {
  expected: 'none, or the URLs of an intro and an outro, such as intro=https://…;outro=https://…',
  read: (written) => {
    if (/^none$/i.test(written)) return {};
    const pairs = readPairs(written);
    const isBumper = ({ name, value }: Pair) => (name === 'intro' || name === 'outro') && isHttpUrl(value);
    const urls = Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
    return pairs.every(isBumper) && Object.keys(urls).length === pairs.length ? urls : undefined;
  },
  write: (urls) => writePairs(Object.entries(urls).map(([name, value]) => ({ name, value }))) || 'none',
};

const IMAGE_SIZE = /^(\d{1,6})?x(\d{1,6})?$/;
const images: Form<readonly GuideImage[]> = {
  expected: 'http or https URLs with blanks between them, each with its size if it is known: https://… 1920x1080',
  read: (written) => {
    const read: GuideImage[] = [];
    for (const part of written.split(/\s+/)) {
      const [size, width, height] = IMAGE_SIZE.exec(part) ?? [];
      const last = size === undefined ? undefined : read.pop();
      if (last !== undefined) {
        const pixels = { width: width && Number(width), height: height && Number(height) };
        read.push({ url: last.url, ...(withoutUndefined(pixels) as Omit<GuideImage, 'url'>) });
      } else if (isHttpUrl(part)) read.push({ url: part });
      else return undefined;
    }
    return read;
  },
  write: (values) =>
    values
      .map(({ url: at, width, height }) =>
        width === undefined && height === undefined ? at : `${at} ${width ?? ''}x${height ?? ''}`,
      )
      .join(' '),
};

/** The words of a rule in the order in which they are written. */
const ruleWords = {
  every: 'every',
  first: 'firstAfter',
  last: 'notInLast',
  duration: 'maxDuration',
  ads: 'maxAds',
  hourly: 'maxPerHour',
} as const satisfies Record<string, keyof BreakRule>;

function readRule(written: string): BreakRule | undefined {
  const words = written.toLowerCase().split(/\s+/);
  const rule: Record<string, number> = {};
  for (let at = 0; at < words.length; at += 2) {
    const word = words[at] ?? '';
    if (!Object.hasOwn(ruleWords, word)) return undefined;
    const field = ruleWords[word as keyof typeof ruleWords];
    const form = field === 'maxAds' || field === 'maxPerHour' ? whole : seconds;
    const value = form.read(words[at + 1] ?? '');
    if (value === undefined || field in rule) return undefined;
    rule[field] = value;
  }
  return rule as BreakRule;
}

const readCue = (written: string): CuePoint | undefined => {
  const [at = '', duration = '', ads = '', more] = written.split('/').map((part) => part.trim());
  const spliceTime = at === '-1' ? -1 : seconds.read(at);
  const [maxDuration, maxAds] = [seconds.read(duration), whole.read(ads)];
  if (spliceTime === undefined || more !== undefined) return undefined;
  if ((duration !== '' && maxDuration === undefined) || (ads !== '' && maxAds === undefined)) return undefined;
  return { spliceTime, ...withoutUndefined({ maxDuration, maxAds }) };
};

const breaks: Form<EntryBreaks> = {
  expected:
    'none, markers, cue points with their longest durations such as 300/60;900/90, or a rule such as every 600 first 300 duration 60',
  read: (written) => {
    if (/^none$/i.test(written)) return [];
    if (/^markers$/i.test(written)) return 'markers';
    if (/^every\s/i.test(written)) return readRule(written);
    const cues = partsOf(written).map(readCue);
    const read = cues.filter((cue) => cue !== undefined);
    return read.length < cues.length ? undefined : read;
  },
  write: (value) => {
    if (typeof value === 'string') return value;
    if (isBreakRule(value))
      return Object.entries(ruleWords)
        .flatMap(([word, field]) => (value[field] === undefined ? [] : [`${word} ${value[field]}`]))
        .join(' ');
    const cues = value.map(({ spliceTime, maxDuration = '', maxAds = '' }) =>
      `${spliceTime}/${maxDuration}/${maxAds}`.replace(/\/+$/, ''),
    );
    return cues.join(';') || 'none';
  },
};

const entryFields: { readonly [Name in FieldName]-?: Form<Value<Name>> } = {
  id: text,
  start: {
    expected: 'an ISO 8601 date and time with a time zone, such as 2026-12-01T18:00:00Z',
    read: (written) => (isIsoTime(written) ? written : undefined),
    write: String,
  },
  title: text,
  subtitle: text,
  description: text,
  url,
  in: seconds,
  out: seconds,
  playlistId: text,
  duration: seconds,
  breaks,
  language: text,
  titles: byLanguage,
  descriptions: byLanguage,
  categories: list,
  ratings: bySystem('MPAA=PG;12'),
  images,
  season: whole,
  episode: whole,
  episodeNumbers: bySystem('onscreen=S01E05'),
  year: whole,
  isRepeat: flag,
  isHidden: flag,
  upid,
  bumpers,
};

/** In the order in which they are written. */
export const fieldNames = Object.keys(entryFields) as readonly FieldName[];
const isFieldName = (name: string): name is FieldName => Object.hasOwn(entryFields, name);

/** Characters. Patterns with alternatives need memory for each. */
const MAX_FIELD = 64 << 10;

/** The message continues the name of the field, or of the whole entry. */
export type Reject = (field: string | undefined, message: string) => void;

/**
 * The fields that have a text; other names are ignored.
 * @param reject is called for each that cannot be read
 */
export function readFields(written: Iterable<readonly [string, string]>, reject: Reject): FlatEntry {
  const read: Record<string, unknown> = {};
  for (const [name, cell] of written) {
    const trimmed = cell.trim();
    if (trimmed === '' || !isFieldName(name)) continue;
    const { expected, read: readField } = entryFields[name];
    const isShort = trimmed.length <= MAX_FIELD;
    const value = isShort ? readField(trimmed) : undefined;
    if (!isShort) reject(name, `must have at most ${MAX_FIELD} characters; got ${trimmed.length}`);
    else if (value === undefined) reject(name, `must be ${expected}; got ${quoted(trimmed)}`);
    else read[name] = value;
  }
  return read as FlatEntry;
}

/** The texts of these fields, of those that the entry has. */
export function writeFields(entry: FlatEntry, names: readonly FieldName[]): Partial<Record<FieldName, string>> {
  const written: Partial<Record<FieldName, string>> = {};
  for (const name of names) {
    const value = entry[name];
    if (value !== undefined) written[name] = (entryFields[name] as Form<typeof value>).write(value);
  }
  return written;
}

export const flatten = ({ source, ...fields }: Entry): FlatEntry => Object.assign(fields, source);
