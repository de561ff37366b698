// SPDX-License-Identifier: Apache-2.0
// Decodes the bytes of an XML document. The encoding is detected as in XML 1.0 appendix F: byte order mark, first bytes,
// declaration, else UTF-8.

const startsWith = (bytes: Uint8Array, ...expected: readonly number[]): boolean =>
  expected.every((value, index) => bytes[index] === value);

/** Windows-1252 where it differs from ISO 8859-1: 0x80 to 0x9F. Unassigned bytes stay control characters. */
const EXTENDED = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const windows1252 = Uint16Array.from({ length: 256 }, (_, code) =>
  code >= 0x80 && code < 0xa0 ? EXTENDED.charCodeAt(code - 0x80) : code,
);

const latinCharacter = (byte: string): string => String.fromCharCode(windows1252[byte.charCodeAt(0)]!);

/** As units of UTF-16, which are copied many times faster than a loop joins characters. */
function decodeUnits(bytes: Uint8Array, unitOf: (byte: number) => number): string {
  const { length } = bytes;
  const units = new DataView(new ArrayBuffer(2 * length));
  for (let at = 0; at < length; at += 1) units.setUint16(2 * at, unitOf(bytes[at]!), true);
  return Buffer.from(units.buffer).toString('utf16le');
}

/** Each byte as the character of its number. */
const bytesAsText = (bytes: Uint8Array): string => decodeUnits(bytes, (byte) => byte);
const decodeLatin = (bytes: Uint8Array): string => decodeUnits(bytes, (byte) => windows1252[byte]!);

/** The characters of UTF-8 (RFC 3629 §4) that are not ASCII, the start of one at the end of the bytes, and any other byte. */
const multibyte =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\xc2-\xf4][\x80-\xbf]{0,2}$|[\x80-\xff]/g;
const isStart = /^[\xc2-\xf4]$/;

/** What is not valid UTF-8 is read as Windows-1252: documents that call themselves UTF-8 often are, in part or as a whole. */
function decodeMixed(bytes: Uint8Array): string {
  const lastByte = bytes.length - 1;
  return bytesAsText(bytes).replace(multibyte, (found, at: number) => {
    const isCutOff = at + found.length > lastByte && isStart.test(found[0]!);
    if (found.length === 1 && !isCutOff) return latinCharacter(found);
    const expected = found >= '\xf0' ? 4 : found >= '\xe0' ? 3 : 2;
    if (found.length < expected) return '\uFFFD';
    const lead = found.charCodeAt(0) & (0x7f >> expected);
    return String.fromCodePoint(
      [...found.slice(1)].reduce((code, one) => (code << 6) | (one.charCodeAt(0) & 0x3f), lead),
    );
  });
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** @returns undefined for bytes that are not valid UTF-8 */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Undefined for an unknown encoding. */
function decodeAs(encoding: string, bytes: Uint8Array): string | undefined {
  // ISO 8859-1 has no printable characters from 0x80 to 0x9F, so it is read as Windows-1252, as browsers do.
  if (/^(iso-?8859-1|latin-?1|windows-1252|cp-?1252|us-ascii|ascii)$/.test(encoding)) return decodeLatin(bytes);
  // A declaration in single bytes is not UTF-16, even when it declares UTF-16.
  if (/^(utf-?(8|16)|ucs-?2|iso-10646-ucs-2)/.test(encoding)) return undefined;
  try {
    return new TextDecoder(encoding).decode(bytes);
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
export function decodeXml(bytes: Uint8Array, charset?: string): string {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return decodeUtf8(bytes) ?? decodeMixed(bytes.subarray(3));
  if (startsWith(bytes, 0xfe, 0xff) || startsWith(bytes, 0x00, 0x3c, 0x00))
    return new TextDecoder('utf-16be').decode(bytes);
  if (startsWith(bytes, 0xff, 0xfe) || (startsWith(bytes, 0x3c, 0x00) && bytes[3] === 0)) {
    return new TextDecoder('utf-16le').decode(bytes);
  }
  const declared = declaredEncoding(bytes);
  const own = declared === undefined ? undefined : decodeAs(declared, bytes);
  return own ?? decodeUtf8(bytes) ?? decodeAs(charset?.toLowerCase() ?? 'utf-8', bytes) ?? decodeMixed(bytes);
}
