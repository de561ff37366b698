// SPDX-License-Identifier: Apache-2.0
// Compresses short, repetitive texts as gzip (RFC 1952), in one block of fixed Huffman codes (RFC 1951 §3.2.6). zlib makes them a
// quarter smaller, but needs several times as long: most of it to set up and to remove a compressor
// (docs/decisions/034-cards.md).
import { crc32 } from 'node:zlib';

/** Identification, deflate, no flags, no time, fastest compression, unknown system (RFC 1952 §2.3). */
const HEAD = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255];
const TAIL_BYTES = 8;
/** The last block, with fixed codes (RFC 1951 §3.2.3). */
const BLOCK = { bits: 3, value: 0b011 };

// Each index is within its table: `?? 0` never applies, and costs nothing, unlike a check for every byte.

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
  const found = (places[hash] ?? 0) - origin;
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
      const byte = input[index] ?? 0;
      bits |= (literalCodes[byte] ?? 0) << count;
      count += literalBits[byte] ?? 0;
      index += 1;
    } else {
      const length = lengthAt(index, distance, Math.min(MAX_LENGTH, size - index));
      bits |= (lengthCodes[length] ?? 0) << count;
      count += lengthBits[length] ?? 0;
      for (; count >= 8; count -= 8) {
        out[at++] = bits;
        bits >>>= 8;
      }
      const code = distanceCodeOf(distance);
      bits |= ((distanceCodes[code] ?? 0) | ((distance - (distanceBases[code] ?? 0)) << DISTANCE_BITS)) << count;
      count += DISTANCE_BITS + (distanceExtras[code] ?? 0);
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

// The fixed Huffman codes of DEFLATE (RFC 1951 §3.2.6) as bits in the order in which they are written, from the least
// significant one on, together with the extra bits of lengths (§3.2.5).

/** Huffman codes are written from their most significant bit on (§3.1.1). */
function reversed(code: number, bits: number): number {
  let left = code;
  let result = 0;
  for (let bit = 0; bit < bits; bit += 1) {
    result = (result << 1) | (left & 1);
    left >>= 1;
  }
  return result;
}

/** Literals: bytes below 144 have 8 bits, others 9. */
const literalCodes = Uint16Array.from({ length: 256 }, (_, byte) =>
  byte < 144 ? reversed(0x30 + byte, 8) : reversed(0x190 + byte - 144, 9),
);
const literalBits = Uint8Array.from({ length: 256 }, (_, byte) => (byte < 144 ? 8 : 9));

const END_BITS = 7;
const MAX_LENGTH = 258;
const MAX_DISTANCE = 32_768;

/** The least length of each length code from 257 on, and its extra bits. */
const lengthBases = [
  ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31],
  ...[35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, MAX_LENGTH],
];
const lengthExtras = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];

/** By length: its code and extra bits, and how many bits these are. */
const lengthCodes = new Uint16Array(MAX_LENGTH + 1);
const lengthBits = new Uint8Array(MAX_LENGTH + 1);
for (const [index, base] of lengthBases.entries()) {
  const [code, bits] = index < 23 ? [reversed(index + 1, 7), 7] : [reversed(0xc0 + index - 23, 8), 8];
  // Length 258 has a code of its own.
  const end = lengthBases[index + 1] ?? MAX_LENGTH + 1;
  for (let length = base; length < end; length += 1) {
    lengthCodes[length] = code | ((length - base) << bits);
    lengthBits[length] = bits + (lengthExtras[index] ?? 0);
  }
}

/** The least distance of each distance code, its extra bits, and the code. */
const distanceBases = Uint16Array.from({ length: 30 }, (_, code) =>
  code < 4 ? code + 1 : 1 + ((2 + (code & 1)) << ((code >> 1) - 1)),
);
const distanceExtras = Uint8Array.from({ length: 30 }, (_, code) => (code < 4 ? 0 : (code >> 1) - 1));
const distanceCodes = Uint8Array.from({ length: 30 }, (_, code) => reversed(code, 5));
const DISTANCE_BITS = 5;

/** Distance codes of distances up to 256, and of longer ones in steps of 128. */
const nearCodes = new Uint8Array(256);
const farCodes = new Uint8Array(256);
for (const [code, base] of distanceBases.entries()) {
  const end = distanceBases[code + 1] ?? MAX_DISTANCE + 1;
  for (let distance = base; distance < end; distance += 1) {
    if (distance <= 256) nearCodes[distance - 1] = code;
    else farCodes[(distance - 1) >> 7] = code;
  }
}

const distanceCodeOf = (distance: number): number =>
  distance <= 256 ? (nearCodes[distance - 1] ?? 0) : (farCodes[(distance - 1) >> 7] ?? 0);
