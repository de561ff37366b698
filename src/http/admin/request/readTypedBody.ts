// SPDX-License-Identifier: Apache-2.0
// Reads a body according to its content type: JSON, or a text where a route accepts that.
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { AppError, fieldError, validationError } from '../../../errors.ts';
import { inTurns } from '../../../ingest/source/inTurns.ts';
import type { Sliced } from '../../../time/sliced.ts';
import { charsetOf, decodingXml } from '../../../xml/decodeXml.ts';

/** Of routes that state no other limit. */
export const BODY_LIMIT = 1024 * 1024;
/** A client that sends more than this is disconnected. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/** @param limit bytes @throws {AppError} TOO_LARGE; MALFORMED if the client closes the connection early */
export async function readRequestBody(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else chunks.length = 0;
      if (size > MAX_DISCARDED_BYTES) break;
    }
  } catch (error) {
    throw new AppError('MALFORMED', 'The body ended before it was complete.', { cause: error });
  }
  if (size > limit) throw new AppError('TOO_LARGE', `The body must be at most ${limit} bytes; got more.`);
  return Buffer.concat(chunks);
}

const json = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i;

type TypedBody = {
  /** JSON, not yet validated; undefined if the body is empty. */
  readonly body?: unknown;
  /** The text of a body in another type, not yet parsed. */
  readonly document?: string;
};

/** @param textTypes the media types that the route reads as text @throws {AppError} UNSUPPORTED_MEDIA_TYPE, MALFORMED */
export async function readTypedBody(
  headers: IncomingHttpHeaders,
  bytes: Buffer = Buffer.alloc(0),
  textTypes: readonly string[] = [],
): Promise<TypedBody> {
  const type = headers['content-type'] ?? '';
  const isText = textTypes.includes(type.replace(/;.*/s, '').trim().toLowerCase());
  const isEmpty = bytes.length === 0;
  if (isEmpty && !isText) return {};
  const isUtf8 = (charsetOf(type) ?? 'utf-8').toLowerCase() === 'utf-8';
  if (!isText && !(json.test(type) && isUtf8)) {
    const others = textTypes.filter((one) => one !== 'application/json');
    const accepted = ['application/json in UTF-8', ...others].join(', ').replace(/, ([^,]*)$/, ' or $1');
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `content-type must be ${accepted}; got "${type.slice(0, 100)}".`);
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      `content-encoding must be identity; got "${encoding.slice(0, 100)}". Send the body uncompressed.`,
    );
  if (isText) return { document: isEmpty ? '' : await inTurns(bytes.length, decodingXml(bytes, charsetOf(type))) };
  return { body: await inTurns(bytes.length, readingJson(bytes)) };
}

const MAX_DEPTH = 64;
/** A megabyte of the shortest cue points has 120,000 values. */
const MAX_VALUES = 150_000;
const MAX_NAMES = 1000;
const CHARACTERS_IN_SLICE = 256 * 1024;

/** @throws {AppError} MALFORMED with the problem and its position; VALIDATION_ERROR if there is too much in it */
export function* readingJson(bytes: Uint8Array): Sliced<unknown> {
  const text = decode(bytes);
  yield* checkTokens(text);
  const isLong = text.length > CHARACTERS_IN_SLICE;
  if (isLong) yield;
  try {
    const value: unknown = JSON.parse(text);
    if (isLong) yield;
    return value;
  } catch (error) {
    const reason = (error as Error).message.slice(0, 200);
    throw new AppError('MALFORMED', `The body must be JSON: ${reason}.`, { cause: error });
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError('MALFORMED', 'The body must be JSON in UTF-8; got bytes that are not UTF-8.', { cause: error });
  }
}

/** The names of an open object: none yet, one, or more; undefined in an array. */
type Names = undefined | null | string | Set<string>;

const [SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [0x20, 0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Runs before the text is parsed, so it may not be JSON: what is no JSON is left to the parser. */
function* checkTokens(text: string): Sliced<void> {
  const open: Names[] = [];
  let values = 1;
  let [start, end, next] = [0, 0, CHARACTERS_IN_SLICE];
  for (let at = 0; at < text.length; at += 1) {
    if (at >= next) {
      next = at + CHARACTERS_IN_SLICE;
      yield;
    }
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      start = at + 1;
      end = endOfString(text, start);
      at = end;
    } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      open.push(code === OPEN_OBJECT ? null : undefined);
      if (open.length > MAX_DEPTH)
        throw new AppError('MALFORMED', `The JSON of the body must not nest deeper than ${MAX_DEPTH} levels.`);
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      open.pop();
      // Each value is the first of a list or follows a comma.
      if (!isEmpty(text, at)) values += 1;
    } else if (code === COMMA) values += 1;
    else if (code === COLON && open.length > 0) open.push(withName(open.pop(), nameOf(text.slice(start, end))));
  }
  if (values > MAX_VALUES) throw tooMany('maxItems', 'values', MAX_VALUES, values);
}

/** @param close the position of a closing bracket */
function isEmpty(text: string, close: number): boolean {
  let at = close - 1;
  while (at > 0 && text.charCodeAt(at) <= SPACE) at -= 1;
  const before = text.charCodeAt(at);
  return before === OPEN_ARRAY || before === OPEN_OBJECT;
}

function endOfString(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code !== QUOTE && at < text.length; code = text.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1;
  return at;
}

function nameOf(written: string): string {
  if (!written.includes('\\')) return written;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}

function withName(names: Names, name: string): Names {
  if (names === undefined) return undefined;
  if (name === '__proto__') throw new AppError('MALFORMED', 'The body must not contain a field named "__proto__".');
  if (names === null) return name;
  const all = typeof names === 'string' ? new Set([names]) : names;
  if (all.has(name))
    throw new AppError(
      'MALFORMED',
      `Duplicate field ${JSON.stringify(name.slice(0, 100))} in an object of the body. Send each field once.`,
    );
  all.add(name);
  if (all.size > MAX_NAMES) throw tooMany('maxProperties', 'fields in an object', MAX_NAMES, all.size);
  return all;
}

const tooMany = (keyword: string, what: string, limit: number, count: number): AppError =>
  validationError('Invalid body', [
    fieldError(keyword, '', `must have at most ${limit} ${what}; got ${count}`, { limit }),
  ]);
