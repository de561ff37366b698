// SPDX-License-Identifier: Apache-2.0
// Reads the descriptors that state nothing about breaks: DTMF, time and audio (ANSI/SCTE 35 §10.3), and those of others.
import { createBitReader } from '../mp4/bitReader.ts';
import { hexOf } from './readUpid.ts';
import type { AudioChannel, OtherDescriptor } from './spliceSection.ts';

/** "CUEI": a descriptor with another identifier belongs to someone else (§10.2). */
export const CUEI = 0x43554549;
const DTMF = 0x01;
const TIME = 0x03;
const AUDIO = 0x04;

/** @param content after descriptor_length */
export function readOtherDescriptor(tag: number, content: Uint8Array): OtherDescriptor {
  const reader = createBitReader(content);
  const identifier = reader.bits(32);
  const known = identifier === CUEI ? readKnown(tag, content) : undefined;
  return known ?? { kind: 'other', tag, identifier, bytes: hexOf(content.subarray(4)) };
}

/** @returns undefined for other tags, and for what is too short */
function readKnown(tag: number, content: Uint8Array): OtherDescriptor | undefined {
  const reader = createBitReader(content, 4);
  if (tag === DTMF) {
    const preroll = reader.bits(8);
    const count = reader.bits(3);
    const characters = String.fromCharCode(...content.subarray(6, 6 + count));
    return characters.length < count || content.length < 6 ? undefined : { kind: 'dtmf', preroll, characters };
  }
  if (tag === TIME) {
    const [taiSeconds, taiNanoseconds, utcOffset] = [reader.bits(48), reader.bits(32), reader.bits(16)];
    return reader.isPastEnd() ? undefined : { kind: 'time', taiSeconds, taiNanoseconds, utcOffset };
  }
  if (tag !== AUDIO) return undefined;
  const count = reader.bits(4);
  reader.bits(4);
  const channels = Array.from({ length: count }, (): AudioChannel => {
    const tag = reader.bits(8);
    const language = String.fromCharCode(reader.bits(8), reader.bits(8), reader.bits(8));
    const [bitStreamMode, channels] = [reader.bits(3), reader.bits(4)];
    return { tag, language, bitStreamMode, channels, isFullService: reader.bit() === 1 };
  });
  return reader.isPastEnd() ? undefined : { kind: 'audio', channels };
}
