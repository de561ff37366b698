// SPDX-License-Identifier: Apache-2.0
// Reads segmentation_upid() (ANSI/SCTE 35 §10.3.3.1, table 22).
import type { Upid } from './spliceSection.ts';

/** User defined, ISCI, Ad-ID, TID, ADI, ADS information, URI and SCR: characters. */
const textual = new Set([0x01, 0x02, 0x03, 0x07, 0x09, 0x0e, 0x0f, 0x11]);
const EIDR = 0x0a;
const MPU = 0x0c;
const MID = 0x0d;
const UUID = 0x10;

/** @returns several for MID, which is a list of UPIDs; none when the length is 0 */
export function readUpids(type: number, bytes: Uint8Array): Upid[] {
  if (bytes.length === 0) return [];
  if (type === MID) return readList(bytes);
  if (type === MPU && bytes.length >= 4) {
    const rest = bytes.subarray(4);
    return [{ type, format: characters(bytes.subarray(0, 4)), text: isPrintable(rest) ? shown(rest) : hexOf(rest) }];
  }
  return [{ type, text: textOf(type, bytes) }];
}

function readList(bytes: Uint8Array): Upid[] {
  const upids: Upid[] = [];
  let at = 0;
  while (at + 2 <= bytes.length) {
    const [type, length] = [bytes[at]!, bytes[at + 1]!];
    if (type !== MID) upids.push(...readUpids(type, bytes.subarray(at + 2, at + 2 + length)));
    at += 2 + length;
  }
  return upids;
}

function textOf(type: number, bytes: Uint8Array): string {
  if (textual.has(type)) return shown(bytes);
  const digits = hexOf(bytes);
  if (type === EIDR && bytes.length === 12) {
    const groups = digits.slice(4).toUpperCase().match(/.{4}/g)!;
    return `10.${bytes[0]! * 256 + bytes[1]!}/${groups.join('-')}`;
  }
  if (type === UUID && bytes.length === 16) return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return digits;
}

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const characters = (bytes: Uint8Array): string => (isPrintable(bytes) ? String.fromCharCode(...bytes) : hexOf(bytes));
const isPrintable = (bytes: Uint8Array): boolean => bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
/** Controls, also those of the direction of writing, and bytes that are no text would change what is printed around them. */
const unshown = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd]/u;

/** The text without padding, with which some senders fill fixed lengths; hexadecimal digits if it cannot be shown. */
export function shown(bytes: Uint8Array): string {
  const used = bytes.subarray(0, bytes.findLastIndex((byte) => byte > 0x20) + 1);
  const text = new TextDecoder().decode(used);
  return unshown.test(text) ? hexOf(used) : text;
}
