// SPDX-License-Identifier: Apache-2.0
// Reads the heads of plain GET requests. What it accepts is a strict subset of what node:http accepts, with the same
// meaning, and it never rejects: other requests are left to node:http. So nothing here decides whether a request is valid.
import { maxHeaderSize } from 'node:http';

/** Bytes. node:http refuses heads of `maxHeaderSize`, which --max-http-header-size changes. */
export const MAX_HEAD = Math.min(8192, maxHeaderSize - 1);

/** Marks the characters of a text in a table by code, as 1 or as what `markOf` returns. */
function tableOf(characters: string, markOf: (code: number) => number = () => 1): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = markOf(character.charCodeAt(0));
  return table;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ALPHANUMERIC = `0123456789${LETTERS}`;

/** Characters of path and query (RFC 3986 §3.3, §3.4). A fragment, and what URLs must encode, is left to node:http. */
const targetTable = tableOf(`${ALPHANUMERIC}-._~%!$&'()*+,;=:@/?`);

/** Characters of tokens (RFC 9110 §5.6.2), as the codes of their lower case; 0 for others. */
const lowerTable = tableOf(`${ALPHANUMERIC}!#$%&'*+-.^_\`|~`, (code) => (code >= 65 && code <= 90 ? code + 32 : code));

/** HTAB, SP and VCHAR: field values (RFC 9110 §5.5) without obs-text. */
const valueTable = tableOf(`\t${String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index))}`);

const TARGET_AT = 'GET '.length;
const PROTOCOL = ' HTTP/1.1\r\n';
/** The line breaks before the first field line and after the last one are part of the block. */
const BLOCK_OFFSET = PROTOCOL.length - 2;
const HEAD_END = '\r\n\r\n';

const [CR, LF, COLON, SPACE, TAB] = [13, 10, 58, 32, 9];

/** @param text the bytes of a chunk (latin1), `MAX_HEAD` at most @returns where the target ends; 0 unless the text begins and ends like a plain GET */
export function targetEnd(text: string): number {
  if (!text.startsWith('GET /') || !text.endsWith(HEAD_END)) return 0;
  let at = TARGET_AT + 1;
  while (targetTable[text.charCodeAt(at)] === 1) at += 1;
  return text.startsWith(PROTOCOL, at) ? at : 0;
}

/** A text of its own: parts of it are kept, and a part of the chunk's text would keep all of that. @param end result of `targetEnd` */
export const targetOf = (chunk: Buffer, end: number): string => chunk.toString('latin1', TARGET_AT, end);

/** What follows the request line: field lines between line breaks, and the empty line. */
export const fieldBlockOf = (text: string, end: number): string => text.slice(end + BLOCK_OFFSET);

// Names are compared by a hash of their lower case. Equal names have equal hashes; if others do too, node:http gets the request.

const FNV_BASIS = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

function hashOf(name: string): number {
  let hash = FNV_BASIS;
  for (let at = 0; at < name.length; at += 1)
    hash = Math.imul(hash ^ (lowerTable[name.charCodeAt(at)] ?? 0), FNV_PRIME);
  return hash;
}

const HOST = hashOf('host');
const CONNECTION = hashOf('connection');
/** They delimit a body, change the protocol or the connection, or node:http has a rule of its own for them. */
const excluded: ReadonlySet<number> = new Set(
  [
    ...['content-length', 'transfer-encoding', 'trailer', 'te', 'expect', 'upgrade', 'http2-settings'],
    ...['proxy-connection', 'set-cookie', '__proto__'],
  ].map(hashOf),
);

/** More are unusual. node:http discards those above its own limit. */
const MAX_FIELDS = 64;
const hashes = new Int32Array(MAX_FIELDS);

/** Where the name that begins at `at` ends, if it is a token and a colon follows; 0 otherwise. Its hash becomes `hashes[index]`. */
function nameEnd(block: string, begin: number, index: number): number {
  let hash = FNV_BASIS;
  let at = begin;
  for (;;) {
    const code = block.charCodeAt(at);
    const lower = lowerTable[code] ?? 0;
    if (lower === 0) {
      hashes[index] = hash;
      return code === COLON && at > begin ? at : 0;
    }
    hash = Math.imul(hash ^ lower, FNV_PRIME);
    at += 1;
  }
}

const isBlank = (code: number): boolean => code === SPACE || code === TAB;

/** A value without the blanks around it (RFC 9110 §5.5). */
function valueBetween(block: string, begin: number, end: number): string {
  let [from, to] = [begin, end];
  while (from < to && isBlank(block.charCodeAt(from))) from += 1;
  while (to > from && isBlank(block.charCodeAt(to - 1))) to -= 1;
  return block.slice(from, to);
}

/** Whether the field whose hash is `hashes[index]` may be in a plain GET: no name occurs twice (RFC 9110 §5.3). */
function isPlainField(block: string, index: number, colon: number, end: number): boolean {
  const hash = hashes[index] ?? 0;
  for (let other = 0; other < index; other += 1) if (hashes[other] === hash) return false;
  if (hash === CONNECTION) return valueBetween(block, colon + 1, end).toLowerCase() === 'keep-alive';
  return !excluded.has(hash);
}

/** @param block result of `fieldBlockOf` @returns whether node:http would read the same fields in it, and nothing but a GET without body */
export function isPlainBlock(block: string): boolean {
  let hasHost = false;
  let at = 2;
  for (let index = 0; index < MAX_FIELDS; index += 1) {
    const colon = nameEnd(block, at, index);
    if (colon === 0) return false;
    let end = colon + 1;
    while (valueTable[block.charCodeAt(end)] === 1) end += 1;
    if (block.charCodeAt(end) !== CR || block.charCodeAt(end + 1) !== LF) return false;
    if (!isPlainField(block, index, colon, end)) return false;
    // The text is compared, too: without a Host, a request is invalid (RFC 9112 §3.2).
    if (hashes[index] === HOST && block.slice(at, colon).toLowerCase() === 'host') hasHost = true;
    at = end + 2;
    // The head ends at the first empty line. If that is not the end of the block, there is something after the request.
    if (block.charCodeAt(at) === CR) return hasHost && at + 2 === block.length && block.charCodeAt(at + 1) === LF;
  }
  return false;
}

/** @param block for which `isPlainBlock` holds @returns names and values in turn, like `rawHeaders` of node:http */
export function rawHeadersIn(block: string): string[] {
  const raw: string[] = [];
  for (let at = 2; at < block.length - 2; ) {
    const colon = block.indexOf(':', at);
    const end = block.indexOf('\r\n', colon);
    raw.push(block.slice(at, colon), valueBetween(block, colon + 1, end));
    at = end + 2;
  }
  return raw;
}
