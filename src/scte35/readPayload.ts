// SPDX-License-Identifier: Apache-2.0
// Reads a SCTE-35 message as manifests write it: in base64, or in hexadecimal digits with or without 0x.
import { readSection, refuseSplice } from './readSection.ts';
import type { SpliceRefusal, SpliceSection } from './spliceSection.ts';

/** A section has at most 4,096 bytes. */
const MAX_CHARACTERS = 20_000;

export function readPayload(text: string): SpliceSection | SpliceRefusal {
  const bytes = bytesOf(text);
  if (bytes !== undefined) return readSection(decodedTwice(bytes) ?? bytes);
  const found = JSON.stringify(text.slice(0, 40));
  return refuseSplice('ENCODING', `a SCTE-35 message must be base64 or hexadecimal; got ${found}`);
}

/** Some senders encode the base64 text again; "/" is its first character, and no section starts with that byte. */
function decodedTwice(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes[0] !== 0x2f || bytes.some((byte) => byte < 0x20 || byte > 0x7e)) return undefined;
  return bytesOf(String.fromCharCode(...bytes));
}

function bytesOf(text: string): Uint8Array | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const compact = text.replace(/\s+/g, '');
  const digits = /^(?:0[xX])?((?:[0-9a-fA-F]{2})+)$/.exec(compact)?.[1] ?? /^0[xX]([0-9a-fA-F]+)$/.exec(compact)?.[1];
  // Every section starts with 0xFC, so its base64 starts with "/", which no hexadecimal text contains.
  if (digits !== undefined) return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const written = compact.replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '');
  // A text that is cut short may end with a single character, which holds no byte.
  const base64 = written.length % 4 === 1 ? written.slice(0, -1) : written;
  if (!/^[A-Za-z0-9+/]+$/.test(written)) return undefined;
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
