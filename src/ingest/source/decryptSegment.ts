// SPDX-License-Identifier: Apache-2.0
import { createDecipheriv } from 'node:crypto';
import { hexSequence, readAttributes } from '../../hls/attributes.ts';
import type { Protection } from '../../timeline/asset/asset.ts';

const BLOCK = 16;

/** The encryption of whole segments (RFC 8216 §4.3.2.4, METHOD=AES-128). */
export type WholeEncryption = {
  readonly keyUrl: string;
  /** The IV in the playlist. If absent, the media sequence number is the IV (§5.2). */
  readonly iv?: bigint;
};

/** @returns undefined if the segments are clear, or if only their samples are encrypted: their times need no key */
export function wholeEncryption(protection: Protection | undefined): WholeEncryption | undefined {
  for (const list of protection?.hls ?? []) {
    const { attributes } = readAttributes(list);
    if (attributes.get('METHOD')?.value !== 'AES-128') continue;
    const keyUrl = attributes.get('URI')?.value ?? '';
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

/**
 * AES-128 in CBC mode. Decrypts all whole blocks, so the head of a segment can be read without its end. If the end is
 * there, its PKCS7 padding is removed.
 */
export function decryptSegment(bytes: Uint8Array, key: Uint8Array, iv: bigint, isWhole: boolean): Uint8Array {
  const blocks = bytes.subarray(0, bytes.length - (bytes.length % BLOCK));
  const decipher = createDecipheriv('aes-128-cbc', key, ivBytes(iv)).setAutoPadding(false);
  const head = decipher.update(blocks);
  decipher.final();
  const clear = new Uint8Array(head.buffer, head.byteOffset, head.byteLength);
  const padding = clear.at(-1) ?? 0;
  return isWhole && padding >= 1 && padding <= BLOCK ? clear.subarray(0, clear.length - padding) : clear;
}
