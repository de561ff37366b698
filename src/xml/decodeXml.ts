// SPDX-License-Identifier: Apache-2.0
// Decodes the bytes of an XML document. The encoding is detected as in XML 1.0 appendix F: byte order mark, first bytes,
// declaration, else UTF-8.
import { finish, type Sliced } from '../time/sliced.ts';

const startsWith = (bytes: Uint8Array, ...expected: readonly number[]): boolean =>
  expected.every((value, index) => bytes[index] === value);

/** Windows-1252 where it differs from ISO 8859-1: 0x80 to 0x9F. Unassigned bytes stay control characters. */
const EXTENDED = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const windows1252 = (byte: number): number => (byte >= 0x80 && byte < 0xa0 ? EXTENDED.charCodeAt(byte - 0x80) : byte);

/** The bytes of one slice, which are decoded in a few milliseconds, whatever the encoding is. */
const IN_SLICE = 128 * 1024;

function* decodeLatin(bytes: Uint8Array): Sliced<string> {
  let text = '';
  for (let from = 0; from < bytes.length; from += IN_SLICE) {
    if (from > 0) yield;
    const end = Math.min(from + IN_SLICE, bytes.length);
    let length = 0;
    for (const byte of bytes.subarray(from, end)) length = addUnit(windows1252(byte), length);
    text += unitsText(length);
  }
  return text;
}

/** The units of UTF-16 of one slice. They are copied many times faster than a loop joins characters. */
const units = Buffer.alloc(2 * (IN_SLICE + 4));

function addUnit(unit: number, length: number): number {
  units[length] = unit & 0xff;
  units[length + 1] = unit >> 8;
  return length + 2;
}

const unitsText = (length: number): string => units.toString('utf16le', 0, length);

/** Zero beyond the end of the bytes. */
const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;

/** The bytes of a character of UTF-8 (RFC 3629 §4): 1 if they are none, and 0 if the text ends inside it. */
function sizeOf(bytes: Uint8Array, at: number): number {
  const lead = byteAt(bytes, at);
  const size = lead < 0xc2 || lead > 0xf4 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  let least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  let most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  for (let next = at + 1; next < at + size; next += 1) {
    if (next === bytes.length) return 0;
    const byte = byteAt(bytes, next);
    if (byte < least || byte > most) return 1;
    [least, most] = [0x80, 0xbf];
  }
  return size;
}

/** What is not valid UTF-8 is read as Windows-1252: documents that call themselves UTF-8 often are, in part or as a whole. */
function* decodeMixed(bytes: Uint8Array): Sliced<string> {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    if (at > 0) yield;
    const end = Math.min(at + IN_SLICE, bytes.length);
    let length = 0;
    while (at < end) {
      const size = sizeOf(bytes, at);
      if (size === 0) return `${text}${unitsText(length)}\uFFFD`;
      const lead = byteAt(bytes, at);
      let code = size === 1 ? windows1252(lead) : lead & (0x7f >> size);
      for (let next = at + 1; next < at + size; next += 1) code = (code << 6) | (byteAt(bytes, next) & 0x3f);
      at += size;
      if (code > 0xffff) length = addUnit(0xd7c0 + (code >> 10), length);
      length = addUnit(code > 0xffff ? 0xdc00 | (code & 0x3ff) : code, length);
    }
    text += unitsText(length);
  }
  return text;
}

function* decodeSlices(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): Sliced<string> {
  if (bytes.length <= IN_SLICE) return decoder.decode(bytes);
  let text = '';
  for (let from = 0; from < bytes.length; from += IN_SLICE) {
    text += decoder.decode(bytes.subarray(from, from + IN_SLICE), { stream: true });
    yield;
  }
  return text + decoder.decode();
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** @returns undefined for bytes that are not valid UTF-8 */
function* decodeUtf8(bytes: Uint8Array): Sliced<string | undefined> {
  try {
    // A decoder that decodes slices has a state.
    const decoder = bytes.length <= IN_SLICE ? strictUtf8 : new TextDecoder('utf-8', { fatal: true });
    return yield* decodeSlices(decoder, bytes);
  } catch {
    return undefined;
  }
}

function* decodeAs(encoding: string, bytes: Uint8Array): Sliced<string | undefined> {
  // ISO 8859-1 has no printable characters from 0x80 to 0x9F, so it is read as Windows-1252, as browsers do.
  if (/^(iso-?8859-1|latin-?1|windows-1252|cp-?1252|us-ascii|ascii)$/.test(encoding)) return yield* decodeLatin(bytes);
  // A declaration in single bytes is not UTF-16, even when it declares UTF-16.
  if (/^(utf-?(8|16)|ucs-?2|iso-10646-ucs-2)/.test(encoding)) return undefined;
  try {
    return yield* decodeSlices(new TextDecoder(encoding), bytes);
  } catch {
    return undefined;
  }
}

const latin = new TextDecoder('latin1');

/** The declared encoding in lower case. The declaration is readable as ASCII in every encoding (appendix F.1). */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  if (!bytes.subarray(0, 1024).includes(0x3f)) return undefined;
  const head = latin.decode(bytes.subarray(0, 1024));
  return /<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1]?.toLowerCase();
}

/** The `charset` parameter of a content type (RFC 7303 §3.2). */
export const charsetOf = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1];

/**
 * Never fails: an unknown encoding is read as UTF-8, and what is not valid UTF-8 as Windows-1252.
 * @param charset from the content type (`charsetOf`). Servers often send a wrong default, so the document's own declaration
 *   takes precedence, and so does valid UTF-8.
 */
export const decodeXml = (bytes: Uint8Array, charset?: string): string => finish(decodingXml(bytes, charset));

export function* decodingXml(bytes: Uint8Array, charset?: string): Sliced<string> {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return (yield* decodeUtf8(bytes)) ?? (yield* decodeMixed(bytes.subarray(3)));
  if (startsWith(bytes, 0xfe, 0xff) || startsWith(bytes, 0x00, 0x3c, 0x00))
    return yield* decodeSlices(new TextDecoder('utf-16be'), bytes);
  if (startsWith(bytes, 0xff, 0xfe) || (startsWith(bytes, 0x3c, 0x00) && bytes[3] === 0))
    return yield* decodeSlices(new TextDecoder('utf-16le'), bytes);
  const declared = declaredEncoding(bytes);
  const own = declared === undefined ? undefined : yield* decodeAs(declared, bytes);
  return (
    own ??
    (yield* decodeUtf8(bytes)) ??
    (yield* decodeAs(charset?.toLowerCase() ?? 'utf-8', bytes)) ??
    (yield* decodeMixed(bytes))
  );
}
