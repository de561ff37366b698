// SPDX-License-Identifier: Apache-2.0
import { createDecipheriv } from 'node:crypto';
import { hexSequence, readAttributes } from '../../hls/attributes.ts';
import type { Protection } from '../../timeline/asset/asset.ts';
import type { Refusal } from './presentation.ts';

const BLOCK = 16;

/** The encryption of whole segments (RFC 8216 §4.3.2.4, METHOD=AES-128). */

/** @returns undefined if the segments are clear, or if only their samples are encrypted: their times need no key */
export function wholeEncryption(protection: Protection | undefined) {
  for (const list of protection?.hls ?? []) {
    const { attributes } = readAttributes(list);
    if (attributes.get('METHOD')?.value !== 'AES-128') continue;
    const keyUrl = attributes.get('URI')?.value ?? '';
    // If the playlist states none, the media sequence number is the IV (§5.2).
    const iv = hexSequence(attributes.get('IV')?.value);
    return iv === undefined ? { keyUrl } : { keyUrl, iv };
  }
  return undefined;
}

function ivBytes(iv: bigint): Uint8Array {
  const bytes = new Uint8Array(BLOCK);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt.asUintN(64, iv >> 64n));
  view.setBigUint64(8, BigInt.asUintN(64, iv));
  return bytes;
}

/** AES-128 in CBC mode: all whole blocks, so that a head can be read alone. Removes PKCS7 padding at the end. */
export function decryptSegment(bytes: Uint8Array, key: Uint8Array, iv: bigint, isWhole: boolean): Uint8Array {
  const blocks = bytes.subarray(0, bytes.length - (bytes.length % BLOCK));
  const decipher = createDecipheriv('aes-128-cbc', key, ivBytes(iv)).setAutoPadding(false);
  const head = decipher.update(blocks);
  decipher.final();
  const clear = new Uint8Array(head.buffer, head.byteOffset, head.byteLength);
  const padding = clear.at(-1) ?? 0;
  return isWhole && padding >= 1 && padding <= BLOCK ? clear.subarray(0, clear.length - padding) : clear;
}

// Names the encryption of a source in the terms of its manifest, so that unreadable encrypted media are not reported as
// damaged. Media whose samples are encrypted (SAMPLE-AES, Common Encryption) can be measured and are passed through.

/** ISO/IEC 23001-7 in an MPD: its `value` is the scheme (ISO/IEC 23009-1 5.8.5.2). */
const COMMON_ENCRYPTION = 'urn:mpeg:dash:mp4protection:2011';

function hlsMethod(list: string): string {
  const { attributes } = readAttributes(list);
  const [method, format] = [attributes.get('METHOD')?.value ?? '', attributes.get('KEYFORMAT')?.value ?? 'identity'];
  return `EXT-X-KEY:METHOD=${method}${format === 'identity' ? '' : ` with KEYFORMAT ${format}`}`;
}

function dashScheme(element: string): string {
  const attribute = (name: string): string => new RegExp(`\\s${name}="([^"]*)"`).exec(element)?.[1] ?? '';
  const scheme = attribute('schemeIdUri');
  return `ContentProtection ${scheme}${scheme.toLowerCase() === COMMON_ENCRYPTION ? ` (${attribute('value')})` : ''}`;
}

/** The encryption, e.g. `EXT-X-KEY:METHOD=AES-256`; undefined if the manifest declares none. */
export function describeEncryption(protection: Protection | undefined): string | undefined {
  const named = [...(protection?.hls ?? []).map(hlsMethod), ...(protection?.dash ?? []).map(dashScheme)];
  return named.length === 0 ? undefined : [...new Set(named)].join(', ').slice(0, 300);
}

/** Refusals whose cause is something other than the encryption. */
const otherFaults: ReadonlySet<Refusal['code']> = new Set(['NOT_FETCHED', 'TIMEOUT', 'NOT_HTTP', 'NO_KEY']);

/** Replaces the refusal of unreadable media by one that names their encryption, if the manifest declares one. */
export function explainEncryption(refusal: Refusal, protection: Protection | undefined): Refusal {
  const method = describeEncryption(protection);
  if (method === undefined || otherFaults.has(refusal.code)) return refusal;
  const key = wholeEncryption(protection) === undefined ? '' : ' with the key that the playlist names';
  const refused = `its media are encrypted (${method}) and cannot be read${key}; publish them clear, or encrypted with AES-128, SAMPLE-AES or Common Encryption`;
  return { code: 'ENCRYPTED', refused };
}

/** For media that are encrypted although their manifest declares no key: no player could get one. */
export const refuseUndeclared = (entry: string): Refusal => ({
  code: 'ENCRYPTED',
  refused: `its media are encrypted (${entry}), but the manifest declares no key; add EXT-X-KEY or ContentProtection, without which no player can decrypt them`,
});
