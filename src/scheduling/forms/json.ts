// SPDX-License-Identifier: Apache-2.0
// A schedule as in the API, or a list of entries. Each entry is parsed on its own: a long document is read in slices, and an
// entry that is not JSON costs no other. The values of fields are not checked: the schema of the API does that.
import { fieldsOf, isFields } from '../../channels/fieldsOf.ts';
import type { Sliced } from '../../time/sliced.ts';
import type { Entry, ScheduleSettings } from '../schedule.ts';
import { ENTRIES_IN_SLICE, type Place, type ScheduleReading } from './reading.ts';

/** Characters of an entry, or of another field of the document. */
const MAX_PART = 1 << 20;
const MAX_FIELDS = 100;
const CHARACTERS_IN_SLICE = 32 << 10;
const EXPECTED = 'must be a list of entries, or an object with entries';

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

export function* readingJson(text: string, into: ScheduleReading): Sliced<void> {
  const first = text.search(/\S/);
  const open = text.charCodeAt(first);
  if (open === OPEN_ARRAY) {
    const end = yield* readingEntries(text, first, '', into);
    checkEnd(text, end, into);
  } else if (open === OPEN_OBJECT) yield* readingObject(text, first, into);
  else {
    const value = parsed(text.slice(0, MAX_PART));
    into.refuse({ line: 1 }, value instanceof SyntaxError ? `is not JSON: ${value.message}` : EXPECTED);
  }
}

function checkEnd(text: string, end: number | undefined, into: ScheduleReading): boolean {
  if (end !== undefined && text.slice(end, end + MAX_PART).trim() === '') return true;
  const reason = end === undefined ? 'it ends inside a list or an object' : 'something follows its end';
  into.refuse({ line: 1 }, `is not JSON: ${reason}`);
  return false;
}

function* readingObject(text: string, open: number, into: ScheduleReading): Sliced<void> {
  const fields = new Map<string, unknown>();
  let entries: number | undefined;
  let fault: string | undefined;
  const end = yield* scanning(text, open, (from, to) => {
    const member = /\s*("(?:[^"\\]|\\.){0,200}")\s*:\s*/y;
    member.lastIndex = from;
    const [all = '', written = ''] = member.exec(text) ?? [];
    const name = parsed(written);
    const start = from + all.length;
    if (name === 'entries') entries = start;
    else {
      const value = to - start > MAX_PART ? undefined : parsed(text.slice(start, to));
      if (typeof name !== 'string') fault = 'is not JSON: a field has no name';
      else if (value instanceof SyntaxError) fault = `is not JSON: ${value.message}`;
      else if (value === undefined) fault = `must have at most ${MAX_PART} characters in ${name.slice(0, 100)}`;
      else fields.set(name, value);
    }
    if (fields.size > MAX_FIELDS) fault = `must have at most ${MAX_FIELDS} fields`;
    return fault === undefined;
  });
  if (fault !== undefined) return into.refuse({ line: 1 }, fault);
  if (!checkEnd(text, end, into)) return;
  if (entries === undefined || text.charCodeAt(entries) !== OPEN_ARRAY) return into.refuse({ line: 1 }, EXPECTED);
  into.settings = Object.fromEntries(fields);
  yield* readingEntries(text, entries, '/entries', into);
}

function* readingEntries(text: string, open: number, list: string, into: ScheduleReading): Sliced<number | undefined> {
  let [index, line, lineEnd] = [0, 1, text.indexOf('\n')];
  return yield* scanning(text, open, (from, to) => {
    const start = from + (text.slice(from, Math.min(to, from + MAX_PART)).match(/^\s*/)?.[0].length ?? 0);
    for (; lineEnd >= 0 && lineEnd < start; lineEnd = text.indexOf('\n', lineEnd + 1)) line += 1;
    const place = { line, field: `${list}/${index}` };
    index += 1;
    if (!into.next(place)) return false;
    if (to - start > MAX_PART) into.error(place, `must have at most ${MAX_PART} characters; got ${to - start}`);
    else readEntry(parsed(text.slice(start, to)), place, into);
    return true;
  });
}

function readEntry(entry: unknown, place: Required<Place>, into: ScheduleReading): void {
  const { id, source } = fieldsOf(entry);
  const { url, playlistId } = fieldsOf(source);
  const { line, field } = place;
  if (entry instanceof SyntaxError) into.error(place, `is not JSON: ${entry.message}`);
  else if (!isFields(entry)) into.error(place, `must be an object; got ${entry === null ? 'null' : typeof entry}`);
  else if (id !== undefined && typeof id !== 'string') into.error({ line, field: `${field}/id` }, 'must be a text');
  else if (typeof (url ?? playlistId) !== 'string')
    into.error({ line, field: `${field}/source` }, 'must have a url or a playlistId');
  else into.add(entry as Entry, place);
}

/**
 * Finds the elements of a list, or the fields of an object.
 * @param part receives where each begins and ends; returns false to end the search
 * @returns where the list or object ends; undefined if the text ends before
 */
function* scanning(
  text: string,
  open: number,
  part: (from: number, to: number) => boolean,
): Sliced<number | undefined> {
  let [depth, from, next] = [0, open + 1, open + CHARACTERS_IN_SLICE];
  for (let at = open; at < text.length; at += 1) {
    if (at >= next) {
      next = at + CHARACTERS_IN_SLICE;
      yield;
    }
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at + 1);
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) depth += 1;
    else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      depth -= 1;
      if (depth > 0) continue;
      const isEmpty = from === open + 1 && text.slice(from, at).trim() === '';
      if (!isEmpty && !part(from, at)) return text.length;
      return at + 1;
    } else if (code === COMMA && depth === 1) {
      if (!part(from, at)) return text.length;
      from = at + 1;
    }
  }
  return undefined;
}

function endOfString(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code !== QUOTE && at < text.length; code = text.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1;
  return at;
}

/** Nothing that JSON can express is a SyntaxError. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
}

/** @param settings what stands beside the entries */
export function* writingJson(entries: readonly Entry[], settings: ScheduleSettings): Sliced<string> {
  const parts: string[] = [];
  for (const [index, entry] of entries.entries()) {
    if (index % ENTRIES_IN_SLICE === 0) yield;
    parts.push(`\n    ${JSON.stringify(entry)}`);
  }
  const beside = Object.entries(settings).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`,
  );
  return `{\n${beside.join('')}  "entries": [${parts.join(',')}${parts.length > 0 ? '\n  ' : ''}]\n}\n`;
}
