import { createDecipheriv } from 'node:crypto';
import { hexSequence, readAttributes } from '../../hls/attributes.ts';
import type { Protection } from '../../timeline/asset.ts';

const BLOCK = 16;

/** How whole segments are encrypted (RFC 8216 §4.3.2.4, METHOD=AES-128). */
export type WholeEncryption = {
  readonly keyUrl: string;
  /** The IV that stands in the playlist; absent when the media sequence number is it. */
  readonly iv?: bigint;
};

/** Undefined when the segments are in the clear, or encrypted inside so that their times can be read without a key. */
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
 * AES-128 in CBC mode, as far as whole blocks go: the head of a segment can be read without its end. PKCS7 padding goes
 * when the end is there.
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
