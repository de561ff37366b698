// SPDX-License-Identifier: Apache-2.0
// Compresses short, repetitive texts as gzip (RFC 1952), in one block of fixed Huffman codes (RFC 1951 §3.2.6). zlib makes them a
// quarter smaller, but needs several times as long: most of it to set up and to remove a compressor
// (docs/decisions/038-compression.md).
import { crc32 } from 'node:zlib';
import {
  DISTANCE_BITS,
  distanceBases,
  distanceCodeOf,
  distanceCodes,
  distanceExtras,
  END_BITS,
  lengthBits,
  lengthCodes,
  literalBits,
  literalCodes,
  MAX_DISTANCE,
  MAX_LENGTH,
} from './fixedCodes.ts';

/** Identification, deflate, no flags, no time, fastest compression, unknown system (RFC 1952 §2.3). */
const HEAD = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255];
const TAIL_BYTES = 8;
/** The last block, with fixed codes (RFC 1951 §3.2.3). */
const BLOCK = { bits: 3, value: 0b011 };

const HASH_BITS = 10;
const WORD_BYTES = 4;
/** Where four bytes with a hash were last: their place in all texts so far, so that the table need not be cleared for each. */
const places = new Int32Array(1 << HASH_BITS);
/** The place at which the text begins; above 0, which stands for none. */
let origin = 1;
const MAX_ORIGIN = 2 ** 30;

/** Kept from text to text, because new ones would cost as much as a tenth of the compression. */
let input = Buffer.alloc(0);
/** Reads four bytes at a time. */
let words = new DataView(input.buffer, input.byteOffset, input.length);
let output = Buffer.alloc(0);
/** A literal has 9 bits at most. */
const mostBytes = (size: number): number => size + (size >> 3) + 64;

function reserve(size: number): void {
  if (input.length >= size) return;
  input = Buffer.alloc(2 * size);
  words = new DataView(input.buffer, input.byteOffset, input.length);
  output = Buffer.alloc(mostBytes(2 * size));
}

/** How far before `index` the next bytes are found again; 0 if they are not. `recent` is the distance of the last match. */
function distanceAt(index: number, recent: number): number {
  const word = words.getInt32(index, true);
  const hash = Math.imul(word, 0x9e37_79b1) >>> (32 - HASH_BITS);
  const found = places[hash]! - origin;
  places[hash] = origin + index;
  // After a difference, a line often continues like the same earlier one.
  if (recent > 0 && words.getInt32(index - recent, true) === word) return recent;
  return found >= 0 && index - found <= MAX_DISTANCE && words.getInt32(found, true) === word ? index - found : 0;
}

/** How many bytes from `index` on are those before it. At least four, which `distanceAt` has compared. */
function lengthAt(index: number, distance: number, most: number): number {
  let length = WORD_BYTES;
  while (length + WORD_BYTES <= most) {
    const at = index + length;
    if (words.getInt32(at, true) !== words.getInt32(at - distance, true)) break;
    length += WORD_BYTES;
  }
  while (length < most && input[index + length] === input[index + length - distance]) length += 1;
  return length;
}

/** Writes the block of the first `size` bytes of `input` to `output`, from `start` on. @returns where it ends */
function deflate(size: number, start: number): number {
  const out = output;
  const lastMatch = size - WORD_BYTES;
  let at = start;
  let bits = BLOCK.value;
  let count = BLOCK.bits;
  let recent = 0;
  for (let index = 0; index < size; ) {
    const distance = index <= lastMatch ? distanceAt(index, recent) : 0;
    if (distance === 0) {
      const byte = input[index]!;
      bits |= literalCodes[byte]! << count;
      count += literalBits[byte]!;
      index += 1;
    } else {
      const length = lengthAt(index, distance, Math.min(MAX_LENGTH, size - index));
      bits |= lengthCodes[length]! << count;
      count += lengthBits[length]!;
      for (; count >= 8; count -= 8) {
        out[at++] = bits;
        bits >>>= 8;
      }
      const code = distanceCodeOf(distance);
      bits |= (distanceCodes[code]! | ((distance - distanceBases[code]!) << DISTANCE_BITS)) << count;
      count += DISTANCE_BITS + distanceExtras[code]!;
      recent = distance;
      index += length;
    }
    // Fewer than 8 bits are left, so that the next ones fit into 32.
    for (; count >= 8; count -= 8) {
      out[at++] = bits;
      bits >>>= 8;
    }
  }
  // The code of the end of the block is 0.
  for (count += END_BITS; count > 0; count -= 8) {
    out[at++] = bits;
    bits >>>= 8;
  }
  return at;
}

/** @param text bytes as characters (latin1), and so is the result */
export function gzipText(text: string): string {
  const size = text.length;
  reserve(size);
  if (origin > MAX_ORIGIN) {
    places.fill(0);
    origin = 1;
  }
  input.write(text, 0, 'latin1');
  output.set(HEAD);
  const end = deflate(size, HEAD.length);
  origin += size;
  output.writeUInt32LE(crc32(input.subarray(0, size)), end);
  output.writeUInt32LE(size, end + 4);
  return output.toString('latin1', 0, end + TAIL_BYTES);
}
