// SPDX-License-Identifier: Apache-2.0
// A schedule as CSV (RFC 4180) with a line of column names, as spreadsheets write it: with commas, semicolons or tabs.
import { CsvError, parse } from 'csv-parse/sync';
import { quoted } from '../../mrss/feedElements.ts';
import type { Sliced } from '../../time/sliced.ts';
import type { Entry } from '../schedule.ts';
import {
  type FieldName,
  type FlatEntry,
  fieldNames,
  flatten,
  type Reject,
  readFields,
  writeFields,
} from './entryFields.ts';
import { ENTRIES_IN_SLICE, type ScheduleReading } from './reading.ts';

/** Bytes. A record is not longer, so that a quote without an end costs its line only. */
const MAX_RECORD = 64 << 10;
/** Bytes of the records that are read at once. */
const SLICE = 256 << 10;
/** With empty ones, of which spreadsheets write many. */
const MAX_RECORDS = 200_000;
/** After each, the next line is read again from its start: more of them would cost many times the length of the text. */
const MAX_MALFORMED = 100;
const LINE_FEED = 10;

/** Other names of columns, without blanks, dashes and underscores. */
const synonyms: Readonly<Record<string, FieldName>> = {
  guid: 'id',
  entryid: 'id',
  starttime: 'start',
  startdate: 'start',
  startsat: 'start',
  datetime: 'start',
  name: 'title',
  program: 'title',
  programme: 'title',
  programname: 'title',
  show: 'title',
  episodetitle: 'subtitle',
  episodename: 'subtitle',
  desc: 'description',
  synopsis: 'description',
  summary: 'description',
  videourl: 'url',
  asset: 'url',
  asseturl: 'url',
  source: 'url',
  sourceurl: 'url',
  mediaurl: 'url',
  contenturl: 'url',
  manifest: 'url',
  manifesturl: 'url',
  inpoint: 'in',
  clipstart: 'in',
  outpoint: 'out',
  clipend: 'out',
  playlist: 'playlistId',
  length: 'duration',
  adbreaks: 'breaks',
  cuepoints: 'breaks',
  lang: 'language',
  genre: 'categories',
  genres: 'categories',
  category: 'categories',
  rating: 'ratings',
  parentalrating: 'ratings',
  image: 'images',
  icon: 'images',
  poster: 'images',
  thumbnail: 'images',
  seasonnumber: 'season',
  episodenumber: 'episode',
  releaseyear: 'year',
  repeat: 'isRepeat',
  rerun: 'isRepeat',
  hidden: 'isHidden',
};
const columns: ReadonlyMap<string, FieldName> = new Map([
  ...Object.entries(synonyms),
  ...fieldNames.map((name) => [name.toLowerCase(), name] as const),
]);

export function* readingCsv(text: string, into: ScheduleReading): Sliced<void> {
  const first = /^.*\S.*$/m.exec(text)?.[0].slice(0, MAX_RECORD) ?? '';
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: first.split(delimiter).length }));
  const { delimiter } = counts.reduce((most, one) => (one.count > most.count ? one : most));
  const bytes = Buffer.from(text);
  let [at, line, records, malformed] = [0, 1, 0, 0];
  let names: readonly (FieldName | undefined)[] | undefined;
  let isEnded = false;
  const skipTo = (end: number): void => {
    for (; at < end; at += 1) if (bytes[at] === LINE_FEED) line += 1;
  };
  let [checked, lineFrom] = [0, 0];
  /** Ends within a line that is too long: the parser does not count empty cells. */
  const endBy = (end: number): number => {
    for (; checked < Math.min(end, bytes.length); checked += 1) {
      if (isLineBreak(bytes[checked])) lineFrom = checked + 1;
      else if (checked - lineFrom > MAX_RECORD) return checked + 1;
    }
    return checked;
  };
  const take = (record: readonly string[], length: number): void => {
    records += 1;
    const excess = length > MAX_RECORD ? `${MAX_RECORD} bytes in a line` : `${MAX_RECORDS} lines`;
    if (!isEnded && (length > MAX_RECORD || records > MAX_RECORDS)) {
      isEnded = true;
      into.error({ line }, `has more than ${excess}; the rest is not read`);
    }
    if (isEnded || record.every((cell) => cell.trim() === '')) return;
    const known = names;
    if (known !== undefined) {
      isEnded = !into.read(line, (reject) => fieldsOfRecord(record, known, reject));
      return;
    }
    names = readNames(record, line, into);
    isEnded = !names.some((name) => name === 'url' || name === 'playlistId');
    if (isEnded) into.error({ line }, `has no column url or playlistId; got ${quoted(record.join(delimiter))}`);
  };
  while (at < bytes.length && !isEnded) {
    const from = at;
    try {
      parse(bytes.subarray(from, endBy(from + ENTRIES_IN_SLICE * MAX_RECORD)), {
        delimiter,
        record_delimiter: ['\r\n', '\n', '\r'],
        relax_column_count: true,
        skip_empty_lines: true,
        max_record_size: MAX_RECORD,
        to: ENTRIES_IN_SLICE,
        on_record: (record: unknown, { bytes: end }) => {
          while (isLineBreak(bytes[at])) skipTo(at + 1);
          take(record as readonly string[], from + end - at);
          skipTo(from + end);
          if (end > SLICE) throw endOfSlice;
          return null;
        },
      });
      if (at === from) break;
    } catch (error) {
      if (error === endOfSlice) {
        yield;
        continue;
      }
      if (!(error instanceof CsvError)) throw error;
      while (isLineBreak(bytes[at])) skipTo(at + 1);
      malformed += 1;
      const isLast = names === undefined || malformed === MAX_MALFORMED;
      if (names !== undefined && !into.next({ line })) return;
      into.error({ line }, `${faults[error.code] ?? error.message}${isLast ? '; the rest is not read' : ''}`);
      const end = bytes.indexOf(LINE_FEED, at);
      if (isLast || end < 0) return;
      skipTo(end + 1);
    }
    yield;
  }
  if (names === undefined && !isEnded)
    into.error({ line: 1 }, 'is empty; the first line must be the names of the columns');
}

/** Ends the parser, which has no other way to stop by length. */
const endOfSlice = new Error('the slice is long enough');

const isLineBreak = (byte: number | undefined): boolean => byte === LINE_FEED || byte === 13;

const inner = 'has a quote inside a field: write it twice, and the field between quotes';
const faults: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'has a quote without an end',
  CSV_INVALID_CLOSING_QUOTE: inner,
  INVALID_OPENING_QUOTE: inner,
  CSV_MAX_RECORD_SIZE: `has more than ${MAX_RECORD} bytes, or a quote without an end`,
};

function readNames(header: readonly string[], line: number, into: ScheduleReading): (FieldName | undefined)[] {
  const found = new Set<FieldName>();
  return header.map((written) => {
    const name = columns.get(written.toLowerCase().replace(/[\s_-]+/g, ''));
    if (name !== undefined && !found.has(name)) {
      found.add(name);
      return name;
    }
    const reason = name === undefined ? 'is not a field of an entry' : `is a second column for ${name}`;
    if (written.trim() !== '') into.notice({ line }, `the column ${quoted(written)} ${reason}; it is ignored`);
    return undefined;
  });
}

function fieldsOfRecord(
  record: readonly string[],
  names: readonly (FieldName | undefined)[],
  reject: Reject,
): FlatEntry {
  if (record.slice(names.length).some((cell) => cell.trim() !== ''))
    reject(undefined, `must have ${names.length} fields as the first line; got ${record.length}`);
  const cells = names.flatMap((name, index) => (name === undefined ? [] : [[name, record[index] ?? ''] as const]));
  return readFields(cells, reject);
}

const always: ReadonlySet<FieldName> = new Set(['id', 'start', 'title', 'url']);

export function* writingCsv(entries: readonly Entry[]): Sliced<string> {
  const rows = entries.map(flatten);
  const used = fieldNames.filter((name) => always.has(name) || rows.some((row) => row[name] !== undefined));
  const lines = [used.join(',')];
  for (const [index, row] of rows.entries()) {
    if (index % ENTRIES_IN_SLICE === 0) yield;
    const texts = writeFields(row, used);
    lines.push(used.map((name) => cellOf(texts[name] ?? '')).join(','));
  }
  return `${lines.join('\r\n')}\r\n`;
}

const cellOf = (text: string): string => (/[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
