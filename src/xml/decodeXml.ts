// SPDX-License-Identifier: Apache-2.0
// Decodes the bytes of an XML document. The encoding is detected as in XML 1.0 appendix F: byte order mark, first bytes,
// declaration, else UTF-8.

const startsWith = (bytes: Uint8Array, ...expected: readonly number[]): boolean =>
  expected.every((value, index) => bytes[index] === value);

/** Windows-1252 where it differs from ISO 8859-1: 0x80 to 0x9F. Unassigned bytes stay control characters. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function decodeLatin(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  }
  return pieces.join('').replace(/[\u0080-\u009f]/g, (character) => windows1252[character.charCodeAt(0) - 0x80]!);
}

const utf8 = new TextDecoder();

function decodeAs(encoding: string, bytes: Uint8Array): string {
  if (encoding === 'utf-8') return utf8.decode(bytes);
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

const latin = new TextDecoder('latin1');

/** The declared encoding in lower case. The declaration is readable as ASCII in every encoding (appendix F.1). */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  if (!bytes.subarray(0, 1024).includes(0x3f)) return undefined;
  const head = latin.decode(bytes.subarray(0, 1024));
  return /<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1]?.toLowerCase();
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The `charset` parameter of a content type (RFC 7303 §3.2). */
export const charsetOf = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1];

/**
 * Never fails: undecodable bytes become U+FFFD, and an unknown encoding is read as UTF-8.
 * @param charset from the content type (`charsetOf`). Servers often send a wrong default, so the document's own declaration
 *   takes precedence, and so does valid UTF-8.
 */
export function decodeXml(bytes: Uint8Array, charset?: string): string {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return decodeAs('utf-8', bytes);
  if (startsWith(bytes, 0xfe, 0xff) || startsWith(bytes, 0x00, 0x3c, 0x00)) return decodeAs('utf-16be', bytes);
  if (startsWith(bytes, 0xff, 0xfe) || (startsWith(bytes, 0x3c, 0x00) && bytes[3] === 0)) {
    return decodeAs('utf-16le', bytes);
  }
  const encoding =
    declaredEncoding(bytes) ?? (charset === undefined || isUtf8(bytes) ? 'utf-8' : charset.toLowerCase());
  // A declaration in single bytes is not UTF-16, even when it declares UTF-16.
  if (/^(utf-?16|ucs-?2|iso-10646-ucs-2)/.test(encoding)) return decodeAs('utf-8', bytes);
  // ISO 8859-1 has no printable characters from 0x80 to 0x9F, so it is read as Windows-1252, as browsers do.
  if (/^(iso-?8859-1|latin-?1|windows-1252|cp-?1252|us-ascii|ascii)$/.test(encoding)) return decodeLatin(bytes);
  return decodeAs(encoding, bytes);
}
